private import SDCWebSocket
import SDHTTPTransport
public import SDPlatform

/// A message as frames, which can be sent on any number of streams.
public struct WebSocketFrames: Sendable {
    let plain: WireBytes
    /// For streams with permessage-deflate and a window of 32 KiB; nil if these get `plain` too.
    let compressed: WireBytes?

    /// - Parameters:
    ///   - fragment: the maximum size of a frame in bytes; nil for a single frame.
    ///   - compresses: whether to make a compressed form too.
    ///   - account: the ledger for the bytes until they are sent.
    public init(
        _ message: WebSocketMessage, fragment: Int? = nil, compresses: Bool = false, in account: MemoryAccount? = nil
    ) {
        plain = WireBytes(WebSocketFrameWriter.frames(of: message, fragment: fragment), in: account)
        compressed =
            compresses
            ? WebSocketFrameWriter.compressedFrames(of: message, fragment: fragment)
                .map { WireBytes($0, in: account) } : nil
    }
}

/// Writes frames of a server, or masked frames of a client.
enum WebSocketFrameWriter {
    static func frames(of message: WebSocketMessage, fragment: Int? = nil) -> [UInt8] {
        cut(message.bytes, opcode(of: message), isCompressed: false, fragment)
    }

    static func maskedFrame(of message: WebSocketMessage) -> [UInt8] {
        frame(message.bytes[...], opcode(of: message), isFinal: true, masks: true)
    }

    /// The maximum size of a compressed message in bytes: more would delay the loop's other connections.
    private static let compressionMost = 1 << 20

    /// - Returns: nil if it is too long, memory is short, or compression saves nothing.
    static func compressedFrames(
        of message: WebSocketMessage, windowBits: Int = 15, fragment: Int? = nil
    ) -> [UInt8]? {
        guard message.bytes.count <= compressionMost else { return nil }
        var packed = cr_ws_bytes()
        defer { cr_ws_bytes_free(&packed) }
        let isPacked = message.bytes.withUnsafeBufferPointer {
            cr_ws_deflate($0.baseAddress, $0.count, UInt32(windowBits), &packed)
        }
        guard isPacked, packed.length < message.bytes.count else { return nil }
        let payload = Array(UnsafeBufferPointer(start: packed.bytes, count: packed.length))
        return cut(payload, opcode(of: message), isCompressed: true, fragment)
    }

    static func ping(_ payload: [UInt8], masks: Bool = false) -> [UInt8] {
        frame(payload.prefix(Int(CR_WS_CONTROL_LIMIT)), CR_WS_PING, isFinal: true, masks: masks)
    }

    static func pong(_ payload: [UInt8], masks: Bool = false) -> [UInt8] {
        frame(payload.prefix(Int(CR_WS_CONTROL_LIMIT)), CR_WS_PONG, isFinal: true, masks: masks)
    }

    /// - Parameter code: 1005 for none.
    static func close(_ code: Int, _ reason: String, masks: Bool = false) -> [UInt8] {
        var reason = reason
        let payload = [UInt8](unsafeUninitializedCapacity: Int(CR_WS_CONTROL_LIMIT)) { room, count in
            count = reason.withUTF8 {
                cr_ws_put_close(room.baseAddress, UInt16(clamping: code), $0.baseAddress, $0.count)
            }
        }
        return frame(payload[...], CR_WS_CLOSE, isFinal: true, masks: masks)
    }

    private static func opcode(of message: WebSocketMessage) -> cr_ws_opcode {
        message.kind == .text ? CR_WS_TEXT : CR_WS_BINARY
    }

    private static func cut(
        _ payload: [UInt8], _ opcode: cr_ws_opcode, isCompressed: Bool, _ fragment: Int?
    ) -> [UInt8] {
        let most = max(fragment ?? payload.count, 1)
        var (frames, rest, opcode, isCompressed) = ([UInt8](), payload[...], opcode, isCompressed)
        repeat {
            let piece = rest.prefix(most)
            rest = rest.dropFirst(most)
            frames += frame(piece, opcode, isFinal: rest.isEmpty, isCompressed: isCompressed)
            (opcode, isCompressed) = (CR_WS_CONTINUATION, false)
        } while !rest.isEmpty
        return frames
    }

    private static func frame(
        _ payload: ArraySlice<UInt8>, _ opcode: cr_ws_opcode, isFinal: Bool, isCompressed: Bool = false,
        masks: Bool = false
    ) -> [UInt8] {
        var form = cr_ws_frame()
        form.masked = masks
        if masks {
            withUnsafeMutableBytes(of: &form.mask) { $0.storeBytes(of: UInt32.random(in: 0 ... .max), as: UInt32.self) }
        }
        form.opcode = UInt8(opcode.rawValue)
        form.final = isFinal
        form.compressed = isCompressed
        return [UInt8](unsafeUninitializedCapacity: Int(CR_WS_HEADER_ROOM) + payload.count) { room, count in
            guard let start = room.baseAddress else { return }
            count = cr_ws_put_header(start, &form, UInt64(payload.count))
            payload.withUnsafeBufferPointer { bytes in
                if let from = bytes.baseAddress { (start + count).update(from: from, count: bytes.count) }
            }
            if masks {
                withUnsafeBytes(of: form.mask) { mask in
                    cr_ws_mask(start + count, payload.count, mask.baseAddress?.assumingMemoryBound(to: UInt8.self), 0)
                }
            }
            count += payload.count
        }
    }
}

