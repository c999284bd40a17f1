import SDCommand
import SDPlatform
import SDStubFiles

/// `stuntdouble schema`: prints the JSON Schema of stub files.
enum SchemaCommand {
    /// Runs the command.
    /// - Returns: the exit status: 1 if the reader has gone.
    static func run(_ options: SchemaOptions) -> Int32 {
        do throws(SystemError) {
            try SystemCalls.writeAll(StubSchema.text.utf8, to: 1)
            return 0
        } catch {
            return 1
        }
    }
}
