import SDJSON
import SDStubFiles
import SDStubModel
import Testing

/// `defaults` beside routes, and keys that only hold values for aliases.
@Suite struct RouteDefaultsTests {
    /// The stubs in the order of the file, in WireMock's form and without their ids.
    private func mappings(_ text: String, _ format: StubFile.Format = .yaml) throws -> [JSONValue] {
        let (stubs, diagnostics) = parse(text, format)
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        return stubs.reversed().map { stub in
            var object = stub.json().objectValue ?? JSONObject()
            object["id"] = nil
            object["uuid"] = nil
            return .object(object)
        }
    }

    @Test func routesShareHeadersDelayAndBasePath() throws {
        let found = try mappings(
            """
            defaults:
              basePath: /api/v1/
              headers: { X-Source: mock, Cache-Control: no-store, Set-Cookie: [a=1, b=2] }
              delay: 50ms
            GET /users/{id}?page=2: { json: 1 }
            GET /own: { headers: { cache-control: max-age=60 }, delay: 0ms, status: 204 }
            GET ~/v[12]/.*: { body: x, headers: { Content-Type: text/html } }
            """)
        #expect(
            found.map { $0["request"]?.objectValue?.members.first?.value } == [
                "/api/v1/users/{id}", "/api/v1/own", "/api/v1/v[12]/.*",
            ])
        #expect(found[0]["request"]?["queryParameters"] == ["page": ["equalTo": "2"]])
        #expect(
            found[0]["response"] == [
                "status": 200, "jsonBody": 1,
                "headers": [
                    "X-Source": "mock", "Cache-Control": "no-store", "Set-Cookie": ["a=1", "b=2"],
                    "Content-Type": "application/json",
                ], "fixedDelayMilliseconds": 50,
            ])
        #expect(
            found[1]["response"] == [
                "status": 204,
                "headers": ["cache-control": "max-age=60", "X-Source": "mock", "Set-Cookie": ["a=1", "b=2"]],
                "fixedDelayMilliseconds": 0,
            ])
        #expect(found[2]["response"]?["headers"]?["Content-Type"] == "text/html")
    }

    @Test func aDefaultTypeBeatsTheOneThatABodyBrings() throws {
        let found = try mappings(
            "GET /a: { json: {} }\ndefaults: { headers: { content-type: application/hal+json } }\n")
        #expect(found[0]["response"]?["headers"] == ["content-type": "application/hal+json"])
    }

    @Test func responsesInListsAndSequencesHaveTheDefaults() throws {
        let found = try mappings(
            """
            { "defaults": { "delay": { "uniform": ["1ms", "2ms"] }, "headers": { "A": "b" } },
              "GET /list": [ { "when": { "query": { "a": 1 } } }, { "delay": "1s" } ],
              "GET /turns": { "sequence": [ { "status": 201 }, { "delay": "1s", "headers": { "a": "own" } } ] },
              "GET /fault": { "fault": "EMPTY_RESPONSE" }, "GET /empty": null }
            """, .json)
        let drawn: JSONValue = ["type": "uniform", "lower": 1, "upper": 2]
        #expect(found.prefix(2).map { $0["response"]?["headers"] } == [["A": "b"], ["A": "b"]])
        #expect(found.prefix(2).map { $0["response"]?["delayDistribution"] } == [drawn, nil])
        let turns = found[2]["responses"]?.arrayValue ?? []
        #expect(turns.map { $0["headers"] } == [["A": "b"], ["a": "own"]])
        #expect(turns.map { $0["delayDistribution"] } == [drawn, nil])
        #expect(found[3]["response"] == ["status": 200, "fault": "EMPTY_RESPONSE", "delayDistribution": drawn])
        #expect(found[4]["response"] == ["status": 200, "headers": ["A": "b"], "delayDistribution": drawn])
    }

    @Test(arguments: [
        ("/api", "~^/a|^/b", "/api(?:/a|/b)"), ("/api", "~^/[|^]^|^(^x|^y)", "/api(?:/[|^]^|(^x|^y))"),
        ("/api", #"~^/\\Q|^(\\E|^/\\|^"#, #"/api(?:/\Q|^(\E|/\|^)"#),
        ("/api", "~/a|/b", "/api(?:/a|/b)"), ("/api", "~^/a$", "/api/a$"), ("/v1.0/(x)", "~/a", #"/v1\.0/\(x\)/a"#),
        ("/t/{tenant}/**", "~/a", "/t/[^/]+/.*/a"), ("/", "~/a|/b", "/a|/b"), ("/ä b", "/c", "/%C3%A4%20b/c"),
        ("/ä", "~/c", "/%C3%A4/c"),
        ("/t/{tenant}", "/{id}", "/t/{tenant}/{id}"), ("/api", "/", "/api/"),
    ])
    func aBasePathPrecedesPathsAndExpressions(base: String, path: String, expected: String) throws {
        let found = try mappings("defaults: { basePath: \"\(base)\" }\n\"GET \(path)\": {}\n")
        #expect(found[0]["request"]?.objectValue?.members.first?.value == .string(expected))
    }

    @Test func variablesOfTheBasePathMayHaveConditions() throws {
        let found = try mappings(
            "defaults: { basePath: '/t/{tenant}' }\nGET /a: { when: { path: { tenant: acme } } }\n")
        #expect(found[0]["request"]?["pathParameters"] == ["tenant": ["equalTo": "acme"]])
    }

    @Test func eachObjectOfRoutesHasItsOwnDefaults() throws {
        let found = try mappings("- GET /b: {}\n- defaults: { basePath: /api }\n  GET /a: {}\n")
        #expect(found.map { $0["request"]?["urlPath"] } == ["/api/a", "/b"])
    }

    @Test(
        arguments: [
            ("x", "defaults", 11, nil), ("{ heders: {} }", "defaults/heders", 13, "headers"),
            ("{ basepath: /a }", "defaults/basepath", 13, "basePath"),
            ("{ prefix: /a }", "defaults/prefix", 13, "basePath"),
            ("{ status: 200 }", "defaults/status", 13, nil),
            ("{ basePath: api/v1 }", "defaults/basePath", 23, "/api/v1"),
            ("{ basePath: https://a.b/v1 }", "defaults/basePath", 23, "/v1"),
            ("{ basePath: /a?b=c }", "defaults/basePath", 23, nil),
            ("{ basePath: '/{a' }", "defaults/basePath", 23, nil),
            ("{ delay: 50 }", "defaults/delay", 20, "50ms"),
            ("{ headers: { A: null } }", "defaults/headers/A", 27, nil),
        ] as [(String, String, Int, String?)])
    func badDefaultsAreRefusedAtTheirPlace(value: String, place: String, column: Int, suggestion: String?) {
        let (stubs, diagnostics) = parse("GET /a: {}\ndefaults: \(value)\n")
        #expect(stubs.isEmpty)
        #expect(diagnostics.map(\.pointer.text) == ["/" + place])
        #expect(diagnostics.map(\.line) == [2])
        #expect(diagnostics.map(\.column) == [column])
        #expect(diagnostics.map(\.suggestion) == [suggestion], "\(diagnostics)")
    }

    @Test func aVariableMayOccurOnlyOnceInBasePathAndKey() {
        let (_, diagnostics) = parse("defaults: { basePath: '/{id}' }\nGET /{id}: {}\n")
        #expect(diagnostics.map(\.message) == ["duplicate variable {id}"])
        #expect(diagnostics.map(\.line) == [2])
    }

    @Test func optionsApplyWhereTheyMakeSense() {
        let (stubs, diagnostics) = parse(
            """
            defaults: { conditional: true, fallThrough: true }
            GET /a: { file: a }
            GET /b: { body: b }
            GET /c: { file: c, conditional: false, fallThrough: false }
            GET /d: { stream: [{ data: d }] }
            GET /e: { sequence: [{ file: e }] }
            CRUD /f: {}
            """)
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        let responses = stubs.reversed().map(\.response)
        #expect(responses.prefix(5).map(\.conditional) == [true, true, false, nil, true])
        #expect(responses.map(\.fallThrough) == [true, nil, false, nil, nil, nil, nil, nil])
        for stub in stubs { #expect((try? StubMapping(json: stub.json())) != nil) }
    }

    @Test(arguments: ["defaults: { delay: 1s }\n", "defaults: {}\nx-a: 1\n"])
    func defaultsAloneAreNotAFileOfRoutes(text: String) {
        #expect(parse(text).diagnostics.map(\.message) == ["there are no routes beside \"defaults\""])
    }

    /// A problem of a header from the defaults is placed there.
    @Test func problemsOfSharedHeadersArePlacedInTheDefaults() throws {
        let text = "defaults:\n  headers: { 'A:': b }\nGET /a: {}\nGET /b: { sequence: [{ status: 200 }] }\n"
        let file = StubFile.read(text.utf8, format: .yaml, path: "a.yaml")
        for (index, place) in [(1, ["response"]), (0, ["responses", "0"])] {
            let problem = ModelProblem(
                pointer: JSONPointer(place + ["headers", "A:"]), isAboutName: true, message: "x")
            let found = file.diagnostics(for: [problem], inStubAt: index)
            #expect(found.map(\.pointer.text) == ["/defaults/headers/A:"])
            #expect(found.map(\.column) == [14])
        }
    }

    @Test func idsDoNotDependOnDefaults() {
        let plain = parse("GET /a: {}\n").stubs.map(\.id)
        #expect(parse("defaults: { basePath: /api }\nGET /a: {}\n").stubs.map(\.id) == plain)
    }

    // MARK: Shared values

    @Test(arguments: [
        "x-user: &ada { id: 1 }\nGET /a: { json: *ada }\n", ".user: &ada { id: 1 }\nGET /a: { json: *ada }\n",
        "x-user: &ada { id: 1 }\nmappings: [{ response: { jsonBody: *ada } }]\n",
        "x-user: &ada { id: 1 }\nresponse: { jsonBody: *ada }\n",
        "- x-user: &ada { id: 1 }\n  GET /a: { json: *ada }\n",
        ".off GET /b: &ada { id: 1 }\nGET /a: { json: *ada }\n",
    ])
    func keysOfSharedValuesAreIgnored(text: String) {
        let (stubs, diagnostics) = parse(text)
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        #expect(stubs.map(\.response.jsonBody) == [["id": 1]])
    }

    @Test func aFileOfSharedValuesHasNoStubs() {
        let (stubs, diagnostics) = parse("x-user: &ada { id: 1 }\n")
        #expect(stubs.isEmpty)
        #expect(diagnostics.map(\.message) == ["the file holds no stubs, only shared values"])
    }

    @Test func deeperDownSuchKeysAreErrors() {
        #expect(parse("GET /a: { x-user: 1 }\n").diagnostics.map(\.severity) == [.error])
        #expect(parse("request: { x-user: 1 }\n").diagnostics.map(\.severity) == [.error])
    }
}
