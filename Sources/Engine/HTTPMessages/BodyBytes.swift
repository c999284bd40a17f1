import SDHTTPTransport
public import SDPlatform
import Synchronization

/// The bytes of a body, shared by any number of responses: they are encoded for the wire once, and compressed once,
/// when the first response needs that.
public final class BodyBytes: Sendable {
    private struct Made {
        var wire: WireBytes?
        var compressed: BodyBytes?
        var isIncompressible = false
    }

    public let bytes: [UInt8]
    private let made = Mutex(Made())
    private let account: MemoryAccount?

    /// - Parameter account: charged for copies of the bytes; nil to charge nothing.
    public init(_ bytes: [UInt8], copiesIn account: MemoryAccount? = nil) {
        self.bytes = bytes
        self.account = account
    }

    public var count: Int { bytes.count }

    /// The bytes as a script sends them.
    var wire: WireBytes {
        made.withLock { made in
            if let wire = made.wire { return wire }
            let wire = WireBytes(bytes, in: account)
            made.wire = wire
            return wire
        }
    }

    /// The largest number of bytes that a loop compresses, about a millisecond's work.
    public static let maxOnLoop = 64 << 10

    /// Whether compressing the bytes takes longer than a loop has time for. False once it is done.
    public var isLongToCompress: Bool {
        bytes.count > Self.maxOnLoop && made.withLock { $0.compressed == nil && !$0.isIncompressible }
    }

    /// The bytes compressed with gzip; nil if there are none, or memory is short.
    public var compressed: BodyBytes? {
        let (known, isKnown) = made.withLock { ($0.compressed, $0.compressed != nil || $0.isIncompressible) }
        if isKnown { return known }
        // Outside the lock, because it is slow. If two threads compress at once, the first result counts.
        let new = bytes.isEmpty ? nil : gzipped(bytes[...]).map { BodyBytes($0, copiesIn: account) }
        return made.withLock { made in
            if let first = made.compressed { return first }
            made.compressed = new
            made.isIncompressible = new == nil
            return new
        }
    }
}
