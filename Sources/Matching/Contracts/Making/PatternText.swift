import SDFakeValues

/// Generates texts that match a regular expression. Unsupported parts, such as lookaround, are ignored: callers verify
/// the result.
struct PatternText {
    indirect enum Node {
        /// One character of these.
        case characters(PatternClass)
        case sequence([Node])
        case choice([Node])
        case repeated(Node, least: Int, most: Int?)
        case group(Int, Node)
        case backreference(Int)
    }

    private let root: Node

    /// - Returns: nil for an unsupported expression.
    init?(_ pattern: String) {
        guard pattern.utf8.count <= 4_000 else { return nil }
        var parser = PatternParser(pattern)
        guard let root = parser.wholePattern() else { return nil }
        self.root = root
    }

    /// A text that should match.
    /// - Parameters:
    ///   - attempt: from 0; later attempts use more varied characters.
    /// - Returns: nil if all matching texts are too long.
    func text(_ lengths: ClosedRange<Int>, attempt: Int, _ source: inout FakeSource) -> String? {
        let least = Self.minLength(root)
        guard least <= lengths.upperBound else { return nil }
        var writer = PatternWriter(
            attempt: attempt, room: lengths.upperBound - least, need: max(0, lengths.lowerBound - least))
        writer.write(root, &source)
        // An unanchored expression allows more text around it.
        while writer.text.count < lengths.lowerBound, writer.text.count < ValueMaker.longestText {
            writer.text.append("a")
        }
        return String(String.UnicodeScalarView(writer.text))
    }

    /// The length of the shortest text, in characters.
    static func minLength(_ node: Node) -> Int {
        switch node {
        case .characters: 1
        case .sequence(let nodes): nodes.reduce(0) { sum($0, minLength($1)) }
        case .choice(let nodes): nodes.map(minLength).min() ?? 0
        case .repeated(let node, let least, _):
            minLength(node).multipliedReportingOverflow(by: least).overflow ? .max : minLength(node) * least
        case .group(_, let node): minLength(node)
        case .backreference: 0
        }
    }

    private static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, isTooLarge) = left.addingReportingOverflow(right)
        return isTooLarge ? .max : sum
    }
}

/// Writes a text for an expression.
private struct PatternWriter {
    let attempt: Int
    /// The maximum number of characters beyond the shortest text.
    var room: Int
    /// The minimum number of these.
    var need: Int
    var text: [Unicode.Scalar] = []
    private var groups: [Int: [Unicode.Scalar]] = [:]

    init(attempt: Int, room: Int, need: Int) {
        self.attempt = attempt
        self.room = room
        self.need = need
    }

    mutating func write(_ node: PatternText.Node, _ source: inout FakeSource) {
        guard text.count < ValueMaker.longestText else { return }
        switch node {
        case .characters(let characters):
            text.append(characters.pick(attempt: attempt, place: text.count, &source))
        case .sequence(let nodes):
            for node in nodes { write(node, &source) }
        case .choice(let nodes):
            let least = nodes.map(PatternText.minLength).min() ?? 0
            let fitting = nodes.filter { PatternText.minLength($0) - least <= room }
            guard !fitting.isEmpty else { return }
            let chosen = fitting[attempt == 0 ? 0 : source.number(0...(fitting.count - 1))]
            take(PatternText.minLength(chosen) - least)
            write(chosen, &source)
        case .repeated(let inner, let least, let most): writeRepeated(inner, least, most, &source)
        case .group(let number, let inner):
            let start = text.count
            write(inner, &source)
            groups[number] = Array(text[min(start, text.count)...])
        case .backreference(let number):
            text += groups[number] ?? []
        }
    }

    private mutating func writeRepeated(
        _ inner: PatternText.Node, _ least: Int, _ most: Int?, _ source: inout FakeSource
    ) {
        let unit = max(1, PatternText.minLength(inner))
        let possible = min(most.map { $0 - least } ?? .max, room / unit)
        var more = least == 0 && most == 1 ? source.number(0...1) : least <= 1 && most == nil ? source.number(3...7) : 0
        if let most, most > least, most > 1 { more = source.number(0...min(most - least, 6)) }
        if attempt > 8 { more *= attempt / 8 }
        more = max(more, (need + unit - 1) / unit)
        more = max(0, min(more, possible))
        take(more * unit)
        for _ in 0..<(least + more) {
            guard text.count < ValueMaker.longestText else { return }
            write(inner, &source)
        }
    }

    private mutating func take(_ count: Int) {
        room -= min(room, count)
        need -= min(need, count)
    }
}

/// A character class of an expression.
struct PatternClass {
    var ranges: [ClosedRange<UInt32>] = []
    var isNegated = false
    /// Whether it is the dot, which allows any character.
    var isAny = false

    func contains(_ value: UInt32) -> Bool { ranges.contains { $0.contains(value) } != isNegated }

    /// A character of the class: preferably a letter or digit; in later attempts also others.
    fileprivate func pick(attempt: Int, place: Int, _ source: inout FakeSource) -> Unicode.Scalar {
        if isAny {
            guard attempt > 0 else { return Unicode.Scalar(UInt8(source.number(97...122))) }
            // For expressions that require several kinds of characters by lookahead.
            let kinds = ["abcdefghkmnpqrstuvwxyz", "ABCDEFGHKMNPQRSTUVWXYZ", "23456789", "!@#$%&*"]
            let kind = Array(kinds[place % kinds.count].unicodeScalars)
            return kind[source.number(0...(kind.count - 1))]
        }
        let printable = (UInt32(0x21)...0x7E).filter(contains)
        func any(_ list: [UInt32]) -> Unicode.Scalar? {
            list.isEmpty ? nil : Unicode.Scalar(list[source.number(0...(list.count - 1))])
        }
        if attempt % 2 == 0 || isNegated {
            let small = printable.filter { (97...122).contains($0) || !isNegated && (48...57).contains($0) }
            if let found = any(small) { return found }
            let simple = printable.filter { (65...90).contains($0) || (48...57).contains($0) }
            if let found = any(simple) { return found }
        }
        if let found = any(printable) { return found }
        if contains(0x20) { return " " }
        if isNegated {
            for value in UInt32(0xA1)...0x2FFF where contains(value) { return Unicode.Scalar(value) ?? "é" }
            return "é"
        }
        guard let range = ranges.first else { return "a" }
        let value =
            range.lowerBound + UInt32(source.next() % UInt64(min(range.upperBound - range.lowerBound, 1_000) + 1))
        return Unicode.Scalar(value) ?? Unicode.Scalar(range.lowerBound) ?? "a"
    }
}
