import SDBasics

/// A text that a regular expression matches as a whole. Lookaround, back references and nested classes are not
/// supported. Whether the text passes shows when the stub is asked.
struct ExpressionExample {
    let text: String

    /// Nil for an unsupported expression.
    init?(_ expression: String) {
        var maker = ExampleWriter(expression)
        guard let text = maker.alternatives(), maker.isAtEnd else { return nil }
        self.text = text
    }
}

private struct ExampleWriter {
    private var rest: Substring
    private var depth = 0

    init(_ expression: String) {
        rest = expression[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// The first alternative that has a text.
    mutating func alternatives() -> String? {
        depth += 1
        defer { depth -= 1 }
        guard depth < 32 else { return nil }
        var first: String?
        var isReadable = true
        while true {
            if let branch = branch() { first = first ?? branch } else { isReadable = false }
            guard isReadable else { return nil }
            guard rest.first == "|" else { return first }
            rest.removeFirst()
        }
    }

    private mutating func branch() -> String? {
        var text = ""
        while let next = rest.first, next != "|", next != ")" {
            guard let atom = atom(), let count = count(isOpen: atom.isOpen) else { return nil }
            text += String(repeating: atom.text, count: count)
            guard text.utf8.count <= 4_096 else { return nil }
        }
        return text
    }

    /// The text of the next part, and whether many other texts would match too.
    private mutating func atom() -> (text: String, isOpen: Bool)? {
        switch rest.removeFirst() {
        case "^", "$": return ("", false)
        case ".": return ("x", true)
        case "[": return oneOfClass().map { (String($0), true) }
        case "(": return group().map { ($0, false) }
        case "\\": return escaped()
        case "*", "+", "?", "{": return nil
        case let character: return (String(character), false)
        }
    }

    private mutating func group() -> String? {
        if rest.hasPrefix("?") {
            rest.removeFirst()
            if rest.hasPrefix(":") || rest.hasPrefix(">") {
                rest.removeFirst()
            } else if rest.hasPrefix("<"), let second = rest.dropFirst().first, second.isLetter,
                let end = rest.firstIndex(of: ">")
            {
                rest = rest[end...].dropFirst()
            } else {
                // Flags such as (?i), or lookaround.
                let flags = rest.prefix { "imsux-".contains($0) }
                rest = rest.dropFirst(flags.count)
                if rest.hasPrefix(")"), !flags.isEmpty {
                    rest.removeFirst()
                    return ""
                }
                guard rest.hasPrefix(":"), !flags.isEmpty else { return nil }
                rest.removeFirst()
            }
        }
        let text = alternatives()
        guard let text, rest.first == ")" else { return nil }
        rest.removeFirst()
        return text
    }

    private static let classes: [Character: Character] = ["d": "1", "w": "a", "s": " ", "D": "a", "W": "-", "S": "a"]
    private static let controls: [Character: Character] = [
        "t": "\t", "n": "\n", "r": "\r", "f": "\u{C}", "e": "\u{1B}",
    ]

    private mutating func escaped() -> (text: String, isOpen: Bool)? {
        guard let letter = rest.popFirst() else { return nil }
        if let example = Self.classes[letter] { return (String(example), true) }
        if let control = Self.controls[letter] { return (String(control), false) }
        switch letter {
        case "b", "A", "z", "Z", "B", "G": return ("", false)
        case "Q":
            let end = rest.firstRange(ofText: "\\E")
            let text = String(rest[..<(end?.lowerBound ?? rest.endIndex)])
            rest = rest[(end?.upperBound ?? rest.endIndex)...]
            return (text, false)
        case "p":
            guard rest.hasPrefix("{"), let end = rest.firstIndex(of: "}") else { return nil }
            let name = rest[..<end].dropFirst()
            rest = rest[end...].dropFirst()
            let upper = ["Lu", "Upper", "IsUppercase"]
            let digits = ["N", "Nd", "Digit", "IsDigit"]
            let isKnown = [
                "L", "Alpha", "Alnum", "Lower", "IsAlphabetic", "IsLetter", "ASCII", "Graph", "Print", "XDigit",
            ]
            if upper.contains(String(name)) { return ("A", true) }
            if digits.contains(String(name)) { return ("1", true) }
            return isKnown.contains(String(name)) || name == "Ll" ? ("a", true) : nil
        default: return letter.isLetter || letter.isNumber ? nil : (String(letter), false)
        }
    }

    /// One character of a class.
    private mutating func oneOfClass() -> Character? {
        let isNegated = rest.first == "^"
        if isNegated { rest.removeFirst() }
        var first: Character?
        var members: Set<Character> = []
        var ranges: [ClosedRange<Character>] = []
        var isFirst = true
        while let next = rest.popFirst() {
            if next == "]", !isFirst { break }
            isFirst = false
            var low = next
            if next == "\\" {
                guard let letter = rest.popFirst() else { return nil }
                if let example = Self.classes[letter] {
                    if letter == "d" { ranges.append("0"..."9") }
                    if letter == "w" { ranges += ["a"..."z", "A"..."Z", "0"..."9", "_"..."_"] }
                    if letter == "s" { members.formUnion([" ", "\t", "\n", "\r"]) }
                    first = first ?? example
                    continue
                }
                low = Self.controls[letter] ?? letter
            } else if next == "[" || next == "&" && rest.first == "&" {
                return nil
            }
            if rest.first == "-", let high = rest.dropFirst().first, high != "]", high != "[" {
                rest = rest.dropFirst(2)
                guard high != "\\", low <= high else { return nil }
                ranges.append(low...high)
                // A leading 0 would make an invalid number.
                first = first ?? (low == "0" && high == "9" ? "1" : low)
            } else {
                members.insert(low)
                first = first ?? low
            }
        }
        guard isNegated else { return first }
        return "xa1A-_ ~".first { other in
            !members.contains(other) && !ranges.contains { $0.contains(other) }
        }
    }

    /// The number of repetitions: the minimum, but one if any text would match.
    private mutating func count(isOpen: Bool) -> Int? {
        var count = 1
        switch rest.first {
        case "*": count = isOpen ? 1 : 0
        case "+": count = 1
        case "?": count = 0
        case "{":
            guard let end = rest.firstIndex(of: "}") else { return nil }
            let bounds = rest[..<end].dropFirst().split(separator: ",", omittingEmptySubsequences: false)
            guard let low = bounds.first.flatMap({ Int($0) }), low <= 4_096 else { return nil }
            let high = bounds.count > 1 ? Int(bounds[1]) ?? .max : low
            count = low == 0 && isOpen && high > 0 ? 1 : low
            rest = rest[end...]
        default: return 1
        }
        rest.removeFirst()
        // Reluctant or possessive.
        if rest.first == "?" || rest.first == "+" { rest.removeFirst() }
        return count
    }
}
