// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

package import SDJSON

extension WebhookParameters {
    /// How often a failed call is repeated, and the wait before.
    package struct Retry: Sendable {
        /// The maximum number of retries; by default 3.
        package var times: Int = 3
        /// The wait before the first retry; it doubles for each further one.
        package var backoff: Int = 1_000

        init() {}

        /// Makes one of these.
        package init(times: Int) {
            self.times = times
        }
    }
}

extension WebhookParameters.Retry {
    package static var names: [String] { DialectNames.retry }

    /// Reads an object; nil for one with a problem.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        guard let object = reader.fields(value, "{\"times\": 3, \"backoff\": \"500ms\"}") else { return nil }
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known else { return nil }
        return made
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.retry) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: times = Self.readTimes(value, &reader) ?? 3
        case 1: backoff = Self.readBackoff(value, &reader) ?? 1_000
        default: break
        }
    }
}
