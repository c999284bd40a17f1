// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// The bytes to change: a single one, or each with a probability.
package struct FaultCorruption: Sendable {
    /// The offset of the byte, counted from 0.
    package var byte: Int?
    /// The probability with which each byte changes.
    package var rate: Double?

    init() {}
}

extension FaultCorruption {
    package static var names: [String] { DialectNames.corruption }

    /// Reads an object; nil for one with a problem.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        guard let object = reader.fields(value, "{byte: 10} or {rate: 0.01}") else { return nil }
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known else { return nil }
        return made
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.corruption) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: byte = reader.whole(value, 0...Int(Int32.max), "an offset from 0")
        case 1: rate = reader.probability(value)
        default: break
        }
    }
}
