/// A value in a reply.
public enum RedisValue: Sendable, Equatable {
    case null
    case status(String)
    case integer(Int64)
    case bytes([UInt8])
    case array([RedisValue])
    /// An error reply, such as `ERR unknown command`.
    case error(String)

    /// The text of a status, an error or UTF-8 bytes; nil for others.
    public var text: String? {
        switch self {
        case .status(let text), .error(let text): text
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        case .null, .integer, .array: nil
        }
    }

    /// The bytes of a bulk string; nil for others.
    public var data: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    /// An integer, or bytes that are a decimal integer, as from scripts and hashes.
    public var int: Int64? {
        switch self {
        case .integer(let number): number
        case .bytes, .status: text.flatMap { Int64($0) }
        case .null, .array, .error: nil
        }
    }

    /// The items of an array; nil for others.
    public var list: [RedisValue]? {
        if case .array(let items) = self { items } else { nil }
    }

    /// The text of an error reply; nil for others.
    public var errorText: String? {
        if case .error(let text) = self { text } else { nil }
    }
}
