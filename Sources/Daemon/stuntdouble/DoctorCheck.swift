import SDCommand
import SDJSON

/// What was found of a part.
struct DoctorCheck: Equatable {
    enum State: String {
        case fine = "ok"
        /// Something that not every user needs.
        case missing
        /// Nothing is missing, but somebody may want to know.
        case note
        case failed
    }

    let part: DoctorOptions.Part
    let state: State
    /// What is there, or what is not.
    let found: String
    /// What it is for.
    let purpose: String
    /// What to do; nil if there is nothing to be done.
    var advice: String?
    /// The package that has it, if it is missing and a package has it.
    var package: String?
    var version: String?
    var path: String?

    static var processor: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "aarch64"
        #else
            "another processor"
        #endif
    }

    func json(isFailed: Bool) -> JSONValue {
        var members: JSONObject = [
            "part": .string(part.rawValue), "state": .string(isFailed ? State.failed.rawValue : state.rawValue),
            "found": .string(found), "purpose": .string(purpose),
        ]
        for (name, text) in [("version", version), ("path", path), ("package", package), ("fix", advice)] {
            if let text { members[name] = .string(text) }
        }
        return .object(members)
    }

    func text(isFailed: Bool) -> String {
        let indentation = String(repeating: " ", count: 23)
        var text = Self.padded(isFailed ? State.failed.rawValue : state.rawValue, 9)
        text += Self.padded(part.rawValue, 14) + found + "\n"
        text += indentation + "for " + purpose + "\n"
        if let advice { text += indentation + "fix: " + advice + "\n" }
        return text
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.utf8.count))
    }
}
