import SDChannels
import SDHTTPMessages
import SDHTTPTransport
import SDJournal
import SDOutgoingCalls
import SDPlatform
import SDStubModel
import SDUpstream
import SDWebSocket

/// The answer of another server on its way to a client: its head, once, and its body through a relay, as it arrives.
///
/// `@unchecked Sendable`: all mutable state is used only on the loop's thread, where the call and the stream report
/// their progress.
final class ProxiedAnswer: UpstreamObserver, @unchecked Sendable {
    /// The largest body that is buffered to be sent as a dribble, in bytes.
    private static let maxDribbled = 8 << 20

    private let maker: ResponseMaker
    private let target: ProxyTarget
    private let definition: ResponseDefinition
    private let headers: [ResponseHeader]
    private let dropsCORS: Bool
    private let record: (any ExchangeRecord)?
    private let stream: StreamingReply
    private let start = MonotonicInstant.now
    private let relay: BodyRelay

    private var transfer: UpstreamTransfer?
    /// Whether the call is over, or the rest is not needed.
    private var hasEnded = false
    /// The frame around the body; nil until the head has arrived.
    private var frame: ProxiedFrame?
    /// Whether the head was sent to the stream.
    private var hasStarted = false
    /// The number of body bytes so far.
    private var passed = 0
    /// The part of the body that the journal stores; nil for none.
    private var body: StreamedBody?
    /// The body received so far, if it is sent as a dribble; nil otherwise.
    private var dribbled: [UInt8]?
    /// The rewriting of the answer; nil for none.
    private var rewrite: HostRewrite?
    /// Prism's checks of the answer; nil if it is passed on unchanged.
    private let exchange: PrismExchange?
    /// The buffered answer until Prism's checks are done; nil for none.
    private var held: Held?
    /// The WebSocket call to the server; nil if there is none, or if the client's own handshake is passed on.
    private let webSocket: WebSocketCall?
    /// The WebSocket between client and server after a 101.
    private var channel: ProxiedChannel?

    private struct Held {
        let head: UpstreamHead
        let fields: AnsweredFields
        var body: [UInt8] = []
    }

    init(
        _ maker: ResponseMaker, _ target: ProxyTarget, _ definition: ResponseDefinition, headers: [ResponseHeader],
        dropsCORS: Bool, _ rewrite: HostRewrite?, _ record: (any ExchangeRecord)?, _ stream: StreamingReply,
        _ webSocket: WebSocketCall?
    ) {
        self.webSocket = webSocket
        self.maker = maker
        self.target = target
        self.definition = definition
        self.headers = headers
        self.dropsCORS = dropsCORS
        self.rewrite = rewrite
        self.record = record
        self.stream = stream
        exchange = maker.session.prismExchange(of: maker.request)
        relay = BodyRelay(in: maker.session.memory.account(.answers))
    }

    /// Starts the call, whose answer goes to the client.
    func begin(_ call: UpstreamRequest, _ upstream: Upstream) {
        guard stream.loop.isCurrent else {
            stream.loop.perform { [self] in begin(call, upstream) }
            return
        }
        transfer = upstream.start(call, on: stream.loop, self)
        relay.onRoom = { [weak self] in self?.transfer?.setReading(true) }
        maker.session.activity.inFlight.whenEnded(maker.event) { [self] in clientEnds() }
    }

    /// The client has the whole answer, or has disconnected.
    private func clientEnds() {
        dribbled = nil
        held = nil
        guard !hasEnded else { return }
        abandon("the client left")
    }

    /// Cancels the call, because the rest is not needed.
    private func abandon(_ reason: String) {
        hasEnded = true
        transfer.take()?.cancel()
        record?.ended(.failure(UpstreamProblem(.other, reason)))
    }

    // MARK: From the other server

    func upstreamInforms(_ head: UpstreamHead) {
        // HTTP/1.0 has no informational answers.
        guard !hasEnded, !maker.form.contains(.http10), maker.event.effects?.comesFirst != true else { return }
        stream.play(.part([.head(ResponseHead(informing: head, rewrite))]))
    }

    func upstreamAnswers(_ head: UpstreamHead) {
        if head.status == 101, let objection = webSocket?.objection(to: head.headers) {
            transfer.take()?.cancel()
            return upstreamEnds(.failure(UpstreamProblem(.malformed, "\(target.base.hostField) \(objection)")))
        }
        record?.answered(head)
        var fields = AnsweredFields(head, dropsCORS: dropsCORS, own: headers, rewrite)
        if rewrite != nil {
            if HostRewrite.applies(to: fields), !maker.form.contains(.headOnly) {
                fields = fields.withoutLength
            } else {
                rewrite = nil
            }
        }
        let (session, event) = (maker.session, maker.event)
        event.extras?.note(latency: start.elapsedNanoseconds)
        if let type = fields.value("content-type"), type.lowercased().hasPrefix("text/html") {
            session.sendsPage(of: StubReference(maker.stub))
        }
        if maker.stub.tellsBefore {
            var told = definition
            (told.status, told.statusMessage) = (head.status, head.reason.isEmpty ? nil : head.reason)
            told.headers = grouped(fields.all)
            if let problem = session.notifyListeners(maker.stub, event, maker.request, told, isOnLoop: true, []) {
                // The answer must not be sent, because a listener failed.
                abandon(problem)
                return stream.finish(maker.failure(problem))
            }
        }
        if let exchange, head.status >= 200, !maker.form.contains(.headOnly), exchange.holds(fields.all) {
            held = Held(head: head, fields: fields)
        } else {
            pass(head, fields)
        }
    }

