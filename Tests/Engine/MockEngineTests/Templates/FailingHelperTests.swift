import SDJSON
import SDStubModel
import SDTestSupport
import Testing

@testable import SDMockEngine

/// A helper that fails while it is rendered is told in the log with its name and place; the answer is WireMock's.
@Suite struct FailingHelperTests {
    @Test(
        arguments: [
            (
                #""body": "a\n{{jsonPath '{}' '$['}}""#, 200,
                "a\n[ERROR: $[ is not a valid JSONPath expression]",
                "the helper `jsonPath` failed at line 2, column 3 of body: $[ is not a valid JSONPath expression"
            ),
            (
                #""headers": {"X-A": "{{parseJson 'x'}}"}"#, 200, "",
                "the helper `parseJson` failed at line 1, column 3 of headers: x is not valid JSON"
            ),
            (
                #""jsonBody": {"a": "x", "b": ["{{formatJson 'x' format='no'}}"]}"#, 200, nil,
                "the helper `formatJson` failed at line 1, column 3 of jsonBody.b.0: "
            ),
            (
                #""body": "{{now offset='1 dai'}}""#, 500, nil, "the helper `now` failed at line 1, column 3 of body: "
            ),
            // Of helpers within one another the one that fails is told.
            (
                #""body": "{{upper (jsonPath '{}' '$[')}}""#, 200,
                "[ERROR: $[ IS NOT A VALID JSONPATH EXPRESSION]",
                "the helper `jsonPath` failed at line 1, column 10 of body: $[ is not a valid JSONPath expression"
            ),
        ] as [(String, Int, String?, String)])
    func theHelperIsNamedWithItsPlace(response: String, status: Int, body: String?, message: String) throws {
        let mock = try ServedSession()
        try mock.add(#"{"request": {"url": "/a"}, "response": {\#(response), "transformers": ["response-template"]}}"#)
        // Each of many requests fails alike: it is told once.
        for _ in 0..<3 {
            let answer = try mock.ask("GET", "/a")
            #expect(answer.status == status)
            if let body { #expect(answer.text == body) }
        }
        let warnings = mock.log.warnings.withLock { $0 }
        #expect(warnings.count == 1 && warnings[0].hasPrefix("ANY /a: " + message), "\(warnings)")
    }

    @Test func aHelperThatWorksIsNotTold() throws {
        let mock = try ServedSession()
        try mock.add(
            #"{"request": {"url": "/a"}, "response": {"body": "{{jsonPath request.body '$.a'}}{{now}}", "#
                + #""transformers": ["response-template"]}}"#)
        #expect(try mock.ask("GET", "/a").status == 200)
        #expect(mock.log.warnings.withLock { $0 }.isEmpty)
    }
}
