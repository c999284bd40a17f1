import SDJSON
import SDStubFiles
import SDStubModel
import Testing

/// What an author meant who wrote a name, a unit or a path of another tool, or misspelt one of ours.
@Suite struct NameSuggestionTests {
    @Test(arguments: [
        ("GET ^/users$: {}", "GET /users"), ("GET ^/users/[0-9]+$: {}", "GET ~/users/[0-9]+"),
        ("GET ^/a: {}", "GET /a"), ("GET http://x/a: {}", "GET /a"),
        ("{ request: { url: 'http://x/a?b=1#c' }, response: {} }", "/a?b=1"),
        ("{ request: { urlPath: 'https://x' }, response: {} }", "/"),
        ("{ request: { url: a }, response: {} }", "/a"),
        ("mapings: [ { request: { url: /a }, response: {} } ]", "mappings"),
        ("{ request: { url: /a }, response: { fixedDelay: 5 } }", "fixedDelayMilliseconds"),
        ("{ request: { url: /a }, response: { bodyFile: x } }", "bodyFileName"),
        ("{ request: { url: /a }, response: { contentType: a/b } }", "headers"),
        ("{ request: { url: /a }, response: { statusCode: 200 } }", "status"),
        ("{ request: { path: /a }, response: {} }", "urlPath"),
        ("{ httpRequest: { url: /a }, response: {} }", "request"),
        ("{ request: { url: /a, headers: { A: { regex: x } } }, response: {} }", "matches"),
        ("GET /a: { fixedDelay: 5ms }", "delay"), ("GET /a: { latency: 5ms }", "delay"),
        ("GET /a: { bodyFile: x }", "file"), ("GET /a: { contentType: a/b }", "headers"),
        ("GET /a: { responseBody: x }", "body"), ("GET /a: { httpStatus: 200 }", "status"),
        ("GET /a: { when: { headers: { A: { regex: x } } } }", "matches"),
        ("GET /a: { when: { body: { regex: x } } }", "matches"),
        ("GET /a: { when: { body: { equals: x } } }", "equalTo"),
        ("GET /a: { delay: [50ms, 200ms] }", "{uniform: [50ms, 200ms]}"),
        ("GET /a: { delay: [50, 2sec] }", "{uniform: [50ms, 2s]}"), ("GET /a: { delay: [50ms] }", nil),
        ("GET /a: { delay: 2sec }", "2s"), ("GET /a: { delay: 1.5 seconds }", "1.5s"), ("GET /a: { delay: 5 }", "5ms"),
        ("GET /a: { delay: 10 Min }", "10m"), ("GET /a: { delay: 2 days }", "48h"), ("GET /a: { delay: fast }", nil),
        ("GET /a: { ttl: 30 secs }", "30s"), ("GET /a: { ttl: 30 }", "30s"),
    ]) func theMeantNameIsTold(text: String, suggestion: String?) {
        let diagnostics = parse(text).diagnostics
        #expect(diagnostics.count == 1, "\(diagnostics)")
        #expect(diagnostics.first?.suggestion == suggestion)
    }

