// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// Slices of this size, with a pause between them.
package struct FaultSlice: Sendable, Hashable {
    /// The number of bytes in a slice.
    package var size: Int = 0
    /// The pause between two slices.
    package var gap: Int = 0

    init() {}

    /// Makes one of these.
    package init(size: Int, gap: Int) {
        self.size = size
        self.gap = gap
    }
}

extension FaultSlice {
    package static var names: [String] { DialectNames.slice }

    /// Reads an object; nil for one with a problem.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        guard let object = reader.fields(value, "{size: 100, gap: 20ms}") else { return nil }
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known, reader.has(["size", "gap"], in: object, "{size: 100, gap: 20ms}") else { return nil }
        return made
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.slice) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: size = AmountText.readSize(value, atLeast: 1, &reader) ?? 0
        case 1: gap = DurationText.read(value, &reader) ?? 0
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["size"] = size.json
        object["gap"] = DurationText.json(gap)
        return object
    }

    /// The document that it is read from.
    package var json: JSONValue { .object(members) }
}
