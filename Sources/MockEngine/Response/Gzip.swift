import CZlib

/// Compresses with zlib, in the gzip format (RFC 1952). Nil where zlib has no memory.
func gzipped(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
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
            // zlib takes its input as mutable, and does not write to it.
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
