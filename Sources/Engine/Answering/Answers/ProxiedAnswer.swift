import SDHTTPMessages
import SDHTTPTransport
import SDJournal
import SDOutgoingCalls
import SDPlatform
import SDStubModel
import SDUpstream

/// The answer of another server on its way to a client: its head, once, and its body through a relay, while it comes.
///
/// `@unchecked Sendable`: everything that changes is used on the loop's thread alone, where the call and the stream say what
/// becomes of them.
final class ProxiedAnswer: UpstreamObserver, @unchecked Sendable {
    /// The largest body that is kept to be sent in the chunks of a dribble.
    private static let mostDribbled = 8 << 20

    private let maker: ResponseMaker
    private let target: ProxyTarget
    private let definition: ResponseDefinition
    private let headers: [ResponseHeader]
    private let dropsCORS: Bool
    private let record: (any ExchangeRecord)?
    private let stream: HeldStream
    private let start = MonotonicInstant.now
    private let relay: BodyRelay

    private var transfer: UpstreamTransfer?
    /// Whether the call is over, or nobody wants the rest.
    private var hasEnded = false
    /// What stands around the body; nil until the head has come.
    private var frame: ProxiedFrame?
    /// Whether the stream was given the head.
    private var hasBegun = false
    /// The number of bytes of the body so far.
    private var passed = 0
    /// What the journal keeps of the body; nil for none.
    private var body: StreamedBody?
    /// The body as far as it has come, if it is sent in the chunks of a dribble; nil if it is not.
    private var dribbled: [UInt8]?
    /// What is changed in the answer; nil for nothing.
    private var rewrite: HostRewrite?
    /// Decides what the client gets of the answer; nil where it gets what comes.
    private let exchange: PrismExchange?
    /// The answer until it is decided; nil for none that is held.
    private var held: Held?

    private struct Held {
        let head: UpstreamHead
        let fields: AnsweredFields
        var body: [UInt8] = []
    }

