#if canImport(Glibc)
    @preconcurrency import Glibc
#elseif canImport(Musl)
    @preconcurrency import Musl
#else
    @preconcurrency import Darwin
#endif

extension SystemCalls {
    /// Lets the process open as many files and sockets as its hard limit allows: the usual soft limit of 1,024 is less than
    /// a load test's connections. A system that refuses leaves things as they were.
    public static func raiseDescriptorLimit() {
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        // Darwin takes no more than this, whatever its hard limit says.
        limit.rlim_cur = min(limit.rlim_max, 1 << 20)
        setrlimit(resource, &limit)
    }
}
