// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

public import SDJSON

/// Conditions on a message, and on the request that opened its channel.
public struct MessagePattern: Sendable, Hashable {
    /// The request that opened the channel.
    public var channel: RequestPattern?
    /// A matcher for the message.
    public var body: ValueMatcher?

    /// Makes one without any member.
    public init() {}
}

extension MessagePattern {
    package static var names: [String] { DialectNames.messagePattern }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, class: .messagePattern, in: DialectNames.messagePattern) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: channel = reader.requestPattern(value)
        case 1: body = value.isNull ? nil : ValueMatcher.read(value, .body, &reader)
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["channel"] = channel?.json
        object["body"] = body?.jsonValue
        return object
    }

    /// The document that it is read from.
    public var json: JSONValue { .object(members) }
}
