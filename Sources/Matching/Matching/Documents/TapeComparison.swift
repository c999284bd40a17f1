import SDJSON
import SDPlatform

/// Compares a document's tape with an expected document, array elements in order. The result is that of
/// `JSONComparison` for the tree with the same options.
struct TapeComparison {
    private let expected: FlatExpectation
    private let tape: JSONTape
    private let ignoreExtraElements: Bool
    private let nullsEqualMissing: Bool
    private let budget: WorkBudget

    init(_ expected: FlatExpectation, _ tape: JSONTape, _ options: JSONEquality.Options, _ budget: WorkBudget) {
        self.expected = expected
        self.tape = tape
        ignoreExtraElements = options.ignoreExtraElements
        nullsEqualMissing = options.nullsEqualMissing
        self.budget = budget
    }

    func accepts() -> Bool {
        accepts(0, 0, expected.nodes.span, expected.text.span, tape.entries.span, tape.bytes.span)
    }

    /// Whether node `node` matches the value at index `place` of the tape. `nodes` and `text` are the expected
    /// document's, `entries` and `bytes` the actual one's.
    @inline(__always)
    private func accepts(
        _ node: Int, _ place: Int, _ nodes: Span<FlatExpectation.Node>, _ text: Span<UInt8>,
        _ entries: Span<JSONTape.Entry>, _ bytes: Span<UInt8>
    ) -> Bool {
        let entry = entries[place]
        switch (nodes[node].kind, entry.kind) {
        case (.null, .null), (.true, .true), (.false, .false): return true
        case (.number, .number):
            if entry.hasSameText(nodes[node].scalar, of: text, in: bytes) { return true }
            return hasSameValue(nodes[node].content.ints, place)
        case (.string, .string): return entry.isText(nodes[node].scalar, of: text, in: bytes)
        case (.array, .array): return acceptsElements(node, place, nodes, text, entries, bytes)
        case (.object, .object): return acceptsMembers(node, place, nodes, text, entries, bytes)
        case (.placeholder, _):
            return expected.placeholders[Int(nodes[node].content.lowerBound)].accepts(tape, place, budget)
        default: return false
        }
    }

    @inline(never)
    private func hasSameValue(_ range: Range<Int>, _ place: Int) -> Bool {
        let number = JSONNumber(validText: String(decoding: expected.text[range], as: UTF8.self))
        return JSONDecimal(number) == JSONDecimal(tape.number(at: place))
    }

    @inline(never)
    private func acceptsElements(
        _ node: Int, _ place: Int, _ nodes: Span<FlatExpectation.Node>, _ text: Span<UInt8>,
        _ entries: Span<JSONTape.Entry>, _ bytes: Span<UInt8>
    ) -> Bool {
        let elements = nodes[node].content.ints
        let count = entries[place].count
        guard ignoreExtraElements ? elements.count <= count : elements.count == count else { return false }
        var actual = place + 1
        for element in elements {
            guard accepts(element, actual, nodes, text, entries, bytes) else { return false }
            actual = entries[actual].next(after: actual)
        }
        return true
    }

    @inline(never)
    private func acceptsMembers(
        _ node: Int, _ place: Int, _ nodes: Span<FlatExpectation.Node>, _ text: Span<UInt8>,
        _ entries: Span<JSONTape.Entry>, _ bytes: Span<UInt8>
    ) -> Bool {
        let members = nodes[node].content.ints
        let needed = Int(expected.objects[Int(nodes[node].object)].requiredCount)
        let count = entries[place].count
        guard count >= needed else { return false }
        var name = place &+ 1
        // Mostly the members are in the expected order, or in the reverse order.
        var next = members.lowerBound
        var step = 1
        var requiredCount = 0
        for index in 0..<count {
            let given = entries[name]
            // Without `&&`: the compiler (6.3) copies a span in its right side, and fails.
            var isFound = false
            if members.contains(next) { isFound = given.isText(nodes[next].name, of: text, in: bytes) }
            if !isFound {
                step = -step
                next = index == 0 ? members.upperBound &- 1 : next &+ 2 &* step
                if members.contains(next) { isFound = given.isText(nodes[next].name, of: text, in: bytes) }
            }
            if !isFound, let member = member(named: given, of: nodes[node], nodes, text, bytes) {
                next = member
                isFound = true
            }
            if isFound {
                if nodes[next].isRequired { requiredCount &+= 1 }
                guard accepts(next, name &+ 1, nodes, text, entries, bytes) else { return false }
                next &+= step
            } else if !ignoreExtraElements {
                guard nullsEqualMissing, entries[name &+ 1].kind == .null else { return false }
            }
            name = entries[name &+ 1].next(after: name &+ 1)
        }
        // The keys of a tape are distinct, so each one found is a different member.
        return requiredCount == needed
    }

    // MARK: - Names

    /// The index of the expected member with a name; nil for none.
    @inline(never)
    private func member(
        named name: JSONTape.Entry, of object: FlatExpectation.Node, _ nodes: Span<FlatExpectation.Node>,
        _ text: Span<UInt8>, _ bytes: Span<UInt8>
    ) -> Int? {
        let members = object.content.ints
        if members.count <= FlatExpectation.linearSearchLimit {
            for member in members where name.isText(nodes[member].name, of: text, in: bytes) { return member }
            return nil
        }
        let start = Int(expected.objects[Int(object.object)].orderStart)
        var low = 0
        var high = members.count
        while low < high {
            let middle = (low + high) / 2
            let member = members.lowerBound + Int(expected.order[start + middle])
            switch name.ordering(to: text, nodes[member].name.place.ints, in: bytes) {
            case 0: return member
            case ..<0: high = middle
            default: low = middle + 1
            }
        }
        return nil
    }
}

extension Range<UInt32> {
    fileprivate var ints: Range<Int> { Int(lowerBound)..<Int(upperBound) }
}

extension JSONPlaceholder {
    /// Whether a value that is present matches.
    fileprivate func accepts(_ tape: JSONTape, _ place: Int, _ budget: WorkBudget) -> Bool {
        switch (self, tape.entries[place].kind) {
        case (.ignore, _), (.ignoreElement, _): true
        case (.anyString, .string), (.anyNumber, .number), (.anyBoolean, .true), (.anyBoolean, .false),
            (.missingOrNull, .null):
            true
        case (.regex, .string): accepts(.string(tape.text(at: place)), budget)
        default: false
        }
    }
}
