/// Parses the regular expressions of schemas, which are ECMAScript's.
struct PatternParser {
    private var rest: ArraySlice<Unicode.Scalar>
    private var groupCount = 0
    private var groupNames: [String: Int] = [:]
    private var depth = 0
    private var isBroken = false

    init(_ pattern: String) {
        rest = Array(pattern.unicodeScalars)[...]
    }

    mutating func wholePattern() -> PatternText.Node? {
        let node = choice()
        return isBroken || !rest.isEmpty ? nil : node
    }

    private mutating func choice() -> PatternText.Node {
        depth += 1
        defer { depth -= 1 }
        guard depth < 40 else {
            isBroken = true
            return .sequence([])
        }
        var alternatives = [sequence()]
        while !isBroken, rest.first == "|" {
            rest.removeFirst()
            alternatives.append(sequence())
        }
        return alternatives.count == 1 ? alternatives[0] : .choice(alternatives)
    }

    private mutating func sequence() -> PatternText.Node {
        var nodes: [PatternText.Node] = []
        while !isBroken, let next = rest.first, next != "|", next != ")" {
            rest.removeFirst()
            guard let atom = atom(next) else { continue }
            nodes.append(quantified(atom))
        }
        return .sequence(nodes)
    }

    /// The atom that a character starts; nil if it consumes nothing.
    private mutating func atom(_ first: Unicode.Scalar) -> PatternText.Node? {
        switch first {
        case "^", "$": return nil
        case ".": return .characters(PatternClass(ranges: [10...10], isNegated: true, isAny: true))
        case "[": return .characters(characterClass())
        case "(": return group()
        case "\\": return escape()
        default: return .characters(PatternClass(ranges: [first.value...first.value]))
        }
    }

    private mutating func group() -> PatternText.Node? {
        var number: Int?
        var counts = true
        if rest.first == "?" {
            rest.removeFirst()
            let kind = rest.popFirst()
            switch kind {
            case ":", ">": break
            case "=", "!": counts = false
            case "<" where rest.first == "=" || rest.first == "!":
                rest.removeFirst()
                counts = false
            case "<", "P":
                if kind == "P", rest.first == "<" { rest.removeFirst() }
                groupCount += 1
                number = groupCount
                let name = rest.prefix { $0 != ">" }
                groupNames[String(String.UnicodeScalarView(name))] = groupCount
                rest = rest.dropFirst(name.count + 1)
            default:
                // Flags such as `(?i)` and `(?i:…)`.
                while let flag = rest.first, flag != ":", flag != ")" { _ = (flag, rest.removeFirst()) }
                if rest.first == ")" {
                    rest.removeFirst()
                    return nil
                }
                if rest.first == ":" { rest.removeFirst() }
            }
        } else {
            groupCount += 1
            number = groupCount
        }
        let inner = choice()
        guard rest.popFirst() == ")" else {
            isBroken = true
            return nil
        }
        guard counts else {
            _ = quantified(inner)
            return nil
        }
        return number.map { .group($0, inner) } ?? inner
    }

    private mutating func quantified(_ node: PatternText.Node) -> PatternText.Node {
        var node = node
        while let next = rest.first {
            var (least, most): (Int, Int?) = (0, nil)
            switch next {
            case "*": break
            case "+": least = 1
            case "?": most = 1
            case "{":
                guard let bounds = bounds() else { return node }
                (least, most) = bounds
                rest = rest.drop { $0 != "}" }
            default: return node
            }
            rest = rest.dropFirst()
            // Reluctant and possessive quantifiers repeat as often.
            if rest.first == "?" || rest.first == "+" { rest = rest.dropFirst() }
            node = .repeated(node, least: least, most: most)
        }
        return node
    }

