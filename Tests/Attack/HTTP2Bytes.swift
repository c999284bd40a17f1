import SDTestSupport

/// Bytes of HTTP/2 as a client sends them.
enum HTTP2Bytes {
    /// The preface, and SETTINGS that say nothing.
    static let beginning = wire("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") + frame(4, 0, 0, [])

    static func frame(_ kind: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
        let length = payload.count
        return [UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255), kind, flags]
            + (0..<4).map { UInt8(stream >> (24 - 8 * UInt32($0)) & 255) } + payload
    }

    /// The header block of a GET of a short path, before further fields: literals that are not indexed.
    static func block(_ path: String) -> [UInt8] {
        [0x82, 0x86, 0x04, UInt8(path.utf8.count)] + wire(path) + [0x01, 1] + wire("a")
    }

    static func get(_ path: String, stream: UInt32) -> [UInt8] { frame(1, 5, stream, block(path)) }
}
