import SDPlatform

extension RequestViews {
    /// The length of a text that is searched without a look at the budget.
    private static let piece = 16 << 10

    /// Whether a text contains a part. A long text is searched in pieces that the budget pays for one by one, because
    /// no clock interrupts the search: at worst it takes some ten nanoseconds a byte.
    /// - Returns: false too once the budget is spent.
    mutating func contains(_ part: [UInt8], in text: ArraySlice<UInt8>) -> Bool {
        guard text.count > Self.piece else { return text.contains(part[...]) }
        // Each piece goes on into the next one, so that what lies across their border is found.
        let length = max(Self.piece, 2 * part.count)
        var start = text.startIndex
        while true {
            let end = min(start + length + part.count, text.endIndex)
            guard budget.draw((end - start) / 8, for: WorkBudget.Work("matchers", "of texts")) else { return false }
            if text[start..<end].contains(part[...]) { return true }
            if end == text.endIndex { return false }
            start += length
        }
    }
}
