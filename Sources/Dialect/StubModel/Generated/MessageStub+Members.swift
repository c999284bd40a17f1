// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

public import SDJSON
#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A message stub of WireMock 4: its trigger on a channel, and the messages that it sends.
public struct MessageStub: Sendable, Hashable {
    /// The id for the admin API.
    public var id: UUID = StubMapping.noID
    /// A label.
    public var name: String?
    /// The priority; lower numbers win; by default 5.
    public var priority: Int?
    /// The trigger; by default every message.
    public var trigger: MessageTrigger = .message(channel: nil, message: nil)
    /// The actions, in order.
    public var actions: [MessageAction] = []
    /// An object of your own, for the admin API.
    public var metadata: JSONObject?
    /// The actions for the first time, the second, and so on, in place of `actions`. An addition to WireMock.
    public var sequence: [[MessageAction]] = []
    /// What follows the end of the sequence: `repeatLast`, the default, `loop` or `stop`. An addition to WireMock.
    public var onEnd: MessageStub.End?
    /// The scope of the sequence: each `channel`, the default, or the `session`. An addition to WireMock.
    public var per: MessageStub.Count?
    /// The scenario, which can be shared with HTTP stubs. An addition to WireMock.
    public var scenarioName: String?
    /// The state in which it applies; by default any. An addition to WireMock.
    public var requiredScenarioState: String?
    /// The state that it sets; by default unchanged. An addition to WireMock.
    public var newScenarioState: String?
    /// The HTTP stubs for WebSocket upgrades that follow it in its routes file.
    public var precedes: Set<UUID> = []

    /// Makes one without any member.
    public init() {}
}

extension MessageStub {
    package static var names: [String] { DialectNames.messageStub }

    /// Reads the members of an object; others are reported.
    package mutating func readMembers(of object: JSONObject, _ reader: inout ModelReader) {
        for member in object.members where member.key != "$schema" {
            guard let index = reader.index(of: member, class: .messageStub, in: DialectNames.messageStub) else { continue }
            reader.within(member.key) { readMember(index, member.value, &$0) }
        }
    }

    /// Reads the member of this index among `names`.
    package mutating func readMember(_ index: Int, _ value: JSONValue, _ reader: inout ModelReader) {
        switch index {
        case 0: if let given = StubMapping.readID(value, &reader) { id = given }
        case 1: name = reader.string(value)
        case 2: priority = StubMapping.readPriority(value, &reader)
        case 3: trigger = MessageTrigger.read(value, &reader) ?? .message(channel: nil, message: nil)
        case 4: actions = MessageAction.readList(value, &reader)
        case 5: metadata = Self.readMetadata(value, &reader)
        case 6: sequence = MessageAction.readSequence(value, &reader)
        case 7: onEnd = value.isNull ? nil : reader.choice(value, "an end", otherNames: DialectNames.messageEndsAliases)
        case 8: per = value.isNull ? nil : reader.choice(value, "what a sequence is kept for")
        case 9: scenarioName = reader.string(value)
        case 10: requiredScenarioState = reader.string(value)
        case 11: newScenarioState = reader.string(value)
        default: break
        }
    }

    /// The members that there are, in WireMock's order.
    package var members: JSONObject {
        var object = JSONObject()
        object["id"] = idText.json
        object["name"] = name?.json
        object["priority"] = priority?.json
        object["trigger"] = trigger.json
        object["actions"] = actions.isEmpty ? nil : .array(actions.map(\.json))
        object["sequence"] = MessageAction.json(sequence)
        object["onEnd"] = onEnd?.json
        object["per"] = per?.json
        object["scenarioName"] = scenarioName?.json
        object["requiredScenarioState"] = requiredScenarioState?.json
        object["newScenarioState"] = newScenarioState?.json
        object["metadata"] = metadata?.json
        return object
    }

    /// The document that it is read from.
    public var json: JSONValue { .object(members) }
}
