import SDCReactor

/// The status, reason and header fields of a response, under construction.
///
/// The head is stored in HTTP/1.1's syntax: a compact record, which other framings parse back into the same fields.
/// Text is written as ISO-8859-1. Other characters, line breaks and NUL become question marks (in values, spaces), and
/// so does a colon in a name, so that a field cannot forge another one.
public struct ResponseHead: Sendable {
    /// The lines, without the final empty one.
    private(set) var text: [UInt8]
    /// Whether HTTP/1.1 sends the body in chunks; false without a body.
    public private(set) var isChunked = false

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

    /// Adds a field after the existing ones.
    public mutating func add(_ name: String, _ value: String) {
        text.append(name, value)
    }

    /// Announces a chunked body: adds a Transfer-Encoding field after the existing ones.
    /// - Parameters:
    ///   - coding: the value of the field, which ends with `chunked`.
    ///   - hasBody: false if the field only describes a body that does not follow.
    public mutating func addChunks(_ coding: String = "chunked", hasBody: Bool = true) {
        add("Transfer-Encoding", coding)
        isChunked = hasBody
    }
}

extension [UInt8] {
    /// Appends a field's line.
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

    /// Appends up to `room` bytes written by `write`, which returns their number.
    fileprivate mutating func append(room: Int, _ write: (UnsafeMutablePointer<UInt8>) -> Int) {
        let start = count
        append(contentsOf: repeatElement(0, count: room))
        let written = withUnsafeMutableBufferPointer { $0.baseAddress.map { write($0 + start) } ?? 0 }
        removeLast(room - written)
    }
}
