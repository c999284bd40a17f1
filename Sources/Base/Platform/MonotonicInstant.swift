/// A moment of the monotonic clock. `ContinuousClock` would link Swift's concurrency runtime, and with it libdispatch,
/// into the daemon.
public struct MonotonicInstant: Sendable {
    private let nanoseconds: UInt64

    public static var now: MonotonicInstant { MonotonicInstant(nanoseconds: SystemCalls.monotonicNanoseconds()) }

    /// The time that has passed since, in nanoseconds.
    public var elapsedNanoseconds: UInt64 {
        let now = SystemCalls.monotonicNanoseconds()
        return now - min(nanoseconds, now)
    }

    /// The time that has passed since.
    public var elapsed: Duration { .nanoseconds(Int64(clamping: elapsedNanoseconds)) }
}
