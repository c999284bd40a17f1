/// The two columns of the report on an unmatched request in WireMock's exact layout, because tests of clients compare
/// every line, space and dash.
package struct ReportLayout {
    /// A cell of the stub and a cell of the request.
    package struct Row: Equatable {
        var stub: String
        var request = ""
        /// Why the row does not match; nil if it does.
        var message: String?

        static let empty = Row(stub: "")

        /// The row with control characters escaped. WireMock prints them raw.
        var escapingControls: Row {
            Row(
                stub: ReportLayout.escapingControls(stub), request: ReportLayout.escapingControls(request),
                message: message.map(ReportLayout.escapingControls))
        }
    }

    private let width: Int
    private let middle: Int
    private let column: Int

    /// WireMock's default width.
    package static let standardWidth = 119
    /// The maximum width. Every row is padded to the middle, so the width determines the size.
    static let largestWidth = 1_000

    /// The maximum number of padding characters: a body of line ends has as many lines as bytes.
    static let largestFilling = 2 << 20

    /// Makes a layout.
    /// - Parameter width: the length of a line in characters. If it is too small for two columns, the standard width is
    ///   used; at most `largestWidth`.
    package init(width: Int) {
        self.width = width >= 12 ? min(width, Self.largestWidth) : Self.standardWidth
        middle = self.width / 2 - 1
        column = self.width / 2 - 2
    }

    /// The report as UTF-8.
    package func bytes(_ rows: [Row]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((rows.count + 8) * (width + 1))
        text.append("\n")
        text.append(middle - 11, of: Self.blanks)
        text.append("Request was not matched\n")
        text.append(middle - 11, of: Self.blanks)
        text.append("=======================\n\n")
        text.append(width, of: Self.dashes)
        text.append("\n|")
        text.append(" Closest stub", upTo: middle)
        text.append("|")
        text.append(" Request", upTo: middle)
        text.append("|\n")
        text.append(width, of: Self.dashes)
        text.append("\n")
        var room = Self.largestFilling / middle
        add(.empty, to: &text, &room)
        for row in rows { add(row.escapingControls, to: &text, &room) }
        add(.empty, to: &text, &room)
        text.append(width, of: Self.dashes)
        text.append("\n")
        return text
    }

    /// Adds a row.
    /// - Parameter room: the number of lines left for the report; a row takes at least one.
    private func add(_ row: Row, to text: inout [UInt8], _ room: inout Int) {
        if isLine(row.stub), isLine(row.request) {
            room -= 1
            addLine(row.stub, row.request, row.message, to: &text)
            return
        }
        let left = lines(row.stub)
        let right = lines(row.request)
        let count = max(left.count, right.count)
        let shown = min(count, max(room, 1))
        room -= shown
        for index in 0..<shown {
            let message = index == 0 ? row.message : nil
            addLine(
                index < left.count ? left[index] : "", index < right.count ? right[index] : "", message, to: &text)
        }
        if shown < count {
            let more = "... and \(count - shown) more lines"
            addLine(shown < left.count ? more : "", shown < right.count ? more : "", nil, to: &text)
        }
    }

    private func addLine(_ left: String, _ right: String, _ message: String?, to text: inout [UInt8]) {
        text.append(left, upTo: middle + 1)
        text.append("|")
        if !right.isEmpty { text.append(" ") }
        if let message {
            text.append(right, upTo: right.isEmpty ? middle - 5 : middle - 6)
            text.append("<<<<< ")
            text.append(message)
        } else {
            text.append(right)
        }
        text.append("\n")
    }

    fileprivate static let blanks = [UInt8](repeating: UInt8(ascii: " "), count: largestWidth)
    private static let dashes = [UInt8](repeating: UInt8(ascii: "-"), count: largestWidth)

    /// The text with its control characters written as in JSON, except for line ends and tabs.
    private static func escapingControls(_ text: String) -> String {
        // In UTF-8, control characters beyond ASCII start with this byte.
        let mayHold = text.utf8.contains { $0 < 0x20 && $0 != 0x0a && $0 != 0x09 || $0 == 0x7f || $0 == 0xc2 }
        guard mayHold else { return text }
        var shown = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar.value {
            case 0x09, 0x0a: shown.append(scalar)
            case 0x0d where rest.first == "\n": shown.append(scalar)
            case 0x0d: shown.append(contentsOf: "\\r".unicodeScalars)
            case 0..<0x20, 0x7f..<0xa0:
                let digits = String(scalar.value, radix: 16)
                let zeros = String(repeating: "0", count: 4 - digits.count)
                shown.append(contentsOf: "\\u\(zeros)\(digits)".unicodeScalars)
            default: shown.append(scalar)
            }
        }
        return String(shown)
    }

    // MARK: - Wrapping

    /// Whether a cell fits on one line.
    private func isLine(_ text: String) -> Bool {
        text.utf16.count <= column && !text.utf8.contains(UInt8(ascii: "\n"))
    }

    /// The lines of a cell. They are wrapped only if one is too long; blank lines are then dropped.
    private func lines(_ text: String) -> [String] {
        let lines = Self.lines(of: text)
        guard lines.contains(where: { $0.utf16.count > column }) else { return lines }
        return wrapped(text).flatMap(Self.lines).filter { !$0.isEmpty }
    }

    /// The lines of a text without trailing empty ones.
    private static func lines(of text: String) -> [String] {
        guard text.utf8.contains(UInt8(ascii: "\n")) else { return [text] }
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
        while lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// Breaks a text at a space within the width, otherwise inside a word. The space at a break is dropped, and so are
    /// spaces after it. Line ends count as ordinary characters, so that texts of several lines break as in WireMock.
    private func wrapped(_ text: String) -> [String] {
        var pieces: [String] = []
        var rest = Array(text)[...]
        while true {
            rest = rest.drop { $0 == " " }
            guard rest.count > column else { break }
            let limit = rest.startIndex + column
            if let space = rest[...min(limit, rest.endIndex - 1)].lastIndex(of: " ") {
                pieces.append(String(rest[..<space]))
                rest = rest[(space + 1)...]
            } else {
                pieces.append(String(rest[..<limit]))
                rest = rest[limit...]
            }
        }
        return pieces + [String(rest)]
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ text: String) { append(contentsOf: text.utf8) }

    /// Adds a cell's text, padded with spaces to the width.
    fileprivate mutating func append(_ cell: String, upTo width: Int) {
        append(cell)
        append(width - cell.utf16.count, of: ReportLayout.blanks)
    }

    /// Adds the first `count` characters; none for a negative number.
    fileprivate mutating func append(_ count: Int, of characters: [UInt8]) {
        if count > 0 { append(contentsOf: characters.prefix(count)) }
    }
}