    /// Passes an answer on as it arrives.
    private func pass(_ head: UpstreamHead, _ fields: AnsweredFields) {
        let (session, event) = (maker.session, maker.event)
        let body = StreamedBody(limit: session.keptBodyLimit, most: .max)
        let webSocket = head.status == 101 ? webSocket : nil
        // HTTP/2 does not switch protocols (RFC 8441).
        let isSwitch = webSocket == nil || maker.request.version != .http2
        session.record(
            ServedResponse(
                status: isSwitch ? head.status : 200, reason: head.reason.isEmpty || !isSwitch ? nil : head.reason,
                fields: fields.all, streamed: body), of: event)
        if let webSocket { return open(webSocket, head, fields) }
        let frame = ProxiedFrame(head, fields, maker.form, extra: CORS.headers(maker.extraHeaders, besides: fields.all))
        self.frame = frame
        if head.status == 101 { return join(frame) }
        self.body = body
        if frame.hasBody, (definition.chunkedDribbleDelay?.numberOfChunks ?? 0) > 0 { dribbled = [] }
        let isPlain = event.effects?.shape.isEmpty != false
        guard dribbled == nil, isPlain || head.version == .http2 else { return play() }
        // Bytes that arrive in the same iteration of the loop are sent with the head, in one write; an end in it is
        // known then.
        stream.loop.perform { [self] in
            if !hasStarted { play() }
        }
    }

    /// Connects client and server after a switch of protocols.
    private func join(_ frame: ProxiedFrame) {
        hasEnded = true
        record?.ended(.success([]))
        let (session, stub, place) = (maker.session, StubReference(maker.stub), target.base.hostField)
        let isJoined = transfer.take()?.join(stream) { end in
            session.noticed("the upgraded connection to \(place) \(end.words(limit: "--proxy-timeout"))", of: stub)
        }
        guard isJoined == true else { return stream.cancel() }
        finish(frame.end(trailers: [], of: 0))
    }

    /// Connects client and server by WebSocket messages, each of which the journal records.
    private func open(_ webSocket: WebSocketCall, _ head: UpstreamHead, _ fields: AnsweredFields) {
        guard let transfer = transfer.take() else { return stream.cancel() }
        hasEnded = true
        record?.ended(.success([]))
        let (session, event) = (maker.session, maker.event)
        let (stub, place) = (StubReference(maker.stub), target.base.hostField)
        let kept = fields.all.filter { !Self.isOfHandshake($0.name) }
        channel = session.ofChannels.channels.open(
            maker.request, webSocket, to: transfer, in: session.ofChannels, on: stream, answer: head.headers,
            fields: kept + CORS.headers(maker.extraHeaders, besides: fields.all).map { (name: $0.0, value: $0.1) },
            shape: event.effects?.shape ?? BodyShape(), opening: { session.delayed(.part([.head($0)]), event) },
            whenEnded: { session.noticed("the WebSocket to \(place) \($0)", of: stub) })
        guard channel == nil else { return }
        transfer.cancel()
        stream.cancel()
    }

    /// Whether a field of a 101 is generated anew for the client.
    private static func isOfHandshake(_ name: String) -> Bool {
        [
            "connection", "content-length", "sec-websocket-accept", "sec-websocket-extensions", "trailer",
            "transfer-encoding", "upgrade",
        ].contains(name.lowercased())
    }

    func upstreamWants() { channel?.serverWants() }

    func upstreamInputEnds() { channel?.serverFinishes() }

    func upstreamSends(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { upstreamSends($0) }
    }

    func upstreamSends(_ bytes: UnsafeBufferPointer<UInt8>) {
        if let channel { return channel.came(bytes) }
        if let record { record.received(Array(bytes)) }
        if !hasEnded, held != nil { return hold(bytes) }
        guard !hasEnded, frame?.hasBody == true else { return }
        if rewrite == nil { pass(bytes) } else { rewrite?.pass(bytes, isLast: false) { pass($0) } }
    }

    func upstreamEnds(_ end: Result<[(name: String, value: String)], UpstreamProblem>) {
        if let channel {
            if case .failure(let problem) = end { channel.serverEnds(problem) } else { channel.serverEnds(nil) }
            return
        }
        record?.ended(end)
        hasEnded = true
        transfer = nil
        switch end {
        case .success where held != nil: release()
        case .success(let trailers):
            if let frame { finish(frame.end(trailers: trailers, of: passed)) }
        case .failure(let problem):
            // There is no client to tell.
            if problem.kind == .abandoned { return }
            maker.event.extras?.proxied?.problem = problem.message
            if frame != nil { breakOff(problem) } else { stream.finish(maker.failure(ProxyFailure(problem, target))) }
        }
    }

