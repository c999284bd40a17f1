internal import SDBasics
internal import SDJSON
import SDJavaTime
import SDRegularExpressions
internal import SDStubModel

/// Matchers of single values and of values that may be repeated.
extension PatternCompiler {
    /// The maximum nesting of `and`, `or` and `not`.
    private static var deepestNesting: Int { 64 }

    /// Tests with their names, in document order.
    mutating func multiValueTests(_ matchers: [NamedMatcher], at place: PatternPlace) -> [(String, MultiValueTest)] {
        var tests: [(String, MultiValueTest)] = []
        for named in matchers {
            if let test = multiValueTest(named.matcher, at: place.member(named.name)) {
                tests.append((named.name, test))
            }
        }
        return tests
    }

    private mutating func multiValueTest(_ matcher: ValueMatcher, at place: PatternPlace) -> MultiValueTest? {
        switch matcher.operator {
        case .hasExactly: return list(matcher, at: place, depth: 0, least: 0).map { .hasExactly($0) }
        case .includes: return list(matcher, at: place, depth: 0, least: 0).map { .includes($0) }
        case .count: return count(matcher, at: place).map { .count($0) }
        default: return valueTest(matcher, at: place).map { .any($0) }
        }
    }

    mutating func valueTest(_ matcher: ValueMatcher, at place: PatternPlace) -> ValueTest? {
        valueTest(matcher, at: place, depth: 0)
    }

    private mutating func valueTest(_ matcher: ValueMatcher, at place: PatternPlace, depth: Int) -> ValueTest? {
        switch matcher.operator {
        case .equalTo:
            guard let text = text(matcher, at: place) else { return nil }
            if let test = replaced(text, matcher) { return test }
            let bytes = Array(text.utf8)
            return matcher.flag("caseInsensitive") ? .equalToIgnoringCase(bytes) : .equalTo(bytes)
        case .contains: return text(matcher, at: place).map { replaced($0, matcher) ?? .contains(Array($0.utf8)) }
        case .doesNotContain: return text(matcher, at: place).map { .doesNotContain(Array($0.utf8)) }
        case .matches: return regex(matcher, at: place).map { .matches($0) }
        case .doesNotMatch: return regex(matcher, at: place).map { .doesNotMatch($0) }
        case .binaryEqualTo:
            guard let name = matcher.fileName else { return binary(matcher, at: place).map { .binary($0) } }
            // A missing file is reported together with those of responses.
            return files(name).map { .binary($0) } ?? .not(.anything)
        case .absent: return matcher.requiresPresence ? .not(.absent) : .absent
        case .anything: return .anything
        case .and: return list(matcher, at: place, depth: depth, least: 2).map { .and($0) }
        case .or: return list(matcher, at: place, depth: depth, least: 2).map { .or($0) }
        case .not: return nested(matcher.operand, at: place.member("not"), depth: depth).map { .not($0) }
        case .hasExactly, .includes, .count:
            let name = matcher.operator.rawValue
            refuse(.badOperand, place.member(name), "`\(name)` applies only to parts with several values")
            return nil
        default: return ownTest(matcher, at: place, depth: depth)
        }
    }

    /// The test for a text with U+FFFD, which also matches bytes that are not UTF-8, as in Java; nil for any other
    /// text, and for one too long for an expression.
    private func replaced(_ text: String, _ matcher: ValueMatcher) -> ValueTest? {
        guard text.unicodeScalars.contains("\u{FFFD}") else { return nil }
        let around = matcher.operator == .contains ? "[\\s\\S]*" : ""
        var quoted = ""
        var rest = text[...]
        while let place = rest.firstRange(ofText: "\\E") {
            quoted += rest[..<place.lowerBound] + "\\E\\\\E\\Q"
            rest = rest[place.upperBound...]
        }
        quoted += rest
        let flags = matcher.flag("caseInsensitive") ? "(?iu)" : ""
        return (try? JavaRegex("\(flags)\(around)\\Q\(quoted)\\E\(around)")).map { .matches($0) }
    }

    /// A string operand.
    mutating func text(_ matcher: ValueMatcher, at place: PatternPlace) -> String? {
        if case .string(let text) = matcher.operand { return text }
        let name = matcher.operator.rawValue
        refuse(.badOperand, place.member(name), "`\(name)` operand must be a non-null string")
        return nil
    }

    private mutating func regex(_ matcher: ValueMatcher, at place: PatternPlace) -> JavaRegex? {
        guard let text = text(matcher, at: place) else { return nil }
        return regex(text, at: place.member(matcher.operator.rawValue))
    }

    private mutating func list(
        _ matcher: ValueMatcher, at place: PatternPlace, depth: Int, least: Int
    ) -> [ValueTest]? {
        let name = matcher.operator.rawValue
        let place = place.member(name)
        guard case .array(let elements) = matcher.operand, elements.count >= least else {
            let count = least > 1 ? "an array of at least \(least) matchers" : "an array of matchers"
            refuse(.badOperand, place, "`\(name)` operand must be \(count)")
            return nil
        }
        var tests: [ValueTest] = []
        for (index, element) in elements.enumerated() {
            if let test = nested(element, at: place.element(index), depth: depth) { tests.append(test) }
        }
        return tests
    }

    /// A matcher within a matcher; its first known operator decides.
    mutating func nested(_ value: JSONValue, at place: PatternPlace, depth: Int) -> ValueTest? {
        guard depth < Self.deepestNesting else {
            refuse(.badOperand, place, "matchers are nested too deeply")
            return nil
        }
        guard case .object(let object) = value,
            let `operator` = object.members.lazy.compactMap({ ValueMatcher.Operator(rawValue: $0.key) }).first
        else {
            refuse(.badOperand, place, "expected a matcher such as {\"equalTo\": \"x\"}")
            return nil
        }
        return valueTest(ValueMatcher(`operator`, json: object), at: place, depth: depth + 1)
    }
}
