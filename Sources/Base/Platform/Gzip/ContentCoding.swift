import SDCBrotli

/// The HTTP content codings (RFC 9110, section 8.4.1) that can be decoded: gzip, deflate, and br if its library is
/// present.
public enum ContentCoding {
    /// The maximum size of a decompressed body, in bytes. A few kilobytes can expand to gigabytes.
    public static let largest = 32 << 20

    /// The codings in header fields, in the order in which they were applied.
    public static func codings(of fields: some Sequence<(name: String, value: String)>) -> [String] {
        fields.filter { $0.name.lowercased() == "content-encoding" }
            .flatMap { $0.value.lowercased().split { $0 == "," || $0 == " " }.map { String($0) } }
            .filter { $0 != "identity" }
    }

    /// The body without its codings; nil if a coding is unknown, or the body is malformed or larger than `largest`.
    public static func decoded(_ body: [UInt8], _ codings: [String]) -> [UInt8]? {
        var body = body
        for coding in codings.reversed() {
            guard let plain = decoded(body, coding) else { return nil }
            body = plain
        }
        return body
    }

    private static func decoded(_ body: [UInt8], _ coding: String) -> [UInt8]? {
        switch coding {
        case "gzip", "x-gzip": return try? decompressed(body[...], limit: largest)
        case "deflate":
            // RFC 9110 requires the zlib format; many servers send raw deflate.
            return (try? decompressed(body[...], .zlib, limit: largest))
                ?? (try? decompressed(body[...], .raw, limit: largest))
        case "br": return brotli(body)
        default: return nil
        }
    }

    private static func brotli(_ body: [UInt8]) -> [UInt8]? {
        var size = max(body.count * 4, 1 << 12)
        while true {
            var result = CB_MISSING
            let plain = [UInt8](unsafeUninitializedCapacity: min(size, largest)) { room, count in
                count = room.count
                result = body.withUnsafeBufferPointer {
                    cb_decompress($0.baseAddress, $0.count, room.baseAddress, &count)
                }
            }
            switch result {
            case CB_DONE: return plain
            case CB_TOO_LARGE where size < largest: size *= 8
            default: return nil
            }
        }
    }
}
