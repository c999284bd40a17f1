import SDCommand
import SDJSON
import SDPlatform
import SDStubFiles

/// The commands that print or write something and exit.
enum PrintedCommands {
    /// Runs `invocation`. Returns the exit status; nil for commands of another kind.
    static func run(_ invocation: Invocation) -> Int32? {
        switch invocation {
        case .help(let topic):
            let text = Help.text(topic)
            return Console.print(["help": .string(text)], else: text)
        case .version: return Version.print()
        case .schema: return Console.print(StubSchema.text)
        case .completion(let shell):
            let text = Completion.script(for: shell)
            return Console.print(["shell": .string(shell.rawValue), "script": .string(text)], else: text)
        case .generateDocs(let folder): return writePages(into: folder)
        default: return nil
        }
    }

    /// Reports an invalid command line, and returns the exit status.
    static func report(_ error: CommandLineError) -> Int32 {
        Console.error(error.consoleError(about: SystemCalls.arguments))
        return CommandLineError.exitCode
    }

    private static func writePages(into folder: String) -> Int32 {
        do throws(SystemError) {
            for (name, text) in Manual.pages + [("schema/stubs.schema.json", StubSchema.text)] {
                if let place = name.lastIndex(of: "/") { try SystemCalls.makeFolder("\(folder)/\(name[..<place])") }
                try SystemCalls.replaceFile("\(folder)/\(name)", with: text.utf8)
            }
            return Console.print(["files": .array(Manual.pages.map { .string($0.name) })], else: "")
        } catch {
            Console.error(error.description, fix: "name a folder that can be written to")
            return 1
        }
    }
}
