import Synchronization

/// A compressed file inside the binary.
public final class EmbeddedFile: Sendable {
    public let name: String
    /// A content tag: the checksum and size at the end of the gzip format.
    public let tag: String
    // The memory belongs to the program image and is never written or freed.
    private nonisolated(unsafe) let bytes: UnsafeBufferPointer<UInt8>
    private let plain = Mutex<[UInt8]?>(nil)

    /// - Parameter bytes: gzip data in memory that lives as long as the process.
    public init(name: UnsafePointer<CChar>, bytes: UnsafeBufferPointer<UInt8>) {
        self.name = String(cString: name)
        self.bytes = bytes
        let end = bytes.suffix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        tag = String(end, radix: 16)
    }

    /// The file, compressed with gzip.
    public var packed: [UInt8] { [UInt8](bytes) }

    /// The content, decompressed once. Empty if the data is not gzip.
    public var content: [UInt8] {
        plain.withLock { known in
            if let known { return known }
            let content = (try? decompressed(packed[...], limit: Self.largest)) ?? []
            known = content
            return content
        }
    }

    private static let largest = 16 << 20
}
