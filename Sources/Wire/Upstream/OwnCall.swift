import SDBasics
import SDHTTPTransport
import SDPlatform

/// A call by the client of its loop.
///
/// Touched on the loop's thread alone.
final class OwnCall: UpstreamClient, CallObserver {
    private let call: UpstreamCall
    // Read and written on the loop's thread alone.
    private nonisolated(unsafe) var outgoing: OutgoingCall?
    /// The body, if it is sent while it comes; nil once nobody takes more of it.
    private nonisolated(unsafe) var stream: (any BodyStream)?
    private nonisolated(unsafe) var hasBegunStream = false
    private nonisolated(unsafe) var readsStream = true

    private init(_ call: UpstreamCall) {
        self.call = call
        switch call.request.body {
        case .stream(let stream): self.stream = stream
        case .bytes(let bytes) where call.request.isChunked: stream = ChunkedBytes(bytes, call.request.trailers)
        case .none, .bytes: break
        }
    }

    /// Begins a call.
    /// - Parameter trust: nil in the clear.
    static func begin(
        _ call: UpstreamCall, _ target: UpstreamTarget, _ addresses: [ServerAddress], _ trust: CallTrust?,
        _ settings: UpstreamSettings, _ proxy: ForwardingProxy?, _ caller: LoopCaller
    ) {
        let own = OwnCall(call)
        own.outgoing = caller.start(CallRequest(call, target, addresses, trust, settings, proxy), own)
        if own.outgoing == nil {
            call.refuse(UpstreamProblem(.other, "the call to \(call.place) cannot begin: out of memory"))
        } else {
            call.begin(own)
        }
    }

    func read(_ reads: Bool) { outgoing?.read(reads) }

    func cancel() {
        outgoing.take()?.cancel()
        dropStream()
    }

    func join(_ stream: HeldStream, onEnd: @escaping @Sendable (TunnelEnd) -> Void) -> Bool {
        guard let outgoing, outgoing.join(stream, onEnd: onEnd) else { return false }
        self.outgoing = nil
        return true
    }

    // MARK: The answer

    func callInforms(_ head: CallAnswer) {
        if head.status != 100 { call.inform(UpstreamHead(head)) }
    }

    func callAnswers(_ head: CallAnswer) {
        let answer = UpstreamHead(head)
        if head.isSwitch, let objection = call.request.objection(to: answer) {
            return call.fail(UpstreamProblem(.malformed, "\(call.place) \(objection)"))
        }
        call.answer(answer)
    }

    func callSends(_ bytes: UnsafeBufferPointer<UInt8>) { call.send(bytes) }

    func callEnds(_ end: CallEnd) {
        outgoing = nil
        dropStream()
        switch end.outcome {
        case .done: call.end(.success(end.trailers))
        case .stopped: call.drop()
        default: call.end(.failure(UpstreamProblem(end, call)))
        }
    }

    // MARK: The body on its way

    func callWants() {
        guard let stream else { return }
        if !hasBegunStream {
            hasBegunStream = true
            // The stream may go on long after the call, for which this lives.
            stream.begin { [weak self] bytes in
                self?.came(bytes)
            } onEnd: { [weak self] trailers in
                self?.ended(trailers)
            }
        } else if !readsStream {
            readsStream = true
            stream.read(true)
        }
    }

    private func came(_ bytes: [UInt8]) {
        guard let outgoing, let stream else { return }
        let goesOn = bytes.withUnsafeBufferPointer { outgoing.send($0) }
        guard !goesOn, readsStream else { return }
        readsStream = false
        stream.read(false)
    }

    private func ended(_ trailers: [(name: String, value: String)]?) {
        guard let outgoing else { return }
        stream = nil
        guard let trailers else { return call.fail(call.abandoned) }
        outgoing.finish(trailers: RequestHead(trailers: trailers).bytes)
    }

    /// Lets the client send the rest, which nobody takes any more.
    private func dropStream() {
        guard let stream = stream.take(), hasBegunStream, !readsStream else { return }
        readsStream = true
        stream.read(true)
    }
}

extension CallRequest {
    /// The methods of RFC 9110, 9.2.1, whose requests change nothing: without a body they may be sent again, on another
    /// connection, where one that was used before has ended without an answer. Nobody can tell whether the server has acted on
    /// any other: it has a connection of its own. Kept, these would only grow in number.
    private static let safeMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "TRACE"]

    fileprivate init(
        _ call: UpstreamCall, _ target: UpstreamTarget, _ addresses: [ServerAddress], _ trust: CallTrust?,
        _ settings: UpstreamSettings, _ proxy: ForwardingProxy?
    ) {
        let request = call.request
        let head = RequestHead(request, target, hop: settings.identity, to: target.isSecure ? nil : proxy)
        self.init(
            to: target.host.text, port: target.port, addresses, trust: trust,
            head: head.bytes)
        proxyPort = proxy?.port
        if let proxy, target.isSecure { way = proxy.way(to: target) }
        switch request.body {
        case .none: body = .none
        case .bytes(let bytes): body = request.isChunked ? .stream(length: nil) : .bytes(bytes)
        case .stream(let stream): body = .stream(length: stream.count)
        }
        var hasBody = true
        if case .none = request.body { hasBody = false }
        let isSafe = !request.isOnce && !hasBody && Self.safeMethods.contains(request.method)
        (isFresh, repeats) = (!isSafe, isSafe)
        closes = !isSafe || settings.closesConnections
        speaksHTTP2 = settings.speaksHTTP2(request, to: target) && (proxy == nil || target.isSecure)
        if speaksHTTP2 { (isFresh, repeats, closes) = (true, false, true) }
        isHead = request.method == "HEAD"
        switches = request.upgrade != nil
        patience = call.patience
        connectTime = call.patience
    }
}

