internal import SDJavaTime
internal import SDPlatform
internal import SDRegularExpressions

/// The placeholders `${xmlunit.…}` in the texts and attribute values of an expected document.
struct XMLPlaceholders: Sendable {
    private var texts: [Int32: XMLPlaceholder] = [:]
    private var attributes: [Int: XMLPlaceholder] = [:]

    init(in tree: XMLTree, _ options: XMLEquality.Options) {
        guard let syntax = XMLPlaceholderSyntax(options) else { return }
        for (index, node) in tree.nodes.enumerated() where node.kind == .text {
            let index = Int32(truncatingIfNeeded: index)
            texts[index] = syntax.placeholder(in: tree.content(index))
        }
        for (index, attribute) in tree.attributes.enumerated() {
            attributes[index] = syntax.placeholder(in: attribute.value[...])
        }
    }

    func text(_ node: Int32) -> XMLPlaceholder? { texts[node] }
    func attribute(_ index: Int) -> XMLPlaceholder? { attributes[index] }
}

/// A placeholder, by what it accepts.
enum XMLPlaceholder: Sendable {
    /// Any text, or none.
    case ignore
    case isNumber
    /// A date in one of the formats.
    case isDateTime([SimpleDateText])
    /// A text in which the expression is found.
    case matchesRegex(JavaRegex)
    /// No text: the operand is invalid.
    case never

    /// Whether a text fits.
    /// - Parameter text: nil if the text or attribute is missing.
    func accepts(_ text: ArraySlice<UInt8>?, _ budget: WorkBudget) -> Bool {
        if case .ignore = self { return true }
        guard let text, !text.isEmpty else { return false }
        switch self {
        case .ignore: return true
        case .isNumber: return Self.isNumber(text.trimmed())
        case .isDateTime(let formats): return formats.contains { $0.canRead(text) }
        case .matchesRegex(let regex): return regex.match(text.trimmed(), budget) == .match
        case .never: return false
        }
    }

    /// Whether the text is `[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?`.
    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        func digits() -> Int {
            let count = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }.count
            rest = rest.dropFirst(count)
            return count
        }
        func skip(_ characters: String) -> Bool {
            guard let first = rest.first, characters.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        _ = skip("-+")
        let whole = digits()
        let fraction = skip(".") ? digits() : whole
        guard fraction > 0 else { return false }
        if skip("eE") {
            _ = skip("-+")
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }
}

/// The syntax of placeholders, `OPENING xmlunit.KEYWORD(ARGUMENT) CLOSING`, with regular expressions as delimiters.
private struct XMLPlaceholderSyntax {
    private static let prefix = "xmlunit.".utf8Bytes
    /// Must match the whole text before the prefix, or after the content.
    private let opening: JavaRegex
    private let closing: JavaRegex

    /// The formats of `isDateTime` without a pattern: ISO dates and Java's short English ones. Longer forms with a time
    /// start with these, and text after the date is ignored.
    private static let defaultDates = ["yyyy-MM-dd", "M/d/yy"].compactMap { try? SimpleDateText($0) }

    /// Compiles the delimiters. Nil if one is not a regular expression; then there are no placeholders.
    init?(_ options: XMLEquality.Options) {
        let open = options.placeholderOpeningDelimiterRegex ?? ""
        let close = options.placeholderClosingDelimiterRegex ?? ""
        guard
            let opening = try? JavaRegex("\\s*(?:\(open.utf8.trimmed().isEmpty ? "\\$\\{" : open))\\s*"),
            let closing = try? JavaRegex("\\s*(?:\(close.utf8.trimmed().isEmpty ? "\\}" : close))\\s*")
        else { return nil }
        self.opening = opening
        self.closing = closing
    }

    /// The placeholder in a text; nil if there is none, or there is other text beside it.
    func placeholder(in text: ArraySlice<UInt8>) -> XMLPlaceholder? {
        guard let content = content(of: text.trimmed()) else { return nil }
        let (keyword, argument) = Self.split(content)
        switch keyword {
        case "ignore": return .ignore
        case "isNumber": return .isNumber
        case "isDateTime":
            guard let argument else { return .isDateTime(Self.defaultDates) }
            return (try? SimpleDateText(argument)).map { .isDateTime([$0]) } ?? .never
        case "matchesRegex":
            guard let argument, let regex = try? JavaRegex(argument, [.anywhere, .dotStopsAtLineEnds])
            else { return .never }
            return .matchesRegex(regex)
        default: return nil
        }
    }

    private func content(of text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let start = text.indices.first(where: { text[$0...].starts(with: Self.prefix) }),
            opening.matches(text[..<start])
        else { return nil }
        let rest = text[(start + Self.prefix.count)...]
        // The content is as long as possible, and not empty.
        for end in rest.indices.dropFirst().reversed() where closing.matches(rest[end...]) {
            return rest[..<end].trimmed()
        }
        return nil
    }

    /// Splits the content into its keyword and the argument in parentheses.
    private static func split(_ content: ArraySlice<UInt8>) -> (keyword: String, argument: String?) {
        let whole = (String(decoding: content, as: UTF8.self), String?.none)
        guard let open = content.firstIndex(of: UInt8(ascii: "(")), content.last == UInt8(ascii: ")")
        else { return whole }
        let argument = content[(open + 1)..<(content.endIndex - 1)].trimmed()
        guard !argument.isEmpty else { return whole }
        return (
            String(decoding: content[..<open].trimmed(), as: UTF8.self), String(decoding: argument, as: UTF8.self)
        )
    }
}
