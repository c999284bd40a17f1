import SDJSON

/// A filter that compares one member with a constant, such as `?(@.id == 7)`: the most common kind, evaluated on a tape
/// without a path walk per element.
struct MemberComparison {
    private let name: ContiguousArray<UInt8>
    private let preparedName: PreparedText
    private let constant: TapeConstant
    private let wantsSame: Bool

    /// Nil for any other filter.
    init?(_ condition: FilterCondition) {
        guard case .compare(.query(let query), let comparison, .literal(let literal)) = condition,
            comparison.isEquality, query.origin == .current, query.function == nil, query.segments.count == 1,
            case .name(let name) = query.segments[0].step, let constant = TapeConstant(literal)
        else { return nil }
        let bytes = ContiguousArray(name.utf8)
        self.name = bytes
        preparedName = PreparedText(0..<UInt32(bytes.count), of: bytes.span)
        self.constant = constant
        wantsSame = comparison == .equal
    }

    /// The steps of a comparison, besides those for skipped members.
    var steps: Int { 2 + constant.steps }

    /// Whether the filter selects the value at index `place` of a tape. Nil if the value lacks the member, or it is of
    /// another kind than the constant.
    func selects(_ place: Int, of entries: Span<JSONTape.Entry>, in bytes: Span<UInt8>) -> Bool? {
        guard let member = JSONTape.member(preparedName, of: name.span, in: place, entries, bytes),
            let isSame = constant.equals(entries[member], in: bytes)
        else { return nil }
        return isSame == wantsSame
    }
}
