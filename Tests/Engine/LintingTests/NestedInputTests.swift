import SDJSON
import SDMatching
import SDMockEngine
import SDStubModel
import SDTestSupport
import Testing

/// What is nested deeply in a stub or in a request is read, looked over, compiled, matched and written within a small
/// stack, or refused.
@Suite(.disabled(if: ProcessFacts.isSanitized, "a sanitizer's frames fill a thread's stack"))
struct NestedInputTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// A request pattern, and the body of a request, nested so deeply.
        let pattern: @Sendable (Int) -> String
        let body: @Sendable (Int) -> String

        init(
            _ name: String, _ pattern: @escaping @Sendable (Int) -> String,
            body: @escaping @Sendable (Int) -> String = { _ in "[]" }
        ) {
            self.name = name
            self.pattern = pattern
            self.body = body
        }

        var testDescription: String { name }
    }

    private static func nested(_ open: String, _ close: String, _ count: Int, _ middle: String = "") -> String {
        String(repeating: open, count: count) + middle + String(repeating: close, count: count)
    }

    /// A pattern of one matcher of the body.
    private static func onBody(_ matcher: String) -> String { #"{"bodyPatterns": [\#(matcher)]}"# }

    private static func lists(_ count: Int) -> String { nested("[", "]", count) }
    private static func objects(_ count: Int) -> String { nested(#"{"a":"#, "}", count, "1") }
    private static func elements(_ count: Int) -> String { nested("<a>", "</a>", count) }

    static let cases: [Case] = [
        Case("and", { onBody(nested(#"{"and":["#, #", {"contains":"y"}]}"#, $0, #"{"contains":"x"}"#)) }),
        Case("or", { onBody(nested(#"{"or":["#, #", {"contains":"y"}]}"#, $0, #"{"contains":"x"}"#)) }),
        Case("not", { onBody(nested(#"{"not":"#, "}", $0, #"{"contains":"x"}"#)) }),
        Case(
            "JSONPath with a matcher",
            {
                onBody(
                    nested(
                        #"{"matchesJsonPath":{"expression":"$.a","and":["#, #",{"contains":"y"}]}}"#, $0,
                        #"{"contains":"x"}"#))
            },
            body: objects),
        Case("equalToJson", { onBody(#"{"equalToJson": \#(lists($0))}"#) }, body: lists),
        Case("equalToJson, other objects", { onBody(#"{"equalToJson": \#(objects($0))}"#) }, body: { objects($0 + 1) }),
        Case(
            "equalToJson in any order",
            { onBody(#"{"equalToJson": \#(objects($0)), "ignoreArrayOrder": true, "ignoreExtraElements": true}"#) },
            body: objects),
        Case("a text of equalToJson", { onBody(#"{"equalToJson": "\#(lists($0))"}"#) }, body: lists),
        Case("a JSON Schema", { onBody(#"{"matchesJsonSchema": \#(nested(#"{"not":"#, "}", $0, "true"))}"#) }),
        Case(
            "a JSON Schema of objects",
            { onBody(#"{"matchesJsonSchema": \#(nested(#"{"properties":{"a":"#, "}}", $0, "true"))}"#) },
            body: objects),
        Case(
            "a JSON Schema that refers to itself",
            { _ in onBody(##"{"matchesJsonSchema": {"additionalProperties": {"$ref": "#"}}}"##) }, body: objects),
        Case("parentheses of JSONPath", { onBody(#"{"matchesJsonPath": "$[?\#(nested("(", ")", $0, "@.a"))]"}"#) }),
        Case("filters of JSONPath", { onBody(#"{"matchesJsonPath": "$\#(nested("[?(@", ")]", $0))"}"#) }),
        Case("negations of JSONPath", { onBody(#"{"matchesJsonPath": "$[?(\#(nested("!", "", $0))@.a)]"}"#) }),
        Case("descendants of JSONPath", { _ in onBody(#"{"matchesJsonPath": "$..b"}"#) }, body: objects),
        Case(
            "parentheses of XPath", { onBody(#"{"matchesXPath": "\#(nested("(", ")", $0, "/a"))"}"#) }, body: elements),
        Case("predicates of XPath", { onBody(#"{"matchesXPath": "\#(nested("a[", "]", $0, "1"))"}"#) }, body: elements),
        Case("calls of XPath", { onBody(#"{"matchesXPath": "\#(nested("not(", ")", $0, "a"))"}"#) }, body: elements),
        Case("signs of XPath", { onBody(#"{"matchesXPath": "\#(nested("-", "", $0, "1"))"}"#) }, body: elements),
        Case("XML", { onBody(#"{"equalToXml": "\#(elements($0))"}"#) }, body: elements),
        Case("groups of an expression", { onBody(#"{"matches": "\#(nested("(", ")", $0, "a"))"}"#) }),
        Case("classes of an expression", { onBody(#"{"matches": "\#(nested("[a", "]", $0))"}"#) }),
        Case("repetitions of an expression", { onBody(#"{"matches": "\#(nested("(?:", ")*", $0, "a"))"}"#) }),
        Case(
            "GraphQL", { onBody(#"{"matchesGraphql": {"query": "\#(nested("{ a ", "}", $0))"}}"#) },
            body: { #"{"query": "\#(nested("{ a ", "}", $0))"}"# }),
        Case(
            "values of GraphQL", { _ in onBody(#"{"matchesGraphql": {"query": "{ a }"}}"#) },
            body: { #"{"query": "{ a(b: \#(lists($0))) }"}"# }),
        Case("braces of a path", { #"{"urlPathTemplate": "/\#(nested("{", "}", $0, "a"))"}"# }),
        Case(
            "a list of a multipart body",
            { #"{"multipartPatterns": [{"bodyPatterns": [{"equalToJson": \#(lists($0))}]}]}"# }),
        Case("metadata of a custom matcher", { #"{"customMatcher": {"name": "a", "parameters": \#(objects($0))}}"# }),
    ]

    @Test(arguments: cases, [1, 60, 500, 5_120, 100_000]) func itFits(_ subject: Case, depth: Int) throws {
        let (pattern, body) = (subject.pattern(depth), subject.body(depth))
        let isRead = Locked(false)
        try onSmallStack(of: 2 << 20) {
            guard let request = try? JSONValue(parsing: pattern),
                let stub = try? StubMapping(json: ["request": request])
            else { return }
            _ = stub.json().compactBytes
            _ = Session().warnings(about: stub)
            guard let compiled = try? CompiledPattern(stub.request) else { return }
            var views = RequestViews(TestRequest("POST", "/a", body: body.utf8))
            _ = compiled.matches(TestRequest("POST", "/a", body: body.utf8), &views)
            isRead.withLock { $0 = true }
        }
        #expect(depth > 1 || isRead.withLock { $0 }, "not even one level is read")
    }
}
