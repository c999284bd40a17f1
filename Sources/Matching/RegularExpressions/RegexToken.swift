/// One element of a Java regular expression, already in PCRE2's spelling.
struct RegexToken {
    enum Kind {
        /// A character that stands for itself.
        case literal(Unicode.Scalar)
        /// Any other atom that consumes characters: a class, a dot, a backreference.
        case atom(String)
        /// An assertion, which consumes nothing: `^`, `$`, `\b`, `\G`.
        case assertion(String)
        /// `(`, `(?:`, `(?<name>`, a look-around, `(?i:`.
        case open(String)
        case close
        case alternation
        /// Flags up to the end of the group; the text is empty if PCRE2 needs none of them.
        case flags(String, ignoresCase: Bool)
        case quantifier(String, minimum: Int)
    }

    let kind: Kind
    /// The position in the pattern, in Unicode scalars from 0.
    let offset: Int
}

extension Unicode.Scalar {
    /// The scalar escaped so that PCRE2 takes it literally, inside and outside of a class.
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

    /// Whether the flag `x` drops this scalar from a pattern as white space.
    var isPatternWhitespace: Bool {
        self == " " || (0x9...0xD).contains(value)
    }
}

extension [RegexToken] {
    /// The UTF-8 bytes with which every matching subject starts; empty if none are certain.
    ///
    /// The prefix ends before the first token that is not a plain character: a class, a group, an optional character, a
    /// flag that ignores case. Assertions consume nothing and are skipped. A pattern with alternatives on its top level
    /// has no prefix.
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
