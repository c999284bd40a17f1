// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

import SDJSON

/// What triggers a message stub; without a type, a message.
public enum MessageTrigger: Sendable, Hashable {
    /// A message received on a channel.
    case message(channel: ChannelPattern?, message: MessagePattern?)
    /// A request answered by a stub.
    case httpStub(stubId: StubMapping.ID?)
    /// A request, whichever stub answered it.
    case httpRequest(requestPattern: RequestPattern?)
    /// The opening of a WebSocket. An addition to WireMock's triggers.
    case open(channel: ChannelPattern?, protocols: [String], closeAfter: ChannelClose?)
    /// An interval while a WebSocket is open. An addition to WireMock's triggers.
    case interval(every: Int, channel: ChannelPattern?)
}

extension MessageTrigger {
    /// The values of `type`.
    package static let kinds = ["message", "http-stub", "http-request", "open", "interval"]

    /// Reads an object of a kind; nil for one with a problem.
    static func read(_ object: JSONObject, _ kind: String, _ reader: inout ModelReader) -> MessageTrigger? {
        let known = reader.problems.count
        switch kind {
        case "message":
            var channel: ChannelPattern?
            var message: MessagePattern?
            for member in object.members {
                guard let index = reader.index(of: member, class: .onMessage, in: DialectNames.onMessage) else { continue }
                reader.within(member.key) { reader in
                    let value = member.value
                    switch index {
                    case 1: channel = ChannelPattern.read(value, &reader)
                    case 2: message = MessagePattern.read(value, &reader)
                    default: break
                    }
                }
            }
            guard reader.problems.count == known else { return nil }
            return Self.message(channel: channel, message: message).checked(&reader)
        case "http-stub":
            var stubId: StubMapping.ID?
            for member in object.members {
                guard let index = reader.index(of: member, class: .onStub, in: DialectNames.onStub) else { continue }
                reader.within(member.key) { reader in
                    let value = member.value
                    switch index {
                    case 1: stubId = StubMapping.readID(value, &reader)
                    default: break
                    }
                }
            }
            guard reader.problems.count == known else { return nil }
            return Self.httpStub(stubId: stubId).checked(&reader)
        case "http-request":
            var requestPattern: RequestPattern?
            for member in object.members {
                guard let index = reader.index(of: member, class: .onRequest, in: DialectNames.onRequest) else { continue }
                reader.within(member.key) { reader in
                    let value = member.value
                    switch index {
                    case 1: requestPattern = reader.requestPattern(value)
                    default: break
                    }
                }
            }
            guard reader.problems.count == known else { return nil }
            return Self.httpRequest(requestPattern: requestPattern).checked(&reader)
        case "open":
            var channel: ChannelPattern?
            var protocols: [String] = []
            var closeAfter: ChannelClose?
            for member in object.members {
                guard let index = reader.index(of: member, in: DialectNames.onOpen) else { continue }
                reader.within(member.key) { reader in
                    let value = member.value
                    switch index {
                    case 1: channel = ChannelPattern.read(value, &reader)
                    case 2: protocols = ProxyDefinition.readNames(value, &reader)
                    case 3: closeAfter = ChannelClose.read(value, &reader)
                    default: break
                    }
                }
            }
            guard reader.problems.count == known else { return nil }
            return Self.open(channel: channel, protocols: protocols, closeAfter: closeAfter).checked(&reader)
        case "interval":
            var every: Int = 0
            var channel: ChannelPattern?
            for member in object.members {
                guard let index = reader.index(of: member, in: DialectNames.onInterval) else { continue }
                reader.within(member.key) { reader in
                    let value = member.value
                    switch index {
                    case 1: every = DurationText.read(value, &reader) ?? 0
                    case 2: channel = ChannelPattern.read(value, &reader)
                    default: break
                    }
                }
            }
            guard reader.problems.count == known, reader.has(["every"], in: object, "{\"type\": \"interval\", \"every\": \"5s\"}") else { return nil }
            return Self.interval(every: every, channel: channel).checked(&reader)
        default: return nil
        }
    }

    /// The document that it is read from.
    var json: JSONValue {
        var object = JSONObject()
        switch self {
        case .message(let channel, let message):
            object["type"] = "message"
            object["channel"] = channel?.json
            object["message"] = message?.json
        case .httpStub(let stubId):
            object["type"] = "http-stub"
            object["stubId"] = stubId?.lowercasedString.json
        case .httpRequest(let requestPattern):
            object["type"] = "http-request"
            object["requestPattern"] = requestPattern?.json
        case .open(let channel, let protocols, let closeAfter):
            object["type"] = "open"
            object["channel"] = channel?.json
            object["protocols"] = protocols.json
            object["closeAfter"] = closeAfter?.json
        case .interval(let every, let channel):
            object["type"] = "interval"
            object["every"] = DurationText.json(every)
            object["channel"] = channel?.json
        }
        return .object(object)
    }
}
