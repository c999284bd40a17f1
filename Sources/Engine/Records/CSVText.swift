import SDJSON

/// Comma-separated values (RFC 4180), in UTF-8, whose first line has the names of the fields. They represent a list of
/// objects.
struct CSVText {
    /// A value as written.
    struct Cell {
        let text: String
        let isQuoted: Bool
        /// The offset of its first byte.
        let offset: Int
    }

    let header: [Cell]
    let rows: [[Cell]]
    /// The bytes before the header: none, or a byte order mark.
    let mark: [UInt8]
    /// The line ending of the first line.
    let lineEnd: [UInt8]
    private let bytes: ArraySlice<UInt8>

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// - Throws: the first error, with its position.
    init(_ text: [UInt8]) throws(DataProblem) {
        mark = text.starts(with: Self.byteOrderMark) ? Self.byteOrderMark : []
        bytes = text[mark.count...]
        var reader = CSVReader(bytes)
        guard let header = try reader.row() else {
            throw reader.problem(
                at: bytes.startIndex, "there is no header line", "a first line with the names of the fields")
        }
        self.header = header
        lineEnd = reader.firstLineEnd ?? [UInt8(ascii: "\n")]
        try Self.check(header, reader)
        var rows: [[Cell]] = []
        while let row = try reader.row() {
            if row.count != header.count {
                let offset = row.count > header.count ? row[header.count].offset : row[0].offset
                throw reader.problem(
                    at: offset, "a line with another number of values than the header", String(header.count),
                    found: String(row.count))
            }
            rows.append(row)
        }
        self.rows = rows
    }

    private static func check(_ header: [Cell], _ reader: CSVReader) throws(DataProblem) {
        var seen: Set<String> = []
        for cell in header {
            if cell.text.isEmpty {
                throw reader.problem(at: cell.offset, "a field without a name", "a name in the header")
            }
            if cell.text.first == " " || cell.text.last == " " {
                throw reader.problem(
                    at: cell.offset, "a field whose name has a blank at its end", "no blanks beside the commas",
                    found: "\"\(cell.text)\"")
            }
            if !seen.insert(cell.text).inserted {
                throw reader.problem(at: cell.offset, "the field \"\(cell.text)\" is there twice", "each field once")
            }
        }
        if header.count == 1, let other = header[0].text.first(where: { $0 == ";" || $0 == "\t" }) {
            throw reader.problem(
                at: header[0].offset, "the header has no commas", "commas between the names",
                found: other == ";" ? "semicolons" : "tabs")
        }
    }

    /// The list of objects. Every object has all fields.
    var json: JSONValue {
        .array(
            rows.map { row in
                .object(JSONObject(zip(header, row).map { ($0.text, Self.value($1)) }))
            })
    }

    /// The position of the value at a pointer; for a row, its start.
    func position(of pointer: JSONPointer) -> TextPosition {
        var cell = header[0]
        if let index = pointer.tokens.first.flatMap({ Int($0) }), rows.indices.contains(index) {
            let column = pointer.tokens.dropFirst().first.flatMap { name in header.firstIndex { $0.text == name } }
            cell = rows[index][column ?? 0]
        }
        return TextPosition(offset: cell.offset - bytes.startIndex, in: bytes)
    }

    // MARK: Values

    /// A value in quotes is text. Otherwise, an empty value is null, `true` and `false` are booleans, and a number is
    /// one that would be written the same way.
    private static func value(_ cell: Cell) -> JSONValue {
        cell.isQuoted ? .string(cell.text) : plainValue(cell.text)
    }

    /// The meaning of an unquoted value.
    static func plainValue(_ text: String) -> JSONValue {
        switch text {
        case "": return .null
        case "true", "TRUE": return .bool(true)
        case "false", "FALSE": return .bool(false)
        default: return isNumber(text) ? JSONNumber(text: text).map(JSONValue.number) ?? .string(text) : .string(text)
        }
    }

