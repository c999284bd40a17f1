import SDCommand

/// `stuntdouble run`.
enum RunCommand {
    /// Runs the command.
    /// - Returns: the exit status.
    static func run(_ options: RunOptions) -> Int32 {
        70
    }
}
