import CReactor

/// One request as it came over the wire. Immutable: head and body were copied once, and everything else is a slice of
/// that copy.
public final class Request: Sendable {
    /// The head (request line, fields, trailer fields), and behind it the body.
    private let storage: [UInt8]
    private let fields: [cr_field]
    private let headLength: Int
    private let headerCount: Int
    private let methodRange, targetRange, urlRange, authorityRange: Range<Int>
    private let pathLength: Int

    /// 0 for HTTP/1.0, 1 for HTTP/1.1.
    public let versionMinor: UInt8
    /// The client wants the connection kept, and the server does not shut down.
    public let keepAlive: Bool
    /// Came over TLS.
    public let isSecure: Bool
    /// The client's numeric address; "unix" for a Unix socket.
    public let peer: String
    /// The port it was received on; 0 for a Unix socket.
    public let localPort: UInt16
    /// When the request was complete: nanoseconds since 1970.
    public let wallTime: UInt64
    /// The same by the monotonic clock.
    public let clockTime: UInt64

    init(_ raw: cr_request) {
        headLength = raw.head_length
        storage = [UInt8](unsafeUninitializedCapacity: raw.head_length + raw.body_length) { buffer, count in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            bytes.copyMemory(from: UnsafeRawBufferPointer(start: raw.head, count: raw.head_length))
            let body = UnsafeMutableRawBufferPointer(rebasing: bytes[raw.head_length...])
            body.copyMemory(from: UnsafeRawBufferPointer(start: raw.body, count: raw.body_length))
            count = raw.head_length + raw.body_length
        }
        fields = Array(UnsafeBufferPointer(start: raw.fields, count: raw.field_count + raw.trailer_count))
        headerCount = raw.field_count
        methodRange = range(raw.method, raw.method_length)
        targetRange = range(raw.target, raw.target_length)
        urlRange = range(raw.url, raw.url_length)
        authorityRange = range(raw.authority, raw.authority_length)
        pathLength = Int(raw.path_length)
        versionMinor = raw.version_minor
        keepAlive = raw.keep_alive
        isSecure = raw.secure
        peer = raw.peer.map { String(cString: $0) } ?? ""
        localPort = raw.local_port
        wallTime = raw.wall_ns
        clockTime = raw.clock_ns
    }

    public var method: ArraySlice<UInt8> { storage[methodRange] }
    /// The request target as sent.
    public var target: ArraySlice<UInt8> { storage[targetRange] }
    /// Path and query as sent: no scheme, no authority, no fragment; `/a?` reads as `/a`, and no path at all as `/`.
    public var url: ArraySlice<UInt8> { urlRange.isEmpty ? rootPath : storage[urlRange] }
    /// `url` up to the first `?`.
    public var path: ArraySlice<UInt8> { pathLength == 0 ? rootPath : storage[urlRange].prefix(pathLength) }
    /// What stands behind the first `?` of `url`; nil where there is none.
    public var query: ArraySlice<UInt8>? {
        pathLength < urlRange.count ? storage[urlRange].dropFirst(pathLength + 1) : nil
    }
    /// Host and port of an absolute-form or CONNECT target; nil for any other.
    public var authority: ArraySlice<UInt8>? { authorityRange.isEmpty ? nil : storage[authorityRange] }
    /// Decoded from its chunks where it came in chunks.
    public var body: ArraySlice<UInt8> { storage[headLength...] }
    /// What it holds in memory, roughly.
    public var byteCount: Int { storage.count + fields.count * MemoryLayout<cr_field>.stride + 256 }

    /// Calls `body` with the value of each header of that name, in order, until it returns false.
    /// - Parameter name: lower-case ASCII.
    public func forEachHeaderValue(_ name: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool) {
        for index in 0..<headerCount where isNamed(fields[index], name) {
            if !body(storage[range(fields[index].value, fields[index].value_length)]) { return }
        }
    }

    /// The first header of that name. `name` is lower-case ASCII.
    public func header(_ name: [UInt8]) -> ArraySlice<UInt8>? {
        for index in 0..<headerCount where isNamed(fields[index], name) {
            return storage[range(fields[index].value, fields[index].value_length)]
        }
        return nil
    }

    /// All header fields in the order and the case in which they were sent.
    public var headers: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
        fields.prefix(headerCount).map(slices)
    }

    /// The fields that came behind a chunked body.
    public var trailers: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
        fields.dropFirst(headerCount).map(slices)
    }

    private func slices(_ field: cr_field) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
        (storage[range(field.name, field.name_length)], storage[range(field.value, field.value_length)])
    }

    /// Compares without case; the length decides most comparisons.
    private func isNamed(_ field: cr_field, _ name: [UInt8]) -> Bool {
        guard Int(field.name_length) == name.count else { return false }
        let start = Int(field.name)
        for offset in 0..<name.count where lowercase(storage[start &+ offset]) != name[offset] {
            return false
        }
        return true
    }
}

private let rootPath: ArraySlice<UInt8> = [0x2f]

private func range(_ start: UInt32, _ length: UInt32) -> Range<Int> {
    Int(start)..<(Int(start) + Int(length))
}

private func lowercase(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
}