    /// The numbers of `{2,5}`; nil if the brace is a literal.
    private func bounds() -> (Int, Int?)? {
        let inside = rest.dropFirst().prefix { $0 != "}" }
        guard rest.dropFirst(inside.count + 1).first == "}" else { return nil }
        let parts = String(String.UnicodeScalarView(inside)).split(separator: ",", omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count <= 2, let least = Int(first), least >= 0 else { return nil }
        if parts.count == 1 { return (least, least) }
        if parts[1].isEmpty { return (least, nil) }
        guard let most = Int(parts[1]), most >= least else { return nil }
        return (least, most)
    }

    // MARK: - Characters

    private mutating func escape() -> PatternText.Node? {
        guard let letter = rest.popFirst() else {
            isBroken = true
            return nil
        }
        switch letter {
        case "b", "B", "A", "z", "Z", "G": return nil
        case "k" where rest.first == "<":
            let name = rest.dropFirst().prefix { $0 != ">" }
            rest = rest.dropFirst(name.count + 2)
            return groupNames[String(String.UnicodeScalarView(name))].map { .backreference($0) }
        case "1"..."9":
            var number = Int(letter.value) - 48
            while let digit = rest.first, (48...57).contains(digit.value), number < 100 {
                number = number * 10 + Int(digit.value) - 48
                rest.removeFirst()
            }
            return .backreference(number)
        default: return .characters(escaped(letter))
        }
    }

    /// The characters of an escape, after its letter.
    private mutating func escaped(_ letter: Unicode.Scalar) -> PatternClass {
        func one(_ value: UInt32) -> PatternClass { PatternClass(ranges: [value...value]) }
        switch letter {
        case "d": return PatternClass(ranges: Self.digits)
        case "D": return PatternClass(ranges: Self.digits, isNegated: true)
        case "w": return PatternClass(ranges: Self.wordCharacters)
        case "W": return PatternClass(ranges: Self.wordCharacters, isNegated: true)
        case "s", "h": return PatternClass(ranges: Self.blanks)
        case "S": return PatternClass(ranges: Self.blanks, isNegated: true)
        case "t": return one(9)
        case "n": return one(10)
        case "v": return one(11)
        case "f": return one(12)
        case "r": return one(13)
        case "0": return one(0)
        case "c": return one((rest.popFirst()?.value ?? 0) & 31)
        case "x": return one(hexadecimal(2))
        case "u": return one(hexadecimal(4))
        case "p", "P": return property(isNegated: letter == "P")
        default: return one(letter.value)
        }
    }

    private mutating func hexadecimal(_ count: Int) -> UInt32 {
        var digits = rest.prefix(count)
        if rest.first == "{" {
            digits = rest.dropFirst().prefix { $0 != "}" }
            rest = rest.dropFirst(2)
        }
        rest = rest.dropFirst(digits.count)
        return UInt32(String(String.UnicodeScalarView(digits)), radix: 16) ?? 0
    }

    private mutating func property(isNegated: Bool) -> PatternClass {
        var name = rest.prefix(1)
        if rest.first == "{" {
            name = rest.dropFirst().prefix { $0 != "}" }
            rest = rest.dropFirst(2)
        }
        rest = rest.dropFirst(name.count)
        let text = String(String.UnicodeScalarView(name))
        let ranges: [ClosedRange<UInt32>] =
            switch text.split(separator: "=").last.map(String.init) ?? text {
            case "Lu", "Uppercase_Letter", "Upper", "Uppercase": [65...90]
            case "N", "Nd", "Number", "Decimal_Number", "Digit", "digit": Self.digits
            case "P", "Punctuation", "Punct", "punct", "Po", "S", "Symbol": [33...33, 46...46]
            case "Z", "Zs", "Separator", "Space_Separator", "Space", "White_Space": [32...32]
            case "Alnum": [48...57, 65...90, 97...122]
            default: [97...122, 65...90]
            }
        return PatternClass(ranges: ranges, isNegated: isNegated)
    }

    /// A character class, after its bracket.
    private mutating func characterClass() -> PatternClass {
        var result = PatternClass()
        if rest.first == "^" {
            result.isNegated = true
            rest.removeFirst()
        }
        while let next = rest.popFirst() {
            if next == "]" { return result }
            var members = PatternClass(ranges: [next.value...next.value])
            if next == "\\", let letter = rest.popFirst() {
                members = letter == "b" ? PatternClass(ranges: [8...8]) : escaped(letter)
            }
            if members.isNegated { members = PatternClass(ranges: Self.complement(members.ranges)) }
            if rest.first == "-", let last = rest.dropFirst().first, last != "]", members.ranges.count == 1,
                let low = members.ranges.first?.lowerBound
            {
                rest = rest.dropFirst(2)
                var high = last.value
                if last == "\\", let letter = rest.popFirst() { high = escaped(letter).ranges.first?.lowerBound ?? low }
                if low <= high { members = PatternClass(ranges: [low...high]) } else { isBroken = true }
            }
            result.ranges += members.ranges
        }
        isBroken = true
        return result
    }

    private static func complement(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var found: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if range.lowerBound > next { found.append(next...(range.lowerBound - 1)) }
            next = max(next, range.upperBound + 1)
        }
        return found + [next...0xFFFF]
    }

    private static let digits: [ClosedRange<UInt32>] = [48...57]
    private static let wordCharacters: [ClosedRange<UInt32>] = [48...57, 65...90, 95...95, 97...122]
    private static let blanks: [ClosedRange<UInt32>] = [9...13, 32...32, 0xA0...0xA0]
}
