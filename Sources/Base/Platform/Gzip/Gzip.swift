private import SDCZlib

/// Compresses to gzip (RFC 1952). Returns nil if zlib gets no memory.
public func gzipped(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var stream = z_stream()
    let gzipWindow = MAX_WBITS + 16
    let ready = deflateInit2_(
        &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzipWindow, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size))
    guard ready == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    guard let inputCount = UInt32(exactly: bytes.count) else { return nil }

    let bound = Int(deflateBound(&stream, UInt(bytes.count)))
    guard let outputCount = UInt32(exactly: bound) else { return nil }
    var status = Z_OK
    let output = [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
        bytes.withUnsafeBufferPointer { input in
            // zlib declares its input as mutable but does not write to it.
            stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.avail_in = inputCount
            stream.next_out = buffer.baseAddress
            stream.avail_out = outputCount
            status = deflate(&stream, Z_FINISH)
        }
        count = bound - Int(stream.avail_out)
    }
    return status == Z_STREAM_END ? output : nil
}

/// Why bytes cannot be decompressed.
public enum GzipProblem: Error, Sendable, Hashable {
    /// The data is not gzip, or is truncated.
    case malformed
    /// The bytes decompress to more than the limit.
    case tooLarge
}

/// Decompresses a gzip stream (RFC 1952) of one or more members, or another zlib format.
/// - Parameter limit: the maximum size of the output in bytes. A few kilobytes can expand to gigabytes.
/// - Throws: `GzipProblem` for a malformed stream, and for output beyond the limit.
public func decompressed(
    _ bytes: ArraySlice<UInt8>, _ format: GzipReader.Format = .gzip, limit: Int
) throws(GzipProblem) -> [UInt8] {
    var reader = GzipReader(bytes, format)
    var output: [UInt8] = []
    output.reserveCapacity(min(reader.likelySize, limit))
    while !reader.isOver {
        try reader.read(into: &output)
        guard output.count <= limit else { throw .tooLarge }
    }
    return output
}

/// Decompresses a gzip stream (RFC 1952) of one or more members incrementally.
public struct GzipReader: ~Copyable {
    /// The maximum number of bytes of one read: less than half a millisecond's work.
    public static let pieceSize = 64 << 10
    /// The maximum compressed bytes of one read: empty blocks give no output.
    private static let maxInput = 16 << 10
    /// The maximum number of bytes that a compressed byte can expand to.
    private static let maxGrowth = 1_032

    // zlib keeps the stream's address, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Whether zlib could allocate its memory.
    private let isReady: Bool
    private var rest: ArraySlice<UInt8>
    /// The size stated at the end of the stream, which may be wrong.
    public let statedSize: Int
    /// A capacity to reserve: at most what the stream can expand to. Memory that is never written costs nothing.
    public var likelySize: Int { min(statedSize, Self.maxOutput(of: rest.count)) }
    /// Whether the stream was read to its end.
    public private(set) var isOver = false

    /// The framing of the compressed bytes.
    public enum Format: Int32, Sendable {
        /// Members with a header and a checksum (RFC 1952).
        case gzip = 16
        /// zlib's header and checksum (RFC 1950).
        case zlib = 0
        /// Raw deflate (RFC 1951).
        case raw = -1
    }

    public init(_ bytes: ArraySlice<UInt8>, _ format: Format = .gzip) {
        rest = bytes
        statedSize = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let window = format == .raw ? -MAX_WBITS : MAX_WBITS + format.rawValue
        isReady = inflateInit2_(stream, window, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    }

    deinit {
        if isReady { inflateEnd(stream) }
        stream.deallocate()
    }

    /// The maximum size to which a gzip stream of `count` bytes can expand.
    public static func maxOutput(of count: Int) -> Int { count * maxGrowth }

    /// Whether bytes start with the gzip magic number.
    public static func isGzip(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

    /// Appends the next bytes, at most `pieceSize`. May append none before the end of the stream.
    /// - Throws: `malformed` if the stream is not gzip, is truncated, or zlib gets no memory.
    public mutating func read(into output: inout [UInt8]) throws(GzipProblem) {
        if isOver { return }
        guard isReady else { throw .malformed }
        let input = rest.prefix(Self.maxInput)
        var status = Z_OK
        output += [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
            input.withUnsafeBufferPointer { input in
                // zlib declares its input as mutable but does not write to it.
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = UInt32(buffer.count)
                status = inflate(stream, Z_NO_FLUSH)
            }
            count = buffer.count - Int(stream.pointee.avail_out)
        }
        rest = rest.dropFirst(input.count - Int(stream.pointee.avail_in))
        switch status {
        case Z_STREAM_END where rest.isEmpty: isOver = true
        case Z_STREAM_END: guard inflateReset(stream) == Z_OK else { throw .malformed }
        case Z_OK: break
        default: throw .malformed
        }
    }
}
