import SDPlatform

extension RequestViews {
    /// The length of a text searched between two checks of the budget, in bytes.
    private static let piece = 16 << 10

    /// Whether a text contains a part. A long text is searched in slices, each paid for by the budget, because the
    /// search cannot be interrupted: at worst it takes some ten nanoseconds per byte.
    /// - Returns: also false once the budget is exhausted.
    mutating func contains(_ part: [UInt8], in text: ArraySlice<UInt8>) -> Bool {
        guard text.count > Self.piece else { return text.contains(part[...]) }
        // Slices overlap, so that a part across a boundary is found.
        let length = max(Self.piece, 2 * part.count)
        var start = text.startIndex
        while true {
            let end = min(start + length + part.count, text.endIndex)
            guard budget.spend((end - start) / 8, for: WorkBudget.Work("matchers", "of texts")) else { return false }
            if text[start..<end].contains(part[...]) { return true }
            if end == text.endIndex { return false }
            start += length
        }
    }
}
