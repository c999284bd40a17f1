import SDJSON
import SDStubModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension MockServer.WebSocket {
    /// A message received or sent on a WebSocket.
    public struct Message: Sendable, Hashable, Identifiable {
        /// The direction of a message.
        public enum Direction: String, Sendable, Hashable {
            /// From the client to the server.
            case received
            /// From the server to the client.
            case sent
        }

        /// The id in the journal.
        public let id: UUID
        /// The direction of the message.
        public let direction: Direction
        /// The id of the WebSocket.
        public let channel: UUID
        /// The message as text; invalid UTF-8 in a binary message is replaced.
        public let text: String
        /// Whether it is a binary message.
        public let isBinary: Bool
        /// The bytes.
        public let data: Data
        /// Whether a stub answered it; true for messages of the server.
        public let wasMatched: Bool
        /// The stub that answered it; nil if none did.
        public let stub: Stub.ID?

        /// Decodes the message from JSON.
        /// - Throws: `MockServerError` with the decoder's error and the message.
        public func decode<Value: Decodable>(
            as type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
        ) throws -> Value {
            do {
                return try decoder.decode(type, from: data)
            } catch {
                throw MockServerError("the message is no \(type): \(error)\nit is: \(shown)")
            }
        }

        /// The message as a JSON document.
        /// - Throws: `MockServerError` if it is not JSON.
        public var json: Stub.JSON {
            get throws {
                do throws(JSONSyntaxError) {
                    return Stub.JSON(try JSONValue(parsing: Array(data)))
                } catch {
                    throw MockServerError("the message is no JSON: \(error)\nit is: \(shown)")
                }
            }
        }

        private var shown: String { text.isEmpty ? "empty" : LanguageText.short(text) }
    }
}

extension MockServer.WebSocket.Message {
    /// Reads a journal event in the admin API's detailed form.
    init(event: JSONValue) {
        id = Self.id(event["id"])
        direction = event["eventType"]?.stringValue.flatMap(Direction.init) ?? .received
        channel = Self.id(event["channel"]?["id"])
        text = event["message"]?.stringValue ?? ""
        let bytes = event["messageAsBase64"]?.stringValue.flatMap { Data(base64Encoded: $0) }
        isBinary = bytes != nil
        data = bytes ?? Data(text.utf8)
        wasMatched = event["wasMatched"]?.boolValue ?? false
        stub = event["stubMapping"]?["id"]?.stringValue.flatMap(Stub.id(text:))
    }

    private static func id(_ json: JSONValue?) -> UUID { json?.stringValue.flatMap(Stub.id(text:)) ?? UUID() }
}

extension MockServer.WebSocket.Message: CustomStringConvertible {
    /// The message in one line: `received "ping"`, `sent 3 bytes`.
    public var description: String {
        "\(direction.rawValue) " + (isBinary ? "\(data.count) bytes" : LanguageText.quoted(text))
    }
}

extension MockServer.WebSocket.Channel: CustomStringConvertible {
    /// The path and query of the handshake.
    public var description: String { target }
}
