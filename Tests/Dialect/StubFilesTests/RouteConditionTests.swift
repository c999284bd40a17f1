import SDJSON
import SDStubFiles
import SDStubModel
import Testing

/// Conditions under `when`.
@Suite struct RouteConditionTests {
    /// The request of a file's only stub, without its method and path.
    private func conditions(_ when: String, key: String = "ANY /a/{id}") throws -> JSONValue {
        let (stubs, diagnostics) = parse("\(key):\n  when: \(when)\n")
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        #expect(stubs.count == 1)
        var request = try #require(stubs.first?.request.json.objectValue)
        for name in ["urlPath", "urlPathTemplate"] { request[name] = nil }
        if request["method"] == "ANY" { request["method"] = nil }
        return .object(request)
    }

    @Test(arguments: [
        ("{}", "{}"),
        ("{ method: PURGE }", #"{"method":"PURGE"}"#),
        ("{ method: [PUT, POST] }", #"{"method":{"oneOf":["PUT","POST"]}}"#),
        ("{ method: { noneOf: [GET] } }", #"{"method":{"noneOf":["GET"]}}"#),
        (
            "{ scheme: https, host: api.example.org, port: 8443 }",
            #"{"scheme":"https","host":{"equalTo":"api.example.org"},"port":8443}"#
        ),
        ("{ host: { endsWith: .org } }", #"{"host":{"endsWith":".org"}}"#),
        ("{ clientIp: { startsWith: '10.' } }", #"{"clientIp":{"startsWith":"10."}}"#),
        (
            "{ clientCertificate: { subject: { contains: CN=a }, issuer: CN=b, alternativeNames: ['DNS:a', 'DNS:b'] } }",
            #"{"clientCertificate":{"subject":{"contains":"CN=a"},"issuer":{"equalTo":"CN=b"},"#
                + #""alternativeNames":{"includes":[{"equalTo":"DNS:a"},{"equalTo":"DNS:b"}]}}}"#
        ),
        ("{ headers: { A: 1, B: { contains: x } } }", #"{"headers":{"A":{"equalTo":"1"},"B":{"contains":"x"}}}"#),
        (
            "{ query: { tag: [new, { contains: s }], n: { count: 2 } } }",
            #"{"queryParameters":{"tag":{"includes":[{"equalTo":"new"},{"contains":"s"}]},"n":{"count":2}}}"#
        ),
        (
            "{ form: { user: ada, ok: true, x: { absent: true } } }",
            #"{"formParameters":{"user":{"equalTo":"ada"},"ok":{"equalTo":"true"},"x":{"absent":true}}}"#
        ),
        ("{ path: { id: { matches: '[0-9]+' } } }", #"{"pathParameters":{"id":{"matches":"[0-9]+"}}}"#),
        ("{ cookies: { sid: abc } }", #"{"cookies":{"sid":{"equalTo":"abc"}}}"#),
        (
            "{ basicAuth: { username: ada, password: 12 } }",
            #"{"basicAuthCredentials":{"username":"ada","password":"12"}}"#
        ),
        ("{ body: hello }", #"{"bodyPatterns":[{"equalTo":"hello"}]}"#),
        (
            "{ body: [ { contains: a }, { doesNotContain: b }, c ] }",
            #"{"bodyPatterns":[{"contains":"a"},{"doesNotContain":"b"},{"equalTo":"c"}]}"#
        ),
        ("{ body: { id: 1 } }", #"{"bodyPatterns":[{"equalToJson":{"id":1}}]}"#),
        ("{ body: { binaryEqualTo: AQID } }", #"{"bodyPatterns":[{"binaryEqualTo":"AQID"}]}"#),
        (
            "{ body: { equalToJson: { a: null }, nullsEqualMissing: true } }",
            #"{"bodyPatterns":[{"equalToJson":{"a":null},"nullsEqualMissing":true}]}"#
        ),
        ("{ json: { holds: x } }", #"{"bodyPatterns":[{"equalToJson":{"holds":"x"}}]}"#),
        ("{ json: [1, 2.50] }", #"{"bodyPatterns":[{"equalToJson":[1,2.50]}]}"#),
        ("{ json: text }", #"{"bodyPatterns":[{"equalToJson":"\"text\""}]}"#),
        ("{ json: null }", #"{"bodyPatterns":[{"equalToJson":"null"}]}"#),
        ("{ jsonPath: $.a }", #"{"bodyPatterns":[{"matchesJsonPath":"$.a"}]}"#),
        ("{ jsonPath: [$.a, $.b] }", #"{"bodyPatterns":[{"matchesJsonPath":"$.a"},{"matchesJsonPath":"$.b"}]}"#),
        (
            "{ jsonPath: { $.a: 5, $.b: { contains: x }, $.c: [1], $.d: { e: 1 } } }",
            #"{"bodyPatterns":[{"matchesJsonPath":{"expression":"$.a","equalTo":"5"}},"#
                + #"{"matchesJsonPath":{"expression":"$.b","contains":"x"}},"#
                + #"{"matchesJsonPath":{"expression":"$.c","equalToJson":[1]}},"#
                + #"{"matchesJsonPath":{"expression":"$.d","equalToJson":{"e":1}}}]}"#
        ),
        ("{ jsonSchema: { type: object } }", #"{"bodyPatterns":[{"matchesJsonSchema":{"type":"object"}}]}"#),
        ("{ xml: <a/> }", #"{"bodyPatterns":[{"equalToXml":"<a/>"}]}"#),
        ("{ xPath: //a }", #"{"bodyPatterns":[{"matchesXPath":"//a"}]}"#),
        (
            "{ xPath: { //a/text(): x } }",
            #"{"bodyPatterns":[{"matchesXPath":{"expression":"//a/text()","equalTo":"x"}}]}"#
        ),
        ("{ graphql: '{ user { name } }' }", #"{"bodyPatterns":[{"matchesGraphql":{"query":"{ user { name } }"}}]}"#),
        (
            "{ graphql: { operationName: GetUser, variables: { id: 1 } } }",
            #"{"bodyPatterns":[{"matchesGraphql":{"operationName":"GetUser","variables":{"id":1}}}]}"#
        ),
        (
            "{ jsonPath: $.a, xml: <a/>, body: x }",
            #"{"bodyPatterns":[{"matchesJsonPath":"$.a"},{"equalToXml":"<a/>"},{"equalTo":"x"}]}"#
        ),
        (
            "{ jwt: { claims: { sub: ada, admin: true } } }",
            #"{"headers":{"Authorization":{"matchesJwt":{"claims":{"sub":"ada","admin":true}}}}}"#
        ),
        (
            "{ headers: { authorization: { contains: Bearer } }, jwt: { claims: { a: b } } }",
            #"{"headers":{"authorization":{"and":[{"contains":"Bearer"},{"matchesJwt":{"claims":{"a":"b"}}}]}}}"#
        ),
        (
            "{ jwt: { claims: { a: b } }, headers: { X: y } }",
            #"{"headers":{"X":{"equalTo":"y"},"Authorization":{"matchesJwt":{"claims":{"a":"b"}}}}}"#
        ),
        ("{ custom: mine }", #"{"customMatcher":{"name":"mine"}}"#),
        (
            "{ custom: { name: mine, parameters: { a: 1 } } }",
            #"{"customMatcher":{"name":"mine","parameters":{"a":1}}}"#
        ),
        (
            "{ multipart: { name: data, json: { a: 1 } } }",
            #"{"multipartPatterns":[{"name":"data","matchingType":"ANY","#
                + #""headers":{"Content-Disposition":{"contains":"name=\"data\""}},"bodyPatterns":[{"equalToJson":{"a":1}}]}]}"#
        ),
        (
            "{ multipart: [ { every: true, headers: { Content-Type: text/plain } }, { name: f, file: a.png } ] }",
            #"{"multipartPatterns":[{"matchingType":"ALL","headers":{"Content-Type":{"equalTo":"text/plain"}}},"#
                + #"{"name":"f","fileName":"a.png","matchingType":"ANY","headers":{"Content-Disposition":"#
                + #"{"and":[{"contains":"name=\"f\""},{"contains":"filename=\"a.png\""}]}}}]}"#
        ),
    ])
    func conditionsBecomeWireMocksFields(when: String, request: String) throws {
        #expect(try conditions(when) == JSONValue(parsing: request))
    }

    /// A condition, the place of its problem below `when`, and the suggested name.
    @Test(
        arguments: [
            ("{ hosts: a }", "hosts", "host"), ("{ bodyPatterns: [] }", "bodyPatterns", "body"),
            ("{ xpath: a }", "xpath", "xPath"), ("{ method: put }", "method", "PUT"), ("{ method: 5 }", "method", nil),
            ("{ scheme: htps }", "scheme", "https"), ("{ scheme: ftp }", "scheme", nil), ("{ port: 0 }", "port", nil),
            ("{ port: 70000 }", "port", nil), ("{ host: { hasExactly: [a] } }", "host", nil),
            ("{ host: [a] }", "host", nil), ("{ host: { equalsTo: a } }", "host", "equalTo"),
            ("{ certificate: { subject: a } }", "certificate", "clientCertificate"),
            ("{ clientCertificate: { subjct: a } }", "clientCertificate/subjct", "subject"),
            ("{ clientCertificate: { san: a } }", "clientCertificate/san", "alternativeNames"),
            ("{ clientCertificate: { subject: [a] } }", "clientCertificate/subject", nil),
            ("{ clientCertificate: alice }", "clientCertificate", nil),
            ("{ clientIp: null }", "clientIp", nil), ("{ headers: { A: [] } }", "headers/A", nil),
            ("{ headers: { A: [x, null] } }", "headers/A/1", nil),
            ("{ headers: { A: { count: -1 } } }", "headers/A/count", nil),
            ("{ headers: { A: { count: { atLeats: 1 } } } }", "headers/A/count/atLeats", "atLeast"),
            ("{ headers: { A: { count: { atLeast: 2, atMost: 1 } } } }", "headers/A/count", nil),
            ("{ headers: { A: { glob: 5 } } }", "headers/A/glob", nil),
            ("{ headers: { A: { matchesGraphql: {} } } }", "headers/A", nil),
            ("{ form: [a] }", "form", nil), ("{ form: { a: { contain: b } } }", "form/a", "contains"),
            ("{ path: { idd: x } }", "path/idd", "id"), ("{ cookies: { a: [x] } }", "cookies/a", nil),
            ("{ cookies: { a: { count: 2 } } }", "cookies/a", nil),
            ("{ basicAuth: { user: a } }", "basicAuth/user", "username"),
            ("{ basicAuth: { username: a } }", "basicAuth", nil), ("{ basicAuth: a:b }", "basicAuth", nil),
            ("{ body: null }", "body", nil), ("{ body: { contian: x } }", "body/contian", "contains"),
            ("{ body: [a, { equalToJson: '{' }] }", "body/1/equalToJson", nil),
            ("{ body: { not: { matchesJsonPath: {} } } }", "body/not/matchesJsonPath", nil),
            ("{ jsonPath: 5 }", "jsonPath", nil), ("{ jsonPath: '' }", "jsonPath", nil),
            ("{ jsonPath: { $.a: { matchs: x } } }", "jsonPath/$.a/matchs", "matches"),
            ("{ jsonPath: { $.a: null } }", "jsonPath/$.a", nil), ("{ jsonSchema: '{' }", "jsonSchema", nil),
            ("{ xml: 5 }", "xml", nil), ("{ xPath: { //a: [b] } }", "xPath/~1~1a", nil),
            ("{ graphql: 5 }", "graphql", nil), ("{ graphql: { name: x } }", "graphql/name", "operationName"),
            ("{ graphql: { variables: 5 } }", "graphql/variables", nil),
            ("{ graphql: { query: [] } }", "graphql/query", nil),
            ("{ jwt: token }", "jwt", nil), ("{ jwt: { claim: {} } }", "jwt/claim", "claims"),
            ("{ jwt: { claims: { a: { contains: 5 } } } }", "jwt/claims/a/contains", nil),
            ("{ jwt: { claims: {} }, headers: { Authorization: [a] } }", "headers", nil),
            ("{ custom: { nam: x } }", "custom/nam", "name"), ("{ custom: [] }", "custom", nil),
            ("{ multipart: text }", "multipart", nil), ("{ multipart: { fileName: a } }", "multipart/fileName", "file"),
            ("{ multipart: [ {}, { name: a } ] }", "multipart/0", nil),
            ("{ multipart: { name: a, every: maybe } }", "multipart/every", nil),
        ] as [(String, String, String?)])
    func badConditionsAreRefusedAtTheirPlace(when: String, place: String, suggestion: String?) {
        let (stubs, diagnostics) = parse("GET /x: {}\nANY /a/{id}:\n  when: \(when)\n")
        #expect(stubs.isEmpty)
        #expect(diagnostics.count == 1, "\(diagnostics)")
        #expect(diagnostics.first?.severity == .error)
        #expect(diagnostics.first?.pointer.text == "/ANY ~1a~1{id}/when/" + place)
        #expect(diagnostics.first?.line == 3)
        #expect(diagnostics.first?.suggestion == suggestion, "\(diagnostics)")
    }

    @Test func theMethodIsInTheKeyOrInWhen() {
        let (_, diagnostics) = parse("GET /a:\n  when: { method: PUT }\n")
        #expect(diagnostics.map { $0.pointer.tokens.last } == ["method"])
    }

    @Test func aKeyWithoutVariablesHasNoPathConditions() {
        let (_, diagnostics) = parse("GET /a:\n  when: { path: { id: x } }\n")
        #expect(diagnostics.map(\.message) == ["the route's key has no variables"])
        #expect(parse("GET /a/**/{x}:\n  when: { path: { 0: a, x: b } }\n").diagnostics.isEmpty)
    }

    /// The places in the shorthand of problems that the engine finds in WireMock's form.
    @Test(
        arguments: [
            ("/request/method", "when/method"), ("/request/host/matches", "when/host/matches"),
            ("/request/headers/A/includes/1/matches", "when/headers/A/1/matches"),
            ("/request/headers/Authorization/matchesJwt/claims/a/matches", "when/jwt/claims/a/matches"),
            ("/request/formParameters/f/matches", "when/form/f/matches"),
            ("/request/pathParameters/id/matches", "when/path/id/matches"),
            ("/request/cookies/c/matches", "when/cookies/c/matches"),
            ("/request/bodyPatterns/0/matches", "when/body/0/matches"),
            ("/request/bodyPatterns/1/equalTo", "when/body/1/equalTo"),
            ("/request/bodyPatterns/2/matchesJsonPath", "when/jsonPath/$.["),
            ("/request/bodyPatterns/3/matchesXPath", "when/xPath"),
            ("/request/multipartPatterns/0/bodyPatterns/0/matches", "when/multipart"),
            ("/request/customMatcher", "when/custom"),
        ] as [(String, String)])
    func problemsOfTheEngineAreFoundInTheShorthand(pointer: String, place: String) throws {
        let text = """
            ANY /a/{id}:
              when:
                method: GET
                host: { matches: "(" }
                headers: { A: [x, { matches: "(" }] }
                jwt: { claims: { a: { matches: "(" } } }
                form: { f: { matches: "(" } }
                path: { id: { matches: "(" } }
                cookies: { c: { matches: "(" } }
                body: [{ matches: "(" }, x]
                jsonPath: { "$.[": x }
                xPath: "//["
                multipart: { body: { matches: "(" } }
                custom: unknown
            """
        let file = StubFile.read(text.utf8, format: .yaml, path: "mocks/a.yaml")
        #expect(file.diagnostics.isEmpty, "\(file.diagnostics)")
        let problem = ModelProblem(pointer: try #require(JSONPointer(text: pointer)), message: "is wrong")
        let diagnostic = try #require(file.diagnostics(for: [problem], inStubAt: 0).first)
        let full = try #require(JSONPointer(text: "/ANY ~1a~1{id}/" + place))
        #expect(diagnostic.pointer == full)
        let key = place.split(separator: "/")[1]
        let lines = text.split(separator: "\n")
        #expect(lines[(diagnostic.line ?? 1) - 1].contains("\(key):"))
    }

    @Test func aClaimThatLooksLikeAMisspeltMatcherIsAWarning() {
        let (stubs, diagnostics) = parse("GET /a:\n  when: { jwt: { claims: { a: { contian: x } } } }\n")
        #expect(stubs.count == 1)
        #expect(diagnostics.map(\.severity) == [.warning])
        #expect(diagnostics.first?.suggestion == "contains")
    }
}
