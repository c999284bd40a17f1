import SDCReactor
import SDPlatform

/// The head of another server's answer, or its trailers: one copied block; texts are made on access.
package struct CallAnswer: Sendable {
    package let status: Int
    package let version: HTTPVersion
    /// Whether the connection switches to another protocol after this answer (101).
    package let isSwitch: Bool
    /// The bytes of the head as received, followed by the offsets of the fields.
    private let block: [UInt8]
    private let reasonPlace: Range<Int>
    /// The number of fields.
    package let count: Int

    /// Copies the head passed to a hook.
    init(_ raw: borrowing cr_answer) {
        status = Int(raw.status)
        version = raw.in_http2 ? .http2 : raw.version_minor == 0 ? .http10 : .http11
        isSwitch = raw.framing == CR_SWITCHED
        count = raw.field_count
        let start = Int(raw.reason)
        reasonPlace = start..<(start + Int(raw.reason_length))
        let (head, length, fields) = (raw.head, raw.head_length, raw.fields)
        let size = count * MemoryLayout<cr_field>.stride
        block = Array(unsafeUninitializedCapacity: length + size) { room, filled in
            if let start = room.baseAddress {
                if let head { start.update(from: head, count: length) }
                let places = UnsafeMutableRawPointer(start + length)
                if let fields, size > 0 { places.copyMemory(from: fields, byteCount: size) }
            }
            filled = length + size
        }
    }

    /// The reason phrase as received.
    package var reason: String { text(reasonPlace) }

    /// The fields in order and with their case. Each byte of a value becomes the character with its number (Latin-1).
    package var fields: [(name: String, value: String)] {
        (0..<count).map { index in
            let field = field(index)
            return (text(place(field.name, field.name_length)), text(place(field.value, field.value_length)))
        }
    }

    private func place(_ start: UInt32, _ length: UInt32) -> Range<Int> { Int(start)..<(Int(start) + Int(length)) }

    private func field(_ index: Int) -> cr_field {
        let start = block.count - (count - index) * MemoryLayout<cr_field>.stride
        return block.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: cr_field.self) }
    }

    /// The bytes of a range, each as one character, so that writing the text restores the same bytes.
    private func text(_ place: Range<Int>) -> String {
        let bytes = block[place]
        return bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : HeaderText.verbatim(bytes)
    }
}
