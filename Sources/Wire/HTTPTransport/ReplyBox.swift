import Synchronization

/// Holds the reply to a request that is handed to another thread.
public final class ReplyBox: Sendable {
    private let reply: Mutex<Reply?>

    public init(_ reply: consuming Reply) {
        self.reply = Mutex(consume reply)
    }

    /// Takes the reply, once; nil from then on.
    public func take() -> Reply? {
        reply.withLock { $0.take() }
    }
}
