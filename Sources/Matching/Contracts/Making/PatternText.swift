import SDFakeValues

/// Makes texts that match a regular expression. What it does not understand, such as what must stand before or
/// behind, it passes over: whoever asks for a text has it matched.
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

    /// - Returns: nil for an expression that it does not understand.
    init?(_ pattern: String) {
        guard pattern.utf8.count <= 4_000 else { return nil }
        var parser = PatternParser(pattern)
        guard let root = parser.wholePattern() else { return nil }
        self.root = root
    }

    /// A text that should match.
    /// - Parameters:
    ///   - attempt: from 0; further ones give more different characters.
    /// - Returns: nil if all texts that match are too long.
    func text(_ lengths: ClosedRange<Int>, attempt: Int, _ source: inout FakeSource) -> String? {
        let least = Self.leastLength(root)
        guard least <= lengths.upperBound else { return nil }
        var writer = PatternWriter(
            attempt: attempt, room: lengths.upperBound - least, need: max(0, lengths.lowerBound - least))
        writer.write(root, &source)
        // An expression may match anywhere.
        while writer.text.count < lengths.lowerBound, writer.text.count < ValueMaker.longestText {
            writer.text.append("a")
        }
        return String(String.UnicodeScalarView(writer.text))
    }

    /// The number of characters of the shortest text.
    static func leastLength(_ node: Node) -> Int {
        switch node {
        case .characters: 1
        case .sequence(let nodes): nodes.reduce(0) { sum($0, leastLength($1)) }
        case .choice(let nodes): nodes.map(leastLength).min() ?? 0
        case .repeated(let node, let least, _):
            leastLength(node).multipliedReportingOverflow(by: least).overflow ? .max : leastLength(node) * least
        case .group(_, let node): leastLength(node)
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
    /// How many characters may still be there beyond the shortest text.
    var room: Int
    /// How many of them must be there.
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
            let least = nodes.map(PatternText.leastLength).min() ?? 0
            let fitting = nodes.filter { PatternText.leastLength($0) - least <= room }
            guard !fitting.isEmpty else { return }
            let chosen = fitting[attempt == 0 ? 0 : source.number(0...(fitting.count - 1))]
            take(PatternText.leastLength(chosen) - least)
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
        let unit = max(1, PatternText.leastLength(inner))
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

/// A set of characters of an expression.
struct PatternClass {
    var ranges: [ClosedRange<UInt32>] = []
    var isNegated = false
    /// Whether it is the dot, for which a text may hold anything.
    var isAny = false

    func contains(_ value: UInt32) -> Bool { ranges.contains { $0.contains(value) } != isNegated }

    /// A character of the set: a letter or a digit, if there is one; in further attempts also others.
    fileprivate func pick(attempt: Int, place: Int, _ source: inout FakeSource) -> Unicode.Scalar {
        if isAny {
            guard attempt > 0 else { return Unicode.Scalar(UInt8(source.number(97...122))) }
            // What asks for characters of several kinds by looking ahead.
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
