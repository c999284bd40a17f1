import SDJSON

/// Parses JSON like WireMock's own parser: strictly, but with comments, and ignoring text after the first value.
enum JacksonJSON {
    /// The first value of a text; nil if there is none.
    static func parse(_ text: String) -> JSONValue? {
        let bytes = Array(text.utf8)
        if let value = try? JSONValue(parsing: bytes) { return value }
        guard let plain = withoutComments(bytes) else { return nil }
        return try? JSONValue(parsing: firstValue(of: plain))
    }

    /// The text with each comment replaced by a space; nil if one is unclosed.
    private static func withoutComments(_ bytes: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        var isQuoted = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            if isQuoted {
                result.append(byte)
                if byte == UInt8(ascii: "\\"), index + 1 < bytes.count {
                    result.append(next)
                    index += 1
                } else if byte == UInt8(ascii: "\"") {
                    isQuoted = false
                }
            } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
                result.append(0x20)
            } else if byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
                index += 2
                while index + 1 < bytes.count,
                    bytes[index] != UInt8(ascii: "*") || bytes[index + 1] != UInt8(ascii: "/")
                {
                    index += 1
                }
                guard index + 1 < bytes.count else { return nil }
                index += 1
                result.append(0x20)
            } else {
                isQuoted = byte == UInt8(ascii: "\"")
                result.append(byte)
            }
            index += 1
        }
        return result
    }

    /// The bytes up to the end of the first value.
    private static func firstValue(of bytes: [UInt8]) -> [UInt8] {
        var depth = 0
        var isQuoted = false
        var hasStarted = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if isQuoted {
                if byte == UInt8(ascii: "\\") { index += 1 }
                if byte == UInt8(ascii: "\"") { isQuoted = false }
            } else if byte == UInt8(ascii: "\"") {
                isQuoted = true
            } else if byte | 0x20 == UInt8(ascii: "{") {
                depth += 1
            } else if byte | 0x20 == UInt8(ascii: "}") {
                depth -= 1
            } else if byte <= 0x20 {
                if !hasStarted { continue }
                if depth == 0 { break }
            }
            hasStarted = true
            if depth == 0, !isQuoted, [UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(byte) {
                break
            }
        }
        return Array(bytes[..<min(index, bytes.count)])
    }
}
