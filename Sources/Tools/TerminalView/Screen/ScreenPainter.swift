/// Turns screens into terminal output: the changed lines, in one write.
public struct ScreenPainter: Sendable {
    /// Whether colours are used besides bold, dim and reverse.
    public var hasColours: Bool
    private var shown: [ScreenLine] = []
    private var rows = 0
    private var columns = 0
    private var isStale = true

    public init(hasColours: Bool) {
        self.hasColours = hasColours
    }

    /// Switches to the alternate screen, without a cursor and without wrapping: if the terminal disagrees about a
    /// width, a column is wrong, never a line.
    public static let enter = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[H\u{1b}[2J"
    /// Undoes `enter`.
    public static let leave = "\u{1b}[0m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

    /// Makes the next screen a complete repaint.
    public mutating func forget() { isStale = true }

    /// The output that makes the terminal show the lines; empty if it already does.
    public mutating func paint(_ lines: [ScreenLine], rows: Int, columns: Int) -> String {
        var out = ""
        if isStale || rows != self.rows || columns != self.columns {
            out += "\u{1b}[0m\u{1b}[2J"
            shown = []
        }
        (self.rows, self.columns, isStale) = (rows, columns, false)
        let new = (0..<rows).map { $0 < lines.count ? lines[$0].cut(to: columns) : ScreenLine() }
        for (index, line) in new.enumerated() where index >= shown.count || shown[index] != line {
            if index >= shown.count, line.width == 0 { continue }
            out += "\u{1b}[\(index + 1);1H" + text(of: line)
            if line.width < columns { out += "\u{1b}[K" }
        }
        shown = new
        return out
    }

    private func text(of line: ScreenLine) -> String {
        var out = ""
        for span in line.spans {
            let codes = span.style.codes(withColours: hasColours)
            if codes.isEmpty {
                out += span.text
            } else {
                out += "\u{1b}[\(codes.map(String.init).joined(separator: ";"))m\(span.text)\u{1b}[0m"
            }
        }
        return out
    }
}
