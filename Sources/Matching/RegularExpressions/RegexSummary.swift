/// Facts about an expression, found without translating it: its literal prefix for the index, and that PCRE2 will
/// compile it.
///
/// Most expressions of stubs are of a simple kind: ASCII characters, dots, small classes, groups and repetitions. They
/// are recognised in one pass over their bytes, and compiled only if a request needs them. They have the same meaning
/// for PCRE2 as for Java.
struct RegexSummary {
    /// The UTF-8 bytes with which every matching subject starts, like `[RegexToken].literalPrefix`.
    private(set) var literalPrefix: [UInt8] = []
    /// Whether there is a repetition.
    private var walks = false
    /// The number of combinations of all closed groups' alternatives.
    private var ways = 1
    /// The number of alternatives of the pattern, and of each open group.
    private var alternatives = 1
    private var open: [Int] = []
    /// The operand of a following quantifier.
    private var last = Element.none
    private var isPrefixComplete = false

    private enum Element {
        /// No operand that a quantifier may follow.
        case none
        case literal, atom, group
    }

    /// The maximum length of a simple expression in bytes: far below PCRE2's limits.
    private static let longest = 256
    /// The maximum number of digits in a repetition's number.
    private static let maxDigits = 2

    /// - Returns: nil for an expression that is not certain to be simple, and for any with an error.
    init?(_ pattern: String) {
        var pattern = pattern
        let sketch = pattern.withUTF8 { bytes in Self.read(bytes.span) }
        guard let sketch else { return nil }
        self = sketch
    }

    private init() {}

    func cost(isAnywhere: Bool) -> RegexCost {
        RegexCost(walks: walks, ways: max(ways, alternatives), isAnywhere: isAnywhere)
    }

    private static func read(_ bytes: Span<UInt8>) -> RegexSummary? {
        guard bytes.count <= longest else { return nil }
        var sketch = RegexSummary()
        sketch.literalPrefix.reserveCapacity(bytes.count)
        var place = 0
        while place < bytes.count {
            guard sketch.readElement(bytes, &place) else { return nil }
        }
        guard sketch.open.isEmpty else { return nil }
        if sketch.alternatives > 1 { sketch.literalPrefix = [] }
        return sketch
    }

