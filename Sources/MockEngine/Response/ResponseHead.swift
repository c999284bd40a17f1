/// The status line and header lines of a response, as bytes under construction.
struct ResponseHead {
    private(set) var bytes: [UInt8] = []

    /// - Parameter message: the reason phrase; nil takes the registered one.
    init(status: Int, message: String? = nil) {
        bytes.reserveCapacity(256)
        let digits = String(status)
        bytes.append(contentsOf: "HTTP/1.1 ".utf8)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, 3 - digits.utf8.count)))
        bytes.append(contentsOf: digits.utf8)
        bytes.append(UInt8(ascii: " "))
        append(latin1: message ?? statusPhrase(status))
        endLine()
    }

    /// A header line. Line breaks become spaces, so that a value cannot forge another header.
    mutating func add(_ name: String, _ value: String) {
        append(latin1: name)
        bytes.append(contentsOf: ": ".utf8)
        append(latin1: value)
        endLine()
    }

    /// The empty line; nothing may be added behind it.
    mutating func end() {
        endLine()
    }

    private mutating func endLine() {
        bytes.append(contentsOf: "\r\n".utf8)
    }

    /// Header text goes out as ISO-8859-1, as WireMock's server sends it; what that cannot say becomes `?`.
    private mutating func append(latin1 text: String) {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0a, 0x0d, 0x00: bytes.append(UInt8(ascii: " "))
            case 0...0xff: bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            default: bytes.append(UInt8(ascii: "?"))
            }
        }
    }
}
