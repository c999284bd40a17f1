import SDJSON
import SDStubModel

/// Values in the kit's notation, for failure messages and names of test cases.
enum LanguageText {
    /// The maximum length of a value, in characters.
    private static let longestValue = 200

    /// `.contains("json")`.
    static func matcher(_ json: JSONValue) -> String {
        guard case .object(let object) = json, object.count == 1, let matcher = object.members.first else {
            return ".matcher(\(value(json)))"
        }
        switch matcher.key {
        case "absent": return matcher.value == false ? ".present" : ".absent"
        case "matches" where matcher.value == ".*": return ".present"
        case "anything": return ".anything"
        case "and", "or", "includes", "hasExactly":
            let names = ["and": "all", "or": "either"]
            let inner = (matcher.value.arrayValue ?? []).map(self.matcher)
            return ".\(names[matcher.key] ?? matcher.key)(\(inner.joined(separator: ", ")))"
        case "not": return ".not(\(self.matcher(matcher.value)))"
        default: return ".\(Stub.Match.words[matcher.key] ?? matcher.key)(\(value(matcher.value)))"
        }
    }

    /// A text in quotes, or JSON.
    static func value(_ json: JSONValue) -> String { short(json.compactText) }

    static func quoted(_ text: String) -> String { value(.string(text)) }

    static func short(_ text: String) -> String {
        text.count > longestValue ? text.prefix(longestValue) + "…" : text
    }
}
