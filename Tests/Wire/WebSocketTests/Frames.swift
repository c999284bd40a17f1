import SDTestSupport
import SDWebSocket

/// The bytes of a frame, written here and not by what is tested.
/// - Parameters:
///   - head: the first byte, such as 0x81 for a text in one frame.
///   - mask: nil for a frame of a server.
///   - length: what the frame states; nil for what is true.
func frame(
    _ head: UInt8, _ payload: [UInt8] = [], mask: [UInt8]? = [0x37, 0xFA, 0x21, 0x3D], length: [UInt8]? = nil
) -> [UInt8] {
    var bytes = [head]
    let count = payload.count
    var stated = length ?? (count < 126 ? [UInt8(count)] : count < 65_536 ? [126] : [127])
    if length == nil, count >= 126 {
        let wide = count < 65_536 ? 2 : 8
        stated += (0..<wide).map { UInt8(truncatingIfNeeded: count >> (8 * (wide - 1 - $0))) }
    }
    if mask != nil { stated[0] |= 0x80 }
    bytes += stated
    guard let mask else { return bytes + payload }
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
}

func frame(_ head: UInt8, _ text: String) -> [UInt8] { frame(head, utf8(text)) }

/// A frame of a server.
func answered(_ head: UInt8, _ payload: [UInt8] = []) -> [UInt8] { frame(head, payload, mask: nil) }

/// The payload of a close frame.
func closing(_ code: Int, _ reason: String = "") -> [UInt8] { [UInt8(code >> 8), UInt8(code & 0xFF)] + utf8(reason) }

func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Bytes of which none is like its neighbours.
func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 256) } }

func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { !$0.isWhitespace }
    return stride(from: 0, to: digits.count, by: 2).map { at in
        let start = digits.index(digits.startIndex, offsetBy: at)
        return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16) ?? 0
    }
}

/// What is sent, and what is told of it.
struct FrameCase: Sendable, CustomStringConvertible {
    enum Told: Sendable, Equatable {
        case text(String)
        case binary([UInt8])
        case ping([UInt8])
        case pong([UInt8])
        case close(Int, String)
        /// Refused with a code, and a sentence that has these words.
        case refused(Int, String)
    }

    let name: String
    let bytes: [UInt8]
    let told: [Told]
    var settings = WebSocketSettings()
    var compresses = false
    /// Whether the whole of it is sent in one piece only, since it is long.
    var isLong: Bool { bytes.count > 5000 }
    var description: String { name }

    init(_ name: String, _ bytes: [[UInt8]], _ told: [Told]) {
        (self.name, self.bytes, self.told) = (name, Array(bytes.joined()), told)
    }

    func limited(_ change: (inout WebSocketSettings) -> Void) -> FrameCase {
        var copy = self
        change(&copy.settings)
        return copy
    }

    var deflated: FrameCase {
        var copy = self
        copy.compresses = true
        return copy
    }

    /// Whether the connection ends by what is sent.
    var ends: Bool {
        switch told.last {
        case .close, .refused: true
        default: false
        }
    }
}
