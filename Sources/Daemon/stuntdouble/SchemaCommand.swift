import SDCommand
import SDStubFiles

/// `stuntdouble schema`: prints the JSON Schema of stub files.
enum SchemaCommand {
    /// Runs the command.
    /// - Returns: the exit status: 1 if the reader has gone.
    static func run(_ options: SchemaOptions) -> Int32 {
        Console.print(StubSchema.text)
    }
}
