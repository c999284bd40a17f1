import JSON
import Spelling

/// Reading the route shorthand, whose keys have no Java classes to name.
extension ModelReader {
    /// Reads a text; numbers and booleans count as spelt.
    mutating func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): return text
        case .number(let number): return number.text
        case .bool(let value): return value ? "true" : "false"
        case .null, .array, .object:
            report(detail: nil, message: "wrong type", expected: "a text", found: value.shortDescription)
            return nil
        }
    }

    /// Reads a member of an object of the shorthand whose keys are `names`; any other key is reported.
    mutating func key(
        _ member: JSONObject.Member, of names: [String], otherNames: [String: String] = [:],
        _ read: (inout ModelReader) -> Void
    ) {
        if names.contains(member.key) {
            within(member.key, read)
        } else {
            reportUnknownKey(member.key, valid: names, suggestion: otherNames[member.key])
        }
    }

    mutating func reportUnknownKey(_ name: String, valid: [String], suggestion: String? = nil) {
        guard !isFull else { return }
        if let meant = MissingBlank(inKey: name, of: valid) {
            return reportName(name, message: meant.message, expected: meant.expected, suggestion: meant.suggestion)
        }
        reportName(
            name, message: "unknown key \(quoted(name))", expected: "one of \(valid.joined(separator: ", "))",
            suggestion: suggestion ?? nearestName(to: name, among: valid))
    }

    /// Reports a problem of a member's name in the current object.
    mutating func reportName(
        _ name: String, message: String, expected: String? = nil, found: String? = nil, suggestion: String? = nil
    ) {
        report(
            ModelProblem(
                pointer: place.appending(name), isAboutName: true, message: message, expected: expected, found: found,
                suggestion: suggestion))
    }
}
