/// A pattern of `java.time.format.DateTimeFormatter`, for reading and for writing, with English names.
///
/// Letters: `G u y Y M L Q q D d F g E e c w W a h H K k m s S A n N V v z O X x Z`, quoted literals, optional sections
/// in brackets, `p` for padding. `B` (day periods such as "in the morning") is not known.
public struct DatePattern: Sendable {
    let elements: [PatternElement]
    /// Whether dates must exist and hours end at 23, as in ISO formats. In patterns, `31 February` is the last day of
    /// February.
    let isExact: Bool

    init(elements: [PatternElement], isExact: Bool) {
        self.elements = elements
        self.isExact = isExact
    }

    /// Compiles a pattern.
    /// - Throws: for an unknown letter, one repeated too often, or an unpaired bracket or quote; `detail` is Java's
    ///   message.
    public init(_ pattern: String) throws(DateTimeProblem) {
        var compiler = DatePatternCompiler(pattern)
        elements = try compiler.compile()
        isExact = false
    }

    /// Parses the whole text as a date; nil if it does not fit or contains no date.
    ///
    /// Without a time it is midnight, without a day the first of the month, without a month 1 January (`LocalDate`,
    /// `YearMonth`, `Year`). A time zone counts only together with a date and time.
    public func parse(_ text: String) -> DateValue? {
        fields(text)?.value
    }

    /// Parses the time as shown, ignoring its zone.
    public func parseLocal(_ text: String) -> LocalDateTime? {
        guard var fields = fields(text) else { return nil }
        (fields.zone, fields.offset) = (nil, nil)
        return fields.value?.local
    }

    /// Parses the fields of the whole text; nil if it does not fit or contradicts itself.
    func fields(_ text: String) -> ResolvedFields? {
        text.utf8.count <= Self.longestText ? fields(Array(text.utf8)) : nil
    }

    func fields(_ text: [UInt8]) -> ResolvedFields? {
        guard text.count <= Self.longestText else { return nil }
        var reader = TextReader(text)
        var fields = ParsedFields()
        guard elements.read(&reader, &fields), reader.isAtEnd else { return nil }
        return fields.resolved(isExact: isExact)
    }

    /// The maximum length of a text in bytes. No date is longer.
    private static let longestText = 1000
}

/// Compiles a pattern's letters into elements.
struct DatePatternCompiler {
    private let pattern: [Character]
    private let text: String
    private var place = 0
    private var sections: [[PatternElement]] = [[]]
    /// For each open section, the index of the number whose digits may be limited by fixed-width numbers after it.
    private var openNumbers: [Int?] = [nil]
    private var padding = 0

    init(_ pattern: String) {
        text = pattern
        self.pattern = Array(pattern)
    }

    mutating func compile() throws(DateTimeProblem) -> [PatternElement] {
        guard pattern.count <= 1000 else {
            throw problem("Pattern is too long", "a pattern has at most 1000 characters")
        }
        while place < pattern.count {
            let letter = pattern[place]
            switch letter {
            case "a"..."z" where letter.isASCII, "A"..."Z" where letter.isASCII: try readLetters(letter)
            case "'": try readQuoted()
            case "[":
                guard sections.count < 64 else { throw problem("Too many nested [", "at most 64 sections nest") }
                openNumbers[openNumbers.count - 1] = nil
                sections.append([])
                openNumbers.append(nil)
                place += 1
            case "]":
                guard sections.count > 1 else {
                    throw problem(
                        "Pattern invalid as it contains ] without previous [", "\"]\" at \(place + 1) closes nothing")
                }
                closeSection()
                place += 1
            case "{", "}", "#":
                throw problem(
                    "Pattern includes reserved character: '\(letter)'",
                    "write '\(letter)' in single quotes to mean itself")
            default:
                append(.literal(String(letter)))
                place += 1
            }
        }
        while sections.count > 1 { closeSection() }
        return sections[0]
    }

    private mutating func closeSection() {
        let section = sections.removeLast()
        openNumbers.removeLast()
        openNumbers[openNumbers.count - 1] = nil
        if !section.isEmpty { sections[sections.count - 1].append(.optional(section)) }
    }

    private mutating func readQuoted() throws(DateTimeProblem) {
        var literal = ""
        var at = place + 1
        while at < pattern.count {
            if pattern[at] == "'" {
                guard at + 1 < pattern.count, pattern[at + 1] == "'" else { break }
                at += 1
            }
            literal.append(pattern[at])
            at += 1
        }
        guard at < pattern.count else {
            throw problem(
                "Pattern ends with an incomplete string literal: \(text)", "the quote at \(place + 1) is never closed")
        }
        append(.literal(literal.isEmpty ? "'" : literal))
        place = at + 1
    }

    private func run(of letter: Character) -> Int {
        var end = place
        while end < pattern.count, pattern[end] == letter { end += 1 }
        return end - place
    }

    private mutating func readLetters(_ letter: Character) throws(DateTimeProblem) {
        var letter = letter
        var count = run(of: letter)
        place += count
        if letter == "p" {
            let width = count
            guard place < pattern.count, pattern[place].isASCII, pattern[place].isLetter, pattern[place] != "p" else {
                throw problem(
                    "Pad letter 'p' must be followed by valid pad pattern: \(text)", "write for example \"ppH\"")
            }
            letter = pattern[place]
            count = run(of: letter)
            place += count
            padding = width
            openNumbers[openNumbers.count - 1] = nil
        }
        for element in try PatternLetters.elements(letter, count) { append(element) }
        padding = 0
    }

    /// Appends an element. Among adjacent numbers, fixed-width ones take their digits from the end of the first one's
    /// run.
    private mutating func append(_ element: PatternElement) {
        let last = sections.count - 1
        guard padding == 0 else {
            sections[last].append(.padded(element, width: padding))
            openNumbers[last] = nil
            return
        }
        switch element {
        case .number(var shape):
            if let open = openNumbers[last], case .number(var before) = sections[last][open] {
                if shape.minimum == shape.maximum, shape.sign == .notNegative {
                    before.following += shape.maximum
                    shape.following = -1
                    sections[last][open] = .number(before)
                    sections[last].append(.number(shape))
                } else {
                    before.following = before.following == 0 ? 0 : before.following
                    sections[last][open] = .number(fixed(before))
                    sections[last].append(.number(shape))
                    openNumbers[last] = sections[last].count - 1
                }
            } else {
                sections[last].append(.number(shape))
                openNumbers[last] = sections[last].count - 1
            }
        case .fraction(let minimum, let maximum, false, _) where minimum == maximum:
            var isFollower = false
            if let open = openNumbers[last], case .number(var before) = sections[last][open] {
                before.following += maximum
                sections[last][open] = .number(before)
                isFollower = true
            }
            sections[last].append(.fraction(minimum: minimum, maximum: maximum, point: false, isFollower: isFollower))
        default:
            sections[last].append(element)
            openNumbers[last] = nil
        }
    }

    private func fixed(_ shape: NumberShape) -> NumberShape {
        var shape = shape
        if shape.following == 0 { shape.following = -1 }
        return shape
    }

    private func problem(_ detail: String, _ advice: String) -> DateTimeProblem {
        DateTimeProblem(detail: detail, advice: advice)
    }
}
