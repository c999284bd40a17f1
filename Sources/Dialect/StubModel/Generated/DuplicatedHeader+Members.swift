// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// A header that is sent twice, the second time with another value.
package struct DuplicatedHeader: Sendable {
    /// Its name.
    package var name: String?
    /// Its second value; by default the first one again.
    package var value: String?

    init() {}
}

extension DuplicatedHeader {
    package static var names: [String] { DialectNames.duplicatedHeader }

    /// Reads an object; nil for one with a problem.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        guard let object = reader.fields(value, "the name of a header, or {name: Content-Length, value: \"5\"}") else { return nil }
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known, reader.has(["name"], in: object, "the name of a header, or {name: Content-Length, value: \"5\"}") else { return nil }
        return made
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.duplicatedHeader) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: name = reader.string(value)
        case 1: self.value = reader.string(value)
        default: break
        }
    }
}
