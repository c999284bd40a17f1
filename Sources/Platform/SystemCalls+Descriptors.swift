private import CPlatform

extension SystemCalls {
    /// Gives the calling thread a table of file descriptors of its own, without the sockets; where the system cannot do
    /// that, nothing changes. The system calls of a loop are dearer as long as another thread shares its table.
    public static func leaveSharedDescriptors() {
        _ = cp_leave_shared_descriptors()
    }
}
