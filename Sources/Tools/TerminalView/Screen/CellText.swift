import SDBasics

/// Untrusted texts as terminal cells: they cannot control the terminal, and their width is known.
public enum CellText {
    /// The text with control sequences, bidirectional marks, and characters of uncertain width made visible.
    /// - Parameter isUnicode: whether the terminal shows more than ASCII.
    public static func clean(_ text: some StringProtocol, isUnicode: Bool = true) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) { return String(text) }
        var result = ""
        // How many more marks the current letter may have; unlimited marks would cover the lines above.
        var marksLeft = 0
        for scalar in text.unicodeScalars {
            if scalar.value >= 0x20, scalar.value < 0x7f {
                marksLeft = 2
                result.unicodeScalars.append(scalar)
            } else if !isUnicode || isUncertain(scalar) {
                marksLeft = 0
                result += escape(scalar)
            } else if isMark(scalar) {
                if marksLeft > 0 {
                    marksLeft -= 1
                    result.unicodeScalars.append(scalar)
                } else {
                    result += escape(scalar)
                }
            } else {
                marksLeft = 2
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// The width of a cleaned text in cells.
    public static func width(_ text: some StringProtocol) -> Int {
        if isASCII(text) { return text.utf8.count }
        return text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
    }

    /// Where a text is cut if it does not fit.
    public enum Elision: Sendable {
        case end
        /// The middle, so that a URL's last segment stays.
        case middle
    }

    /// A cleaned text cut to at most `width` cells.
    public static func cut(_ text: String, to width: Int, losing elision: Elision = .end, isUnicode: Bool = true)
        -> String
    {
        guard width > 0 else { return "" }
        guard self.width(text) > width else { return text }
        let dots = isUnicode ? "…" : ".."
        let dotsWidth = isUnicode ? 1 : 2
        guard width > dotsWidth else { return start(of: text, width) }
        let room = width - dotsWidth
        switch elision {
        case .end: return start(of: text, room) + dots
        case .middle:
            let path = text.prefix { $0 != "?" }
            let last = path.lastIndex(of: "/").map { self.width(text[$0...]) } ?? room / 2
            let tail = min(last, room - min(room / 4, 8))
            return start(of: text, room - tail) + dots + end(of: text, tail)
        }
    }

    /// A cleaned text wrapped to lines of at most `width` cells.
    static func wrap(_ text: String, to width: Int) -> [String] {
        guard width > 0, self.width(text) > width else { return [text] }
        var lines: [String] = []
        var rest = text[...]
        while !rest.isEmpty {
            var line = start(of: rest, width)
            if line.isEmpty { line = String(rest.prefix(1)) }
            // At a space, if there is one in the second half.
            if line.unicodeScalars.count < rest.unicodeScalars.count, let space = line.lastIndex(of: " "),
                line.distance(from: line.startIndex, to: space) > width / 2
            {
                line = String(line[...space])
            }
            rest = rest.dropFirst(line.count)
            lines.append(line)
        }
        return lines
    }

    // MARK: - Parts

    private static func isASCII(_ text: some StringProtocol) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    /// The longest prefix within `width` cells, with the marks of its last letter.
    static func start(of text: some StringProtocol, _ width: Int) -> String {
        if isASCII(text) { return String(text.prefix(max(width, 0))) }
        var result = String.UnicodeScalarView()
        var left = width
        for scalar in text.unicodeScalars {
            left -= self.width(of: scalar)
            if left < 0 { break }
            result.append(scalar)
        }
        return String(result)
    }

    /// The longest suffix within `width` cells.
    private static func end(of text: String, _ width: Int) -> String {
        if isASCII(text) { return String(text.suffix(max(width, 0))) }
        var left = width
        var place = text.unicodeScalars.endIndex
        while place > text.unicodeScalars.startIndex {
            let before = text.unicodeScalars.index(before: place)
            left -= self.width(of: text.unicodeScalars[before])
            if left < 0 { break }
            place = before
        }
        // A mark without its letter would combine with the character before it.
        while place < text.unicodeScalars.endIndex, isMark(text.unicodeScalars[place]) {
            place = text.unicodeScalars.index(after: place)
        }
        return String(text.unicodeScalars[place...])
    }

    // MARK: - Characters

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{\(String(scalar.value, radix: 16))}"
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return true
        default: return false
        }
    }

    /// Whether terminals show the character differently, or not at all.
    private static func isUncertain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Joining Hangul vowels, emoji variations, flags and skin tones.
        case 0x1160...0x11ff, 0xd7b0...0xd7ff, 0xfe00...0xfe0f, 0x1f1e6...0x1f1ff, 0x1f3fb...0x1f3ff, 0xe0100...0xe01ef:
            return true
        default: break
        }
        switch scalar.properties.generalCategory {
        case .unassigned, .privateUse, .surrogate: return true
        default: return Printable.isHidden(scalar)
        }
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        if isMark(scalar) { return 0 }
        guard scalar.value >= 0x1100 else { return 1 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    /// Characters of two cells: East Asian Width `W` and `F` of Unicode.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115f, 0x231a...0x231b, 0x2329...0x232a, 0x23e9...0x23ec, 0x23f0...0x23f0, 0x23f3...0x23f3,
        0x25fd...0x25fe, 0x2614...0x2615, 0x2648...0x2653, 0x267f...0x267f, 0x2693...0x2693, 0x26a1...0x26a1,
        0x26aa...0x26ab, 0x26bd...0x26be, 0x26c4...0x26c5, 0x26ce...0x26ce, 0x26d4...0x26d4, 0x26ea...0x26ea,
        0x26f2...0x26f3, 0x26f5...0x26f5, 0x26fa...0x26fa, 0x26fd...0x26fd, 0x2705...0x2705, 0x270a...0x270b,
        0x2728...0x2728, 0x274c...0x274c, 0x274e...0x274e, 0x2753...0x2755, 0x2757...0x2757, 0x2795...0x2797,
        0x27b0...0x27b0, 0x27bf...0x27bf, 0x2b1b...0x2b1c, 0x2b50...0x2b50, 0x2b55...0x2b55, 0x2e80...0x303e,
        0x3041...0x4dbf, 0x4e00...0xa4cf, 0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19,
        0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x16fe0...0x16fff, 0x17000...0x18d08, 0x1aff0...0x1b2fb,
        0x1f004...0x1f004, 0x1f0cf...0x1f0cf, 0x1f18e...0x1f18e, 0x1f191...0x1f19a, 0x1f200...0x1f320,
        0x1f32d...0x1f335, 0x1f337...0x1f37c, 0x1f37e...0x1f393, 0x1f3a0...0x1f3ca, 0x1f3cf...0x1f3d3,
        0x1f3e0...0x1f3f0, 0x1f3f4...0x1f3f4, 0x1f3f8...0x1f43e, 0x1f440...0x1f440, 0x1f442...0x1f4fc,
        0x1f4ff...0x1f53d, 0x1f54b...0x1f54e, 0x1f550...0x1f567, 0x1f57a...0x1f57a, 0x1f595...0x1f596,
        0x1f5a4...0x1f5a4, 0x1f5fb...0x1f64f, 0x1f680...0x1f6c5, 0x1f6cc...0x1f6cc, 0x1f6d0...0x1f6d2,
        0x1f6d5...0x1f6df, 0x1f6eb...0x1f6ec, 0x1f6f4...0x1f6fc, 0x1f7e0...0x1f7f0, 0x1f90c...0x1f93a,
        0x1f93c...0x1f945, 0x1f947...0x1f9ff, 0x1fa70...0x1faff, 0x20000...0x3fffd,
    ]
}
