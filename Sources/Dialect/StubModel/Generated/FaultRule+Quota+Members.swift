// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

public import SDJSON

extension FaultRule {
    /// A number of requests within a time.
    public struct Quota: Sendable, Hashable {
        /// The number of unaffected requests in each period.
        public var limit: Int = 0
        /// The length of a period.
        public var period: Int = 0

        init() {}

        /// Makes one of these.
        public init(limit: Int, period: Int) {
            self.limit = limit
            self.period = period
        }
    }
}

extension FaultRule.Quota {
    package static var names: [String] { DialectNames.quota }

    /// Reads an object; nil for one with a problem.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        guard let object = reader.fields(value, "{limit: 10, per: 1m}") else { return nil }
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known, reader.has(["limit", "per"], in: object, "{limit: 10, per: 1m}") else { return nil }
        return made
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.quota, otherNames: DialectNames.quotaAliases) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: limit = reader.whole(value, 0...Int(Int32.max), "a number of requests") ?? 0
        case 1: period = Self.readPeriod(value, &reader) ?? 0
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["limit"] = limit.json
        object["per"] = DurationText.json(period)
        return object
    }

    /// The document that it is read from.
    public var json: JSONValue { .object(members) }
}
