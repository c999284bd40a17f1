import SDCommand

/// `stuntdouble schema`.
enum SchemaCommand {
    /// Runs the command.
    /// - Returns: the exit status.
    static func run(_ options: SchemaOptions) -> Int32 {
        70
    }
}
