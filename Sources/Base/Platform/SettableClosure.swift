internal import Synchronization

/// A closure that is set after its owner was created; any thread may call it.
public final class SettableClosure<Result: Sendable>: Sendable {
    /// A boxed closure: a lock that guards the closure itself wraps it again at each access, until calls overflow the
    /// stack.
    private struct Box {
        var body: (@Sendable () -> Result)?
    }

    private let box = Mutex(Box())

    public init() {}

    public func set(_ body: @escaping @Sendable () -> Result) {
        box.withLock { $0.body = body }
    }

    /// Calls the closure without holding the lock; nil if it is not set yet.
    @discardableResult
    public func callAsFunction() -> Result? {
        box.withLock { $0.body }?()
    }
}
