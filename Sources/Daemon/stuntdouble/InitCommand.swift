import SDBasics
import SDCommand
import SDJSON
import SDPlatform
import SDStubFiles

/// `stuntdouble init`: writes a starter folder of stubs.
enum InitCommand {
    /// Runs the command.
    /// - Returns: the exit status: 1 if a file already exists or cannot be written.
    static func run(folder: String) -> Int32 {
        var files = StarterFolder.files.map { (path: "\(folder)/\($0.name)", text: $0.text) }
        let standing = files.map(\.path).filter(SystemCalls.exists)
        guard standing.isEmpty else {
            Console.error(
                "already there: \(standing.joined(separator: ", "))",
                fix: folder == "mocks" ? "stuntdouble init other" : "stuntdouble init \(folder)-2")
            return 1
        }
        let besides = [
            ("README.md", StarterFolder.readme(of: shellWord(folder))), (StarterFolder.schema, StubSchema.text),
        ]
        for (name, text) in besides where !SystemCalls.exists("\(folder)/\(name)") {
            files.append(("\(folder)/\(name)", text))
        }
        for file in files {
            do throws(SystemError) {
                try SystemCalls.makeFolders(SystemCalls.parent(of: file.path))
                try SystemCalls.replaceFile(file.path, with: file.text.utf8)
            } catch {
                Console.error(
                    "cannot write \(file.path): \(error.reason)", fix: "name a folder that can be written to")
                return 1
            }
        }
        let next = ["stuntdouble \(folder)", "stuntdouble run \(folder) -- npm test", "stuntdouble validate \(folder)"]
        let meanings = ["serve it on port 8080", "run tests against it", "check it after a change"]
        let document: JSONValue = [
            "files": .array(files.map { .string($0.path) }), "next": .array(next.map(JSONValue.string)),
        ]
        let width = next.map(\.count).max() ?? 0
        let text =
            files.map { "Wrote \($0.path)\n" }.joined() + "\nNext:\n"
            + zip(next, meanings).map {
                "  \($0)\(String(repeating: " ", count: width - $0.count))  # \($1)\n"
            }.joined()
        return Console.print(document, else: text)
    }
}