    /// Adds bytes to a buffered body. A body that is too large is passed on as it arrives.
    private func hold(_ bytes: UnsafeBufferPointer<UInt8>) {
        held?.body += bytes
        guard let long = held, long.body.count > PrismExchange.maxHeld else { return }
        held = nil
        pass(long.head, long.fields)
        long.body.withUnsafeBufferPointer { bytes in
            if rewrite == nil { pass(bytes) } else { rewrite?.pass(bytes, isLast: false) { pass($0) } }
        }
    }

    /// Sends the result of the checks on a buffered answer.
    private func release() {
        guard let whole = held.take(), let exchange else { return }
        var body: [UInt8] = []
        if rewrite == nil {
            body = whole.body
        } else {
            whole.body.withUnsafeBufferPointer { bytes in
                rewrite?.pass(bytes, isLast: true) { body += $0 }
            }
        }
        let fields = whole.fields.withoutLength.all.filter { !FieldName.is($0.name, "trailer") }
        let came = PrismAnswer(status: whole.head.status, headers: fields, body: body)
        let (maker, stream, definition) = (maker, stream, definition)
        maker.session.matching.add {
            let answer = exchange.answer(in: came, maker.session.newBudget)
            // The client may have disconnected.
            guard maker.event.end == nil else { return }
            if let found = exchange.found { maker.session.note(answer, of: found, maker.event) }
            var made = definition
            (made.status, made.statusMessage) = (answer.status, nil)
            made.headers = grouped(answer.headers)
            stream.finish(maker.script(made, answer.body))
        }
    }

    /// Ends the client's connection as the other server's has ended; in HTTP/2, only the stream.
    private func breakOff(_ problem: UpstreamProblem) {
        let limit = problem.kind == .timedOut ? " (--proxy-timeout)" : ""
        maker.session.warned("its answer is broken off: \(problem.message)\(limit)", of: StubReference(maker.stub))
        let internalError: UInt32 = 2
        finish(.abort(problem.kind == .reset ? .resetStream(code: internalError) : .breakOff))
    }

    // MARK: To the client

    /// Passes body bytes on.
    private func pass(_ bytes: UnsafeBufferPointer<UInt8>) {
        passed += bytes.count
        note(bytes)
        if let count = dribbled?.count {
            dribbled?.append(contentsOf: bytes)
            if count + bytes.count > Self.maxDribbled { stopDribbling() }
        } else if !relay.add(bytes) {
            transfer?.setReading(false)
        }
    }

    /// Records bytes for the journal.
    private func note(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let body else { return }
        let charge = body.add(bytes)
        if charge > 0 { maker.session.withJournal { $0.charge(charge, for: maker.event) } }
    }

    /// Passes the body on as it arrives, because it is too large to buffer.
    private func stopDribbling() {
        guard let known = dribbled.take() else { return }
        maker.session.warned(
            "its body is larger than \(Self.maxDribbled >> 20) MiB, and passes without the stub's dribble",
            of: StubReference(maker.stub))
        if !known.withUnsafeBufferPointer({ relay.add($0) }) { transfer?.setReading(false) }
        stream.play(.part([.relay(relay)]))
    }

    /// Ends the answer after all received bytes.
    private func finish(_ ending: WireStep) {
        rewrite?.pass(UnsafeBufferPointer(start: nil, count: 0), isLast: true) { pass($0) }
        relay.close()
        var steps: [WireStep] = []
        if let body = dribbled.take(), let dribble = definition.chunkedDribbleDelay, !body.isEmpty {
            steps = BodyFrame.dribbled(.bytes(BodyBytes(body)), dribble)
        }
        play(steps + [ending])
    }

    /// Sends the stream the head and the relay, unless that was done; then the end of the answer.
    private func play(_ ending: [WireStep] = []) {
        guard let frame else { return }
        var end: WireStep.End?
        if ending.count == 1, case .end(let last, let trailers) = ending[0], trailers.isEmpty { end = last }
        guard !hasStarted else {
            return stream.play(end.map { $0 == .keepAlive ? Self.kept : Self.closed } ?? WireScript(ending))
        }
        hasStarted = true
        // The head of an empty body can end the answer.
        let isEmpty = !ending.isEmpty && passed == 0
        let relay = frame.hasBody && dribbled == nil && !isEmpty ? relay : nil
        let script =
            ending.isEmpty || end != nil
            ? WireScript(head: frame.head, relay: relay, end: end)
            : WireScript([.head(frame.head)] + (relay.map { [.relay($0)] } ?? []) + ending)
        let (session, event) = (maker.session, maker.event)
        stream.play(session.delayed(script, event), shape: event.effects?.shape ?? BodyShape())
    }

    private static let kept = WireScript([.end(.keepAlive)])
    private static let closed = WireScript([.end(.close)])
}
