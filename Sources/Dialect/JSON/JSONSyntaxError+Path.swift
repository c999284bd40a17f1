extension JSONSyntaxError {
    /// The keys and indices, outermost first, that lead to the object or array with the error, or to the string with
    /// the error.
    /// - Parameter bytes: the text.
    package func path(in bytes: [UInt8]) -> [String] {
        var scan = OpenContainers(bytes, upTo: min(offset, bytes.count))
        return scan.path()
    }
}

/// Scans a text up to an error, before which it is valid, for the containers that are open there.
private struct OpenContainers {
    private enum Next {
        case name, colon, value, end
    }

    private struct Container {
        let isObject: Bool
        /// The key or index of the current value.
        var token = ""
        var count = 0
    }

    private let bytes: [UInt8]
    private let end: Int
    private var index = 0
    private var open: [Container] = []
    private var next = Next.value

    init(_ bytes: [UInt8], upTo end: Int) {
        self.bytes = bytes
        self.end = end
    }

    mutating func path() -> [String] {
        while index < end {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["): begin(isObject: byte == UInt8(ascii: "{"))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                _ = open.popLast()
                next = .end
                index += 1
            case UInt8(ascii: ","): goOn()
            case UInt8(ascii: ":"):
                next = .value
                index += 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let isValue = next == .value
                let start = index
                guard skipString(byte) else { return tokens(withLast: isValue) }
                if isValue {
                    next = .end
                } else {
                    name(start..<index)
                }
            case UInt8(ascii: "/"): skipComment()
            default:
                // A number or a literal.
                if byte > 0x20 { next = .end }
                index += 1
            }
        }
        // An unterminated string is reported at its start.
        let isText = index < bytes.count && (bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'"))
        return tokens(withLast: next == .value && isText)
    }

    private func tokens(withLast: Bool) -> [String] {
        (withLast ? open[...] : open.dropLast()).map(\.token)
    }

    private mutating func begin(isObject: Bool) {
        open.append(Container(isObject: isObject, token: isObject ? "" : "0"))
        next = isObject ? .name : .value
        index += 1
    }

    /// Moves on to the next member or element.
    private mutating func goOn() {
        index += 1
        guard let container = open.last else { return }
        next = container.isObject ? .name : .value
        guard !container.isObject else { return }
        open[open.count - 1].count += 1
        open[open.count - 1].token = String(container.count + 1)
    }

    private mutating func name(_ range: Range<Int>) {
        next = .colon
        guard !open.isEmpty else { return }
        let name = try? JSONValue(parsing: bytes[range], dialect: .lenient).stringValue
        open[open.count - 1].token = name ?? ""
    }

    /// Skips a string. Returns false if the error is inside it.
    private mutating func skipString(_ quote: UInt8) -> Bool {
        index += 1
        while index < end {
            let byte = bytes[index]
            index += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == quote { return true }
        }
        return false
    }

    private mutating func skipComment() {
        index += 1
        guard index < end else { return }
        let isLine = bytes[index] == UInt8(ascii: "/")
        index += 1
        while index < end {
            let byte = bytes[index]
            index += 1
            if isLine, byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return }
            if !isLine, byte == UInt8(ascii: "*"), index < end, bytes[index] == UInt8(ascii: "/") {
                index += 1
                return
            }
        }
    }
}
