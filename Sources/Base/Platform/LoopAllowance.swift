internal import Synchronization

/// The processor time that requests may take on loops. Nearly all need a fraction of it. Where one has taken all of it, and went
/// on on a thread, others of the next moments get less before they do: so many of them at once do not add up to a wait.
public final class LoopAllowance: Sendable {
    /// The processor time of a request, in nanoseconds.
    public static let usual: UInt64 = 5_000_000
    /// The same shortly after one has taken all of it.
    public static let short: UInt64 = 250_000
    /// How long that lasts, in nanoseconds.
    public static let pause: UInt64 = 200_000_000

    private let shortUntil = Atomic<UInt64>(0)

    public init() {}

    /// The processor time of a request that came at a moment, in monotonic nanoseconds.
    public func limit(at moment: UInt64) -> UInt64 {
        moment < shortUntil.load(ordering: .relaxed) ? Self.short : Self.usual
    }

    /// Notes that a request has taken all that it may. Any thread.
    public func wasSpent() {
        shortUntil.store(SystemCalls.monotonicNanoseconds() + Self.pause, ordering: .relaxed)
    }
}
