import SDJSON
import SDShorthand
import SDStubFiles
import SDStubModel
import Testing

/// Routes that answer for a limited time or with several responses in turn.
@Suite struct RouteSequenceTests {
    @Test(arguments: [
        ("GET /a: { times: 3, body: x }", #"{"times": 3}"#),
        ("GET /a: { ttl: 90s }", #"{"ttl": "90s"}"#), ("GET /a: { ttl: 2m }", #"{"ttl": "2m"}"#),
        ("GET /a: { ttl: 1.5s }", #"{"ttl": "1500ms"}"#), ("GET /a: { enabled: false }", #"{"enabled": false}"#),
        (
            "GET /a: { sequence: [{ status: 503 }, { json: [1], delay: 5ms }] }",
            #"{"responses": [{"status": 503}, {"status": 200, "jsonBody": [1], "#
                + #""headers": {"Content-Type": "application/json"}, "fixedDelayMilliseconds": 5}]}"#
        ),
        (
            "GET /a: { sequence: [{ body: a, weight: 3 }, { fault: EMPTY_RESPONSE }], select: random }",
            #"{"responses": [{"status": 200, "body": "a", "headers": {"Content-Type": "text/plain; charset=utf-8"}, "#
                + #""weight": 3}, {"status": 200, "fault": "EMPTY_RESPONSE"}], "select": "random"}"#
        ),
        (
            "GET /a: { sequence: [{ status: 500 }], onEnd: notFound, times: 2 }",
            #"{"times": 2, "responses": [{"status": 500}], "onEnd": "notFound"}"#
        ),
        (
            "GET /a/{id}: { sequence: { per: path.id, onEnd: loop, responses: [{ status: 500 }] } }",
            #"{"responses": [{"status": 500}], "onEnd": "loop", "per": "path.id"}"#
        ),
        (
            "GET /a: { sequence: [{ status: 500 }], per: headers.X-Key }",
            #"{"responses": [{"status": 500}], "per": "header.X-Key"}"#
        ),
        (
            "GET /a: { sequence: { per: cookies.sid, responses: [{ status: 500 }] } }",
            #"{"responses": [{"status": 500}], "per": "cookie.sid"}"#
        ),
        (
            "GET /a: { sequence: { per: $.user.id, responses: [{ status: 500 }] } }",
            #"{"responses": [{"status": 500}], "per": "$.user.id"}"#
        ),
    ])
    func keysBecomeFields(text: String, expected: String) throws {
        let file = parse(text)
        #expect(file.diagnostics.isEmpty, "\(file.diagnostics)")
        let json = try #require(file.stubs.first?.json(view: .file))
        let want = try JSONValue(parsing: expected)
        for name in ["times", "ttl", "enabled", "responses", "onEnd", "select", "per"] {
            #expect(json[name] == want[name])
        }
        #expect((json["response"] == nil) == (want["responses"] != nil))
        // Writing and reading it again gives the same, but for HEAD, which a route answers and a mapping does not.
        var again = try StubMapping(json: json)
        again.answersHead = true
        #expect(again == file.stubs.first)
    }

    @Test(arguments: [
        ("GET /a: { times: 0 }", "whole number from 1"), ("GET /a: { ttl: 30 }", "30s"),
        ("GET /a: { sequence: [] }", "at least one response"), ("GET /a: { sequence: [{ stauts: 1 }] }", "status"),
        ("GET /a: { sequence: [{ when: {} }] }", "unknown key"), ("GET /a: { sequence: [5] }", "a response"),
        ("GET /a: { sequence: [{}], status: 200 }", "in the sequence"), ("GET /a: { onEnd: loop }", "no sequence"),
        ("GET /a: { sequence: [{}], onEnd: lop }", "loop"), ("GET /a: { sequence: [{ weight: 1 }] }", "random"),
        ("GET /a: { sequence: [{ weight: -1 }], select: random }", "a weight"),
        ("GET /a: { sequence: [{}], select: random, onEnd: loop }", "no onEnd"),
        ("GET /a: { sequence: [{ json: 1, body: x }] }", "one body"), ("GET /a: { tims: 3 }", "times"),
        ("GET /a: { per: path.id }", "no sequence"), ("GET /a: { sequence: { per: query.a } }", "no responses"),
        ("GET /a: { sequence: { per: path.id, responses: [{}] } }", "/users/{id}"),
        ("GET /a/{id}: { sequence: { per: path.idd, responses: [{}] } }", "did you mean \"path.id\"?"),
        ("GET /a/{id}: { sequence: { per: '{{path.id}}', responses: [{}] } }", "did you mean \"path.id\"?"),
        ("GET /a/{id}: { sequence: { per: id, responses: [{}] } }", "did you mean \"path.id\"?"),
        ("GET /a: { sequence: { per: X-Key, responses: [{}] } }", "did you mean \"header.X-Key\"?"),
        ("GET /a: { sequence: { per: request.headers.X, responses: [{}] } }", "did you mean \"header.X\"?"),
        ("GET /a: { sequence: { per: queryParameters.a, responses: [{}] } }", "did you mean \"query.a\"?"),
        ("GET /a: { sequence: { per: body.id, responses: [{}] } }", "did you mean \"$.id\"?"),
        ("GET /a: { sequence: { per: query.a, select: random, responses: [{}] } }", "random choice"),
        ("GET /a: { sequence: { by: query.a, responses: [{}] } }", "did you mean \"per\"?"),
    ])
    func mistakesAreNamed(text: String, hint: String) {
        let file = parse(text)
        #expect(file.stubs.isEmpty)
        #expect(file.diagnostics.contains { "\($0)".contains(hint) }, "\(file.diagnostics)")
    }

    /// What is wrong with a response is shown where it stands.
    @Test func placesInASequenceOfValuesAreFound() throws {
        let text = "POST /a: { sequence: { per: $.id, responses: [{ json: 1 }] } }"
        let document = StubDocument(json: try JSONValue(parsingYAML: text.utf8))
        let origin = try #require(document.origins.first)
        let place = origin.place(of: JSONPointer(["responses", "0", "jsonBody"])).place
        #expect(place == JSONPointer(["POST /a", "sequence", "responses", "0", "json"]))
    }

    /// Routes are written as they are read.
    @Test(arguments: [
        "GET /a/{id}: { sequence: { per: path.id, responses: [{ status: 500 }, { body: x }] }, onEnd: loop }",
        "POST /a: { sequence: { per: $.id, responses: [{ status: 500 }, { body: x }] } }",
    ])
    func sequencesOfValuesAreWritten(text: String) throws {
        let stub = try #require(parse(text).stubs.first)
        let route = try #require(WrittenRoute(stub))
        let read = try JSONValue(parsingYAML: "\(route.key): \(route.value.compactText)".utf8)
        let again = StubDocument(json: read)
        #expect(again.problems.isEmpty)
        #expect(again.stubs.map(\.responses) == [stub.responses])
        #expect(route.value["sequence"]?["per"] != nil)
    }

    /// Responses after one that ends some time are valid.
    @Test func aSequenceThatStopsLeavesTheRestToTheNextStub() {
        let file = parse("GET /a: [{ times: 2, status: 503 }, { ttl: 1s, status: 202 }, { body: x }]")
        #expect(file.diagnostics.isEmpty)
        #expect(file.stubs.count == 3)
    }
}
