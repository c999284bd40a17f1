import SDCommand

/// `stuntdouble wait`.
enum WaitCommand {
    /// Runs the command.
    /// - Returns: the exit status.
    static func run(_ options: WaitOptions) -> Int32 {
        70
    }
}
