import SDCommand
import SDPlatform
import SDStubFiles

/// The commands that print or write something and end.
enum PrintedCommands {
    /// Runs `invocation` and returns the exit status; nil if it is a command of another kind.
    static func run(_ invocation: Invocation) -> Int32? {
        switch invocation {
        case .help(let topic): return write(Help.text(topic), to: 1)
        case .version: return write("stuntdouble \(Manual.version)\n", to: 1)
        case .completion(let shell): return write(Completion.script(for: shell), to: 1)
        case .generateDocs(let folder): return writePages(into: folder)
        default: return nil
        }
    }

    /// Reports an invalid command line, and returns the exit status.
    static func report(_ error: CommandLineError) -> Int32 {
        _ = write("stuntdouble: \(error.message)\nTry \"stuntdouble --help\".\n", to: 2)
        return CommandLineError.exitCode
    }

    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        do throws(SystemError) {
            try SystemCalls.writeAll(text.utf8, to: descriptor)
            return 0
        } catch {
            // The reader has gone, so there is nowhere to report it.
            return 1
        }
    }

    private static func writePages(into folder: String) -> Int32 {
        do throws(SystemError) {
            for (name, text) in Manual.pages + [("schema/stubs.schema.json", StubSchema.text)] {
                try SystemCalls.replaceFile("\(folder)/\(name)", with: text.utf8)
            }
            return 0
        } catch {
            _ = write("stuntdouble: \(error)\n", to: 2)
            return 1
        }
    }
}
