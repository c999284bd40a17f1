import SDCommand

/// `stuntdouble report`.
enum ReportCommand {
    /// Runs the command.
    /// - Returns: the exit status.
    static func run(_ options: ReportOptions) -> Int32 {
        70
    }
}
