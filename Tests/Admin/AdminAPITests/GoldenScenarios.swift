import Foundation
import SDJSON
import SDTestSupport
import Testing

/// WireMock's recorded answers to `Tools/oracle/admin/scenarios.py` and `flows.py`.
struct GoldenScenario: Sendable, CustomTestStringConvertible {
    struct Step: Sendable {
        let json: JSONValue

        var kind: String { text("do") }
        /// The call or the action in short, for messages.
        var summary: String { "\(text("method")) \(text("path")) \(text("body").prefix(200))\(text("file"))" }
        var headers: [(String, String)] {
            json["headers"]?.objectValue?.members.map { ($0.key, $0.value.stringValue ?? "") } ?? []
        }
        func text(_ key: String) -> String { json[key]?.stringValue ?? (key == "do" ? "call" : "") }
    }

    let name: String
    let files: [String: String]
    let steps: [Step]

    var testDescription: String { name }

    static let all: [GoldenScenario] = ["exchanges", "scenarios"].flatMap { load($0)?.arrayValue ?? [] }
        .map(GoldenScenario.init)

    static func load(_ name: String) -> JSONValue? {
        return try? JSONValue(parsing: PackageFiles.data("Tests/Admin/AdminAPITests/Golden/\(name).json"))
    }

    init(_ json: JSONValue) {
        name = json["name"]?.stringValue ?? ""
        var files: [String: String] = [:]
        for member in json["files"]?.objectValue?.members ?? [] { files[member.key] = member.value.stringValue }
        self.files = files
        steps = (json["steps"]?.arrayValue ?? []).map(Step.init)
    }

    /// The ids that the scenario itself specifies.
    var givenIDs: Set<String> {
        let parts = steps.flatMap { step in ["path", "body", "text", "file"].map(step.text) }
        let ids = (parts + files.values).flatMap { text in text.matches(of: IDNames.id).map { String($0.0) } }
        return Set(ids)
    }
}

/// Replaces random ids by their names in the golden data: `<id 1>` and so on, in the order in which they appear.
struct IDNames {
    // A regex value is immutable.
    nonisolated(unsafe) static let id = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/

    let given: Set<String>
    private var names: [String: String] = [:]

    init(given: Set<String>) {
        self.given = given
    }

    mutating func normalized(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let match = rest.firstMatch(of: Self.id) {
            let id = String(match.0)
            result += rest[..<match.range.lowerBound]
            result += given.contains(id) ? id : name(of: id)
            rest = rest[match.range.upperBound...]
        }
        return result + rest
    }

    private mutating func name(of id: String) -> String {
        let name = names[id] ?? "<id \(names.count + 1)>"
        names[id] = name
        return name
    }
}

/// A step that is answered differently on purpose, and why.
struct IntendedDifference: Sendable {
    let scenario: String
    let step: Int
    let reason: String
    /// The intended answer.
    let answer: JSONValue

    static let all: [IntendedDifference] = ["differences", "scenario-differences"].flatMap {
        GoldenScenario.load($0)?.arrayValue ?? []
    }.compactMap { json in
        guard let scenario = json["scenario"]?.stringValue, let step = json["step"]?.intValue,
            let reason = json["reason"]?.stringValue, let answer = json["answer"]
        else { return nil }
        return IntendedDifference(scenario: scenario, step: step, reason: reason, answer: answer)
    }
}
