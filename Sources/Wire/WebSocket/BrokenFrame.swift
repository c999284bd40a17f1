private import SDCWebSocket

/// Bytes for `WebSocketStream.sendRaw` that violate the WebSocket protocol on purpose.
public enum BrokenFrame: String, Sendable, CaseIterable {
    /// The second reserved bit is set, which no extension uses.
    case reservedBits
    /// The opcode is 3, which is reserved.
    case opcode
    /// The frame is masked, like a client's.
    case masked
    /// A text that is not UTF-8.
    case utf8
    /// The length has its highest bit set.
    case length
    /// The length is encoded in more bytes than needed.
    case wideLength
    /// A continuation without a started message.
    case continuation
    /// A new message before the end of a fragmented one.
    case interrupted
    /// A ping of 126 bytes.
    case longControl
    /// A fragmented ping.
    case partedControl
    /// A close frame with the code 1005.
    case closeCode
    /// The frame is marked as compressed, and is not.
    case notDeflated

    /// The bytes to send instead of a message.
    public func bytes(inPlaceOf message: WebSocketMessage) -> [UInt8] {
        let (opcode, payload) = (Self.opcode(of: message), message.bytes)
        switch self {
        case .reservedBits: return Self.frame(opcode, payload, bits: 0x20)
        case .opcode: return Self.frame(3, payload)
        case .masked: return Self.frame(opcode, payload, isMasked: true)
        case .utf8: return Self.frame(UInt8(CR_WS_TEXT.rawValue), payload + [0xFF])
        case .length:
            let length: [UInt8] = [127, 0x80] + [UInt8](repeating: 0, count: 7)
            return [0x80 | opcode] + length + payload
        case .wideLength:
            // Lengths beyond 16 bits need eight bytes.
            let payload = payload.prefix(0xFFFF)
            let length = (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
            return [0x80 | opcode, 127] + length + payload
        case .continuation: return Self.frame(UInt8(CR_WS_CONTINUATION.rawValue), payload)
        case .interrupted: return Self.frame(opcode, payload, isFinal: false) + Self.frame(opcode, payload)
        case .longControl: return Self.frame(UInt8(CR_WS_PING.rawValue), [UInt8](repeating: 0x2E, count: 126))
        case .partedControl: return Self.frame(UInt8(CR_WS_PING.rawValue), [], isFinal: false)
        case .closeCode: return Self.frame(UInt8(CR_WS_CLOSE.rawValue), [0x03, 0xED])
        case .notDeflated:
            // A block of an undefined type.
            return Self.frame(opcode, [0xFF] + payload, bits: 0x40)
        }
    }

    /// A frame that announces a whole message, and ends after `count` bytes of it.
    public static func cut(_ message: WebSocketMessage, after count: Int) -> [UInt8] {
        let whole = frame(opcode(of: message), message.bytes)
        return Array(whole.prefix(whole.count - message.bytes.count + min(max(count, 0), message.bytes.count)))
    }

    /// A complete frame with the first bytes of a message, to be continued by another frame.
    public static func fragment(of message: WebSocketMessage, _ count: Int) -> [UInt8] {
        frame(opcode(of: message), Array(message.bytes.prefix(max(count, 0))), isFinal: false)
    }

    private static func opcode(of message: WebSocketMessage) -> UInt8 {
        UInt8((message.kind == .text ? CR_WS_TEXT : CR_WS_BINARY).rawValue)
    }

    /// - Parameter bits: further bits of the first byte.
    private static func frame(
        _ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, isMasked: Bool = false, bits: UInt8 = 0
    ) -> [UInt8] {
        var form = cr_ws_frame()
        form.opcode = opcode
        form.final = isFinal
        form.masked = isMasked
        if isMasked { form.mask = (0x12, 0x34, 0x56, 0x78) }
        var bytes = [UInt8](unsafeUninitializedCapacity: Int(CR_WS_HEADER_ROOM)) { room, count in
            count = room.baseAddress.map { cr_ws_put_header($0, &form, UInt64(payload.count)) } ?? 0
        }
        bytes[0] |= bits
        guard isMasked else { return bytes + payload }
        let mask: [UInt8] = [0x12, 0x34, 0x56, 0x78]
        return bytes + payload.enumerated().map { $1 ^ mask[$0 & 3] }
    }
}
