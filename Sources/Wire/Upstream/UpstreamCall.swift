import SDBasics
import SDHTTPTransport
import SDPlatform

/// A call that is under way, and who is told what becomes of it, whichever client makes it.
///
/// Touched on its loop's thread alone, but for what never changes.
final class UpstreamCall: Sendable {
    let request: UpstreamRequest
    let loop: Loop
    /// The longest time without a step forward, in milliseconds.
    let patience: Int
    private let trustAdvice: String
    private let counters: CallCounters

    // Read and written on the loop's thread alone.
    /// Nil once the call is over: who is told often keeps the call, to pause it.
    private nonisolated(unsafe) var observer: (any UpstreamObserver)?
    /// Where the call was going, for messages: host and port, and the host alone.
    nonisolated(unsafe) var place = ""
    nonisolated(unsafe) var host = ""
    nonisolated(unsafe) var isSecure = false
    /// The proxy in front; nil for none.
    nonisolated(unsafe) var proxy: ForwardingProxy?
    /// What a server that asks for a certificate is shown.
    nonisolated(unsafe) var credentials: TLSCredentials?
    /// What makes the call, once that has begun.
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
        patience = max(request.timeout ?? settings.timeout, 1)
    }

    /// Begins the call with what makes it.
    func begin(_ client: any UpstreamClient) {
        self.client = client
        if isPaused { client.read(false) }
    }

    // MARK: What its owner says

    func cancel() {
        guard !isOver else { return }
        isOver = true
        observer = nil
        client.take()?.cancel()
    }

    func read(_ reads: Bool) {
        guard !isOver, isPaused == reads else { return }
        isPaused = !reads
        client?.read(reads)
    }

    func join(_ stream: HeldStream, onEnd: @escaping @Sendable (TunnelEnd) -> Void) -> Bool {
        guard !isOver, let client, client.join(stream, onEnd: onEnd) else { return false }
        drop()
        return true
    }

    // MARK: What its client says

    func inform(_ head: UpstreamHead) { observer?.upstreamInforms(head) }

    func answer(_ head: UpstreamHead) { observer?.upstreamAnswers(head) }

    func send(_ bytes: UnsafeBufferPointer<UInt8>) { observer?.upstreamSends(bytes) }

    func end(_ end: Result<[(name: String, value: String)], UpstreamProblem>) {
        guard !isOver else { return }
        isOver = true
        client = nil
        if case .failure(let problem) = end { counters.failed(problem.kind) }
        observer.take()?.upstreamEnds(end)
    }

    /// Forgets the observer, who is told nothing more: the loop has ended, and with it all for which there are calls.
    func drop() {
        isOver = true
        client = nil
        observer = nil
    }

    /// Ends the call in the middle.
    func fail(_ problem: UpstreamProblem) {
        client.take()?.cancel()
        end(.failure(problem))
    }

    /// Ends a call that has not begun; after `start` has returned, within which it may be found out that it cannot.
    func refuse(_ problem: UpstreamProblem) {
        loop.perform { [self] in end(.failure(problem)) }
    }

    /// How the server is called though its certificate is not good, behind the complaint about that.
    /// - Parameter isOfAnother: whether it is that of another server, whoever has signed it.
    func trustNote(isOfAnother: Bool) -> String {
        let store = isOfAnother ? trustAdvice.firstRange(ofText: ", --https-truststore") : nil
        let advice = store.map { trustAdvice[..<$0.lowerBound] } ?? trustAdvice[...]
        let parts = advice.split(separator: " ").map { $0 == "HOST" ? host[...] : $0 }
        return "; " + parts.joined(separator: " ")
    }

    /// Why the client's body cannot be sent to its end.
    var abandoned: UpstreamProblem {
        UpstreamProblem(.abandoned, "the client left before the end of the body for \(place)")
    }
}

/// What makes one call.
protocol UpstreamClient: AnyObject, Sendable {
    func read(_ reads: Bool)
    /// Ends the call, which is told nothing more.
    func cancel()
    /// Joins the call, which was answered with a 101, with a client, and is told nothing more.
    /// - Returns: false if that cannot be.
    func join(_ stream: HeldStream, onEnd: @escaping @Sendable (TunnelEnd) -> Void) -> Bool
}

extension UpstreamClient {
    func join(_ stream: HeldStream, onEnd: @escaping @Sendable (TunnelEnd) -> Void) -> Bool { false }
}
