// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

import SDJSON

/// The channels to send a message to.
public enum ChannelTarget: Sendable, Hashable {
    /// The channel of the received message.
    case originating
    /// All channels opened by matching requests.
    case requestInitiated(channelType: String?, requestPattern: RequestPattern?)
    /// A channel created by the admin API.
    case fixedChannel(providerName: String?, channelName: String?)
    /// All WebSockets that match the stub's `channel`. An addition to WireMock's targets.
    case room(room: String?, others: Bool?)
}

extension ChannelTarget {
    /// The values of `type`.
    package static let kinds = ["originating", "request-initiated", "fixed-channel", "room"]

    /// Reads an object of a kind; nil for one with a problem.
    static func read(_ object: JSONObject, _ kind: String, _ reader: inout ModelReader) -> ChannelTarget? {
        let known = reader.problems.count
        switch kind {
        case "originating":
            for member in object.members { _ = reader.index(of: member, class: .originatingTarget, in: DialectNames.originatingTarget) }
            guard reader.problems.count == known else { return nil }
            return Self.originating.checked(&reader)
        case "request-initiated":
            var channelType: String?
            var requestPattern: RequestPattern?
            for member in object.members {
                guard let index = reader.index(of: member, class: .initiatedTarget, in: DialectNames.initiatedTarget) else { continue }
                reader.within(member.key) { reader in
                    let value = member.value
                    switch index {
                    case 1: channelType = MessageAction.readChannelType(value, &reader)
                    case 2: requestPattern = reader.requestPattern(value)
                    default: break
                    }
                }
            }
            guard reader.problems.count == known else { return nil }
            return Self.requestInitiated(channelType: channelType, requestPattern: requestPattern).checked(&reader)
        case "fixed-channel":
            var providerName: String?
            var channelName: String?
            for member in object.members {
                guard let index = reader.index(of: member, class: .fixedTarget, in: DialectNames.fixedTarget) else { continue }
                reader.within(member.key) { reader in
                    let value = member.value
                    switch index {
                    case 1: providerName = reader.string(value)
                    case 2: channelName = reader.string(value)
                    default: break
                    }
                }
            }
            guard reader.problems.count == known else { return nil }
            return Self.fixedChannel(providerName: providerName, channelName: channelName).checked(&reader)
        case "room":
            var room: String?
            var others: Bool?
            for member in object.members {
                guard let index = reader.index(of: member, in: DialectNames.roomTarget) else { continue }
                reader.within(member.key) { reader in
                    let value = member.value
                    switch index {
                    case 1: room = reader.string(value)
                    case 2: others = reader.bool(value)
                    default: break
                    }
                }
            }
            guard reader.problems.count == known else { return nil }
            return Self.room(room: room, others: others).checked(&reader)
        default: return nil
        }
    }

    /// The document that it is read from.
    var json: JSONValue {
        var object = JSONObject()
        switch self {
        case .originating:
            object["type"] = "originating"
        case .requestInitiated(let channelType, let requestPattern):
            object["type"] = "request-initiated"
            object["channelType"] = channelType?.json
            object["requestPattern"] = requestPattern?.json
        case .fixedChannel(let providerName, let channelName):
            object["type"] = "fixed-channel"
            object["providerName"] = providerName?.json
            object["channelName"] = channelName?.json
        case .room(let room, let others):
            object["type"] = "room"
            object["room"] = room?.json
            object["others"] = others?.json
        }
        return .object(object)
    }
}
