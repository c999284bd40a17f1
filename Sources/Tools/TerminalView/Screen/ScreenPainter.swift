/// Makes of screens what is written to a terminal: the lines that changed, in one piece.
public struct ScreenPainter: Sendable {
    /// Whether colours are written beside bold, dim and reverse.
    public var hasColours: Bool
    private var shown: [ScreenLine] = []
    private var rows = 0
    private var columns = 0
    private var isStale = true

    public init(hasColours: Bool) {
        self.hasColours = hasColours
    }

    /// Another screen, without a cursor and without wrapping: a width that a terminal sees in another way costs a column,
    /// never a line.
    public static let enter = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l\u{1b}[H\u{1b}[2J"
    /// Undoes `enter`.
    public static let leave = "\u{1b}[0m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

    /// Has the next screen written as a whole.
    public mutating func forget() { isStale = true }

    /// What to write so that the terminal shows the lines; empty if it does.
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
