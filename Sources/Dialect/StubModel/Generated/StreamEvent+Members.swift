// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

public import SDJSON

/// A server-sent event (HTML Living Standard, section 9.2).
public struct StreamEvent: Sendable, Hashable {
    /// A comment, which clients ignore; each line becomes a comment line.
    public var comment: String?
    /// The event type; clients use `message` by default.
    public var event: String?
    /// The id, which a reconnecting client sends as `Last-Event-ID`.
    public var id: String?
    /// The reconnection time for clients: milliseconds, or a duration such as `3s`.
    public var retryMilliseconds: Int?
    /// A text, each line of which becomes a `data:` line; or any other JSON, sent on one line.
    public var data: JSONValue?

    init() {}

    /// Makes one of these.
    public init(event: String? = nil, id: String? = nil, data: JSONValue? = nil) {
        self.event = event
        self.id = id
        self.data = data
    }
}

extension StreamEvent {
    package static var names: [String] { DialectNames.serverEvent }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, in: DialectNames.serverEvent, otherNames: DialectNames.serverEventAliases) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: comment = reader.string(value)
        case 1: event = StreamEvent.readLine(value, &reader)
        case 2: id = StreamEvent.readLine(value, &reader)
        case 3: retryMilliseconds = StreamEvent.readRetry(value, &reader)
        case 4: data = StreamEvent.readData(value, &reader)
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["comment"] = comment?.json
        object["event"] = event?.json
        object["id"] = id?.json
        object["retry"] = retryMilliseconds?.json
        object["data"] = data
        return object
    }

    /// The document that it is read from.
    public var json: JSONValue { .object(members) }
}
