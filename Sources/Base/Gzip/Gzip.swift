private import SDCZlib

/// Compresses with zlib into the gzip format (RFC 1952). Returns nil if zlib gets no memory.
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

/// The reason why bytes cannot be decompressed.
public enum GzipProblem: Error, Sendable, Hashable {
    /// The bytes are not gzip, or are cut short.
    case malformed
    /// The bytes decompress to more than the limit.
    case tooLarge
}

/// Decompresses a gzip stream (RFC 1952) of one or more members.
/// - Parameter limit: the most bytes of output. A few kilobytes can expand to gigabytes.
/// - Throws: `GzipProblem` for a malformed stream, and for output beyond the limit.
public func decompressed(_ bytes: ArraySlice<UInt8>, limit: Int) throws(GzipProblem) -> [UInt8] {
    guard bytes.count >= 18, let inputCount = UInt32(exactly: bytes.count) else { throw .malformed }
    var stream = z_stream()
    let gzipWindow = MAX_WBITS + 16
    guard inflateInit2_(&stream, gzipWindow, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
        throw .malformed
    }
    defer { inflateEnd(&stream) }
    return try bytes.withUnsafeBufferPointer { input throws(GzipProblem) in
        // zlib declares its input as mutable but does not write to it.
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = inputCount
        var output: [UInt8] = []
        var size = min(max(bytes.count * 4, 1024), 1 << 20)
        while true {
            var status = Z_OK
            output += [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(size)
                status = inflate(&stream, Z_NO_FLUSH)
                count = size - Int(stream.avail_out)
            }
            guard output.count <= limit else { throw .tooLarge }
            switch status {
            case Z_STREAM_END where stream.avail_in == 0: return output
            case Z_STREAM_END: guard inflateReset(&stream) == Z_OK else { throw .malformed }
            case Z_OK: size = min(size * 2, 1 << 20)
            default: throw .malformed
            }
        }
    }
}
