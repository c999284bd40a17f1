// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// Pieces of this size, and the wait between them.
package struct FaultSlice: Sendable {
    /// The number of bytes of a piece.
    package var size: Int = 0
    /// The wait between two pieces.
    package var gap: Int = 0

    init() {}
}

extension FaultSlice {
    package static var names: [String] { DialectNames.slice }

    /// Reads an object; nil for one with a problem.
    static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        let example = "{size: 100, gap: 20ms}"
        guard let object = reader.fields(value, example) else { return nil }
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known else { return nil }
        if let name = ["size", "gap"].first(where: { object[$0] == nil }) {
            reader.report(detail: nil, message: "\"\(name)\" is missing", expected: example)
            return nil
        }
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
        case 0: size = WrittenAmount.readSize(value, atLeast: 1, &reader) ?? 0
        case 1: gap = WrittenDuration.read(value, &reader) ?? 0
        default: break
        }
    }
}
