import SDBasics
package import SDJSON

/// Reads objects that WireMock does not have, whose keys have no Java classes to name.
extension ModelReader {
    /// Reads a member of an object whose keys are `names`; any other key is reported.
    package mutating func key(
        _ member: JSONObject.Member, of names: [String], otherNames: [String: String] = [:],
        _ read: (inout ModelReader) -> Void
    ) {
        if names.contains(member.key) {
            within(member.key, read)
        } else {
            reportUnknownKey(member.key, valid: names, suggestion: otherNames[member.key])
        }
    }

    /// The index of a member's key in `names`; nil for any other key, which is reported.
    package mutating func index(
        of member: JSONObject.Member, in names: [String], otherNames: @autoclosure () -> [String: String] = [:]
    ) -> Int? {
        if let index = names.firstIndex(of: member.key) { return index }
        reportUnknownKey(member.key, valid: names, suggestion: otherNames()[member.key])
        return nil
    }

    package mutating func reportUnknownKey(_ name: String, valid: [String], suggestion: String? = nil) {
        guard !isFull else { return }
        if let meant = MissingBlank(inKey: name, of: valid) {
            return reportName(name, message: meant.message, expected: meant.expected, suggestion: meant.suggestion)
        }
        reportName(
            name, message: "unknown key \(quoted(name))", expected: "one of \(valid.joined(separator: ", "))",
            suggestion: suggestion ?? meantName(by: name, among: valid))
    }

    /// Reports a problem of a member's name in the current object.
    package mutating func reportName(
        _ name: String, message: String, expected: String? = nil, found: String? = nil, suggestion: String? = nil
    ) {
        report(
            ModelProblem(
                pointer: place.appending(name), isAboutName: true, message: message, expected: expected, found: found,
                suggestion: suggestion))
    }
}
