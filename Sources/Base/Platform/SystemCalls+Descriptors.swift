private import CPlatform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension SystemCalls {
    /// Opens the null device in the place of each standard stream that is closed. Else the next descriptors that are opened
    /// would take their numbers, and what is written to a closed stream would go there.
    public static func openClosedStandardStreams() {
        for number: Int32 in 0...2 where fcntl(number, F_GETFD) < 0 {
            // The lowest free number is this one.
            _ = openat(AT_FDCWD, "/dev/null", O_RDWR)
        }
    }

    /// Gives the calling thread a table of file descriptors of its own, without the sockets; where the system cannot do
    /// that, nothing changes. The system calls of a loop are dearer as long as another thread shares its table.
    public static func leaveSharedDescriptors() {
        _ = cp_leave_shared_descriptors()
    }
}
