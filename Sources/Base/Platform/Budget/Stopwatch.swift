#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#else
    private import Darwin
#endif

/// Measures the processor time of whichever thread holds it.
///
/// A look mostly reads the monotonic clock alone, which costs no system call: no thread gets more processor time than
/// time passes. The thread's own clock is read once that might exceed the limit.
struct Stopwatch {
    /// The processor time up to the last look, in nanoseconds: no less than it was.
    private(set) var spent: UInt64 = 0
    /// The processor time before the present stretch.
    private var before: UInt64 = 0
    private var stretch: Stretch?

    /// Time on one thread without a pause.
    private struct Stretch {
        let thread: pthread_t
        /// The thread's clock at the start.
        let start: UInt64
        /// The processor time of the stretch when the thread's clock was last read, and the monotonic time of that.
        var known: UInt64 = 0
        var knownAt: UInt64
        var lastLook: UInt64
    }

    /// Looks at the clock.
    /// - Parameter limit: the processor time for which an exact answer matters.
    /// - Returns: the time since the last look, in nanoseconds; 0 at the first.
    mutating func look(_ limit: UInt64) -> UInt64 {
        let now = SystemCalls.monotonicNanoseconds()
        guard var current = stretch, pthread_equal(current.thread, pthread_self()) != 0 else {
            before = spent
            stretch = Stretch(
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
        stretch = current
        return passed
    }

    /// Reads the exact processor time. Called on the stretch's thread.
    mutating func settle() {
        guard var current = stretch, pthread_equal(current.thread, pthread_self()) != 0 else { return }
        current.known = SystemCalls.threadProcessorNanoseconds() - current.start
        current.knownAt = SystemCalls.monotonicNanoseconds()
        spent = before + current.known
        stretch = current
    }

    /// Ends the stretch. Called on its thread.
    mutating func stop() {
        settle()
        stretch = nil
    }
}
