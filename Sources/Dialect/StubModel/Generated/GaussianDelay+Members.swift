// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// A normally distributed delay.
package struct GaussianDelay: Sendable {
    /// The mean and the standard deviation: [200ms, 50ms].
    package var gaussian: (mean: Int, deviation: Int)?
    /// The maximum delay; by default unlimited.
    package var max: Int?

    init() {}
}

extension GaussianDelay {
    package static var names: [String] { DialectNames.gaussian }

    /// Reads an object; nil for one with a problem.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        guard let object = reader.fields(value, "{gaussian: [200ms, 50ms]}") else { return nil }
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known, reader.has(["gaussian"], in: object, "{gaussian: [200ms, 50ms]}") else { return nil }
        return made
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.gaussian) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: gaussian = Self.readPair(value, &reader)
        case 1: max = DurationText.read(value, &reader)
        default: break
        }
    }
}
