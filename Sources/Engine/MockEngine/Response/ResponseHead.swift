/// The status line and header lines of a response, as bytes under construction.
struct ResponseHead {
    private(set) var bytes: [UInt8] = []

    /// - Parameter message: the reason phrase; nil takes the registered one.
    init(status: Int, message: String? = nil) {
        bytes.reserveCapacity(256)
        bytes.append(contentsOf: "HTTP/1.1 ".utf8)
        bytes.append(contentsOf: statusDigits(status).utf8)
        bytes.append(UInt8(ascii: " "))
        append(message ?? statusPhrase(status), orElse: UInt8(ascii: "?"))
        endLine()
    }

    /// A header line. Line breaks in a value become spaces, and colons in a name question marks, so that neither can
    /// forge another header.
    mutating func add(_ name: String, _ value: String) {
        let start = bytes.count
        append(name, orElse: UInt8(ascii: "?"))
        for index in start..<bytes.count where bytes[index] == UInt8(ascii: ":") { bytes[index] = UInt8(ascii: "?") }
        bytes.append(contentsOf: ": ".utf8)
        append(value, orElse: UInt8(ascii: " "))
        endLine()
    }

    /// The empty line; nothing may be added behind it.
    mutating func end() {
        endLine()
    }

    private mutating func endLine() {
        bytes.append(contentsOf: "\r\n".utf8)
    }

    /// Text of a head goes out as ISO-8859-1, as WireMock's server sends it. A line break, a NUL and what that cannot say
    /// become `substitute`.
    private mutating func append(_ text: String, orElse substitute: UInt8) {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0a, 0x0d, 0x00: bytes.append(substitute)
            case 0...0xff: bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            default: bytes.append(substitute)
            }
        }
    }
}
