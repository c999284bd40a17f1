import SDJSON
import SDMatching
import SDPlatform
import SDRegularExpressions
import Testing

@Suite struct JSONEqualityTests {
    private func matcher(_ expected: String, _ options: String = "") throws -> JSONEquality {
        try JSONEquality(
            expected: JSONValue(parsing: expected), ignoreArrayOrder: options.contains("o"),
            ignoreExtraElements: options.contains("e"), nullsEqualMissing: options.contains("n"))
    }

    @Test(arguments: [
        (#"{"a":null}"#, "{}", true), ("{}", #"{"a":null}"#, true), (#"{"a":null}"#, #"{"b":null}"#, true),
        (#"{"a":1}"#, "{}", false), ("{}", #"{"a":1}"#, false), (#"{"a":null}"#, #"{"a":0}"#, false),
        (#"{"a":"${json-unit.ignore}"}"#, "{}", true), (#"{"a":"${json-unit.any-string}"}"#, "{}", false),
        ("[null]", "[]", false), (#"[{"a":null},{"b":1}]"#, #"[{"b":1,"c":null},{}]"#, true),
    ])
    func nullAndMissingAreTheSameOnRequest(expected: String, actual: String, matches: Bool) throws {
        let body = try JSONValue(parsing: actual)
        #expect(try matcher(expected, "on").matches(body) == matches)
        #expect(try (matcher(expected, "on").distance(body) == 0) == matches)
    }

    @Test(arguments: [
        ("{}", true), (#"{"a":null}"#, true), (#"{"a":1}"#, false), (#"{"a":"${json-unit.missing-or-null}"}"#, false),
    ])
    func missingOrNullAcceptsBoth(actual: String, matches: Bool) throws {
        let matcher = try matcher(#"{"a":"${json-unit.missing-or-null}"}"#)
        #expect(try matcher.matches(JSONValue(parsing: actual)) == matches)
    }

    /// `{}` accepts either element and equals the second one; both find a partner only the other way round.
    @Test func anExactMatchIsReassignedIfAnotherElementNeedsIt() throws {
        let matcher = try matcher(#"[{}, {"a":"${json-unit.missing-or-null}"}]"#, "oe")
        #expect(try matcher.matches(JSONValue(parsing: #"[{"a":1}, {}]"#)))
    }

    @Test func aBadExpressionIsRefusedWithItsPlace() throws {
        let expected = try JSONValue(parsing: #"{"list":[1,"${json-unit.regex}a("]}"#)
        let problem = #expect(throws: JSONEquality.Problem.self) {
            try JSONEquality(expected: expected, ignoreArrayOrder: false, ignoreExtraElements: false)
        }
        #expect(problem?.pointer.description == "/list/1")
        #expect(problem?.regex.pattern == "a(")
    }

    @Test(arguments: [
        ("${json-unit.any-strng}", "the placeholders are ignore"), ("${json-unit.matches:x}y", "nothing matches"),
        ("#{json-unit.ignore-element}", "must begin with \"$\""), ("${json-unit.ignore}x", "nothing may follow"),
    ])
    func doubtfulPlaceholdersAreRemarked(text: String, message: String) throws {
        let equality = try JSONEquality(
            expected: ["a": .string(text)], ignoreArrayOrder: false, ignoreExtraElements: false)
        #expect(equality.warnings.map(\.pointer.description) == ["/a"])
        #expect(equality.warnings.allSatisfy { $0.message.contains(message) })
    }

    @Test func keysAndTextsCompareByCodePoints() throws {
        #expect(try !matcher(#"{"\u00e9":1}"#).matches(JSONValue(parsing: #"{"e\u0301":1}"#)))
        #expect(try !matcher(#"["\u00e9"]"#, "o").matches(JSONValue(parsing: #"["e\u0301"]"#)))
    }

    /// Each number placeholder accepts any number and must refuse every text: the worst case.
    @Test func aHopelessComparisonIsAbandoned() throws {
        let placeholders = (0..<4_000).map { _ in JSONValue.string("${json-unit.any-number}") }
        let equality = try JSONEquality(
            expected: .array(placeholders), ignoreArrayOrder: true, ignoreExtraElements: false)
        let numbers = (0..<3_999).map { JSONValue.number(JSONNumber($0)) }
        let budget = WorkBudget(limit: 5_000_000)
        #expect(!equality.matches(.array(numbers + ["x"]), budget))
        #expect(budget.isSpent)
        #expect(equality.matches(.array(numbers + [1])))
        #expect(equality.distance(.array(numbers + ["x"]), WorkBudget(limit: 5_000_000)) > 0)
    }
}
