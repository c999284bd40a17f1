public import SDStubModel

/// The ids of a session's serve events: a random half that belongs to the session, and the event's sequence. An event
/// needs no stored id.
public struct EventIDs: Sendable {
    private let high: UInt64

    package init() {
        // Version 8 of RFC 9562, section 5.8, whose remaining bits are free.
        high = UInt64.random(in: .min ... .max) & ~0xF000 | 0x8000
    }

    /// The first eight digits of all its ids, by which they differ from those of another session or run.
    public var run: String { String(hex(high).prefix(8)) }

    /// Two bits of the lower half are the variant.
    private static let variant: UInt64 = 0b10 << 62

    /// The id of the event with this sequence.
    public func text(_ sequence: UInt64) -> String {
        let digits = hex(high) + hex(sequence & ~(0b11 << 62) | Self.variant)
        var parts: [Substring] = []
        var rest = digits[...]
        for length in [8, 4, 4, 4, 12] {
            parts.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return parts.joined(separator: "-")
    }

    /// The sequence in an id; nil if it belongs to no event of this session.
    package func sequence(_ id: StubMapping.ID) -> UInt64? {
        let digits = id.lowercasedString.filter { $0 != "-" }
        guard UInt64(digits.prefix(16), radix: 16) == high, let low = UInt64(digits.suffix(16), radix: 16),
            low >> 62 == 0b10
        else { return nil }
        return low & ~(0b11 << 62)
    }

    /// The id of the placeholder for a missing stub, with a sequence before all events.
    public var unmatchedStub: StubMapping.ID { StubMapping.id(text: text(0)) ?? StubMapping().id }

    private func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
