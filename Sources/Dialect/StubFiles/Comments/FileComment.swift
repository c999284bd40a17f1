import SDJSON

/// One line of a comment in a stub file.
struct FileComment: Hashable {
    /// The line on which it starts, from 1.
    var line: Int
    var column: Int
    /// Its text, without the comment mark and one space after it.
    var text: String
    /// Whether only white space precedes it on its line.
    var isAlone: Bool
}

/// The comments of a text, and its lines with other content.
struct CommentedText {
    /// The comments in order.
    private(set) var comments: [FileComment] = []
    /// The lines with content other than comments, from 1.
    private(set) var contentLines: Set<Int> = []

    /// Scans a text that is known to be valid.
    init(_ bytes: [UInt8], _ format: DocumentFormat) {
        switch format {
        case .json: scanJSON(bytes)
        case .yaml: scanYAML(bytes)
        }
    }

    private mutating func add(_ text: Substring, line: Int, column: Int) {
        var text = text.last == "\r" ? text.dropLast() : text
        if text.first == " " { text = text.dropFirst() }
        while text.last == " " || text.last == "\t" { text = text.dropLast() }
        comments.append(
            FileComment(line: line, column: column, text: String(text), isAlone: !contentLines.contains(line)))
    }

    // MARK: YAML

    private mutating func scanYAML(_ bytes: [UInt8]) {
        let texts = Self.texts(ofYAML: bytes)
        var next = 0
        // CRLF is a single `Character`, so that lines are split as scalars.
        let lines = String(decoding: bytes, as: UTF8.self).unicodeScalars
            .split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            var former: Unicode.Scalar = " "
            for (column, scalar) in zip(0..., line) {
                let mark = Mark(line: number, column: column)
                while next < texts.count, !mark.isBefore(texts[next].end) { next += 1 }
                let isInText = next < texts.count && !mark.isBefore(texts[next].start)
                if scalar == "#", !isInText, former == " " || former == "\t" {
                    let start = line.index(line.startIndex, offsetBy: column + 1)
                    add(Substring(line[start...]), line: number + 1, column: column + 1)
                    break
                }
                if isInText || scalar != " " && scalar != "\t" && scalar != "\r" { contentLines.insert(number + 1) }
                former = scalar
            }
        }
    }

    /// The ranges of quoted and block scalars, in which `#` starts no comment.
    private static func texts(ofYAML bytes: [UInt8]) -> [(start: Mark, end: Mark)] {
        let reader = YAMLEventReader(bytes)
        var texts: [(start: Mark, end: Mark)] = []
        while let event = try? reader.next() {
            switch event.kind {
            case .streamEnd: return texts
            case .scalar(let scalar) where !scalar.isPlain:
                // A comment may follow the block indicator.
                let start = scalar.isBlock ? Mark(line: event.start.line + 1, column: 0) : event.start
                if start.isBefore(event.end) { texts.append((start, event.end)) }
            default: break
            }
        }
        return texts
    }

    // MARK: JSON

    private mutating func scanJSON(_ bytes: [UInt8]) {
        var line = 1
        var start = 0
        var index = 0
        func text(_ range: Range<Int>) -> Substring { Substring(String(decoding: bytes[range], as: UTF8.self)) }
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\n"):
                line += 1
                start = index + 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
            case UInt8(ascii: "/") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "/"):
                let end = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
                add(text(index + 2..<end), line: line, column: index - start + 1)
                index = end
                continue
            case UInt8(ascii: "/") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "*"):
                var end = index + 2
                while end + 1 < bytes.count, bytes[end] != UInt8(ascii: "*") || bytes[end + 1] != UInt8(ascii: "/") {
                    end += 1
                }
                let column = index - start + 1
                for part in text(index + 2..<min(end, bytes.count)).split(
                    separator: "\n" as Character, omittingEmptySubsequences: false)
                {
                    let bare = part.drop { $0 == " " || $0 == "\t" }
                    add(bare.first == "*" ? bare.dropFirst() : bare, line: line, column: column)
                    line += 1
                }
                line -= 1
                start = (bytes[..<min(end, bytes.count)].lastIndex(of: UInt8(ascii: "\n")) ?? start - 1) + 1
                index = end + 2
                continue
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                contentLines.insert(line)
                let quote = bytes[index]
                index += 1
                while index < bytes.count, bytes[index] != quote {
                    if bytes[index] == UInt8(ascii: "\\") { index += 1 }
                    index += 1
                }
            default: contentLines.insert(line)
            }
            index += 1
        }
    }
}

extension Mark {
    fileprivate func isBefore(_ other: Mark) -> Bool {
        line == other.line ? column < other.column : line < other.line
    }
}