    init(
        _ maker: ResponseMaker, _ target: ProxyTarget, _ definition: ResponseDefinition, headers: [ResponseHeader],
        dropsCORS: Bool, _ rewrite: HostRewrite?, _ record: (any ExchangeRecord)?, _ stream: HeldStream
    ) {
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

    /// Begins the call. The client gets what comes of it.
    func begin(_ call: UpstreamRequest, _ upstream: Upstream) {
        guard stream.loop.isCurrent else {
            stream.loop.perform { [self] in begin(call, upstream) }
            return
        }
        transfer = upstream.start(call, on: stream.loop, self)
        relay.onRoom = { [weak self] in self?.transfer?.read(true) }
        maker.session.activity.inFlight.whenEnded(maker.event) { [self] in clientEnds() }
    }

    /// The client has all of the answer, or has left.
    private func clientEnds() {
        dribbled = nil
        held = nil
        guard !hasEnded else { return }
        abandon("the client left")
    }

    /// Ends the call, since nobody wants the rest.
    private func abandon(_ reason: String) {
        hasEnded = true
        transfer.take()?.cancel()
        record?.ended(.failure(UpstreamProblem(.other, reason)))
    }

    // MARK: From the other server

    func upstreamInforms(_ head: UpstreamHead) {
        // A client of HTTP/1.0 knows of no such answers.
        guard !hasEnded, !maker.form.contains(.http10), maker.event.effects?.comesFirst != true else { return }
        stream.play(.part([.head(ResponseHead(informing: head, rewrite))]))
    }

    func upstreamAnswers(_ head: UpstreamHead) {
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
            if let problem = session.tell(maker.stub, event, maker.request, told, isOnLoop: true, []) {
                // The answer may not be sent, since a listener could not do its work.
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

    /// Passes an answer on while it comes.
    private func pass(_ head: UpstreamHead, _ fields: AnsweredFields) {
        let (session, event) = (maker.session, maker.event)
        let body = StreamedBody(limit: session.keptBodyLimit, most: .max)
        session.record(
            ServedResponse(
                status: head.status, reason: head.reason.isEmpty ? nil : head.reason, fields: fields.all,
                streamed: body), of: event)
        let frame = ProxiedFrame(head, fields, maker.form, extra: CORS.headers(maker.extraHeaders, besides: fields.all))
        self.frame = frame
        if head.status == 101 { return join(frame) }
        self.body = body
        if frame.hasBody, (definition.chunkedDribbleDelay?.numberOfChunks ?? 0) > 0 { dribbled = [] }
        let isPlain = event.effects?.shape.isEmpty != false
        guard dribbled == nil, isPlain || head.version == .http2 else { return play() }
        // What comes in the same turn of the loop leaves with the head, in one write; what ends there is known at its head.
        stream.loop.perform { [self] in
            if !hasBegun { play() }
        }
    }

    /// Lets client and server go on with each other, in the protocol on which they have agreed.
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

    func upstreamSends(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { upstreamSends($0) }
    }

    func upstreamSends(_ bytes: UnsafeBufferPointer<UInt8>) {
        if let record { record.received(Array(bytes)) }
        if !hasEnded, held != nil { return hold(bytes) }
        guard !hasEnded, frame?.hasBody == true else { return }
        if rewrite == nil { pass(bytes) } else { rewrite?.pass(bytes, isLast: false) { pass($0) } }
    }

    func upstreamEnds(_ end: Result<[(name: String, value: String)], UpstreamProblem>) {
        record?.ended(end)
        hasEnded = true
        transfer = nil
        switch end {
        case .success where held != nil: release()
        case .success(let trailers):
            if let frame { finish(frame.end(trailers: trailers, of: passed)) }
        case .failure(let problem):
            // Nobody is there who could be told.
            if problem.kind == .abandoned { return }
            maker.event.extras?.proxied?.problem = problem.message
            if frame != nil { breakOff(problem) } else { stream.finish(maker.failure(ProxyFailure(problem, target))) }
        }
    }

    /// Keeps bytes of a body that is held. One that is too large passes as it comes.
    private func hold(_ bytes: UnsafeBufferPointer<UInt8>) {
        held?.body += bytes
        guard let long = held, long.body.count > PrismExchange.mostHeld else { return }
        held = nil
        pass(long.head, long.fields)
        long.body.withUnsafeBufferPointer { bytes in
            if rewrite == nil { pass(bytes) } else { rewrite?.pass(bytes, isLast: false) { pass($0) } }
        }
    }

    /// Gives the client what becomes of the answer that was held.
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
            // Its client may have left.
            guard maker.event.end == nil else { return }
            if let found = exchange.found { maker.session.note(answer, of: found, maker.event) }
            var made = definition
            (made.status, made.statusMessage) = (answer.status, nil)
            made.headers = grouped(answer.headers)
            stream.finish(maker.script(made, answer.body))
        }
    }

    /// Ends the client's connection as that of the other server has ended; of one that speaks HTTP/2, the stream alone.
    private func breakOff(_ problem: UpstreamProblem) {
        let limit = problem.kind == .timedOut ? " (--proxy-timeout)" : ""
        maker.session.warned("its answer is broken off: \(problem.message)\(limit)", of: StubReference(maker.stub))
        let internalError: UInt32 = 2
        finish(.abort(problem.kind == .reset ? .resetStream(code: internalError) : .breakOff))
    }

    // MARK: To the client

    /// Passes bytes of the body on.
    private func pass(_ bytes: UnsafeBufferPointer<UInt8>) {
        passed += bytes.count
        note(bytes)
        if let count = dribbled?.count {
            dribbled?.append(contentsOf: bytes)
            if count + bytes.count > Self.mostDribbled { stopDribbling() }
        } else if !relay.add(bytes) {
            transfer?.read(false)
        }
    }

    /// Notes them for the journal.
    private func note(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let body else { return }
        let charge = body.add(bytes)
        if charge > 0 { maker.session.withJournal { $0.charge(charge, for: maker.event) } }
    }

    /// Passes the body on as it comes, since it is too much to be kept.
    private func stopDribbling() {
        guard let known = dribbled.take() else { return }
        maker.session.warned(
            "its body is larger than \(Self.mostDribbled >> 20) MiB, and passes without the stub's dribble",
            of: StubReference(maker.stub))
        if !known.withUnsafeBufferPointer({ relay.add($0) }) { transfer?.read(false) }
        stream.play(.part([.relay(relay)]))
    }

    /// Ends the answer after what has come.
    private func finish(_ ending: WireStep) {
        rewrite?.pass(UnsafeBufferPointer(start: nil, count: 0), isLast: true) { pass($0) }
        relay.close()
        var steps: [WireStep] = []
        if let body = dribbled.take(), let dribble = definition.chunkedDribbleDelay, !body.isEmpty {
            steps = BodyFrame.dribbled(.bytes(BodyBytes(body)), dribble)
        }
        play(steps + [ending])
    }

    /// Gives the stream the head, unless it has that, and with it the relay; then what ends the answer.
    private func play(_ ending: [WireStep] = []) {
        guard let frame else { return }
        var end: WireStep.End?
        if ending.count == 1, case .end(let last, let trailers) = ending[0], trailers.isEmpty { end = last }
        guard !hasBegun else {
            return stream.play(end.map { $0 == .keepAlive ? Self.kept : Self.closed } ?? WireScript(ending))
        }
        hasBegun = true
        // Of a body that has ended without a byte the head may say that it is the end.
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
