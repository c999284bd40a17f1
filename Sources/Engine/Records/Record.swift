public import SDJSON

/// An object of a collection, with its key. Immutable: a change makes a new one, so two reads of a key can compare
/// identities to detect a change.
public final class Record: Sendable {
    /// The key as text, by which records are identified: 1 and "1" are one key.
    public let key: String
    /// Whether the key is a text in the record itself, rather than a number.
    public let isKeyText: Bool
    public let value: JSONObject
    /// The value as compact JSON, made once.
    public let bytes: [UInt8]
    /// A number that distinguishes versions of a record.
    public let version: UInt64
    /// Whether the collection was declared with it.
    public let isDeclared: Bool

    public init(_ value: JSONObject, key: String, isKeyText: Bool = false, isDeclared: Bool = false) {
        self.key = key
        self.isKeyText = isKeyText
        self.value = value
        self.isDeclared = isDeclared
        bytes = JSONValue.object(value).compactBytes
        version = Fingerprint(bytes).value
    }

    /// The approximate size in memory, in bytes: the values take several times as much as their text.
    public var weight: Int { bytes.count * 6 + 256 }

    /// A key as text: a non-empty text, or a number. Nil for any other value.
    public static func key(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text): text.isEmpty ? nil : text
        case .number(let number): number.intValue.map { String($0) } ?? number.text
        default: nil
        }
    }
}

/// A hash (FNV-1a) that is the same in every process. Not for secrets.
public struct Fingerprint: Sendable, Hashable {
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    public init() {}

    public init(_ bytes: [UInt8]) {
        add(bytes)
    }

    public mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    public mutating func add(_ number: UInt64) {
        value = (value ^ number) &* 0x0000_0100_0000_01B3
        value ^= value >> 29
    }
}
