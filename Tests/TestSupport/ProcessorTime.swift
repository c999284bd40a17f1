#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#else
    private import Darwin
#endif

/// The processor time of the calling thread, in nanoseconds.
public enum ProcessorTime {
    public static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
