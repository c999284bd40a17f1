import SDHTTPTransport
public import SDPlatform
import Synchronization

/// The bytes of a body, which any number of responses share: they are laid out for the wire once, and compressed once,
/// for whichever response is the first to need that.
public final class BodyBytes: Sendable {
    private struct Made {
        var wire: WireBytes?
        var compressed: BodyBytes?
        var isIncompressible = false
    }

    public let bytes: [UInt8]
    private let made = Mutex(Made())
    private let account: MemoryAccount?

    /// - Parameter account: counts what is made of the bytes; nil if that does not count.
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

    /// The most bytes that a loop has time to compress, about a millisecond's work.
    public static let maxOnLoop = 64 << 10

    /// Whether compressing the bytes takes longer than a loop has time for. Once it is done it takes no time.
    public var isLongToCompress: Bool {
        bytes.count > Self.maxOnLoop && made.withLock { $0.compressed == nil && !$0.isIncompressible }
    }

    /// The bytes in gzip; nil if there are none, or memory for it is lacking.
    public var compressed: BodyBytes? {
        let (known, isKnown) = made.withLock { ($0.compressed, $0.compressed != nil || $0.isIncompressible) }
        if isKnown { return known }
        // Outside of the lock: it takes its time. Of two who make it at once, the first one's counts.
        let new = bytes.isEmpty ? nil : gzipped(bytes[...]).map { BodyBytes($0, copiesIn: account) }
        return made.withLock { made in
            if let first = made.compressed { return first }
            made.compressed = new
            made.isIncompressible = new == nil
            return new
        }
    }
}
