import SDAnswering
import SDJSON
import SDLinting
import SDMockEngine
import SDRequestTemplates
import SDStubModel
import SDStubs
import Testing

/// What is found about a stub does not depend on who reads it: `validate`, the daemon at its start, or the admin API.
@Suite struct PlainStubsTests {
    @Test(arguments: [
        #"{"request": {"method": "get", "urlPath": "/a"}}"#, #"{"request": {"urlPath": "/users/:id"}}"#,
        #"{"request": {"urlPathTemplate": "/users/{id:[0-9]+}"}}"#, #"{"request": {"urlPattern": "/a?b=1"}}"#,
        #"{"request": {"url": "/__admin/x"}}"#, #"{"request": {"headers": {"A b": {"equalTo": "c"}}}}"#,
        #"{"request": {"bodyPatterns": [{"matchesJsonSchema": {"pattern": "("}}]}}"#,
        #"{"request": {"bodyPatterns": [{"equalToJson": {"a": "${json-unit.any-nonsense}"}}]}}"#,
        #"{"request": {"bodyPatterns": [{"and": [{"absent": true}, {"contains": "x"}]}]}}"#,
        #"{"request": {"customMatcher": {"name": "nobody"}}}"#, #"{"response": {"body": "{{request.path}}"}}"#,
        #"{"response": {"headers": {"Location": "/{{x}}"}}}"#, #"{"response": {"status": 204, "body": "x"}}"#,
        #"{"response": {"proxyBaseUrl": "http://a", "fault": "EMPTY_RESPONSE"}}"#,
        #"{"response": {"body": "${request.path}"}}"#, #"{"response": {"headers": {"A": "<%= request.path %>"}}}"#,
        #"{"request": {"urlPathTemplate": "/{id}"}, "response": {"body": "{id}"}}"#,
        #"{"request": {"urlPathTemplate": "/{id}"}, "response": {"body": "/x/:id"}}"#,
        #"{"request": {"urlPathTemplate": "/{id}"}, "response": {"headers": {"Location": "/x/$id"}}}"#,
        #"{"response": {"headers": {"Retry-After": "2m"}}}"#,
        #"{"response": {"body": "[[request.path]]"}}"#, #"{"response": {"body": "{% request.path %}"}}"#,
        #"{"response": {"body": "{{params.id}}", "transformers": ["response-template"]}}"#,
        #"{"request": {"bodyPatterns": [{"equalToJson": {"a": "*"}}]}}"#,
        #"{"response": {"jsonBody": "[1]"}}"#, #"{"response": {"transformers": ["x"]}}"#,
        #"{"request": {"method": "GET", "url": "/a?b={c}"}, "response": {"body": "{ok}"}}"#,
        #"{"request": {"method": "QUERY", "urlPathTemplate": "/a/{b}"}, "response": {"status": 201}}"#,
    ])
    func allDoorsFindTheSame(mapping: String) throws {
        let stub = try StubMapping(json: JSONValue(parsing: mapping))
        let session = Session()
        let atStart = session.prepare([stub]).startProblems.map(\.problem.description)
        let inCall = session.warnings(about: stub).map(\.description)
        let validated = try LintedFile("[\(mapping)]").session.findings().map { finding in
            ModelProblem(
                pointer: finding.pointer, isAboutName: finding.isAboutName, message: finding.message,
                expected: finding.expected, suggestion: finding.suggestion
            ).description
        }
        #expect(atStart == validated)
        #expect(inCall == validated)
    }

    @Test func whereAllResponsesAreTemplatesTheirExpressionsAreMeant() throws {
        var options = SessionOptions()
        options.response.templating = .global
        let stub = try StubMapping(json: ["response": ["body": "{{request.path}}"]])
        #expect(Session(options: options).warnings(about: stub).isEmpty)
        #expect(Session(options: options).prepare([stub]).startProblems.isEmpty)
    }
}
