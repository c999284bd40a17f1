import SDJSON

/// A filter that compares one member with a constant, such as `?(@.id == 7)`: the most common one, which is told on a
/// tape without walking a path for each element.
struct MemberComparison {
    private let name: [UInt8]
    /// The constant, if it is a text.
    private let text: [UInt8]
    /// The constant, if it is a whole number.
    private let integer: Int?
    private let wantsSame: Bool

    /// Nil for any other filter.
    init?(_ condition: FilterCondition) {
        guard case .compare(.query(let query), let comparison, .literal(let literal)) = condition,
            comparison.isEquality, query.origin == .current, query.function == nil, query.segments.count == 1,
            case .name(let name) = query.segments[0].step
        else { return nil }
        switch literal {
        case .string(let text): (self.text, integer) = (Array(text.utf8), nil)
        case .number(let number):
            guard let integer = Int(number.text) else { return nil }
            (text, self.integer) = ([], integer)
        default: return nil
        }
        self.name = Array(name.utf8)
        wantsSame = comparison == .equal
    }

    /// The steps that a comparison takes, beside those for the members that are passed by.
    var steps: Int { 4 + text.count / 8 }

    /// Whether the filter selects the value at `place` of a tape. Nil if the value has no such member, or one of another
    /// kind than the constant.
    func selects(_ place: Int, of entries: Span<JSONTape.Entry>, in bytes: Span<UInt8>) -> Bool? {
        guard entries[place].kind == .object else { return nil }
        let end = entries[place].next(after: place)
        let name = name.span
        var member = place &+ 1
        while member < end {
            if entries[member].isText(name, 0..<name.count, in: bytes) {
                return isSame(entries[member &+ 1], in: bytes).map { $0 == wantsSame }
            }
            member = entries[member &+ 1].next(after: member &+ 1)
        }
        return nil
    }

    private func isSame(_ value: JSONTape.Entry, in bytes: Span<UInt8>) -> Bool? {
        switch value.kind {
        case .number:
            guard let integer, let value = value.smallInteger(in: bytes) else { return nil }
            return value == integer
        case .string:
            guard integer == nil else { return nil }
            let text = text.span
            return value.isText(text, 0..<text.count, in: bytes)
        default: return nil
        }
    }
}