extension UpstreamHead {
    fileprivate init(_ head: CallAnswer) {
        self.init(status: head.status, reason: head.reason, headers: head.fields, version: head.version)
    }
}

extension UpstreamProblem {
    fileprivate init(_ end: CallEnd, _ call: UpstreamCall) {
        var note = end.isAnswered ? "" : Self.certificateNote(end.shown, hasOwn: call.credentials?.hasOwn ?? false)
        let sentence = end.sentence(call.place, patience: call.patience)
        if end.outcome == .distrusted {
            note = call.trustNote(isOfAnother: sentence.contains(text: "certificate subject name")) + note
        }
        if [.noAnswer, .reset].contains(end.outcome), !end.isAnswered { note += Self.schemeNote(call) }
        if end.outcome == .noHTTP2 {
            note +=
                call.request.speaksHTTP2
                ? ": its stub has to do without proxyHttp2, or http2 in a route" : ": --proxy-http2 may not name it"
        }
        if let proxy = call.proxy, Self.isProxys(end, call) {
            let way = end.outcome == .noWay ? " does not lead to \(call.place)" : ""
            let sentence = end.sentence("the proxy \(proxy.place)\(way)", patience: call.patience)
            let text = proxy.concealing(sentence)
            let user =
                text.contains(text: "answered 407") ? ", and wants --proxy-via USER:PASSWORD@\(proxy.place)" : ""
            self.init(Kind(end.outcome), "\(text)\(user) (--proxy-via)", proxy: proxy.place)
        } else {
            self.init(Kind(end.outcome), sentence + note)
        }
    }

    /// Whether the proxy in front has failed: in the clear, and before the handshake with the server, nobody else has spoken.
    private static func isProxys(_ end: CallEnd, _ call: UpstreamCall) -> Bool {
        switch end.outcome {
        case .noWay, .refused, .unreachable, .denied, .noAddress: true
        case .connectTimedOut: !end.isShaking
        case .timedOut, .noAnswer, .reset, .malformed, .cut, .tooLarge, .unaskedSwitch, .needsHTTP2:
            !call.isSecure && !end.isAnswered
        default: false
        }
    }

    /// What may be the reason where a server breaks off as soon as it is spoken to in the clear. Those that speak TLS alone do so
    /// without a word, mostly at these ports.
    private static func schemeNote(_ call: UpstreamCall) -> String {
        let isTLSPort = call.place.hasSuffix(":443") || call.place.hasSuffix(":8443")
        return !call.isSecure && isTLSPort ? "; if it speaks TLS, it is called by https://" : ""
    }

    /// What may be the reason where a server breaks off without an answer: it wanted a client certificate, or another one.
    private static func certificateNote(_ shown: ShownCertificate, hasOwn: Bool) -> String {
        switch shown {
        case .notAsked: ""
        case .certificate: "; it has seen the client certificate of --https-truststore"
        case .none where hasOwn:
            "; it asks for a client certificate, and none of --https-truststore is of an authority and a kind that it names"
        case .none:
            "; it asks for a client certificate: --https-truststore names the store with its key"
        }
    }
}

extension UpstreamProblem.Kind {
    fileprivate init(_ outcome: CallOutcome) {
        self =
            switch outcome {
            case .noAddress: .unknownHost
            case .denied: .denied
            case .refused: .refusedConnection
            case .connectTimedOut, .timedOut: .timedOut
            case .distrusted, .insecure: .insecure
            case .noAnswer, .reset, .brokenStream: .reset
            case .malformed, .badChunks, .cut, .unaskedSwitch, .needsHTTP2: .malformed
            case .tooLarge: .tooLarge
            case .brokenUpload: .abandoned
            case .unavailable: .unavailable
            case .noConnection, .noHTTP2, .noWay, .unreachable, .outOfMemory, .stopped, .done: .other
            }
    }
}

/// A body that is known, in chunks.
private final class ChunkedBytes: BodyStream {
    private let bytes: [UInt8]
    private let trailers: [(name: String, value: String)]
    var count: Int? { nil }

    init(_ bytes: [UInt8], _ trailers: [(name: String, value: String)]) {
        (self.bytes, self.trailers) = (bytes, trailers)
    }

    func begin(
        onBytes: @escaping @Sendable ([UInt8]) -> Void,
        onEnd: @escaping @Sendable (_ trailers: [(name: String, value: String)]?) -> Void
    ) {
        if !bytes.isEmpty { onBytes(bytes) }
        onEnd(trailers)
    }

    func read(_ reads: Bool) {}
}
