import SDBasics
package import SDJSON

extension CORSPolicy {
    /// The location of the key. All locations compare equal: it is not part of the policy.
    package struct Place: Sendable, Hashable {
        /// The pointer in the parsed document, until the line is known.
        package var pointer: JSONPointer?
        /// The line in the file, from 1; nil if unknown.
        package var line: Int?

        package static func == (_: Place, _: Place) -> Bool { true }
        package func hash(into _: inout Hasher) {}
    }

    /// Whether the policy allows an origin.
    package func names(_ origin: String) -> Bool {
        origins?.contains { $0 == origin || OriginPattern($0)?.matches(origin) == true } ?? true
    }

    private static let expected =
        "true, false, an origin, or an object such as {origins: https://app.example, credentials: true}"

    /// Reads `true`, `false`, an origin or an object; nil for null.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> CORSPolicy? {
        var policy = CORSPolicy()
        policy.place.pointer = reader.place
        switch value {
        case .null: return nil
        case .bool(let isAllowed): policy.isAllowed = isAllowed
        case .string, .array: policy.origins = readOrigins(value, &reader)
        case .object(let object):
            policy.readMembers(of: object, &reader)
        case .number:
            reader.refuse("not a rule for pages of other origins", expected: expected, found: value.shortDescription)
            return nil
        }
        return policy
    }

    /// Reads a string or a list of strings; nil if one is `*`.
    private static func texts(
        _ value: JSONValue, _ expected: String, _ reader: inout ModelReader,
        check: (String, inout ModelReader) -> Void
    ) -> [String]? {
        let elements = value.arrayValue ?? [value]
        if elements.contains("*") { return nil }
        if elements.isEmpty { reader.refuse("an empty list", expected: expected, found: nil) }
        return elements.enumerated().compactMap { index, element in
            func read(_ reader: inout ModelReader) -> String? {
                guard let text = element.stringValue else {
                    reader.refuse("wrong type", expected: expected, found: element.shortDescription)
                    return nil
                }
                check(text, &reader)
                return text
            }
            return value.arrayValue == nil ? read(&reader) : reader.within(String(index)) { read(&$0) }
        }
    }

    static func readOrigins(_ value: JSONValue, _ reader: inout ModelReader) -> [String]? {
        let expected = "an origin such as https://app.example or http://localhost:*, a list of them, or \"*\" for any"
        return texts(value, expected, &reader) { text, reader in
            guard OriginPattern(text) == nil else { return }
            let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
            reader.refuse(
                isASCII ? "not an origin" : "browsers send host names in ASCII, such as xn--…", expected: expected,
                found: quoted(text), suggestion: OriginPattern.meant(by: text))
        }
    }

    static func readNames(_ value: JSONValue, _ reader: inout ModelReader) -> [String]? {
        let expected = "the name of a header, a list of them, or \"*\" for all"
        return texts(value, expected, &reader) { text, reader in
            if !HTTPToken.isToken(text) {
                reader.refuse("not a header's name", expected: expected, found: quoted(text))
            }
        }
    }

    /// The shortest JSON of the policy.
    package var json: JSONValue {
        guard isAllowed else { return false }
        var object = members
        if !credentials { object["credentials"] = nil }
        return object.isEmpty ? true : object.json
    }
}
