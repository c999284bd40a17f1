/// The two columns of the report on an unmatched request in WireMock's exact layout, because tests of clients compare
/// every line, space and dash.
struct ReportLayout {
    /// A cell of the stub and one of the request.
    struct Row: Equatable {
        var stub: String
        var request = ""
        /// The reason why the row does not match; nil if it does.
        var message: String?

        static let empty = Row(stub: "")
    }

    private let width: Int
    private let middle: Int
    private let column: Int

    /// WireMock's default width.
    static let standardWidth = 119
    /// The largest width. Every row is filled up to the middle, so the width determines the size.
    static let largestWidth = 1_000

    /// The largest number of characters that fill up lines: a body of line ends makes as many lines as it has bytes.
    static let largestFilling = 2 << 20

    /// Makes a layout.
    /// - Parameter width: the length of a line in characters. The standard width is used if it is too small for two
    ///   columns, and `largestWidth` if it is larger than that.
    init(width: Int) {
        self.width = width >= 12 ? min(width, Self.largestWidth) : Self.standardWidth
        middle = self.width / 2 - 1
        column = self.width / 2 - 2
    }

    func text(_ rows: [Row]) -> String {
        let indent = Self.blanks(middle - 11)
        let line = String(repeating: "-", count: width)
        var text = "\n\(indent)Request was not matched\n\(indent)=======================\n\n\(line)\n"
        text += "|" + padded(" Closest stub", middle) + "|" + padded(" Request", middle) + "|\n\(line)\n"
        var room = Self.largestFilling / middle
        for row in [.empty] + rows + [.empty] { text += self.text(row, &room) }
        return text + line + "\n"
    }

    /// The text of a row.
    /// - Parameter room: the number of lines left for the report; a row takes at least one.
    private func text(_ row: Row, _ room: inout Int) -> String {
        let left = lines(row.stub)
        let right = lines(row.request)
        let count = max(left.count, right.count)
        let shown = min(count, max(room, 1))
        room -= shown
        var text = ""
        for index in 0..<shown {
            let message = index == 0 ? row.message : nil
            text += line(index < left.count ? left[index] : "", index < right.count ? right[index] : "", message)
        }
        if shown < count {
            let more = "... and \(count - shown) more lines"
            text += line(shown < left.count ? more : "", shown < right.count ? more : "", nil)
        }
        return text
    }

    private func line(_ left: String, _ right: String, _ message: String?) -> String {
        var line = padded(left, middle + 1) + "|"
        if right.isEmpty {
            if let message { line += Self.blanks(middle - 5) + "<<<<< " + message }
        } else {
            line += " "
            line += message.map { padded(right, middle - 6) + "<<<<< " + $0 } ?? right
        }
        return line + "\n"
    }

    private func padded(_ text: String, _ width: Int) -> String {
        let count = text.utf16.count
        return count < width ? text + Self.blanks(width - count) : text
    }

    /// Half a line at most.
    private static func blanks(_ count: Int) -> Substring { allBlanks.prefix(max(count, 0)) }

    private static let allBlanks = String(repeating: " ", count: largestWidth)

    // MARK: - Wrapping

    /// The lines of a cell. They are wrapped only if one is too long for the column; then blank lines are dropped.
    private func lines(_ text: String) -> [String] {
        let lines = Self.lines(of: text)
        guard lines.contains(where: { $0.utf16.count > column }) else { return lines }
        return wrapped(text).flatMap(Self.lines).filter { !$0.isEmpty }
    }

    /// The lines of a text without empty lines at its end.
    private static func lines(of text: String) -> [String] {
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.map(String.init)
        while lines.count > 1, lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// Breaks a text at spaces if there is one within the width, otherwise within a word. The space at a break is
    /// dropped, and so are spaces after it. Line ends count as ordinary characters, so that a text of several lines is
    /// broken as in WireMock.
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
