private import SDCPlatform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension SystemCalls {
    /// Opens the null device for each closed standard stream. Otherwise new descriptors would get these numbers, and
    /// output for a closed stream would go to them.
    public static func openClosedStandardStreams() {
        for number: Int32 in 0...2 where fcntl(number, F_GETFD) < 0 {
            // The number is free and all lower ones are taken, so `openat` returns it.
            _ = openat(AT_FDCWD, "/dev/null", O_RDWR)
        }
    }

    /// Gives the calling thread its own descriptor table, without the sockets; a no-op where the system has no such
    /// call. A loop's system calls are slower while another thread shares its table.
    public static func leaveSharedDescriptors() {
        _ = cp_leave_shared_descriptors()
    }
}
