internal import SDJSON
import SDJavaTime
internal import SDStubModel

/// Matchers of numbers, dates, bytes and counts.
extension PatternCompiler {
    mutating func number(
        _ matcher: ValueMatcher, _ comparison: NumberTest.Comparison, at place: PatternPlace
    ) -> ValueTest? {
        let text = matcher.operand.stringValue ?? matcher.operand.numberValue?.text
        if let expected = text.flatMap(JavaDouble.parse) {
            return .number(NumberTest(comparison: comparison, expected: expected))
        }
        let name = matcher.operator.rawValue
        refuse(.badOperand, place.member(name), "\(name) has to be a numeric value")
        return nil
    }

    mutating func dateTime(
        _ matcher: ValueMatcher, _ comparison: DateTimeMatcher.Comparison, at place: PatternPlace
    ) -> ValueTest? {
        guard let expected = text(matcher, at: place) else { return nil }
        var options = DateTimeMatcher.Options()
        options.actualFormat = matcher.text("actualFormat")
        options.truncateExpected = matcher.text("truncateExpected")
        options.truncateActual = matcher.text("truncateActual")
        options.applyTruncationLast = matcher.flag("applyTruncationLast")
        options.expectedOffset = matcher.integer("expectedOffset")
        options.expectedOffsetUnit = matcher.text("expectedOffsetUnit")
        do {
            return .dateTime(
                DateTimeTest(matcher: try DateTimeMatcher(comparison, expected: expected, options: options)))
        } catch {
            refuse(.badOperand, place.member(matcher.operator.rawValue), "\(error)", wireMock: error.detail)
            return nil
        }
    }

    mutating func binary(_ matcher: ValueMatcher, at place: PatternPlace) -> [UInt8]? {
        guard let text = text(matcher, at: place) else { return nil }
        do throws(Base64.Problem) {
            return try Base64.decode(text)
        } catch {
            refuse(.badOperand, place.member("binaryEqualTo"), error.detail, wireMock: error.detail)
            return nil
        }
    }

    mutating func glob(_ matcher: ValueMatcher, at place: PatternPlace) -> Glob? {
        guard let text = text(matcher, at: place) else { return nil }
        do {
            return try Glob(text)
        } catch {
            refuse(.badOperand, place.member("glob"), "\(error)")
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
