import SDJSON
import SDStubFiles
import SDStubModel
import Testing

@Suite struct RouteShorthandTests {
    /// A body that is never sent names no type, and is told.
    @Test(arguments: ["body: hello", "json: {}"]) func aBodyBesideAProxyIsTold(body: String) throws {
        let (stubs, diagnostics) = parse("GET /a:\n  \(body)\n  proxy: http://a\n")
        #expect("\(diagnostics)".contains("this is never sent: the server"), "\(diagnostics)")
        let response = try #require(stubs.first?.json().objectValue?["response"])
        #expect(response["proxyBaseUrl"] == "http://a" && response["headers"] == nil)
    }

    /// A file's only stub, in WireMock's form and without its ids.
    private func mapping(_ text: String) throws -> JSONValue {
        let (stubs, diagnostics) = parse(text)
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        #expect(stubs.count == 1)
        var object = try #require(stubs.first?.json().objectValue)
        object["id"] = nil
        object["uuid"] = nil
        return .object(object)
    }

    @Test(arguments: [
        ("GET /a", #"{"urlPath":"/a","method":"GET"}"#),
        ("ANY /a", #"{"urlPath":"/a","method":"ANY"}"#),
        ("PURGE  /a/", #"{"urlPath":"/a/","method":"PURGE"}"#),
        ("GET|HEAD /a", #"{"urlPath":"/a","method":{"oneOf":["GET","HEAD"]}}"#),
        ("GET /users/{id}", #"{"urlPathTemplate":"/users/{id}","method":"GET"}"#),
        ("GET /img/{name}.jpg", #"{"urlPathTemplate":"/img/{name}.jpg","method":"GET"}"#),
        ("ANY /**", #"{"urlPathTemplate":"/**","method":"ANY"}"#),
        ("GET ~/v[12]/.*", #"{"urlPathPattern":"/v[12]/.*","method":"GET"}"#),
        ("GET ~ /v[12]\\?", #"{"urlPathPattern":"/v[12]\\?","method":"GET"}"#),
        ("GET =/a?b=c&d", #"{"url":"/a?b=c&d","method":"GET"}"#),
        ("ANY =/ä?b={c}", #"{"url":"/%C3%A4?b={c}","method":"ANY"}"#),
        ("GET =~/a\\?.*", #"{"urlPattern":"/a\\?.*","method":"GET"}"#),
        ("GET /straße und", #"{"urlPath":"/stra%C3%9Fe%20und","method":"GET"}"#),
        ("GET /a%20b", #"{"urlPath":"/a%20b","method":"GET"}"#),
        ("GET /ö/{größe}/**/ä", #"{"urlPathTemplate":"/%C3%B6/{größe}/**/%C3%A4","method":"GET"}"#),
        (
            "GET /search?q=x+y&page={any}",
            #"{"urlPath":"/search","method":"GET","queryParameters":{"q":{"equalTo":"x y"},"page":{"matches":".*"}}}"#
        ),
        (
            "GET /s?q=%C3%A4&flag&empty=",
            #"{"urlPath":"/s","method":"GET","queryParameters":{"q":{"equalTo":"ä"},"flag":{"matches":".*"},"empty":{"equalTo":""}}}"#
        ),
        (
            "GET /{a}?t=1&t=2",
            #"{"urlPathTemplate":"/{a}","method":"GET","queryParameters":{"t":{"includes":[{"equalTo":"1"},{"equalTo":"2"}]}}}"#
        ),
    ])
    func keysBecomeRequests(key: String, request: String) throws {
        let quoted = JSONValue.string(key).compactText
        #expect(try mapping("\(quoted): {}")["request"] == JSONValue(parsing: request))
    }

    @Test(
        arguments: [
            ("/a", "GET /a"), ("get /a", "GET /a"), ("Get a", "GET /a"), ("GTE a", "GET /a"),
            ("GET a/b /c", "GET /a/b /c"), ("GET https://example.org/x", "GET /x"),
            ("get|post /a", "GET|POST /a"), ("GET", "GET /"), ("GET/a", "GET /a"), ("post:/a", "POST /a"),
            ("get ~/a", "GET ~/a"), ("default", "defaults"), ("xyz", nil), ("GET /a#b", nil), ("GET /{a}/{a}", nil),
            ("GET /{}", nil), ("GET /{a", nil), ("GET /a}", nil),
            ("GET /{a/b}", nil), ("GET| /a", "GET /a"), ("G@T /a", nil), ("GET ~", nil), ("GET /a?q=%zz", nil),
            ("GET /a?=1", nil), ("GET =a", nil), ("GET =/a#b", nil), ("GET =~", nil), ("CRUD =/a", nil),
            ("get =/a", "GET =/a"),
            ("GET /100%", nil), ("GET /a%2", nil), ("GET /a?q={x}y", nil), ("GET /a%+1", nil), ("GET /a%-0", nil),
        ] as [(String, String?)])
    func badKeysAreRefused(key: String, suggestion: String?) {
        let quoted = JSONValue.string(key).compactText
        let (stubs, diagnostics) = parse("GET /fine: {}\n\(quoted): {}\n")
        #expect(stubs.isEmpty)
        #expect(diagnostics.count == 1)
        #expect(diagnostics.first?.line == 2)
        #expect(diagnostics.first?.suggestion == suggestion)
    }

    /// In YAML a colon without a blank behind it is a letter.
    @Test(
        arguments: [
            ("GET /s:status: 200\n", "GET /s", "GET /s: {status: 200}", 1, 1),
            ("GET /ok: {}\nGET /s:{status: 200}\n", "GET /s", nil, 2, 1),
            ("GET /s:{}\n", "GET /s", "GET /s: {}", 1, 1), ("GET /s:200\n", "GET /s", nil, 1, 1),
            ("GET /s: { status:200 }\n", "status", "status: 200", 1, 11),
            ("GET /s:\n  status:200\n", "status", "status: 200", 2, 3),
            ("GET /s:\n  - body:x\n", "body", "body: x", 2, 5),
            ("GET /s:\n  json:{a: 1}\n", "json", nil, 2, 3),
            ("GET /s: { when: { query:x } }\n", "query", "query: x", 1, 19),
        ] as [(String, String, String?, Int, Int)])
    func aMissingBlankIsNamed(text: String, name: String, suggestion: String?, line: Int, column: Int) {
        let diagnostics = parse(text).diagnostics
        #expect(diagnostics.map(\.message) == [#"missing space after "\#(name):""#])
        #expect(diagnostics.map(\.suggestion) == [suggestion])
        #expect(diagnostics.map(\.line) == [line])
        #expect(diagnostics.map(\.column) == [column])
    }

    /// A path may have a colon, also before what is a key elsewhere.
    @Test(arguments: ["GET /s:status: {}", "GET /s:status:", "GET /a:b:c: { status: 201 }", "GET /s:status: [{}]"])
    func aColonInAPathIsAllowed(text: String) {
        #expect(parse(text).diagnostics.isEmpty)
    }

    /// A file with only a misspelt route is not taken for a mapping with an unknown field.
    @Test(arguments: [
        ("GET users", "a path must start with /", "GET /users"),
        ("get /users", "methods are case-sensitive, and this one is not in upper case", "GET /users"),
        ("get users/{id}", "methods are case-sensitive, and this one is not in upper case", "GET /users/{id}"),
        ("DELTE users", "a path must start with /", "DELETE /users"),
        ("GET", "a route without a path", "GET /"),
        ("post", "a route without a path", "POST /"),
        ("/users", "a route without a method", "GET /users"),
        ("PUT/users", "missing space after the method of a route", "PUT /users"),
        ("GET:/users", "missing space after the method of a route", "GET /users"),
    ])
    func aLoneMisspeltRouteIsTakenForARoute(key: String, message: String, suggestion: String) {
        let (stubs, diagnostics) = parse("\(JSONValue.string(key).compactText): { status: 200 }\n")
        #expect(stubs.isEmpty)
        #expect(diagnostics.map(\.message) == [message])
        #expect(diagnostics.map(\.suggestion) == [suggestion])
        #expect(diagnostics.map(\.column) == [1])
    }

    @Test(arguments: [
        ("", #"{"status":200}"#),
        ("status: 204", #"{"status":204}"#),
        ("statusMessage: Made up", #"{"status":200,"statusMessage":"Made up"}"#),
        (
            "headers: { X-A: b, X-N: 5, Set-Cookie: [a=1, b=2] }",
            #"{"status":200,"headers":{"X-A":"b","X-N":"5","Set-Cookie":["a=1","b=2"]}}"#
        ),
        ("body: hello", #"{"status":200,"body":"hello","headers":{"Content-Type":"text/plain; charset=utf-8"}}"#),
        // What is never sent names no type.
        ("body: 12", #"{"status":200,"body":"12","headers":{"Content-Type":"text/plain; charset=utf-8"}}"#),
        (
            "json: { a: [1, null] }",
            #"{"status":200,"jsonBody":{"a":[1,null]},"headers":{"Content-Type":"application/json"}}"#
        ),
        (
            "json: []\n  headers: { content-type: application/hal+json }",
            #"{"status":200,"jsonBody":[],"headers":{"content-type":"application/hal+json"}}"#
        ),
        ("base64: AQID", #"{"status":200,"base64Body":"AQID","headers":{"Content-Type":"application/octet-stream"}}"#),
        (
            "base64: |\n    AQ\n    ID",
            #"{"status":200,"base64Body":"AQID","headers":{"Content-Type":"application/octet-stream"}}"#
        ),
        ("file: img/a.PNG", #"{"status":200,"bodyFileName":"img/a.PNG","headers":{"Content-Type":"image/png"}}"#),
        ("file: data", #"{"status":200,"bodyFileName":"data"}"#),
        ("delay: 120ms", #"{"status":200,"fixedDelayMilliseconds":120}"#),
        ("delay: 1.5s", #"{"status":200,"fixedDelayMilliseconds":1500}"#),
        ("delay: 0.1 s", #"{"status":200,"fixedDelayMilliseconds":100}"#),
        ("delay: 2m", #"{"status":200,"fixedDelayMilliseconds":120000}"#),
        (
            "delay: { uniform: [50ms, 0.2s] }",
            #"{"status":200,"delayDistribution":{"type":"uniform","lower":50,"upper":200}}"#
        ),
        (
            "delay: { median: 80ms, sigma: 0.4 }",
            #"{"status":200,"delayDistribution":{"type":"lognormal","median":80.0,"sigma":0.4}}"#
        ),
        (
            "delay: { median: 80ms, sigma: 0.4, max: 1s }",
            #"{"status":200,"delayDistribution":{"type":"lognormal","median":80.0,"sigma":0.4,"maxValue":1000.0}}"#
        ),
        (
            "dribble: { chunks: 5, over: 1s }",
            #"{"status":200,"chunkedDribbleDelay":{"numberOfChunks":5,"totalDuration":1000}}"#
        ),
        ("fault: EMPTY_RESPONSE", #"{"status":200,"fault":"EMPTY_RESPONSE"}"#),
    ])
    func responseKeysBecomeResponses(keys: String, response: String) throws {
        #expect(try mapping("GET /a:\n  \(keys)\n")["response"] == JSONValue(parsing: response))
    }

    @Test func nullIsAJSONBody() throws {
        let (stubs, diagnostics) = parse("GET /a: { json: null }")
        #expect(diagnostics.isEmpty)
        #expect(stubs.first?.response.body == "null")
        #expect(stubs.first?.response.headers == [ResponseHeader("Content-Type", ["application/json"])])
    }

    @Test func theOtherKeysBelongToTheStub() throws {
        let mapping = try mapping(
            """
            POST /a?kind=x:
              name: a name
              priority: 1
              metadata: { owner: me }
              when:
                headers: { Accept: text/plain, X-N: { equalTo: a, caseInsensitive: true }, X-B: true }
                query: { page: 2, token: { absent: true } }
            """)
        #expect(
            mapping == [
                "name": "a name", "priority": 1, "metadata": ["owner": "me"],
                "request": [
                    "method": "POST", "urlPath": "/a",
                    "headers": [
                        "Accept": ["equalTo": "text/plain"], "X-N": ["equalTo": "a", "caseInsensitive": true],
                        "X-B": ["equalTo": "true"],
                    ],
                    "queryParameters": [
                        "kind": ["equalTo": "x"], "page": ["equalTo": "2"], "token": ["absent": true],
                    ],
                ],
                "response": ["status": 200],
            ])
    }

    @Test(
        arguments: [
            ("stauts: 200", "stauts", "status"), ("jsonBody: {}", "jsonBody", "json"),
            ("statusCode: 1", "statusCode", "status"),
            ("fixedDelayMilliseconds: 1", "fixedDelayMilliseconds", "delay"), ("xyzzy: 1", "xyzzy", nil),
            ("status: 99", "status", nil), ("status: OK", "status", nil), ("body: { a: 1 }", "body", "json"),
            ("base64: '!'", "base64", nil), ("file: /etc/passwd", "file", nil), ("file: a/../../b", "file", nil),
            ("delay: 12", "delay", "12ms"), ("delay: soon", "delay", nil), ("delay: 0.5ms", "delay", nil),
            ("delay: -1s", "delay", nil), ("delay: 999h", "delay", nil), ("delay: {}", "delay", nil),
            ("delay: { unifrom: [1ms, 2ms] }", "delay/unifrom", "uniform"),
            ("delay: { uniform: [2ms, 1ms] }", "delay/uniform", nil),
            ("delay: { uniform: [1ms] }", "delay/uniform", nil),
            ("delay: { uniform: [1ms, 2] }", "delay/uniform/1", "2ms"),
            ("delay: { median: 1s }", "delay", nil), ("delay: { median: 1s, sigma: x }", "delay/sigma", nil),
            ("delay: { median: 1s, sigma: 1, max: 1ms }", "delay", nil), ("delay: 1e308s", "delay", nil),
            ("delay: { median: 1e308s, sigma: 1 }", "delay/median", nil),
            ("delay: { median: 1s, sigma: 1e308 }", "delay/sigma", nil),
            ("delay: { exponential: 1e308s }", "delay/exponential", nil),
            ("dribble: 5", "dribble", nil), ("dribble: { chunks: 0, over: 1s }", "dribble/chunks", nil),
            ("dribble: { chunks: 5 }", "dribble", nil), ("dribble: { chunks: 5, ovr: 1s }", "dribble/ovr", "over"),
            ("fault: EMPTY", "fault", "EMPTY_RESPONSE"), ("fault: EMPTY_RESPONS", "fault", "EMPTY_RESPONSE"),
            ("headers: [a]", "headers", nil),
            ("headers: { A: null }", "headers/A", nil), ("headers: { A: { b: c } }", "headers/A", nil),
            ("when: x", "when", nil), ("when: { queri: {} }", "when/queri", "query"),
            ("when: { query: [a] }", "when/query", nil),
            ("when: { query: { a: null } }", "when/query/a", nil),
            ("when: { query: { a: { contain: x } } }", "when/query/a", "contains"),
            ("when: { headers: { a: { equalTo: 5 } } }", "when/headers/a/equalTo", nil),
            ("metadata: x", "metadata", nil), ("name: [x]", "name", nil), ("priority: high", "priority", "1"),
        ] as [(String, String, String?)])
    func badValuesAreRefusedAtTheirPlace(keys: String, place: String, suggestion: String?) throws {
        let (stubs, diagnostics) = parse("GET /a:\n  \(keys)\n")
        #expect(stubs.isEmpty)
        #expect(diagnostics.count == 1)
        #expect(diagnostics.first?.pointer.text == "/GET ~1a/" + place)
        #expect(diagnostics.first?.line == 2)
        #expect(diagnostics.first?.suggestion == suggestion, "\(diagnostics)")
    }

    /// A parameter in the key may be restricted further under `when`; both conditions must hold.
    @Test(arguments: [
        ("q={any}", "{ matches: '[a-z]+' }", #"{"matches":"[a-z]+"}"#), ("q", "x", #"{"equalTo":"x"}"#),
        ("q", "{ not: { contains: x } }", #"{"and":[{"matches":".*"},{"not":{"contains":"x"}}]}"#),
        ("q={any}", "[a, b]", #"{"includes":[{"equalTo":"a"},{"equalTo":"b"}]}"#),
        ("q={any}", "{ matchesJsonPath: $.a }", #"{"matchesJsonPath":"$.a"}"#),
        ("q={any}", "{ matchesPathTemplate: '/{a}' }", #"{"matchesPathTemplate":"/{a}"}"#),
        ("q={any}", "{ count: 2 }", #"{"count":2}"#),
        ("q={any}", "{ hasExactly: [{ equalTo: a }] }", #"{"hasExactly":[{"equalTo":"a"}]}"#),
        ("q=abc", "{ contains: b }", #"{"and":[{"equalTo":"abc"},{"contains":"b"}]}"#),
        ("q=a", "[b]", #"{"includes":[{"equalTo":"b"},{"equalTo":"a"}]}"#),
        ("q=a&q=b", "{ contains: c }", #"{"includes":[{"equalTo":"a"},{"equalTo":"b"},{"contains":"c"}]}"#),
        ("q=a&q=b", "[c]", #"{"includes":[{"equalTo":"c"},{"equalTo":"a"},{"equalTo":"b"}]}"#),
    ])
    func aParameterMayStandInTheKeyAndInWhen(query: String, condition: String, expected: String) throws {
        let mapping = try mapping("GET /a?\(query)&z=1:\n  when: { query: { q: \(condition), y: 2 } }")
        #expect(
            mapping["request"]?["queryParameters"] == [
                "q": try JSONValue(parsing: expected), "z": ["equalTo": "1"], "y": ["equalTo": "2"],
            ])
    }

    @Test(arguments: [
        ("b=1", "{ absent: true }", "the route's key requires this parameter, so it cannot be absent"),
        ("b={any}", "{ absent: true }", "the route's key requires this parameter, so it cannot be absent"),
        ("b=1", "{ count: 2 }", "\"count\" cannot be combined with the value in the route's key"),
        (
            "b=1", "{ hasExactly: [{ equalTo: a }] }",
            "\"hasExactly\" cannot be combined with the value in the route's key"
        ),
    ])
    func conflictingConditionsInKeyAndWhenAreAnError(query: String, condition: String, message: String) {
        let (stubs, diagnostics) = parse("GET /a?\(query):\n  when: { query: { b: \(condition) } }\n")
        #expect(stubs.isEmpty)
        #expect(diagnostics.map(\.message) == [message])
        #expect(diagnostics.map { $0.pointer.tokens.last } == ["b"])
        #expect(diagnostics.map(\.line) == [2])
    }

    /// A problem of the condition after it was merged into the parameter's matcher.
    @Test(arguments: [
        ("q=abc", "{ matches: '(' }", "and/1/matches", 34), ("q={any}", "{ matches: '(' }", "matches", 34),
        ("q=a&q=b", "{ matches: '(' }", "includes/2/matches", 34),
        ("q=a&q=b", "[x, { matches: '(' }]", "includes/1/matches", 38),
    ])
    func problemsOfAConditionArePlacedUnderWhen(
        query: String, condition: String, pointer: String, column: Int
    ) throws {
        let text = "GET /a?\(query):\n  when: { query: { q: \(condition) } }\n"
        let file = StubFile.read(text.utf8, format: .yaml, path: "a.yaml")
        let place = try #require(JSONPointer(text: "/request/queryParameters/q/" + pointer))
        let found = file.diagnostics(for: [ModelProblem(pointer: place, message: "x")], inStubAt: 0)
        #expect(found.map(\.line) == [2])
        #expect(found.map(\.column) == [column])
    }

    /// The key's text and its variables are compared with what clients send, undecoded.
    @Test(arguments: [
        ("straße", #"{"equalTo":"stra%C3%9Fe"}"#), ("'a b'", #"{"equalTo":"a%20b"}"#),
        ("a%20b", #"{"equalTo":"a%20b"}"#),
        ("a+b", #"{"equalTo":"a+b"}"#), ("{ startsWith: ä }", #"{"startsWith":"%C3%A4"}"#),
        ("{ glob: 'ä *' }", #"{"glob":"%C3%A4%20*"}"#),
        ("{ equalTo: ä, caseInsensitive: true }", #"{"equalTo":"%C3%A4","caseInsensitive":true}"#),
        ("{ not: { equalTo: ä } }", #"{"not":{"equalTo":"%C3%A4"}}"#),
        (
            "{ or: [{ equalTo: ä }, { and: [{ endsWith: ö }, { contains: b }] }] }",
            #"{"or":[{"equalTo":"%C3%A4"},{"and":[{"endsWith":"%C3%B6"},{"contains":"b"}]}]}"#
        ),
        ("{ matches: '[ä ]+' }", #"{"matches":"[ä ]+"}"#), ("12", #"{"equalTo":"12"}"#),
    ])
    func valuesOfPathVariablesAreSpeltAsTheKeyIs(value: String, expected: String) throws {
        let mapping = try mapping("GET /{id}:\n  when: { path: { id: \(value) } }")
        #expect(mapping["request"]?["pathParameters"]?["id"] == (try JSONValue(parsing: expected)))
        // A plain text in the key is spelt the same way.
        if let text = try JSONValue(parsing: expected)["equalTo"]?.stringValue, !value.hasPrefix("{") {
            let key = value.filter { $0 != "'" }
            #expect(try self.mapping("\"GET /\(key)\": {}")["request"]?["urlPath"] == .string("/" + text))
        }
    }

    @Test func variablesMayHaveAnyLetters() throws {
        let mapping = try mapping("GET /ä/{größe}:\n  when: { path: { größe: 42 } }")
        #expect(mapping["request"]?["pathParameters"] == ["größe": ["equalTo": "42"]])
    }

    @Test(arguments: ["{id:[0-9]+}", "{id:int}", "{id(\\d+)}"])
    func aVariableHasNoExpression(variable: String) {
        let (_, diagnostics) = parse("'GET /user/\(variable)': { body: x }\n")
        #expect(diagnostics.map(\.severity) == [.error])
        #expect(diagnostics.map(\.message) == ["a variable has no expression: all of it is the name"])
        #expect(diagnostics.map(\.suggestion) == ["{id}"])
    }

    @Test func aBrokenEscapeIsAnErrorInKeyAndWhen() {
        let (_, diagnostics) = parse("GET /{id}:\n  when: { path: { id: 100% } }\n")
        #expect(diagnostics.map(\.message) == ["invalid % escape in the path, which no client may send"])
        #expect(diagnostics.map(\.line) == [2])
    }

    /// Among equal priorities the stub inserted last wins, so the first of the file must come last.
    @Test func theFirstMatchingResponseAnswers() {
        let (stubs, diagnostics) = parse(
            """
            GET /a:
              - when: { headers: { Authorization: { absent: true } } }
                status: 401
              - status: 200
            GET /b: { status: 202 }
            ANY /**: { status: 404 }
            """)
        #expect(diagnostics.isEmpty)
        #expect(stubs.map(\.response.status) == [404, 202, 200, 401])
        #expect(stubs.allSatisfy { $0.priority == nil })
    }

    @Test func aResponseThatIsNeverSentIsAWarning() {
        let (stubs, diagnostics) = parse("GET /a:\n  - status: 200\n  - status: 500\n")
        #expect(stubs.count == 2)
        #expect(diagnostics.map(\.severity) == [.warning])
        #expect(diagnostics.map(\.line) == [3])
        #expect(parse("GET /a:\n  - status: 200\n  - status: 500\n    priority: 1\n").diagnostics.isEmpty)
    }

    @Test func fieldsThatAFaultDoesNotSendAreAWarning() {
        let (stubs, diagnostics) = parse("GET /a: { fault: EMPTY_RESPONSE, status: 500, delay: 1s, json: 1 }\n")
        #expect(stubs.count == 1)
        #expect(diagnostics.map { $0.pointer.tokens.last } == ["status", "json"])
        #expect(diagnostics.allSatisfy { $0.severity == .warning })
    }
}
