/// The style of a part of a line. Colours are the terminal's 16; backgrounds are never set, since the terminal's own is
/// unknown.
public struct ScreenStyle: Sendable, Hashable {
    public enum Colour: Int, Sendable {
        case red = 31
        case green = 32
        case yellow = 33
        case blue = 34
        case magenta = 35
        case cyan = 36
    }

    public var colour: Colour?
    public var isBold = false
    public var isDim = false
    public var isUnderlined = false
    public var isReversed = false

    public init(
        _ colour: Colour? = nil, bold: Bool = false, dim: Bool = false, underlined: Bool = false, reversed: Bool = false
    ) {
        self.colour = colour
        isBold = bold
        isDim = dim
        isUnderlined = underlined
        isReversed = reversed
    }

    public static let plain = ScreenStyle()
    public static let bold = ScreenStyle(bold: true)
    public static let dim = ScreenStyle(dim: true)
    public static let reversed = ScreenStyle(reversed: true)

    /// The parameters of the escape sequence for the style.
    func codes(withColours: Bool) -> [Int] {
        var codes: [Int] = []
        if isBold { codes.append(1) }
        if isDim { codes.append(2) }
        if isUnderlined { codes.append(4) }
        if isReversed { codes.append(7) }
        if withColours, let colour { codes.append(colour.rawValue) }
        return codes
    }
}

/// A line of the screen. Added texts are cleaned, so that they cannot control the terminal.
public struct ScreenLine: Sendable, Hashable {
    struct Span: Sendable, Hashable {
        var text: String
        var style: ScreenStyle
    }

    private(set) var spans: [Span] = []
    /// The number of cells used.
    public private(set) var width = 0
    private let isUnicode: Bool

    public enum Side: Sendable {
        case left
        case right
    }

    public init(isUnicode: Bool = true) {
        self.isUnicode = isUnicode
    }

    /// The text without styles.
    public var text: String { spans.map(\.text).joined() }

    /// Whether a part has this style.
    public func has(_ style: ScreenStyle) -> Bool { spans.contains { $0.style == style } }

    /// Adds a text.
    public mutating func add(_ text: some StringProtocol, _ style: ScreenStyle = .plain) {
        let cleaned = CellText.clean(text, isUnicode: isUnicode)
        append(cleaned, CellText.width(cleaned), style)
    }

    /// Adds a text in a column, cut or padded to its width.
    public mutating func add(
        _ text: some StringProtocol, _ style: ScreenStyle = .plain, width: Int, at side: Side = .left,
        losing elision: CellText.Elision = .end
    ) {
        guard width > 0 else { return }
        let cleaned = CellText.cut(
            CellText.clean(text, isUnicode: isUnicode), to: width, losing: elision, isUnicode: isUnicode)
        let taken = CellText.width(cleaned)
        let blanks = String(repeating: " ", count: width - taken)
        append(side == .left ? cleaned + blanks : blanks + cleaned, width, style)
    }

    /// Adds another line.
    public mutating func add(_ line: ScreenLine) {
        for span in line.spans { append(span.text, CellText.width(span.text), span.style) }
    }

    /// Pads the line with spaces.
    public mutating func fill(to width: Int, _ style: ScreenStyle = .plain) {
        if self.width < width { append(String(repeating: " ", count: width - self.width), width - self.width, style) }
    }

    /// Adds a text that ends at column `end`, if there is room.
    public mutating func add(_ text: String, _ style: ScreenStyle = .plain, endingAt end: Int) {
        let cleaned = CellText.clean(text, isUnicode: isUnicode)
        let taken = CellText.width(cleaned)
        guard width + taken + 1 <= end else { return }
        fill(to: end - taken)
        append(cleaned, taken, style)
    }

    /// The line cut to `width` cells.
    public func cut(to width: Int) -> ScreenLine {
        guard self.width > width else { return self }
        var result = ScreenLine(isUnicode: isUnicode)
        for span in spans {
            let part = CellText.start(of: span.text, width - result.width)
            result.append(part, CellText.width(part), span.style)
            if result.width >= width { break }
        }
        return result
    }

    /// The whole line in reverse, for a selection.
    public func reversed(to width: Int) -> ScreenLine {
        var line = self
        line.fill(to: width)
        for index in line.spans.indices {
            line.spans[index].style.isReversed = true
            line.spans[index].style.isDim = false
        }
        return line
    }

    private mutating func append(_ text: String, _ width: Int, _ style: ScreenStyle) {
        guard !text.isEmpty else { return }
        self.width += width
        if spans.last?.style == style {
            spans[spans.count - 1].text += text
        } else {
            spans.append(Span(text: text, style: style))
        }
    }
}
