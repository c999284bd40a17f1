import SDJSON

/// Compares a JSON text with an expected document without parsing the text: the expected names and values determine
/// what must come next.
///
/// It recognises only texts written like the expected document: the members of each object in its order or in the
/// reverse order, numbers with the same digits, strings without escapes. Such a text is JSON, and matches with any
/// options. For any other text, the result is undecided.
struct TextComparison {
    private let expected: FlatExpectation

    /// Returned instead of an offset if the text differs.
    private static let different = -1

    init(_ expected: FlatExpectation) {
        self.expected = expected
    }

    /// Whether the text certainly matches.
    func accepts(_ bytes: Span<UInt8>) -> Bool {
        guard expected.isPlain else { return false }
        let start = bytes.endOfBlanks(from: 0)
        let end = value(0, start, expected.nodes.span, expected.text.span, bytes)
        return end != Self.different && bytes.endOfBlanks(from: end) == bytes.count
    }

    /// The offset after the value at `place`, if it is written like node `node`. `nodes` and `text` are the expected
    /// document's.
    @inline(__always)
    private func value(
        _ node: Int, _ place: Int, _ nodes: Span<FlatExpectation.Node>, _ text: Span<UInt8>, _ bytes: Span<UInt8>
    ) -> Int {
        switch nodes[node].kind {
        case .string: return string(nodes[node].scalar, place, text, bytes)
        case .null, .true, .false, .number:
            let scalar = nodes[node].scalar
            let end = place &+ scalar.place.count
            guard bytes.has(scalar, of: text, at: place), end == bytes.count || bytes[end].endsWord else {
                return Self.different
            }
            return end
        case .array: return elements(node, place, nodes, text, bytes)
        case .object: return members(node, place, nodes, text, bytes)
        case .placeholder: return Self.different
        }
    }

    @inline(never)
    private func elements(
        _ node: Int, _ place: Int, _ nodes: Span<FlatExpectation.Node>, _ text: Span<UInt8>, _ bytes: Span<UInt8>
    ) -> Int {
        guard bytes.has(UInt8(ascii: "["), at: place) else { return Self.different }
        var place = bytes.endOfBlanks(from: place &+ 1)
        let elements = nodes[node].content
        for element in elements {
            if element > elements.lowerBound {
                guard bytes.has(UInt8(ascii: ","), at: place) else { return Self.different }
                place = bytes.endOfBlanks(from: place &+ 1)
            }
            place = value(Int(element), place, nodes, text, bytes)
            if place == Self.different { return place }
            place = bytes.endOfBlanks(from: place)
        }
        return bytes.has(UInt8(ascii: "]"), at: place) ? place &+ 1 : Self.different
    }

    @inline(never)
    private func members(
        _ node: Int, _ place: Int, _ nodes: Span<FlatExpectation.Node>, _ text: Span<UInt8>, _ bytes: Span<UInt8>
    ) -> Int {
        guard bytes.has(UInt8(ascii: "{"), at: place) else { return Self.different }
        var place = bytes.endOfBlanks(from: place &+ 1)
        let members = nodes[node].content
        // In order from the first, or from the last; so each member occurs once.
        var member = Int(members.lowerBound)
        var step = 1
        for index in 0..<members.count {
            if index > 0 {
                guard bytes.has(UInt8(ascii: ","), at: place) else { return Self.different }
                place = bytes.endOfBlanks(from: place &+ 1)
            }
            var end = string(nodes[member].name, place, text, bytes)
            if end == Self.different, index == 0 {
                member = Int(members.upperBound) &- 1
                step = -1
                end = string(nodes[member].name, place, text, bytes)
            }
            if end == Self.different { return end }
            place = bytes.endOfBlanks(from: end)
            guard bytes.has(UInt8(ascii: ":"), at: place) else { return Self.different }
            place = value(member, bytes.endOfBlanks(from: place &+ 1), nodes, text, bytes)
            if place == Self.different { return place }
            place = bytes.endOfBlanks(from: place)
            member &+= step
        }
        return bytes.has(UInt8(ascii: "}"), at: place) ? place &+ 1 : Self.different
    }

    @inline(__always)
    private func string(_ wanted: PreparedText, _ place: Int, _ text: Span<UInt8>, _ bytes: Span<UInt8>) -> Int {
        let end = place &+ 1 &+ wanted.place.count
        guard bytes.has(UInt8(ascii: "\""), at: place), bytes.has(UInt8(ascii: "\""), at: end),
            bytes.has(wanted, of: text, at: place &+ 1)
        else { return Self.different }
        return end &+ 1
    }
}

extension Span<UInt8> {
    @inline(__always)
    fileprivate func has(_ byte: UInt8, at place: Int) -> Bool { place < count && self[place] == byte }

    @inline(__always)
    fileprivate func endOfBlanks(from place: Int) -> Int {
        place < count && self[place] <= 0x20 ? endOfManyBlanks(from: place) : place
    }

    @inline(never)
    private func endOfManyBlanks(from start: Int) -> Int {
        var place = start
        while place < count, self[place].isBlank { place &+= 1 }
        return place
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

    /// Whether a number or word ends before this byte.
    fileprivate var endsWord: Bool {
        self == UInt8(ascii: ",") || self == UInt8(ascii: "}") || self == UInt8(ascii: "]") || isBlank
    }
}
