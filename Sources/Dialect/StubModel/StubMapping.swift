package import SDBasics

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension StubMapping {
    /// The priority of a stub without one; lower numbers win.
    public static let defaultPriority = 5

    /// The type of ids.
    public typealias ID = UUID

    /// Makes a stub; without a response it answers with an empty 200.
    public init(
        id: UUID = UUID(), name: String? = nil, request: RequestPattern = RequestPattern(),
        response: ResponseDefinition = ResponseDefinition(), priority: Int? = nil
    ) {
        self.init()
        self.id = id
        self.name = name
        self.request = request
        self.response = response
        self.priority = priority
    }
}

/// A boxed value, for fields that few stubs have.
final class Boxed<Value: Sendable & Hashable>: Sendable, Hashable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }

    static func == (left: Boxed, right: Boxed) -> Bool { left.value == right.value }

    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension StubMapping {
    /// Parses an id like WireMock: 36 characters in any case. Nil for any other text.
    public static func id(text: String) -> ID? {
        // Foundation uses `sscanf`, which would take a twentieth of the start of a daemon with a thousand stubs.
        guard text.utf8.count == 36 else { return nil }
        var text = text
        return text.withUTF8 { id(bytes: $0.span) }
    }

    /// Parses an id like `id(text:)`.
    static func id(bytes: Span<UInt8>) -> ID? {
        guard bytes.count == 36 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for index in bytes.indices {
            let byte = bytes[index]
            if UUID.hasHyphen(at: index) {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: return nil
            }
            if index < 18 { high = high << 4 | UInt64(digit) } else { low = low << 4 | UInt64(digit) }
        }
        return UUID(high: high, low: low)
    }

    /// The nil UUID, for an id that is not known yet.
    package static let noID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// An empty mapping to fill. Making one takes several times as long as copying it.
    package static let unread = StubMapping(id: noID)

    /// A random id from the system's generator; takes some microseconds.
    package static func randomID() -> ID {
        guard let draw = drawingIDs.withLock({ $0 }), let (high, low) = draw() else { return UUID() }
        // Version 4 of RFC 9562, section 5.4.
        return UUID(high: high & ~0xF000 | 0x4000, low: low & ~(0xC0 << 56) | 0x80 << 56)
    }

    /// Generates the random ids of the calling thread where several machines must get the same ones; nil, or a result
    /// of nil, means the system's generator.
    package static let drawingIDs = Lock<(@Sendable () -> (UInt64, UInt64)?)?>(nil)

    /// An id derived from `text` (RFC 9562, section 5.8, version 8). Not for secrets.
    public static func id(hashing text: String) -> ID {
        var high: UInt64 = 0xCBF2_9CE4_8422_2325
        var low: UInt64 = 0x9AE1_6A3B_2F90_404F
        for byte in text.utf8 {
            // FNV-1a with two initial values.
            high = (high ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            low = (low ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            low ^= high >> 29
        }
        // The version and variant bits.
        return UUID(high: high & ~0xF000 | 0x8000, low: low & ~(0xC0 << 56) | 0x80 << 56)
    }

    /// The id in WireMock's notation.
    public var idText: String { id.lowercasedString }
}

extension UUID {
    /// Whether the text form has a hyphen at this index.
    fileprivate static func hasHyphen(at index: Int) -> Bool {
        index == 8 || index == 13 || index == 18 || index == 23
    }

    /// Makes a UUID from its first and last eight bytes.
    fileprivate init(high: UInt64, low: UInt64) {
        func byte(_ index: UInt64) -> UInt8 {
            UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> (8 * (7 - index % 8)))
        }
        self.init(
            uuid: (
                byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7),
                byte(8), byte(9), byte(10), byte(11), byte(12), byte(13), byte(14), byte(15)
            ))
    }

    /// The text in lower case, as Java writes it.
    public var lowercasedString: String {
        let id = uuid
        let bytes = [
            id.0, id.1, id.2, id.3, id.4, id.5, id.6, id.7, id.8, id.9, id.10, id.11, id.12, id.13, id.14, id.15,
        ]
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for byte in bytes {
            if Self.hasHyphen(at: text.count) { text.append(UInt8(ascii: "-")) }
            text.append(hexDigit(byte >> 4))
            text.append(hexDigit(byte & 15))
        }
        return String(decoding: text, as: UTF8.self)
    }
}

private func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}
