// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

public import SDJSON

/// An action of a message stub: sends a message, or closes.
public struct MessageAction: Sendable, Hashable {
    /// The kind of action.
    public var kind: Kind = .send
    /// The message to send.
    public var message: MessageDefinition?
    /// The recipients; by default the channel of the received message.
    public var channelTarget: ChannelTarget = .originating
    /// WireMock transformers, which have no effect: every text is a template.
    public var transformers: [String] = []
    /// Values available to templates under `parameters`.
    public var transformerParameters: JSONObject?
    /// The delay before it is sent: `200ms`, or a distribution. An addition to WireMock.
    public var delay: DelayDistribution?
    /// The delay between it and the stub's previous message on the same channel. An addition to WireMock.
    public var gap: DelayDistribution?
    /// The name of a gate that holds it until a test releases it, or an object. An addition to WireMock.
    public var hold: GateHold?
    /// A fault of the message. An addition to WireMock.
    public var fault: [MessageFault] = []
    /// The code of the close frame; by default 1000; 1005 sends none. An addition to WireMock.
    public var code: Int?
    /// The reason text of the close frame, a template. An addition to WireMock.
    public var reason: String?

    /// Makes one without any member.
    public init() {}
}

extension MessageAction {
    package static var names: [String] { DialectNames.messageAction }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members {
            guard let index = reader.index(of: member, class: .sendMessage, in: DialectNames.messageAction) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 1: message = MessageDefinition.read(value, &reader)
        case 2: channelTarget = ChannelTarget.read(value, &reader) ?? .originating
        case 3: transformers = reader.strings(value) ?? []
        case 4: transformerParameters = Self.readParameters(value, &reader)
        case 5: delay = DelayText.read(value, &reader)
        case 6: gap = DelayText.read(value, &reader)
        case 7: hold = GateHold.read(value, isInStream: true, &reader)
        case 8: fault = MessageFault.readList(value, &reader)
        case 9: code = reader.whole(value, 1000...4999, "a code of closing")
        case 10: reason = reader.string(value)
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["message"] = message?.json
        object["channelTarget"] = channelTarget.json
        object["transformers"] = transformers.json
        object["transformerParameters"] = transformerParameters?.json
        object["delay"] = delay.map(DelayText.json)
        object["gap"] = gap.map(DelayText.json)
        object["hold"] = hold?.json
        object["fault"] = MessageFault.json(fault)
        object["code"] = code?.json
        object["reason"] = reason?.json
        return object
    }
}
