public import Platform

/// Notices that standard input closes, which it does when the process that holds its other end is gone.
public enum ParentWatch {
    /// Calls `onClose` once, on a thread of its own, when there is nothing more to read. What is read is thrown away.
    public static func start(
        descriptor: Int32 = 0, onClose: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let thread = try SystemThread(name: "parent") {
            SystemCalls.readUntilClosed(descriptor)
            onClose()
        }
        thread.detach()
    }
}
