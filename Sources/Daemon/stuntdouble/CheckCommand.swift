import SDCommand

/// `stuntdouble check`.
enum CheckCommand {
    /// Runs the command.
    /// - Returns: the exit status.
    static func run(_ options: CheckOptions) -> Int32 {
        70
    }
}
