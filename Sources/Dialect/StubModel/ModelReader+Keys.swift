import SDBasics
package import SDJSON

/// Reads objects that are not WireMock's, so that no Java class is named in messages.
extension ModelReader {
    /// Reads a member whose key is one of `names`; reports any other key.
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
        if let meant = MissingSpace(inKey: name, of: valid) {
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

    /// The value as an object; nil for any other value, which is reported.
    /// - Parameter isEmpty: whether the object may be empty.
    package mutating func fields(
        _ value: JSONValue, _ expected: String, _ message: String = "wrong type", isEmpty: Bool = true
    ) -> JSONObject? {
        accept(value.objectValue.flatMap { isEmpty || !$0.isEmpty ? $0 : nil }, of: value, message, expected)
    }

    /// Whether an object has all of these members; reports the first missing one.
    package mutating func has(_ names: [String], in object: JSONObject, _ expected: String) -> Bool {
        guard let name = names.first(where: { object[$0]?.isNull != false }) else { return true }
        report(detail: nil, message: "\"\(name)\" is missing", expected: expected)
        return false
    }

    /// Maps each element of a list value.
    package mutating func list<Made>(
        _ value: JSONValue, _ make: (JSONValue, inout ModelReader) -> Made?
    ) -> [Made] {
        elements(value.isNull ? [] : accept(value.arrayValue, of: value, "wrong type", "a list") ?? [], make)
    }

    /// Maps each element of a list, at its index in the path.
    package mutating func elements<Made>(
        _ elements: [JSONValue], _ make: (JSONValue, inout ModelReader) -> Made?
    ) -> [Made] {
        var found: [Made] = []
        found.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() where !isFull {
            within(String(index)) { if let made = make(element, &$0) { found.append(made) } }
        }
        return found
    }

    /// Returns `made`, or reports the value if it is nil.
    package mutating func accept<Made>(
        _ made: Made?, of value: JSONValue, _ message: String, _ expected: String
    ) -> Made? {
        if made == nil { report(detail: nil, message: message, expected: expected, found: value.shortDescription) }
        return made
    }
}
