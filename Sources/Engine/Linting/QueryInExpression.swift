import SDBasics

/// Finds a `?` in a regular expression of a URL that was meant to start the query, as in `/thing?x=1`, where it makes
/// the `g` optional.
///
/// Such a `?` precedes a name and `=`, and nothing before it can match a `?`: neither `\?` and `[?]` nor `.` and
/// `[^/]`. So `https?://`, `/things/?`, `.*?`, `(?:a|b)`, `a{1,2}?` and `/search\?colou?r=red` are not affected.
struct QueryInExpression {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var depth = 0
    private var hasAlternatives = false

    private enum Atom {
        /// A literal backslash, written as two.
        case backslash
        /// `(…/)`: followed by `?`, an optional part of the path.
        case segments
        case other
    }

    private var lastAtom: Atom?
    /// The expression with the `?` escaped; nil if none was meant to start a query.
    private(set) var corrected: String?
    /// Whether a match must contain a `?`.
    private(set) var requiresQuestionMark = false

    init(_ expression: String) {
        scalars = Array(expression.unicodeScalars)
        // Free-spacing mode is another syntax, which is unlikely for URLs.
        guard !expression.contains(text: "(?x"), !expression.contains(text: "\\Q") else { return }
        while index < scalars.count, step() {}
    }

    /// Parses one element. Returns false if the rest does not matter.
    private mutating func step() -> Bool {
        let scalar = scalars[index]
        switch scalar {
        case "\\": return stepOverEscape()
        case "[": return stepOverClass()
        case "(":
            depth += 1
            index += 1
            if index < scalars.count, scalars[index] == "?" { return stepOverGroupSyntax() }
            lastAtom = nil
        case ")":
            depth -= 1
            lastAtom = index > 0 && scalars[index - 1] == "/" ? .segments : .other
            index += 1
        case "|":
            hasAlternatives = true
            lastAtom = nil
            index += 1
        case ".": return false
        case "?":
            if meansQuery() { return false }
            index += 1
        default:
            if !["*", "+", "{", "}", "^", "$"].contains(scalar) { lastAtom = .other }
            index += 1
        }
        return true
    }

    private mutating func stepOverEscape() -> Bool {
        guard index + 1 < scalars.count else { return false }
        let escaped = scalars[index + 1]
        index += 2
        switch escaped {
        case "?":
            requiresQuestionMark = depth == 0 && !isOptional(at: index) && !hasAlternativesAnywhere
            return false
        // These classes contain a `?`, and a property may.
        case "W", "D", "S", "H", "V", "N", "p", "P", "R", "X", "x", "u", "0", "c": return false
        case "\\": lastAtom = .backslash
        default: lastAtom = .other
        }
        return true
    }

    private var hasAlternativesAnywhere: Bool { hasAlternatives || scalars.contains("|") }

    private func isOptional(at index: Int) -> Bool {
        index < scalars.count && ["?", "*", "{"].contains(scalars[index])
    }

    /// Skips a class that cannot contain `?`. Returns false for ranges over it, negation, nested classes and unusual
    /// escapes.
    private mutating func stepOverClass() -> Bool {
        var place = index + 1
        var previous: Unicode.Scalar?
        while place < scalars.count {
            let scalar = scalars[place]
            switch scalar {
            case "]" where place > index + 1:
                index = place + 1
                lastAtom = .other
                return true
            case "^" where place == index + 1: return false
            case "?", "[", "&": return false
            case "\\":
                guard place + 1 < scalars.count, ["d", "w", "-", ".", "/", "_"].contains(scalars[place + 1]) else {
                    return false
                }
                place += 1
                previous = nil
            case "-" where previous != nil && place + 1 < scalars.count && scalars[place + 1] != "]":
                if let first = previous, first < "?", scalars[place + 1] >= "?" { return false }
            default: previous = scalar
            }
            place += 1
        }
        return false
    }

    /// Skips `(?:`, `(?<name>`, a look-around, or flags.
    private mutating func stepOverGroupSyntax() -> Bool {
        let rest = scalars[(index + 1)...]
        guard rest.first == ":" else { return false }
        index += 2
        lastAtom = nil
        return true
    }

    /// Whether a query begins at the `?` at `index`; if so, stores the corrected expression.
    private mutating func meansQuery() -> Bool {
        guard let atom = lastAtom, atom != .segments else { return false }
        let name = scalars[(index + 1)...].prefix { $0.isNamePart }
        guard !name.isEmpty, name.endIndex < scalars.count, scalars[name.endIndex] == "=" else { return false }
        var text = String.UnicodeScalarView(scalars[..<index])
        // `\\?` is an escape that was escaped twice.
        if atom == .backslash { text.removeLast() } else { text.append("\\") }
        text.append(contentsOf: scalars[index...])
        corrected = String(text)
        return true
    }
}

extension Unicode.Scalar {
    /// Whether the character may be in a query parameter's name, in a URL written without regular expressions in mind.
    fileprivate var isNamePart: Bool {
        properties.isAlphabetic || ("0"..."9").contains(self) || self == "_" || self == "-"
    }
}
