import SDCommand

/// `stuntdouble stop`.
enum StopCommand {
    /// Runs the command.
    /// - Returns: the exit status.
    static func run(_ options: StopOptions) -> Int32 {
        70
    }
}
