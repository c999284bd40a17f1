public import SDPlatform

/// The limits of a WebSocket, and its automatic behaviour. Sizes are in bytes, times in milliseconds.
public struct WebSocketSettings: Sendable {
    /// The maximum size of a received message, decompressed or not; a larger one closes with 1009.
    public var textLimit = 1 << 20
    public var binaryLimit = 1 << 20
    /// The maximum number of fragments of a message; more close with 1009.
    public var fragmentLimit = 131_072
    /// The maximum number of unsent bytes; a client that does not read is reset beyond.
    public var outputLimit = 16 << 20
    /// The idle time after which the WebSocket is closed with 1001; nil for no limit.
    public var idleTimeout: Int?
    /// The timeout for the client's close frame after ours.
    public var closeTimeout = 5000
    /// Whether an offer of permessage-deflate is accepted.
    public var compresses = true
    /// The minimum size of a message that is compressed.
    public var compressionLeast = 64
    /// Whether a ping is answered.
    public var answersPings = true
    /// The ledger for unsent bytes and incomplete messages; nil for none.
    public var account: MemoryAccount?

    public init() {}
}
