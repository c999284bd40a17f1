// Made by `make dialect` of Sources/Dialect/Table; do not edit.
// swift-format-ignore-file

import SDJSON

/// The channels, by type.
public enum ChannelPattern: Sendable, Hashable {
    /// Channels that are WebSockets.
    case websocket(initiatingRequestPattern: RequestPattern?)
    /// Channels created by the admin API.
    case fixed(channelProvider: String?, channelName: ValueMatcher?)
}

extension ChannelPattern {
    /// The values of `type`.
    package static let kinds = ["websocket", "fixed"]

    /// Reads an object of a kind; nil for one with a problem.
    static func read(_ object: JSONObject, _ kind: String, _ reader: inout ModelReader) -> ChannelPattern? {
        let known = reader.problems.count
        switch kind {
        case "websocket":
            var initiatingRequestPattern: RequestPattern?
            for member in object.members {
                guard let index = reader.index(of: member, class: .webSocketPattern, in: DialectNames.webSocketPattern) else { continue }
                reader.within(member.key) { reader in
                    let value = member.value
                    switch index {
                    case 1: initiatingRequestPattern = reader.requestPattern(value)
                    default: break
                    }
                }
            }
            guard reader.problems.count == known else { return nil }
            return Self.websocket(initiatingRequestPattern: initiatingRequestPattern).checked(&reader)
        case "fixed":
            var channelProvider: String?
            var channelName: ValueMatcher?
            for member in object.members {
                guard let index = reader.index(of: member, class: .fixedChannelPattern, in: DialectNames.fixedChannelPattern) else { continue }
                reader.within(member.key) { reader in
                    let value = member.value
                    switch index {
                    case 1: channelProvider = reader.string(value)
                    case 2: channelName = value.isNull ? nil : ValueMatcher.read(value, .single, &reader)
                    default: break
                    }
                }
            }
            guard reader.problems.count == known else { return nil }
            return Self.fixed(channelProvider: channelProvider, channelName: channelName).checked(&reader)
        default: return nil
        }
    }

    /// The document that it is read from.
    var json: JSONValue {
        var object = JSONObject()
        switch self {
        case .websocket(let initiatingRequestPattern):
            object["type"] = "websocket"
            object["initiatingRequestPattern"] = initiatingRequestPattern?.json
        case .fixed(let channelProvider, let channelName):
            object["type"] = "fixed"
            object["channelProvider"] = channelProvider?.json
            object["channelName"] = channelName?.jsonValue
        }
        return .object(object)
    }
}
