import SDBasics
import SDHTTPTransport
import SDPlatform

/// A call made by its loop's own client.
///
/// Used on the loop's thread only.
final class LoopCall: UpstreamClient, CallObserver {
    private let call: UpstreamCall
    // Accessed on the loop's thread only.
    private nonisolated(unsafe) var outgoing: OutgoingCall?
    /// A streamed body; nil once no more of it is needed.
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

    /// Starts a call.
    /// - Parameter trust: nil for a plain connection.
    static func begin(
        _ call: UpstreamCall, _ target: UpstreamTarget, _ addresses: [ServerAddress], _ trust: CallTrust?,
        _ settings: UpstreamSettings, _ proxy: ForwardingProxy?, _ caller: LoopCaller
    ) {
        let own = LoopCall(call)
        own.outgoing = caller.start(CallRequest(call, target, addresses, trust, settings, proxy), own)
        if own.outgoing == nil {
            call.refuse(UpstreamProblem(.other, "the call to \(call.targetLabel) cannot begin: out of memory"))
        } else {
            call.begin(own)
        }
    }

    func setReading(_ reads: Bool) { outgoing?.setReading(reads) }

    func cancel() {
        outgoing.take()?.cancel()
        dropStream()
    }

    func join(_ stream: StreamingReply, onEnd: @escaping @Sendable (TunnelEnd) -> Void) -> Bool {
        guard let outgoing, outgoing.join(stream, onEnd: onEnd) else { return false }
        self.outgoing = nil
        return true
    }

    func give(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { outgoing?.send(bytes) ?? false }

    func finish() { outgoing?.finish() }

    // MARK: The answer

    func callInforms(_ head: CallAnswer) {
        if head.status != 100 { call.inform(UpstreamHead(head)) }
    }

    func callAnswers(_ head: CallAnswer) {
        let answer = UpstreamHead(head)
        if head.isSwitch, let objection = call.request.objection(to: answer) {
            return call.fail(UpstreamProblem(.malformed, "\(call.targetLabel) \(objection)"))
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

    // MARK: Body

    func callInputEnds() { call.inputEnds() }

    func callWants() {
        guard let stream else { return call.want() }
        if !hasBegunStream {
            hasBegunStream = true
            // The stream may outlive the call that this object serves.
            stream.begin { [weak self] bytes in
                self?.came(bytes)
            } onEnd: { [weak self] trailers in
                self?.ended(trailers)
            }
        } else if !readsStream {
            readsStream = true
            stream.setReading(true)
        }
    }

    private func came(_ bytes: [UInt8]) {
        guard let outgoing, let stream else { return }
        let goesOn = bytes.withUnsafeBufferPointer { outgoing.send($0) }
        guard !goesOn, readsStream else { return }
        readsStream = false
        stream.setReading(false)
    }

    private func ended(_ trailers: [(name: String, value: String)]?) {
        guard let outgoing else { return }
        stream = nil
        guard let trailers else { return call.fail(call.abandoned) }
        outgoing.finish(trailers: RequestHead(trailers: trailers).bytes)
    }

    /// Discards the rest of the client's body.
    private func dropStream() {
        guard let stream = stream.take(), hasBegunStream, !readsStream else { return }
        readsStream = true
        stream.setReading(true)
    }
}

extension CallRequest {
    /// The safe methods (RFC 9110, 9.2.1): without a body they may be repeated on another connection if a reused one
    /// ended without an answer. For other methods it is unknown whether the server has acted, so each gets a new
    /// connection, which is not kept.
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
        stallTimeout = call.stallTimeout
        connectTime = call.stallTimeout
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
        let sentence = end.sentence(call.targetLabel, stallTimeout: call.stallTimeout)
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
            let way = end.outcome == .noTunnel ? " does not lead to \(call.targetLabel)" : ""
            let sentence = end.sentence("the proxy \(proxy.place)\(way)", stallTimeout: call.stallTimeout)
            let text = proxy.concealing(sentence)
            let user =
                text.contains(text: "answered 407") ? ", and wants --proxy-via USER:PASSWORD@\(proxy.place)" : ""
            self.init(Kind(end.outcome), "\(text)\(user) (--proxy-via)", proxy: proxy.place)
        } else {
            self.init(Kind(end.outcome), sentence + note)
        }
    }

    /// Whether the proxy failed: on a plain connection and before the TLS handshake, only it has answered.
    private static func isProxys(_ end: CallEnd, _ call: UpstreamCall) -> Bool {
        switch end.outcome {
        case .noTunnel, .refused, .unreachable, .denied, .noAddress: true
        case .connectTimedOut: !end.isInHandshake
        case .timedOut, .noAnswer, .reset, .malformed, .cut, .tooLarge, .unaskedSwitch, .needsHTTP2:
            !call.isSecure && !end.isAnswered
        default: false
        }
    }

    /// A hint about a server that closes a plain connection at once. TLS servers do so without a word, mostly on these
    /// ports.
    private static func schemeNote(_ call: UpstreamCall) -> String {
        let isTLSPort = call.targetLabel.hasSuffix(":443") || call.targetLabel.hasSuffix(":8443")
        return !call.isSecure && isTLSPort ? "; if it speaks TLS, it is called by https://" : ""
    }

    /// A hint about a server that closes without an answer: it may want a client certificate, or another one.
    private static func certificateNote(_ shown: SentCertificate, hasOwn: Bool) -> String {
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
            case .noConnection, .noHTTP2, .noTunnel, .unreachable, .outOfMemory, .stopped, .done: .other
            }
    }
}

/// A known body, sent in chunks.
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

    func setReading(_ reads: Bool) {}
}