    /// Whether a text is certainly a number rather than a code or phone number: `007`, `+49`, `1e5` and numbers of more
    /// than 15 digits, which programs cannot store exactly, are texts.
    private static func isNumber(_ text: String) -> Bool {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        let parts = digits.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard digits.count <= 16, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0 &- 0x30 < 10 } }) else {
            return false
        }
        let whole = parts[0]
        guard whole.count == 1 || whole.first != UInt8(ascii: "0") else { return false }
        return parts.reduce(0) { $0 + $1.count } <= 15
    }
}

/// Parses the lines of a CSV text one after another.
private struct CSVReader {
    private let bytes: ArraySlice<UInt8>
    private var index: Int
    /// The line ending of the first line; nil before it was read, and for a text of one line.
    private(set) var firstLineEnd: [UInt8]?

    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    /// The values of the next non-empty line; nil at the end.
    /// - Throws: the first error in it.
    mutating func row() throws(DataProblem) -> [CSVText.Cell]? {
        while index < bytes.endIndex, skipLineEnd() {}
        guard index < bytes.endIndex else { return nil }
        var row: [CSVText.Cell] = []
        while true {
            row.append(try cell())
            guard index < bytes.endIndex, bytes[index] == Self.comma else { break }
            index += 1
        }
        _ = skipLineEnd()
        return row
    }

    private mutating func skipLineEnd() -> Bool {
        let begin = index
        if index < bytes.endIndex, bytes[index] == 0x0D { index += 1 }
        if index < bytes.endIndex, bytes[index] == 0x0A { index += 1 }
        if firstLineEnd == nil, index > begin { firstLineEnd = Array(bytes[begin..<index]) }
        return index > begin
    }

    private func isEnd(_ byte: UInt8) -> Bool { byte == Self.comma || byte == 0x0D || byte == 0x0A }

    private mutating func cell() throws(DataProblem) -> CSVText.Cell {
        let begin = index
        if index < bytes.endIndex, bytes[index] == Self.quote { return try quotedCell() }
        while index < bytes.endIndex, !isEnd(bytes[index]) {
            if bytes[index] == Self.quote {
                throw problem(
                    at: index, "a quote within a value", "quotes around the whole value, and two for each in it")
            }
            index += 1
        }
        return CSVText.Cell(text: try text(bytes[begin..<index], at: begin), isQuoted: false, offset: begin)
    }

    private mutating func quotedCell() throws(DataProblem) -> CSVText.Cell {
        let begin = index
        var content: [UInt8] = []
        index += 1
        while true {
            guard index < bytes.endIndex else {
                throw problem(at: begin, "a value in quotes that does not end", "a quote at its end")
            }
            if bytes[index] == Self.quote {
                index += 1
                guard index < bytes.endIndex, bytes[index] == Self.quote else { break }
            }
            content.append(bytes[index])
            index += 1
        }
        if index < bytes.endIndex, !isEnd(bytes[index]) {
            throw problem(
                at: index, "a value that goes on after its quotes",
                "a comma or the end of the line, or two quotes for one",
                found: bytes[index...].prefix(1).first.flatMap { $0 < 0x80 ? "\"\(UnicodeScalar($0))\"" : nil })
        }
        return CSVText.Cell(text: try text(content[...], at: begin), isQuoted: true, offset: begin)
    }

    private func text(_ bytes: ArraySlice<UInt8>, at offset: Int) throws(DataProblem) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw problem(at: offset, "not UTF-8", "a text in UTF-8, as \"CSV UTF-8\" of a spreadsheet is")
        }
        return text
    }

    func problem(at offset: Int, _ message: String, _ expected: String?, found: String? = nil) -> DataProblem {
        DataProblem(
            position: TextPosition(offset: offset - bytes.startIndex, in: bytes),
            message: "not valid CSV: \(message)", expected: expected, found: found)
    }
}
