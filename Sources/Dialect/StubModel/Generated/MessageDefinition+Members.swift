// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

public import SDJSON

/// A message to send.
public struct MessageDefinition: Sendable, Hashable {
    /// The content; `{{…}}` in a text, and in strings of JSON, is rendered.
    public var body: MessageBody?

    /// Makes one without any member.
    public init() {}
}

extension MessageDefinition {
    package static var names: [String] { DialectNames.messageDefinition }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, class: .messageDefinition, in: DialectNames.messageDefinition) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: body = MessageBody.read(value, &reader)
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["body"] = body?.json
        return object
    }

    /// The document that it is read from.
    public var json: JSONValue { .object(members) }
}
