import SDHTTPTransport

/// The body of a webhook's attempt, sent in slices: all attempts share one copy.
///
/// `@unchecked Sendable`: used only on the thread of the call's loop.
final class WebhookBody: BodyStream, @unchecked Sendable {
    /// The size from which a body is sent in slices.
    static let least = 16 << 10
    private static let piece = 64 << 10

    let count: Int?
    private let bytes: [UInt8]
    private var sent = 0
    private var isReading = true
    private var isGiving = false
    private var onBytes: (@Sendable ([UInt8]) -> Void)?
    private var onEnd: (@Sendable ([(name: String, value: String)]?) -> Void)?

    /// - Parameter isChunked: whether its length is not stated.
    init(_ bytes: [UInt8], isChunked: Bool) {
        self.bytes = bytes
        count = isChunked ? nil : bytes.count
    }

    func begin(
        onBytes: @escaping @Sendable ([UInt8]) -> Void,
        onEnd: @escaping @Sendable ([(name: String, value: String)]?) -> Void
    ) {
        (self.onBytes, self.onEnd) = (onBytes, onEnd)
        give()
    }

    func setReading(_ reads: Bool) {
        isReading = reads
        if reads { give() }
    }

    private func give() {
        // The callback may pause or resume reading.
        guard !isGiving else { return }
        isGiving = true
        defer { isGiving = false }
        while isReading, sent < bytes.count {
            let end = min(sent + Self.piece, bytes.count)
            let part = Array(bytes[sent..<end])
            sent = end
            onBytes?(part)
        }
        guard sent == bytes.count else { return }
        onBytes = nil
        onEnd.take()?([])
    }
}