    /// Documents with one of everything.
    private static let documents = [
        """
        defaults: { basePath: /api, headers: { A: b }, delay: 5ms }
        chaos: { slow: [ { name: slow, delay: 5ms, route: GET /a } ] }
        POST /a/{id}:
          name: n
          priority: 3
          when:
            host: h
            headers: { A: { equalTo: b, caseInsensitive: true } }
            query: { q: { or: [ { contains: a }, { not: { matches: b } } ] } }
            path: { id: { matches: "[0-9]+" } }
            basicAuth: { username: u, password: p }
            jsonPath: { $.a: { equalTo: b } }
            multipart: [ { name: a, headers: { B: c } } ]
            jwt: { claims: { sub: ada } }
            graphql: { operationName: Get, query: "{ a }" }
          status: 201
          headers: { C: d }
          json: { e: f }
          delay: { median: 80ms, sigma: 0.4 }
          dribble: { chunks: 5, over: 1s }
          scenario: { name: s, from: Started, to: done }
          metadata: { g: h }
          hold: { gate: g, timeout: 5s, onTimeout: 504 }
          early: [ { status: 103, headers: { Link: l } } ]
          times: 3
          ttl: 5m
          capture: { user: u }
        """,
        """
        GET /s: { stream: { name: n, events: [ { after: 1s, event: e, data: d } ], repeat: 2 } }
        GET /r: { onEnd: loop, sequence: [ { status: 200 }, { body: b } ] }
        CRUD /users: { data: [ { id: 1 } ], key: id, schema: { type: object } }
        GET /f: { fault: { delay: 5ms } }
        GET /u: { delay: { uniform: [50ms, 200ms] } }
        GET /g: { delay: { gaussian: [200ms, 50ms], max: 1s } }
        """,
        """
        mappings:
          - name: n
            request:
              urlPathTemplate: /a/{id}
              method: POST
              pathParameters: { id: { equalTo: a } }
              queryParameters: { q: { hasExactly: [ { equalTo: b } ] } }
              basicAuthCredentials: { username: u, password: p }
              bodyPatterns: [ { matchesJsonPath: { expression: $.a, equalTo: b } }, { equalToJson: {}, ignoreArrayOrder: true } ]
              multipartPatterns: [ { matchingType: ANY, bodyPatterns: [ { contains: x } ] } ]
              customMatcher: { name: state-matcher, parameters: { hasContext: c } }
            response:
              status: 200
              jsonBody: { a: b }
              headers: { A: b }
              delayDistribution: { type: uniform, lower: 1, upper: 2 }
              chunkedDribbleDelay: { numberOfChunks: 2, totalDuration: 10 }
              transformerParameters: { p: q }
            scenarioName: s
            requiredScenarioState: Started
            newScenarioState: done
            serveEventListeners: [ { name: recordState, parameters: { context: c, state: { a: b } } } ]
          - request: { url: /b }
            resource: { name: u, path: /b, key: id }
        """,
    ]

    @Test(arguments: documents) func aMisspeltKeyIsToldOnce(document: String) throws {
        let json = try JSONValue(parsingYAML: document)
        #expect(parse(json.prettyText).diagnostics.isEmpty)
        for pointer in Self.keys(json) {
            // Free names, with which others agree, and the lists of names of others.
            if pointer.text.hasSuffix("/path/id") || pointer.text.hasSuffix("/pathParameters/id") { continue }
            let misspelt = Self.misspelling(json, pointer.tokens[...])
            let diagnostics = parse(misspelt.prettyText).diagnostics
            #expect(diagnostics.count <= 1, "\(pointer.text): \(diagnostics)")
        }
    }

    private static func keys(_ json: JSONValue) -> [JSONPointer] {
        switch json {
        case .object(let object):
            object.members.flatMap { member in
                [JSONPointer([member.key])] + keys(member.value).map { JSONPointer([member.key] + $0.tokens) }
            }
        case .array(let elements):
            elements.enumerated().flatMap { index, element in
                keys(element).map { JSONPointer([String(index)] + $0.tokens) }
            }
        default: []
        }
    }

    /// The document without the second letter of a key.
    private static func misspelling(_ json: JSONValue, _ path: ArraySlice<String>) -> JSONValue {
        guard let token = path.first else { return json }
        switch json {
        case .object(let object):
            return .object(
                JSONObject(
                    object.members.map { member in
                        guard member.key == token else { return (member.key, member.value) }
                        if path.count > 1 { return (member.key, misspelling(member.value, path.dropFirst())) }
                        return (String(token.prefix(1) + token.dropFirst(2)), member.value)
                    }))
        case .array(let elements):
            return .array(
                elements.enumerated().map { String($0) == token ? misspelling($1, path.dropFirst()) : $1 })
        default: return json
        }
    }
}
