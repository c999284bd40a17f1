/// Block strings (section 2.9.4): lines without the common indentation, without blank lines at the start and end.
enum GraphQLBlockString {
    static func value(of raw: [UInt8]) -> String {
        var lines = split(raw)
        let indents = lines.dropFirst().compactMap { line in
            line.firstIndex { !isBlank($0) }.map { $0 - line.startIndex }
        }
        if let indent = indents.min() {
            for index in lines.indices.dropFirst() { lines[index] = lines[index].dropFirst(indent) }
        }
        let first = lines.firstIndex { !$0.allSatisfy(isBlank) } ?? lines.endIndex
        let last = lines.lastIndex { !$0.allSatisfy(isBlank) } ?? first
        guard first < lines.endIndex else { return "" }
        return String(decoding: Array(lines[first...last].joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }

    /// Splits at `\n`, `\r\n` or a lone `\r`.
    private static func split(_ raw: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        var index = 0
        while index < raw.count {
            defer { index += 1 }
            guard raw[index] == UInt8(ascii: "\n") || raw[index] == UInt8(ascii: "\r") else { continue }
            lines.append(raw[start..<index])
            if raw[index] == UInt8(ascii: "\r"), index + 1 < raw.count, raw[index + 1] == UInt8(ascii: "\n") {
                index += 1
            }
            start = index + 1
        }
        return lines + [raw[start...]]
    }
}
