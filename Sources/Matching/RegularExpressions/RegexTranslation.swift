/// The tokens in PCRE2's spelling, with a map back to their positions.
struct RegexTranslation {
    private(set) var text: [UInt8] = []
    private var origins: [(start: Int, offset: Int)] = []

    init(_ tokens: [RegexToken]) {
        text.reserveCapacity(tokens.count * 4)
        origins.reserveCapacity(tokens.count)
        for token in tokens { append(token) }
    }

    /// Translates the expression with callouts: in each group, before repeatable parts, and before each backreference.
    /// So between two callouts a match walks along its subject at most once.
    init(guarded tokens: [RegexToken]) {
        for (index, token) in tokens.enumerated() {
            if token.isRepeatable, index + 1 < tokens.count, case .quantifier = tokens[index + 1].kind {
                text.append(contentsOf: Self.callout)
            } else if token.isBackreference {
                text.append(contentsOf: Self.callout)
            } else if index == 0 {
                // With `.anywhere`, each position in the subject starts here.
                text.append(contentsOf: Self.callout)
            }
            append(token)
            if case .open = token.kind { text.append(contentsOf: Self.callout) }
        }
    }

    private static let callout = Array("(?C1)".utf8)

    private mutating func append(_ token: RegexToken) {
        origins.append((text.count, token.offset))
        switch token.kind {
        case .literal(let scalar) where scalar.isASCIIAlphanumeric:
            text.append(UInt8(truncatingIfNeeded: scalar.value))
        case .literal("/"): text.append(contentsOf: "\\x{2f}".utf8)
        case .literal(let scalar): text.append(contentsOf: scalar.escapedForPCRE2.utf8)
        case .atom(let part), .assertion(let part), .open(let part), .flags(let part, _), .quantifier(let part, _):
            text.append(contentsOf: part.utf8)
        case .close: text.append(UInt8(ascii: ")"))
        case .alternation: text.append(UInt8(ascii: "|"))
        }
    }

    /// The position in the Java pattern that corresponds to a position in `text`.
    func origin(of position: Int) -> Int {
        origins.last { $0.start <= position }?.offset ?? 0
    }
}

extension RegexToken {
    /// Whether a following quantifier repeats this token alone, as opposed to a group.
    fileprivate var isRepeatable: Bool {
        switch kind {
        case .literal, .atom, .assertion: true
        default: false
        }
    }

    /// Whether it compares two parts of the subject.
    var isBackreference: Bool {
        guard case .atom(let text) = kind else { return false }
        return text.hasPrefix("\\g{") || text.hasPrefix("\\k<")
    }
}
