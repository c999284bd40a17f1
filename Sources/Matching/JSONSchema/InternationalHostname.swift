import SDBasics

/// Host names in all scripts, by those rules of IDNA 2008 (RFC 5891 to 5893) that need no tables but Unicode's
/// categories.
enum InternationalHostname {
    static func isValid(_ text: String) -> Bool {
        guard text.utf8.count <= 1_016 else { return false }
        let dots: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]
        let labels = text.unicodeScalars.split(omittingEmptySubsequences: false) { dots.contains($0) }
        guard labels.allSatisfy({ isLabel(Array($0)) }) else { return false }
        return labels.reduce(labels.count - 1) { $0 + asciiLength(Array($1)) } <= 253
    }

    private static func isLabel(_ label: [Unicode.Scalar]) -> Bool {
        guard let first = label.first, label.count <= 63, first != "-", label.last != "-" else { return false }
        if label.allSatisfy(\.isASCII) {
            return HostFormats.isHostname(label.map { UInt8(truncatingIfNeeded: $0.value) }[...])
        }
        if label.count >= 4, label[2] == "-", label[3] == "-" { return false }
        switch first.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return false
        default: break
        }
        return encodedLength(label) <= 63 && label.indices.allSatisfy { isAllowed(label, $0) } && mixesNoDigits(label)
    }

    private static func isAllowed(_ label: [Unicode.Scalar], _ place: Int) -> Bool {
        let scalar = label[place]
        let before = place > 0 ? label[place - 1] : nil
        let after = place + 1 < label.count ? label[place + 1] : nil
        switch scalar {
        case "-", "a"..."z", "A"..."Z", "0"..."9", "\u{DF}", "\u{3C2}", "\u{6FD}", "\u{6FE}", "\u{F0B}", "\u{3007}":
            return true
        // RFC 5892, appendix A: characters allowed in some contexts.
        case "\u{B7}": return before == "l" && after == "l"
        case "\u{375}": return after.map { (0x370...0x3FF).contains($0.value) } ?? false
        case "\u{5F3}", "\u{5F4}": return before.map { (0x590...0x5FF).contains($0.value) } ?? false
        case "\u{30FB}": return label.contains(where: isJapanese)
        case "\u{200C}", "\u{200D}":
            return before?.properties.canonicalCombiningClass == .virama
                || scalar == "\u{200C}" && before.map(isJoining) == true && after.map(isJoining) == true
        case "\u{640}", "\u{7FA}", "\u{302E}", "\u{302F}", "\u{3031}"..."\u{3035}", "\u{303B}": return false
        default: break
        }
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark, .decimalNumber:
            return !scalar.properties.changesWhenNFKCCaseFolded
        case .uppercaseLetter: return true
        default: return false
        }
    }

    private static func isJapanese(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x4DBF, 0x4E00...0x9FFF: true
        default: false
        }
    }

    /// Whether the letter belongs to a script whose letters join.
    private static func isJoining(_ scalar: Unicode.Scalar) -> Bool {
        (0x620...0x8FF).contains(scalar.value)
    }

    /// Whether a label does not mix Arabic and extended Arabic digits.
    private static func mixesNoDigits(_ label: [Unicode.Scalar]) -> Bool {
        !(label.contains { (0x660...0x669).contains($0.value) }
            && label.contains { (0x6F0...0x6F9).contains($0.value) })
    }

    private static func asciiLength(_ label: [Unicode.Scalar]) -> Int {
        label.allSatisfy(\.isASCII) ? label.count : encodedLength(label)
    }

    /// The length of a label beyond ASCII when it is encoded as an `xn--` label.
    private static func encodedLength(_ label: [Unicode.Scalar]) -> Int { 4 + Punycode.encoded(label).count }

    /// Whether an `xn--` label encodes a valid label beyond ASCII.
    static func isPunycode(_ label: ArraySlice<UInt8>) -> Bool {
        guard label.count > 4, label.prefix(2).map({ $0 | 0x20 }).elementsEqual("xn".utf8) else { return false }
        guard let decoded = Punycode.decoded(label.dropFirst(4)) else { return false }
        return !decoded.contains { $0.properties.generalCategory == .uppercaseLetter } && isLabel(decoded)
    }
}
