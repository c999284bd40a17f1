private import Dispatch
public import SDHTTPTransport

/// Events that one thread reports and another waits for.
public final class Events<Event: Sendable>: Sendable {
    private let waiting = Locked<[Event]>([])
    private let count = DispatchSemaphore(value: 0)

    public init() {}

    public func tell(_ event: Event) {
        waiting.withLock { $0.append(event) }
        count.signal()
    }

    /// The next event in the order of the reports; nil if none arrives in time.
    public func next(within milliseconds: Int = 60_000) -> Event? {
        guard count.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return nil }
        return waiting.withLock { $0.removeFirst() }
    }
}

/// Records how replies ended.
public final class EndObserver: StreamObserver {
    public let ends = Events<StreamEnd>()

    public init() {}

    public func streamEnded(_ end: StreamEnd) {
        ends.tell(end)
    }
}

/// A reply that is kept for later.
public final class HeldReply: Sendable {
    private let reply: ReplyBox

    public init(_ reply: consuming Reply) {
        self.reply = ReplyBox(reply)
    }

    /// Sends an answer; only the first call does.
    public func send(_ script: WireScript, observer: (any StreamObserver)? = nil) {
        reply.take()?.send(script, observer: observer)
    }

    /// Takes the reply out, once.
    public func take() -> Reply? { reply.take() }

    /// Drops the reply without using it.
    public func drop() {
        _ = reply.take()
    }
}
