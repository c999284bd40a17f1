import SDJSON
import SDStubModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension Stub {
    /// A message that the server sends on a WebSocket. A string literal is one, too: `"pong"`.
    ///
    /// The server renders `{{…}}` in a text, and in the strings of JSON: `{{message.body}}` is the received message,
    /// `{{request.path}}` the path of the handshake. Messages of
    /// ``MockServer/WebSocket/send(_:within:fileID:filePath:line:column:)`` are not rendered.
    public struct Message: Sendable, Hashable {
        /// The action in the dialect, without its target channels.
        var action: JSONObject
        var target = Target.originating
        /// Why the message cannot be sent; nil if it can.
        var problem: Problem?

        enum Target: Sendable, Hashable {
            case originating, all
        }
    }
}

/// Kinds of messages.
extension Stub.Message {
    /// A text.
    public static func text(_ text: String) -> Stub.Message { Stub.Message(body: .string(text)) }

    /// A value as single-line JSON with sorted keys, or by a custom encoder.
    ///
    /// A value that cannot be encoded fails when the stub is added.
    @_disfavoredOverload
    public static func json(_ value: some Encodable, encoder: JSONEncoder? = nil) -> Stub.Message {
        do throws(Stub.Problem) {
            return json(Stub.JSON(try JSONValue(encoding: value, by: encoder)))
        } catch {
            var message = Stub.Message(body: .null)
            message.problem = error
            return message
        }
    }

    /// JSON as a single-line literal, in source order.
    public static func json(_ value: Stub.JSON) -> Stub.Message {
        var message = text(value.value.compactText)
        message.problem = value.value.encodingFailure
        return message
    }

    /// JSON as text, sent unchanged, valid or not.
    public static func json(raw text: String) -> Stub.Message { .text(text) }

    /// Bytes, as a binary message.
    public static func data(_ bytes: some Sequence<UInt8>) -> Stub.Message {
        Stub.Message(body: ["base64Data": .string(Base64.encode(bytes))])
    }

    /// The text of a file in the daemon's folder `__files`, sent unchanged.
    public static func file(_ path: String) -> Stub.Message { Stub.Message(body: ["filePath": .string(path)]) }

    /// Sends it to every open WebSocket of the path instead of only the one that the message came on.
    public func toAll() -> Stub.Message {
        var copy = self
        copy.target = .all
        return copy
    }

    private init(body: JSONValue) {
        action = ["type": "send", "message": ["body": body]]
    }

    /// The stub's action for the channels of matching handshakes.
    /// - Throws: the problem of the message or of the pattern.
    func action(for pattern: Stub.Request) throws(Stub.Problem) -> JSONValue {
        if let problem { throw problem }
        var json = action
        switch target {
        case .originating: break
        case .all: json["channelTarget"] = ["type": "request-initiated", "requestPattern": pattern.json]
        }
        return .object(json)
    }
}

extension Stub.Message: ExpressibleByStringInterpolation {
    /// Makes a message of this text.
    public init(stringLiteral text: String) {
        self = .text(text)
    }
}
