import SDPlatform
public import SDStubModel

/// The ids of a session's serve events: a random half that belongs to the session, and the event's sequence number. No
/// id needs to be stored.
public struct EventIDs: Sendable {
    private let high: UInt64

    package init() {
        // Version 8 of RFC 9562, section 5.8: all bits but version and variant are free.
        self.init(run: SeededValues.next() ?? UInt64.random(in: .min ... .max))
    }

    /// Makes the ids whose first half is this number, except for the version bits.
    package init(run: UInt64) {
        high = run & ~0xF000 | 0x8000
    }

    /// Makes the ids of a session of several replicas, which are the same in all of them.
    /// - Parameters:
    ///   - name: the name of the mock server.
    ///   - session: the session's id; empty for the default session.
    package init(ofReplicas name: String, session: String) {
        // FNV-1a, followed by a mixing step.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in Array(name.utf8) + [0] + Array(session.utf8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ hash >> 31) &* 0x9E37_79B9_7F4A_7C15
        high = (hash ^ hash >> 29) & ~0xF000 | 0x8000
    }

    /// The first eight digits of all its ids, which distinguish them from those of another session or run.
    public var run: String { String(hex(high).prefix(8)) }

    /// Two bits of the lower half are the variant.
    private static let variant: UInt64 = 0b10 << 62

    /// The id of the event with this sequence number.
    public func text(_ sequence: UInt64) -> String {
        let low = sequence & ~(0b11 << 62) | Self.variant
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for place in 0..<32 {
            if Self.dashes & 1 << place != 0 { text.append(UInt8(ascii: "-")) }
            let half = place < 16 ? high : low
            let digit = UInt8(half >> UInt64((15 - place & 15) * 4) & 15)
            text.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The digits that follow a dash.
    private static let dashes = 1 << 8 | 1 << 12 | 1 << 16 | 1 << 20

    /// The sequence number in an id; nil if the id is not of this session.
    package func sequence(_ id: StubMapping.ID) -> UInt64? {
        let digits = id.lowercasedString.filter { $0 != "-" }
        guard UInt64(digits.prefix(16), radix: 16) == high, let low = UInt64(digits.suffix(16), radix: 16),
            low >> 62 == 0b10
        else { return nil }
        return low & ~(0b11 << 62)
    }

    /// The id of the placeholder for a missing stub; its sequence number precedes all events.
    public var unmatchedStub: StubMapping.ID { StubMapping.id(text: text(0)) ?? StubMapping().id }

    private func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
