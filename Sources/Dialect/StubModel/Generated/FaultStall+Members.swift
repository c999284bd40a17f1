// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// A pause after some bytes, for a time or forever.
package struct FaultStall: Sendable, Hashable {
    /// The number of bytes of the body before it.
    package var after: Int = 0
    /// The length of the pause.
    package var milliseconds: Int?

    init() {}

    /// Makes one of these.
    package init(after: Int, milliseconds: Int?) {
        self.after = after
        self.milliseconds = milliseconds
    }
}

extension FaultStall {
    package static var names: [String] { DialectNames.stall }

    /// Reads an object; nil for one with a problem.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        guard let object = reader.fields(value, "{after: 100, for: 10s} or {after: 100, for: forever}") else { return nil }
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known, reader.has(["for"], in: object, "{after: 100, for: 10s} or {after: 100, for: forever}") else { return nil }
        return made
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.stall) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: after = AmountText.readSize(value, atLeast: 0, &reader) ?? 0
        case 1: milliseconds = Self.readTime(value, &reader)
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["after"] = after.json
        object["for"] = milliseconds.map(DurationText.json) ?? "forever"
        return object
    }

    /// The document that it is read from.
    package var json: JSONValue { .object(members) }
}
