/// A message of a WebSocket.
public struct WebSocketMessage: Sendable, Equatable {
    public enum Kind: String, Sendable {
        case text, binary
    }

    public let kind: Kind
    /// In UTF-8 if it is a text.
    public let bytes: [UInt8]

    public init(_ kind: Kind, _ bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }

    public static func text(_ text: String) -> WebSocketMessage { WebSocketMessage(.text, Array(text.utf8)) }

    public static func binary(_ bytes: [UInt8]) -> WebSocketMessage { WebSocketMessage(.binary, bytes) }

    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// A violation of the protocol or of a limit by the other side.
public struct WebSocketFault: Sendable, Equatable {
    /// The close code for it, such as 1002.
    public let code: Int
    /// A sentence without a full stop.
    public let text: String

    public init(code: Int, text: String) {
        self.code = code
        self.text = text
    }
}
