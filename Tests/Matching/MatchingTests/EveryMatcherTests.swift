import SDJSON
import SDStubModel
import SDTestSupport
import Testing

@testable import SDMatching

/// Each operator of the dialect's table does something.
@Suite struct EveryMatcherTests {
    private static let operands: [ValueMatcher.Operator: JSONValue] = [
        .and: [["contains": "a"], ["contains": "b"]], .or: [["contains": "a"], ["contains": "b"]],
        .not: ["contains": "a"], .hasExactly: [["contains": "a"]], .includes: [["contains": "a"]], .count: 1,
        .equalToNumber: 1, .greaterThanNumber: 1, .greaterThanEqualNumber: 1, .lessThanNumber: 1,
        .lessThanEqualNumber: 1, .before: "now", .after: "now", .equalToDateTime: "now", .binaryEqualTo: "YQ==",
        .equalToJson: "{}", .matchesJsonSchema: "{}", .equalToXml: "<a/>", .matchesJsonPath: "$.a",
        .matchesXPath: "/a", .matchesJwt: ["claims": ["sub": "a"]], .matchesGraphql: ["query": "{ a }"],
        .matchesPathTemplate: "/a/{b}",
    ]

    @Test(arguments: ValueMatcher.Operator.allCases)
    func itIsCompiled(_ name: ValueMatcher.Operator) throws {
        let matcher = ValueMatcher(name, operand: Self.operands[name] ?? "a")
        var request = RequestPattern()
        if ValueMatcher.Position.body.allows(name) {
            request.bodyPatterns = [matcher]
        } else {
            request.headers = [NamedMatcher("A", matcher)]
        }
        let pattern = try CompiledPattern(request)
        #expect(!pattern.isDecidedByURL, "\(name) is no condition")
    }
}