    /// Reads one token of the pattern. Returns false if the pattern is not simple.
    private mutating func readElement(_ bytes: Span<UInt8>, _ place: inout Int) -> Bool {
        let byte = bytes[place]
        place += 1
        switch byte {
        case UInt8(ascii: "\\"): return readEscape(bytes, &place)
        case UInt8(ascii: "["):
            guard Self.skipClass(bytes, &place) else { return false }
            add(.atom)
        case UInt8(ascii: "."): add(.atom)
        case UInt8(ascii: "("):
            if place < bytes.count, bytes[place] == UInt8(ascii: "*") { return false }
            if place < bytes.count, bytes[place] == UInt8(ascii: "?") {
                guard place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: ":") else { return false }
                place += 2
            }
            open.append(1)
            add(.none)
        case UInt8(ascii: ")"):
            guard let count = open.popLast() else { return false }
            let (product, overflows) = ways.multipliedReportingOverflow(by: count)
            ways = overflows ? .max : product
            add(.group)
        case UInt8(ascii: "|"):
            if open.isEmpty { alternatives += 1 } else { open[open.count - 1] += 1 }
            add(.none)
        // An assertion consumes nothing, so a prefix continues after it.
        case UInt8(ascii: "^"), UInt8(ascii: "$"): last = .none
        case UInt8(ascii: "*"), UInt8(ascii: "?"): return readQuantifier(minimum: 0, bytes, &place)
        case UInt8(ascii: "+"): return readQuantifier(minimum: 1, bytes, &place)
        case UInt8(ascii: "{"):
            guard last != .group, let minimum = Self.readCounts(bytes, &place) else { return false }
            return readQuantifier(minimum: minimum, bytes, &place)
        case 0x20..<0x7F: addLiteral(byte)
        default: return false
        }
        return true
    }

    private mutating func addLiteral(_ byte: UInt8) {
        if !isPrefixComplete { literalPrefix.append(byte) }
        last = .literal
    }

    private mutating func add(_ element: Element) {
        isPrefixComplete = true
        last = element
    }

    private mutating func readEscape(_ bytes: Span<UInt8>, _ place: inout Int) -> Bool {
        guard place < bytes.count else { return false }
        let letter = bytes[place]
        place += 1
        if Self.isSet(letter) {
            add(.atom)
        } else if Self.isPunctuation(letter) {
            addLiteral(letter)
        } else {
            return false
        }
        return true
    }

    private mutating func readQuantifier(minimum: Int, _ bytes: Span<UInt8>, _ place: inout Int) -> Bool {
        guard last != .none else { return false }
        if last == .literal, !isPrefixComplete, minimum == 0 { literalPrefix.removeLast() }
        if place < bytes.count, bytes[place] == UInt8(ascii: "?") || bytes[place] == UInt8(ascii: "+") { place += 1 }
        walks = true
        add(.none)
        return true
    }

    /// Parses the rest of `{2}`, `{2,}` or `{2,5}`, with small numbers. Returns the smaller one; nil for anything else.
    private static func readCounts(_ bytes: Span<UInt8>, _ place: inout Int) -> Int? {
        guard let minimum = readNumber(bytes, &place), place < bytes.count else { return nil }
        if bytes[place] == UInt8(ascii: ",") {
            place += 1
            if let maximum = readNumber(bytes, &place), maximum < minimum { return nil }
        }
        guard place < bytes.count, bytes[place] == UInt8(ascii: "}") else { return nil }
        place += 1
        return minimum
    }

    private static func readNumber(_ bytes: Span<UInt8>, _ place: inout Int) -> Int? {
        var number: Int?
        let end = place + maxDigits
        while place < bytes.count, place < end, isDigit(bytes[place]) {
            number = (number ?? 0) * 10 + Int(bytes[place] - UInt8(ascii: "0"))
            place += 1
        }
        return number
    }

    // MARK: - Classes

    /// Skips a class whose bracket has been read: of letters, digits, ranges of these, common punctuation, and sets such
    /// as `\d`. Returns false for any other.
    private static func skipClass(_ bytes: Span<UInt8>, _ place: inout Int) -> Bool {
        if place < bytes.count, bytes[place] == UInt8(ascii: "^") { place += 1 }
        let first = place
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if byte == UInt8(ascii: "]") { return place - 1 > first && !looksNamed(bytes, first..<place - 1) }
            if byte == UInt8(ascii: "\\") {
                guard place < bytes.count, isSet(bytes[place]) || isPunctuation(bytes[place]) else { return false }
                place += 1
                if beginsRange(bytes, place) { return false }
            } else if isAlphanumeric(byte) {
                guard beginsRange(bytes, place) else { continue }
                guard place + 1 < bytes.count, isAlphanumeric(bytes[place + 1]), byte <= bytes[place + 1] else {
                    return false
                }
                place += 2
            } else {
                guard plainInClasses.utf8.contains(byte), !beginsRange(bytes, place) else { return false }
            }
        }
        return false
    }

    /// Whether PCRE2 could take the content of a class for a named one, such as `[:alpha:]`.
    private static func looksNamed(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let first = bytes[range.lowerBound]
        return range.count > 1 && first == bytes[range.upperBound - 1] && ":.=".utf8.contains(first)
    }

    /// Punctuation that is literal anywhere in a class.
    private static var plainInClasses: String { "_-./:,~@%+=!*?$ ;'\"()|{}<>" }

    /// Whether a hyphen at `place` makes the character before it the start of a range.
    private static func beginsRange(_ bytes: Span<UInt8>, _ place: Int) -> Bool {
        place < bytes.count && bytes[place] == UInt8(ascii: "-")
            && !(place + 1 < bytes.count && bytes[place + 1] == UInt8(ascii: "]"))
    }

    // MARK: - Bytes

    /// Whether a letter after a backslash stands for a set of characters.
    private static func isSet(_ letter: UInt8) -> Bool {
        switch letter {
        case UInt8(ascii: "d"), UInt8(ascii: "D"), UInt8(ascii: "s"), UInt8(ascii: "S"), UInt8(ascii: "w"),
            UInt8(ascii: "W"):
            true
        default: false
        }
    }

    /// Whether a character stands for itself after a backslash.
    private static func isPunctuation(_ byte: UInt8) -> Bool {
        0x20..<0x7F ~= byte && !isAlphanumeric(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }
}
