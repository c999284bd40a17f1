#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

extension SystemCalls {
    /// Raises the soft limit on descriptors to the hard limit: the usual soft limit of 1,024 is too low for load tests.
    /// Ignores a failure.
    public static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(descriptors, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        // Darwin accepts no more than this, whatever its hard limit.
        limit.rlim_cur = min(limit.rlim_max, 1 << 20)
        setrlimit(descriptors, &limit)
    }

    /// Ignores SIGPIPE, so that writes to pipes and sockets without a reader fail instead of ending the process.
    public static func ignoreBrokenPipes() {
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Ignores SIGXFSZ, so that writes beyond the file size limit fail instead of ending the process.
    public static func ignoreFileSizeSignals() {
        _ = signal(SIGXFSZ, SIG_IGN)
    }

    /// The maximum number of open files and sockets; nil for no limit.
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
