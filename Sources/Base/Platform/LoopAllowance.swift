internal import Synchronization

/// The processor time that a request may take on a loop before it moves to a thread. Nearly all requests need a
/// fraction of it. After one request has used all of it, the limit is lower for a moment, so that many expensive
/// requests do not add up to a delay.
public final class LoopAllowance: Sendable {
    /// The usual limit of a request, in nanoseconds.
    public static let usual: UInt64 = 5_000_000
    /// The limit shortly after a request has used all of its time, in nanoseconds.
    public static let short: UInt64 = 250_000
    /// How long the short limit lasts, in nanoseconds.
    public static let pause: UInt64 = 200_000_000

    private let shortUntil = Atomic<UInt64>(0)

    public init() {}

    /// The limit of a request that arrives at a moment, in monotonic nanoseconds.
    public func limit(at moment: UInt64) -> UInt64 {
        moment < shortUntil.load(ordering: .relaxed) ? Self.short : Self.usual
    }

    /// Records that a request has used all of its time. Any thread.
    public func wasSpent() {
        shortUntil.store(SystemCalls.monotonicNanoseconds() + Self.pause, ordering: .relaxed)
    }
}
