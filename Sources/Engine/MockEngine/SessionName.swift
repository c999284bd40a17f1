import SDPlatform

/// A session's name, whose bytes count until the session has ended and nothing tells of it any more.
final class SessionName: Sendable {
    let text: String
    private let charge: MemoryCharge

    init(_ text: String, _ memory: MemoryLedger) {
        self.text = text
        charge = MemoryCharge(text.utf8.count, to: memory.account(.names))
    }
}

extension SessionRequest {
    /// The most bytes of a name.
    public static let longestName = 1_024
}
