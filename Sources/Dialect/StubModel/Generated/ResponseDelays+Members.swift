// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

public import SDJSON

/// The delays before the first byte and before each chunk of the body. An addition to WireMock's delays.
public struct ResponseDelays: Sendable, Hashable {
    /// The delay before the first byte.
    public var firstByte: DelayDistribution?
    /// The delay before each chunk, sampled for each one.
    public var perChunk: DelayDistribution?
    /// What it was read from.
    public internal(set) var json: JSONValue = .null

    init() {}

    /// Makes one of these.
    public init(firstByte: DelayDistribution? = nil, perChunk: DelayDistribution? = nil) {
        self.firstByte = firstByte
        self.perChunk = perChunk
        json = .object(members)
    }
}

extension ResponseDelays {
    package static var names: [String] { DialectNames.delays }

    /// Reads an object; nil for one with a problem.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        if value.isNull { return nil }
        guard let object = reader.fields(value, "{firstByte: 200ms, perChunk: 20ms}", "not the delays of a response", isEmpty: false) else { return nil }
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known else { return nil }
        made.json = value
        return made
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.delays, otherNames: DialectNames.delaysAliases) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: firstByte = DelayText.read(value, &reader)
        case 1: perChunk = DelayText.read(value, &reader)
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["firstByte"] = firstByte?.json
        object["perChunk"] = perChunk?.json
        return object
    }
}
