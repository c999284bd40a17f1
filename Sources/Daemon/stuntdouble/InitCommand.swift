import SDCommand

/// `stuntdouble init`.
enum InitCommand {
    /// Runs the command.
    /// - Returns: the exit status.
    static func run(_ options: InitOptions) -> Int32 {
        70
    }
}
