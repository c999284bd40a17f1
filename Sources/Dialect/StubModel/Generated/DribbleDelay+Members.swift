// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

public import SDJSON

/// Sends the body in equal chunks, with a pause before each.
public struct DribbleDelay: Sendable, Hashable {
    /// The number of chunks.
    public var numberOfChunks: Int = 0
    /// The sum of all pauses, in milliseconds.
    public var totalDuration: Int = 0

    init() {}

    /// Makes one of these.
    public init(numberOfChunks: Int, totalDuration: Int) {
        self.numberOfChunks = numberOfChunks
        self.totalDuration = totalDuration
    }
}

extension DribbleDelay {
    package static var names: [String] { DialectNames.chunkedDribbleDelay }

    /// Reads an object; nil for one with a problem.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        guard let object = reader.object(value, .dribbleDelay) else { return nil }
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known else { return nil }
        made.finish(object, &reader)
        return reader.problems.count == known ? made : nil
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, class: .dribbleDelay, in: DialectNames.chunkedDribbleDelay) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: numberOfChunks = reader.integer(value, .boxedInt) ?? 0
        case 1: totalDuration = reader.integer(value, .boxedInt) ?? 0
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["numberOfChunks"] = numberOfChunks.json
        object["totalDuration"] = totalDuration.json
        return object
    }

    /// The document that it is read from.
    public var json: JSONValue { .object(members) }
}