/// An event of one side.
public enum WebSocketEvent: Sendable, Equatable {
    case message(WebSocketMessage)
    case ping([UInt8])
    case pong([UInt8])
    /// The last event. The code is 1005 for a frame without one.
    case close(code: Int, reason: String)
    /// A violation of the protocol or of a limit; the last event.
    case refused(WebSocketFault)
}

/// Parses the frames of one side.
public struct WebSocketFrameReader: ~Copyable {
    private var reader = cr_ws_reader()

    /// - Parameters:
    ///   - inflates: whether permessage-deflate was agreed on.
    ///   - readsServer: whether the other side is a server, whose frames are not masked.
    public init(_ settings: WebSocketSettings, inflates: Bool, readsServer: Bool = false) {
        var limits = cr_ws_settings_default()
        limits.reads_server = readsServer
        limits.deflate = inflates
        limits.text_limit = UInt64(max(settings.textLimit, 0))
        limits.binary_limit = UInt64(max(settings.binaryLimit, 0))
        limits.fragment_limit = UInt32(clamping: settings.fragmentLimit)
        cr_ws_reader_init(&reader, &limits)
    }

    deinit {
        var reader = reader
        cr_ws_reader_clear(&reader)
    }

    /// The bytes of a started message.
    package var heldBytes: Int {
        mutating get { cr_ws_reader_memory(&reader) }
    }

    /// The next event in the bytes from `start`, which is advanced; nil if all are consumed. The bytes are unmasked in
    /// place.
    public mutating func next(in bytes: inout [UInt8], from start: inout Int) -> WebSocketEvent? {
        var piece = cr_ws_details()
        let event = bytes.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return CR_WS_MORE }
            var at: UnsafeMutablePointer<UInt8>? = base + start
            let event = cr_ws_next(&reader, &at, base + buffer.count, &piece)
            start = at.map { $0 - base } ?? buffer.count
            return event
        }
        // The payload is in the bytes or in the reader, both unchanged since.
        func payload() -> [UInt8] { Array(UnsafeBufferPointer(start: piece.bytes, count: piece.length)) }
        switch event {
        case CR_WS_MESSAGE: return .message(WebSocketMessage(piece.is_text ? .text : .binary, payload()))
        case CR_WS_PINGED: return .ping(payload())
        case CR_WS_PONGED: return .pong(payload())
        case CR_WS_CLOSED:
            return .close(code: Int(piece.code), reason: String(decoding: payload(), as: UTF8.self))
        case CR_WS_REFUSED:
            return .refused(
                WebSocketFault(code: Int(piece.code), text: String(cString: cr_ws_error_text(piece.error))))
        default: return nil
        }
    }
}

/// The header fields of the WebSocket handshake.
enum WebSocketFields {
    /// Whether a server's answer to our offer agrees to permessage-deflate; nil if the answer is invalid.
    static func isCompressed(by answers: [String]) -> Bool? {
        var terms = cr_ws_deflate_params()
        let answer = Array(answers.joined(separator: ", ").utf8)
        let isSound = answer.withUnsafeBufferPointer { cr_ws_parse_deflate_answer(&terms, $0.baseAddress, $0.count) }
        return isSound ? terms.agreed : nil
    }

    static let ownOffer = CR_WS_DEFLATE_OFFER

    /// The value of `Sec-WebSocket-Accept` for a key; nil for an invalid key.
    static func accept(_ key: ArraySlice<UInt8>) -> String? {
        var text = [CChar](repeating: 0, count: Int(CR_WS_ACCEPT_LENGTH))
        let isKey = key.withUnsafeBufferPointer { cr_ws_accept(&text, $0.baseAddress, $0.count) }
        return isKey ? String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    /// The answer to the offers of permessage-deflate, and the server's window; an empty answer if no offer is
    /// acceptable, nil if a field is malformed.
    static func terms(of offers: [ArraySlice<UInt8>]) -> (answer: String, windowBits: Int)? {
        var terms = cr_ws_deflate_params()
        for offer in offers {
            let isSound = offer.withUnsafeBufferPointer { cr_ws_parse_deflate_offers(&terms, $0.baseAddress, $0.count) }
            if !isSound { return nil }
        }
        var text = [CChar](repeating: 0, count: Int(CR_WS_DEFLATE_ANSWER_ROOM))
        let count = cr_ws_put_deflate_answer(&text, &terms)
        let answer = text.prefix(count).map { UInt8(bitPattern: $0) }
        return (String(decoding: answer, as: UTF8.self), Int(terms.server_window_bits))
    }

    /// The tokens of a list; nil if it is malformed.
    static func tokens(_ list: ArraySlice<UInt8>) -> [String]? {
        list.withUnsafeBufferPointer { list in
            guard let start = list.baseAddress else { return [] }
            var (at, token, length): (UnsafePointer<UInt8>?, UnsafePointer<UInt8>?, Int) = (start, nil, 0)
            var tokens: [String] = []
            while true {
                switch cr_ws_next_token(&at, start + list.count, &token, &length) {
                case 0: return tokens
                case 1: tokens.append(String(decoding: UnsafeBufferPointer(start: token, count: length), as: UTF8.self))
                default: return nil
                }
            }
        }
    }
}
