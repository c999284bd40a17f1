internal import SDJSON
internal import SDStubModel

/// Matchers of bytes and counts.
extension PatternCompiler {
    mutating func binary(_ matcher: ValueMatcher, at place: PatternPlace) -> [UInt8]? {
        guard let text = text(matcher, at: place) else { return nil }
        do throws(Base64.Problem) {
            return try Base64.decode(text)
        } catch {
            refuse(.badOperand, place.member("binaryEqualTo"), error.detail, wireMock: error.detail)
            return nil
        }
    }

    /// `count`: a number, or `{"atLeast": 1, "atMost": 3, "exactly": 2}`.
    mutating func count(_ matcher: ValueMatcher, at place: PatternPlace) -> ClosedRange<Int>? {
        if let range = ValueCount(matcher.operand)?.range { return range }
        refuse(
            .badOperand, place.member("count"),
            "`count` operand must be a number of at least 0, or an object of `atLeast`, `atMost` and `exactly`")
        return nil
    }
}
