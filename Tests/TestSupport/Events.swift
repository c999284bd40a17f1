private import Dispatch
public import HTTPTransport
private import Synchronization

/// What happened, told by one thread and waited for by another.
public final class Events<Event: Sendable>: Sendable {
    private let waiting = Mutex<[Event]>([])
    private let count = DispatchSemaphore(value: 0)

    public init() {}

    public func tell(_ event: Event) {
        waiting.withLock { $0.append(event) }
        count.signal()
    }

    /// The next event in the order of their telling; nil where none comes in time.
    public func next(within milliseconds: Int = 10_000) -> Event? {
        guard count.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else { return nil }
        return waiting.withLock { $0.removeFirst() }
    }
}

/// Hears how replies ended.
public final class EndObserver: StreamObserver {
    public let ends = Events<StreamEnd>()

    public init() {}

    public func streamEnded(_ end: StreamEnd) {
        ends.tell(end)
    }
}

/// A reply that is kept for later.
public final class HeldReply: Sendable {
    private let reply: Mutex<Reply?>

    public init(_ reply: consuming Reply) {
        self.reply = Mutex(reply)
    }

    /// Answers, the first time.
    public func send(_ script: WireScript, observer: (any StreamObserver)? = nil) {
        reply.withLock { $0.take() }?.send(script, observer: observer)
    }

    /// Drops the right to answer without using it.
    public func drop() {
        _ = reply.withLock { $0.take() }
    }
}
