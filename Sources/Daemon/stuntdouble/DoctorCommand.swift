import SDCommand

/// `stuntdouble doctor`.
enum DoctorCommand {
    /// Runs the command.
    /// - Returns: the exit status.
    static func run(_ options: DoctorOptions) -> Int32 {
        70
    }
}
