import SDCommand

/// `stuntdouble convert`.
enum ConvertCommand {
    /// Runs the command.
    /// - Returns: the exit status.
    static func run(_ options: ConvertOptions) -> Int32 {
        70
    }
}
