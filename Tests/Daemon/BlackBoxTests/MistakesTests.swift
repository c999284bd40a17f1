import Foundation
import SDTestSupport
import Testing

/// Mistakes of authors and callers, from `Mistakes/mistakes.json`: what they are told names the mistake and its place, and
/// leads to what they meant.
@Suite struct MistakesTests {
    struct Mistake: Decodable, Sendable, CustomTestStringConvertible {
        let id: String
        let what: String
        let meant: String
        /// The contents of files by name.
        let files: [String: String]?
        /// What is run beside these files; `validate mocks` by default.
        let command: [String]?
        /// A call of a daemon, in place of a command.
        let call: Call?
        /// The exit status of the command, or the status of the call's answer.
        let status: Int
        /// The file and the line that are named.
        let place: String?
        /// What is said; where a place is named, in its line. `{BUSY}` stands for a port that is taken.
        let words: [String]

        var testDescription: String { "\(id): \(what) Meant: \(meant)" }
    }

    struct Call: Decodable, Sendable {
        let method: String
        let path: String
        let headers: [String]?
        let body: String?
    }

    static var mistakes: [Mistake] {
        get throws {
            let data = try PackageFiles.data("Tests/Daemon/BlackBoxTests/Mistakes/mistakes.json")
            return try JSONDecoder().decode([Mistake].self, from: data)
        }
    }

    private let folder: TemporaryFolder
    private let taken: RawServer

    init() throws {
        folder = try TemporaryFolder()
        taken = try RawServer { _, _ in }
    }

    private func filled(_ text: String) -> String { text.replacing("{BUSY}", with: String(taken.port)) }

    @Test(arguments: try mistakes) func whatIsSaidLeadsToWhatIsMeant(_ mistake: Mistake) throws {
        let status: Int?
        let said: String
        if let call = mistake.call {
            let daemon = try Daemon()
            let answer = try daemon.request(call.method, call.path, headers: call.headers ?? [], body: call.body)
            status = answer.status
            said = answer.text
        } else {
            for (name, text) in mistake.files ?? [:] { try folder.write(name, text) }
            let command = mistake.command ?? ["validate", "mocks"]
            let ended = try EndedCommand(command.map(filled), in: folder.path, outputsIn: folder)
            status = ended.status.map { Int($0) }
            said = ended.output + ended.errors
        }

        #expect(status == mistake.status, "\(said)")
        let lines = said.split(separator: "\n").filter { line in mistake.place.map { line.contains("\($0):") } ?? true }
        for word in mistake.words.map(filled) {
            #expect(lines.contains { $0.contains(word) }, "\(word) in \(said)")
        }
    }
}
