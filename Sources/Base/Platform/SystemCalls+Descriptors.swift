private import SDCPlatform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension SystemCalls {
    /// Opens the null device for each standard stream that is closed. Otherwise the next descriptors to be opened would
    /// take these numbers, and output for a closed stream would go into them.
    public static func openClosedStandardStreams() {
        for number: Int32 in 0...2 where fcntl(number, F_GETFD) < 0 {
            // The number is free and all lower ones are taken, so `openat` returns it.
            _ = openat(AT_FDCWD, "/dev/null", O_RDWR)
        }
    }

    /// Gives the calling thread its own table of file descriptors, without the sockets; does nothing where the system
    /// cannot do that. A loop's system calls are slower while another thread shares its table.
    public static func leaveSharedDescriptors() {
        _ = cp_leave_shared_descriptors()
    }
}
