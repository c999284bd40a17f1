// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

public import SDJSON

/// When and how the server closes a WebSocket on its own.
public struct ChannelClose: Sendable, Hashable {
    /// After this many messages were received and answered.
    public var messages: Int?
    /// After that time.
    public var time: Int?
    /// The code of the close frame; by default 1000.
    public var code: Int?
    /// The reason text.
    public var reason: String?

    /// Makes one without any member.
    public init() {}
}

extension ChannelClose {
    package static var names: [String] { DialectNames.channelClose }

    /// Reads an object; nil for one with a problem.
    package static func read(_ value: JSONValue, _ reader: inout ModelReader) -> Self? {
        guard let object = reader.fields(value, "{\"messages\": 10}") else { return nil }
        let known = reader.problems.count
        var made = Self()
        made.readMembers(of: object, &reader)
        guard reader.problems.count == known else { return nil }
        return made
    }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.channelClose) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: messages = reader.whole(value, 1...Int(Int32.max), "a number of messages")
        case 1: time = DurationText.read(value, &reader)
        case 2: code = reader.whole(value, 1000...4999, "a code of closing")
        case 3: reason = reader.string(value)
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["messages"] = messages?.json
        object["time"] = time.map(DurationText.json)
        object["code"] = code?.json
        object["reason"] = reason?.json
        return object
    }

    /// The document that it is read from.
    public var json: JSONValue { .object(members) }
}
