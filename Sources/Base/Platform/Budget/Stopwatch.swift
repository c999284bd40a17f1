#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#else
    private import Darwin
#endif

/// Measures the processor time of the thread that holds it.
///
/// A look usually reads only the monotonic clock, which needs no system call: a thread's processor time never exceeds
/// elapsed time. The thread's own clock is read once elapsed time might exceed the limit.
struct Stopwatch {
    /// The processor time up to the last look, in nanoseconds; an upper bound.
    private(set) var spent: UInt64 = 0
    /// The processor time before the current interval.
    private var before: UInt64 = 0
    private var interval: Interval?

    /// An uninterrupted interval on one thread.
    private struct Interval {
        let thread: pthread_t
        /// The thread's clock at the start.
        let start: UInt64
        /// The processor time of the interval when the thread's clock was last read; `knownAt` is the monotonic time of
        /// that read.
        var known: UInt64 = 0
        var knownAt: UInt64
        var lastLook: UInt64
    }

    /// Reads the clock.
    /// - Parameter limit: the processor time from which `spent` must be exact.
    /// - Returns: the time since the last look, in nanoseconds; 0 at the first.
    mutating func sample(limit: UInt64) -> UInt64 {
        let now = SystemCalls.monotonicNanoseconds()
        guard var current = interval, pthread_equal(current.thread, pthread_self()) != 0 else {
            before = spent
            interval = Interval(
                thread: pthread_self(), start: SystemCalls.threadProcessorNanoseconds(), knownAt: now, lastLook: now)
            return 0
        }
        let passed = now - min(current.lastLook, now)
        current.lastLook = now
        spent = before + current.known + (now - min(current.knownAt, now))
        if spent >= limit {
            current.known = SystemCalls.threadProcessorNanoseconds() - current.start
            current.knownAt = now
            spent = before + current.known
        }
        interval = current
        return passed
    }

    /// Reads the exact processor time. Called on the interval's thread.
    mutating func readExact() {
        guard var current = interval, pthread_equal(current.thread, pthread_self()) != 0 else { return }
        current.known = SystemCalls.threadProcessorNanoseconds() - current.start
        current.knownAt = SystemCalls.monotonicNanoseconds()
        spent = before + current.known
        interval = current
    }

    /// Ends the interval. Called on its thread.
    mutating func stop() {
        readExact()
        interval = nil
    }
}
