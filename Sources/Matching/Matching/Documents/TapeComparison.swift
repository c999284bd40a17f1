import SDBudget
import SDJSON

/// The comparison of a document's tape with an expected document, array elements in order. The result is that of
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
        accepts(0, 0, expected.text.span, tape.bytes.span)
    }

    /// Whether the node `node` matches the value at `place` of the tape. `text` belongs to the expected document,
    /// `bytes` to the actual one.
    private func accepts(_ node: Int, _ place: Int, _ text: Span<UInt8>, _ bytes: Span<UInt8>) -> Bool {
        let kind = expected.nodes[node].kind
        let entry = tape.entries[place]
        switch (kind, entry.kind) {
        case (.null, .null), (.true, .true), (.false, .false): return true
        case (.number, .number):
            let range = expected.nodes[node].content.ints
            return text.hasSame(range, as: entry.range, in: bytes) || hasSameValue(range, place)
        case (.string, .string):
            return entry.isText(text, expected.nodes[node].content.ints, in: bytes)
        case (.array, .array): return acceptsElements(node, place, text, bytes)
        case (.object, .object): return acceptsMembers(node, place, text, bytes)
        case (.placeholder, _):
            return expected.placeholders[Int(expected.nodes[node].content.lowerBound)].accepts(tape, place, budget)
        default: return false
        }
    }

    @inline(never)
    private func hasSameValue(_ range: Range<Int>, _ place: Int) -> Bool {
        let number = JSONNumber(validText: String(decoding: expected.text[range], as: UTF8.self))
        return JSONDecimal(number) == JSONDecimal(tape.number(at: place))
    }

    @inline(never)
    private func acceptsElements(_ node: Int, _ place: Int, _ text: Span<UInt8>, _ bytes: Span<UInt8>) -> Bool {
        let elements = expected.nodes[node].content.ints
        let count = tape.entries[place].count
        guard ignoreExtraElements ? elements.count <= count : elements.count == count else { return false }
        var actual = place + 1
        for element in elements {
            guard accepts(element, actual, text, bytes) else { return false }
            actual = tape.next(after: actual)
        }
        return true
    }

    @inline(never)
    private func acceptsMembers(_ node: Int, _ place: Int, _ text: Span<UInt8>, _ bytes: Span<UInt8>) -> Bool {
        let object = expected.nodes[node]
        let count = tape.entries[place].count
        guard count >= Int(object.requiredCount) else { return false }
        var name = place + 1
        var last = -1
        var step = 1
        var requiredCount = 0
        for _ in 0..<count {
            // Mostly the members come in the expected order, or in the reverse order.
            var found = last + step
            if !isMember(found, of: object, named: name, text, bytes) {
                step = -step
                found = last + step
                if !isMember(found, of: object, named: name, text, bytes) {
                    found = number(ofMember: name, of: object, text, bytes)
                }
            }
            if found >= 0 {
                last = found
                let member = Int(object.content.lowerBound) + found
                if expected.nodes[member].isRequired { requiredCount += 1 }
                guard accepts(member, name + 1, text, bytes) else { return false }
            } else if !ignoreExtraElements, !(nullsEqualMissing && tape.entries[name + 1].kind == .null) {
                return false
            }
            name = tape.next(after: name + 1)
        }
        // The keys of a tape are distinct, so each one found is another member.
        return requiredCount == Int(object.requiredCount)
    }

    // MARK: - Names

    private func isMember(
        _ member: Int, of object: FlatExpectation.Node, named name: Int, _ text: Span<UInt8>, _ bytes: Span<UInt8>
    ) -> Bool {
        guard member >= 0, member < object.content.count else { return false }
        let range = expected.nodes[Int(object.content.lowerBound) + member].name.ints
        return tape.entries[name].isText(text, range, in: bytes)
    }

    /// The index of the expected member whose name is at `name` of the tape; -1 for none.
    @inline(never)
    private func number(
        ofMember name: Int, of object: FlatExpectation.Node, _ text: Span<UInt8>, _ bytes: Span<UInt8>
    ) -> Int {
        let count = object.content.count
        if count <= FlatExpectation.linearSearchLimit {
            for member in 0..<count where isMember(member, of: object, named: name, text, bytes) { return member }
            return -1
        }
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            let member = Int(expected.order[Int(object.orderStart) + middle])
            let range = expected.nodes[Int(object.content.lowerBound) + member].name.ints
            switch tape.entries[name].order(to: text, range, in: bytes) {
            case 0: return member
            case ..<0: high = middle
            default: low = middle + 1
            }
        }
        return -1
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
