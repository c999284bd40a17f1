// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON
package import SDStubModel

/// Sends the body in chunks over a time.
package struct RouteDribble: Sendable {
    /// The number of chunks.
    package var chunks: Int = 0
    /// The sum of the pauses.
    package var over: Int = 0

    init() {}
}

extension RouteDribble {
    package static var names: [String] { DialectNames.dribble }

    /// Reads an object; nil for one with a problem.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        guard let object = reader.fields(value, "{chunks: 5, over: 1s}") else { return nil }
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known, reader.has(["chunks", "over"], in: object, "{chunks: 5, over: 1s}") else { return nil }
        return made
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.dribble) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: chunks = reader.whole(value, 1...Int(Int32.max), "a number of chunks of at least 1") ?? 0
        case 1: over = DurationText.read(value, &reader) ?? 0
        default: break
        }
    }
}
