import Synchronization

/// A file that is part of the binary, compressed.
public final class EmbeddedFile: Sendable {
    public let name: String
    /// Changes with the content: its checksum and size, with which the gzip format ends.
    public let tag: String
    // The memory is the program's own, which nothing writes to or frees.
    private nonisolated(unsafe) let bytes: UnsafeBufferPointer<UInt8>
    private let plain = Mutex<[UInt8]?>(nil)

    /// - Parameter bytes: in the gzip format, in memory that stays as it is.
    public init(name: UnsafePointer<CChar>, bytes: UnsafeBufferPointer<UInt8>) {
        self.name = String(cString: name)
        self.bytes = bytes
        let end = bytes.suffix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        tag = String(end, radix: 16)
    }

    /// The file in the gzip format.
    public var packed: [UInt8] { [UInt8](bytes) }

    /// The file itself, which is unpacked once. Empty if what is embedded is not gzip.
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
