import CReactor

/// The status, reason and header fields of a response, under construction.
///
/// It is kept as HTTP/1.1 writes it: a compact record, which every other framing takes apart again into the same fields.
/// Text goes out as ISO-8859-1. What that cannot say, line breaks and NUL become question marks, in values spaces, and so
/// does a colon in a name: no field can forge another one.
public struct ResponseHead: Sendable {
    /// The lines, without the empty one at the end.
    private(set) var text: [UInt8]
    /// HTTP/1.1 sends the body in chunks. Its field is to be added by who sets it. False where no body follows at all.
    public var isChunked = false

    public init(status: Int, reason: String) {
        text = []
        text.reserveCapacity(256)
        var reason = reason
        reason.withUTF8 { reason in
            text.append(room: Int(CR_STATUS_LINE_ROOM) + reason.count) {
                cr_put_status_line($0, Int64(status), reason.baseAddress, reason.count)
            }
        }
    }

    /// Adds a field behind those that were added before.
    public mutating func add(_ name: String, _ value: String) {
        text.append(name, value)
    }
}

extension [UInt8] {
    /// Appends the line of a field.
    mutating func append(_ name: String, _ value: String) {
        var name = name
        var value = value
        name.withUTF8 { name in
            value.withUTF8 { value in
                append(room: Int(CR_FIELD_ROOM) + name.count + value.count) {
                    cr_put_field($0, name.baseAddress, name.count, value.baseAddress, value.count)
                }
            }
        }
    }

    /// Appends what `write` puts into at most `room` bytes; it returns how many they are.
    fileprivate mutating func append(room: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        let start = count
        append(contentsOf: repeatElement(0, count: room))
        let written = withUnsafeMutableBufferPointer { $0.baseAddress.map { write($0 + start) } ?? 0 }
        removeLast(room - written)
    }
}
