internal import Synchronization

/// A closure that is set after its owner was made; any thread may call it.
public final class LateClosure<Result: Sendable>: Sendable {
    /// A lock that guards the closure itself wraps it once more at each access, so that in the end a call needs more
    /// stack than there is.
    private struct Box {
        var body: (@Sendable () -> Result)?
    }

    private let box = Mutex(Box())

    public init() {}

    public func set(_ body: @escaping @Sendable () -> Result) {
        box.withLock { $0.body = body }
    }

    /// Calls the closure, without the lock; nil if there is none yet.
    @discardableResult
    public func callAsFunction() -> Result? {
        box.withLock { $0.body }?()
    }
}
