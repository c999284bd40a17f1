/// One element of a Java regular expression, already rendered for PCRE2 where the two spell it alike.
struct RegexToken {
    enum Kind {
        /// One character that stands for itself.
        case literal(Unicode.Scalar)
        /// Any other atom that consumes characters: a class, a dot, a backreference.
        case atom(String)
        /// Consumes nothing: `^`, `$`, `\b`, `\G`.
        case assertion(String)
        /// `(`, `(?:`, `(?<name>`, a look-around, `(?i:`.
        case open(String)
        case close
        case alternation
        /// Flags that hold to the end of the group; the text is empty if PCRE2 needs none of them.
        case flags(String, ignoresCase: Bool)
        case quantifier(String, minimum: Int)
    }

    let kind: Kind
    /// The place in the pattern, in Unicode scalars from 0.
    let offset: Int
}

extension Unicode.Scalar {
    /// The scalar as PCRE2 reads it literally, inside and outside of a class.
    var escapedForPCRE2: String {
        if self.isASCIIAlphanumeric {
            String(self)
        } else {
            "\\x{" + String(value, radix: 16) + "}"
        }
    }

    var isASCIIAlphanumeric: Bool {
        isASCIILetter || isASCIIDigit
    }

    var isASCIILetter: Bool {
        ("a"..."z").contains(self) || ("A"..."Z").contains(self)
    }

    var isASCIIDigit: Bool {
        ("0"..."9").contains(self)
    }

    /// White space that the flag `x` drops from a pattern.
    var isPatternWhitespace: Bool {
        self == " " || (0x9...0xD).contains(value)
    }
}

extension [RegexToken] {
    /// What every matching subject begins with, in UTF-8; empty where nothing is certain.
    ///
    /// The prefix is cut before the first thing that is not a plain character: a class, a group, an optional character,
    /// a flag that ignores case. Assertions consume nothing and are stepped over. A pattern with alternatives on its
    /// outermost level has none.
    var literalPrefix: [UInt8] {
        guard !hasTopLevelAlternation else { return [] }
        var prefix: [UInt8] = []
        for (index, token) in enumerated() {
            let repetition: Int? =
                if index + 1 < count, case .quantifier(_, let minimum) = self[index + 1].kind { minimum } else { nil }
            switch token.kind {
            case .literal(let scalar):
                if repetition == 0 { return prefix }
                prefix.append(contentsOf: UTF8.encode(scalar) ?? .init())
                if repetition != nil { return prefix }
            case .assertion where repetition == nil:
                continue
            case .flags(_, ignoresCase: false):
                continue
            default:
                return prefix
            }
        }
        return prefix
    }

    private var hasTopLevelAlternation: Bool {
        var depth = 0
        for token in self {
            switch token.kind {
            case .open: depth += 1
            case .close: depth -= 1
            case .alternation where depth == 0: return true
            default: continue
            }
        }
        return false
    }
}
