import SDCommand
import SDJSON

/// The result for one part.
struct DoctorCheck: Equatable {
    enum State: String {
        case fine = "ok"
        /// Missing, and not every user needs it.
        case missing
        /// Nothing is missing; for information.
        case note
        case failed
    }

    let part: DoctorOptions.Part
    let state: State
    /// What was found, or what is missing.
    let found: String
    /// What the part is for.
    let purpose: String
    /// What to do; nil if nothing needs to be done.
    var advice: String?
    /// The package to install, if the part is missing and has one.
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
