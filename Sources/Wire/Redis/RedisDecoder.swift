import SDCHiredis

/// Encodes commands and decodes replies with hiredis. The only file of this target that calls C.
final class RedisDecoder {
    private let raw: OpaquePointer

    /// Why hiredis is unavailable; nil if it is available.
    static var missing: String? { ch_unavailable().map { String(cString: $0) } }

    /// - Parameter most: the maximum size of a reply in bytes.
    /// - Precondition: `missing` is nil.
    init(most: Int) {
        guard let raw = ch_decoder_new(max(most, 1)) else { fatalError("out of memory for a decoder") }
        self.raw = raw
    }

    deinit {
        ch_decoder_free(raw)
    }

    /// Feeds received bytes. Errors in them are thrown by `next`.
    func feed(_ bytes: UnsafeBufferPointer<UInt8>) {
        if let start = bytes.baseAddress { _ = ch_decoder_feed(raw, start, bytes.count) }
    }

    /// The next complete reply; nil if there is none.
    /// - Throws: a protocol error, from then on always: the text completes "the server sent what is no reply: …".
    func next() throws(RedisFailure) -> RedisValue? {
        var reply = ch_reply()
        switch ch_decoder_next(raw, &reply) {
        case CH_COMPLETE:
            var at = 0
            return Self.value(of: reply, &at)
        case CH_INCOMPLETE: return nil
        case CH_TOO_LARGE: throw RedisFailure(.tooLarge, "")
        case CH_MALFORMED: throw RedisFailure(.malformed, String(cString: ch_decoder_problem(raw)))
        default: throw RedisFailure(.tooLarge, "memory is short")
        }
    }

    private static func value(of reply: ch_reply, _ at: inout Int) -> RedisValue {
        let item = reply.items[at]
        at += 1
        let bytes = UnsafeBufferPointer(start: reply.bytes.map { $0 + item.offset }, count: item.length)
        switch item.kind {
        case CH_STATUS: return .status(String(decoding: bytes, as: UTF8.self))
        case CH_ERROR: return .error(String(decoding: bytes, as: UTF8.self))
        case CH_INTEGER: return .integer(item.number)
        case CH_BYTES: return .bytes(Array(bytes))
        case CH_ARRAY:
            var items: [RedisValue] = []
            items.reserveCapacity(Int(item.number))
            for _ in 0..<item.number { items.append(value(of: reply, &at)) }
            return .array(items)
        default: return .null
        }
    }

    /// Calls `body` with the encoded command.
    static func withCommand<Result>(_ words: [[UInt8]], _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var joined: [UInt8] = []
        joined.reserveCapacity(words.reduce(0) { $0 + $1.count })
        for word in words { joined += word }
        var length = 0
        guard let bytes = ch_command(joined, words.map { $0.count }, words.count, &length) else {
            fatalError("out of memory for a command")
        }
        defer { ch_release(bytes) }
        return body(UnsafeRawBufferPointer(start: bytes, count: length))
    }
}
