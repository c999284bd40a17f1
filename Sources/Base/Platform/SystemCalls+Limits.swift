#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

extension SystemCalls {
    /// Raises the soft limit of open files and sockets to the hard one. The usual soft limit of 1,024 is less than a
    /// load test's connections. Does nothing if the system refuses.
    public static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(descriptors, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        // Darwin accepts no more than this, whatever its hard limit says.
        limit.rlim_cur = min(limit.rlim_max, 1 << 20)
        setrlimit(descriptors, &limit)
    }

    /// Makes writes to pipes and sockets without a reader fail, instead of ending the process.
    public static func ignoreBrokenPipes() {
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Makes writes beyond the limit of a file's size fail, instead of ending the process.
    public static func ignoreFileSizeSignals() {
        _ = signal(SIGXFSZ, SIG_IGN)
    }

    /// The number of files and sockets that the process may have open; nil for no limit.
    public static var descriptorLimit: Int? {
        var limit = rlimit()
        guard getrlimit(descriptors, &limit) == 0, limit.rlim_cur < 1 << 31 else { return nil }
        return Int(limit.rlim_cur)
    }

    #if canImport(Glibc)
        private static var descriptors: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #else
        private static var descriptors: Int32 { RLIMIT_NOFILE }
    #endif
}
