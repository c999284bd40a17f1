import SDBasics
import SDHTTPTransport
import SDPlatform

/// A call in progress with its observer, whichever client makes it.
///
/// Used on its loop's thread only, except for constants.
final class UpstreamCall: Sendable {
    let request: UpstreamRequest
    let loop: Loop
    /// The maximum time without progress, in milliseconds.
    let stallTimeout: Int
    private let trustAdvice: String
    private let counters: CallCounters

    // Accessed on the loop's thread only.
    /// Nil once the call is over: observers often retain the call, to pause it.
    private nonisolated(unsafe) var observer: (any UpstreamObserver)?
    /// The target for messages: host and port, and the host alone.
    nonisolated(unsafe) var targetLabel = ""
    nonisolated(unsafe) var host = ""
    nonisolated(unsafe) var isSecure = false
    /// The upstream proxy; nil for none.
    nonisolated(unsafe) var proxy: ForwardingProxy?
    /// The client certificates for a server that asks for one.
    nonisolated(unsafe) var credentials: TLSCredentials?
    /// The client that makes the call, once started.
    private nonisolated(unsafe) var client: (any UpstreamClient)?
    private(set) nonisolated(unsafe) var isPaused = false
    private(set) nonisolated(unsafe) var isOver = false

    init(
        _ request: UpstreamRequest, _ settings: UpstreamSettings, _ loop: Loop, _ observer: any UpstreamObserver,
        _ counters: CallCounters
    ) {
        self.counters = counters
        counters.began()
        self.request = request
        self.loop = loop
        self.observer = observer
        trustAdvice = settings.trustAdvice
        stallTimeout = max(request.timeout ?? settings.timeout, 1)
    }

    /// Starts the call with a client.
    func begin(_ client: any UpstreamClient) {
        self.client = client
        if isPaused { client.setReading(false) }
    }

    // MARK: Calls of the owner

    func cancel() {
        guard !isOver else { return }
        isOver = true
        observer = nil
        client.take()?.cancel()
    }

    func setReading(_ reads: Bool) {
        guard !isOver, isPaused == reads else { return }
        isPaused = !reads
        client?.setReading(reads)
    }

    func join(_ stream: StreamingReply, onEnd: @escaping @Sendable (TunnelEnd) -> Void) -> Bool {
        guard !isOver, let client, client.join(stream, onEnd: onEnd) else { return false }
        drop()
        return true
    }

    func give(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { isOver ? false : client?.give(bytes) ?? false }

    func finish() { if !isOver { client?.finish() } }

    // MARK: Callbacks of the client

    func inform(_ head: UpstreamHead) { observer?.upstreamInforms(head) }

    func answer(_ head: UpstreamHead) { observer?.upstreamAnswers(head) }

    func send(_ bytes: UnsafeBufferPointer<UInt8>) { observer?.upstreamSends(bytes) }

    func want() { observer?.upstreamWants() }

    func inputEnds() { observer?.upstreamInputEnds() }

    func end(_ end: Result<[(name: String, value: String)], UpstreamProblem>) {
        guard !isOver else { return }
        isOver = true
        client = nil
        if case .failure(let problem) = end { counters.failed(problem.kind) }
        observer.take()?.upstreamEnds(end)
    }

    /// Drops the observer without a further call: the loop has ended, and with it everything that calls serve.
    func drop() {
        isOver = true
        client = nil
        observer = nil
    }

    /// Fails the call in progress.
    func fail(_ problem: UpstreamProblem) {
        client.take()?.cancel()
        end(.failure(problem))
    }

    /// Fails a call that has not started; called after `start` has returned.
    func refuse(_ problem: UpstreamProblem) {
        loop.perform { [self] in end(.failure(problem)) }
    }

    /// A hint about calling the server despite its certificate, appended to the error.
    /// - Parameter isOfAnother: whether the certificate is another server's, whoever issued it.
    func trustNote(isOfAnother: Bool) -> String {
        let store = isOfAnother ? trustAdvice.firstRange(ofText: ", --https-truststore") : nil
        let advice = store.map { trustAdvice[..<$0.lowerBound] } ?? trustAdvice[...]
        let parts = advice.split(separator: " ").map { $0 == "HOST" ? host[...] : $0 }
        return "; " + parts.joined(separator: " ")
    }

    /// The problem if the client's body cannot be sent completely.
    var abandoned: UpstreamProblem {
        UpstreamProblem(.abandoned, "the client left before the end of the body for \(targetLabel)")
    }
}

/// The maker of one call.
protocol UpstreamClient: AnyObject, Sendable {
    func setReading(_ reads: Bool)
    /// Ends the call; the call gets no further callbacks.
    func cancel()
    /// Sends bytes after a 101.
    /// - Returns: whether more may be sent at once; if not, the call is notified later.
    func give(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool
    /// Ends our side after a 101.
    func finish()
    /// Relays between the server, which answered with a 101, and a client; the call gets no further callbacks.
    /// - Returns: false if the connection does not support it.
    func join(_ stream: StreamingReply, onEnd: @escaping @Sendable (TunnelEnd) -> Void) -> Bool
}

extension UpstreamClient {
    func give(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { false }
    func finish() {}
    func join(_ stream: StreamingReply, onEnd: @escaping @Sendable (TunnelEnd) -> Void) -> Bool { false }
}
