import SDPlatform

/// A session's name. Its bytes count as used memory until no record references it.
final class SessionName: Sendable {
    let text: String
    private let charge: MemoryCharge

    init(_ text: String, _ memory: MemoryLedger) {
        self.text = text
        charge = MemoryCharge(text.utf8.count, to: memory.account(.names))
    }
}

extension SessionRequest {
    /// The largest size of a name in bytes.
    public static let longestName = 1_024
}
