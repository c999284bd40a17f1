// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

/// The first requests, or the first with each value of a header.
package struct FirstRequests: Sendable {
    /// The number of requests.
    package var count: Int = 0
    /// A header; requests are counted separately for each of its values.
    package var perHeader: String?

    init() {}
}

extension FirstRequests {
    package static var names: [String] { DialectNames.firstRequests }

    /// Reads an object; nil for one with a problem.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        guard let object = reader.fields(value, "a number of requests, or {count: 2, perHeader: Idempotency-Key}") else { return nil }
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known, reader.has(["count"], in: object, "a number of requests, or {count: 2, perHeader: Idempotency-Key}") else { return nil }
        return made
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.firstRequests, otherNames: DialectNames.firstRequestsAliases) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: count = reader.whole(value, 1...Int(Int32.max), "a number of requests") ?? 0
        case 1: perHeader = reader.string(value)
        default: break
        }
    }
}
