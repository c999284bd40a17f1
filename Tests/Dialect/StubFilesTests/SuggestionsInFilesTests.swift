import Foundation
import SDJSON
import SDStubFiles
import SDStubModel
import Testing

/// Files with mistakes of which it is known what their authors mean: the message says what to write, with their values.
@Suite struct SuggestionsInFilesTests {
    static let defaults = [
        (
            "basePath: /api\nGET /a: {}\n",
            #"1:1: error: basePath: "basePath" belongs under "defaults", which stands beside the routes; did you mean "defaults: {basePath: /api}"? Expected defaults: {basePath: …}"#
        ),
        (
            "GET /a: {}\nprefix: /v1\n",
            #"2:1: error: prefix: "prefix" belongs under "defaults", which stands beside the routes; did you mean "defaults: {basePath: /v1}"? Expected defaults: {basePath: …}"#
        ),
        (
            "headers: { X-Source: mock }\nGET /a: {}\n",
            #"1:1: error: headers: "headers" belongs under "defaults", which stands beside the routes; did you mean "defaults: {headers: {X-Source: mock}}"? Expected defaults: {headers: …}"#
        ),
        (
            "GET /a:\n  basePath: /api\n  body: x\n",
            #"2:3: error: ["GET /a"].basePath: "basePath" belongs under "defaults", which stands beside the routes; did you mean "defaults: {basePath: /api}"? Expected defaults: {basePath: …}"#
        ),
    ]

    static let keys = [
        ("[GET, POST] /a: {}\n", #"did you mean "GET|POST /a"?"#),
        ("\"[GET, POST] /a\": {}\n", #"did you mean "GET|POST /a"?"#),
        ("GET, POST /a: {}\n", #"did you mean "GET|POST /a"?"#), ("GET,POST /a: {}\n", #"did you mean "GET|POST /a"?"#),
        ("GET/POST /a: {}\n", #"did you mean "GET|POST /a"?"#), ("GET+POST /a: {}\n", #"did you mean "GET|POST /a"?"#),
        ("(GET|POST) /a: {}\n", #"did you mean "GET|POST /a"?"#),
        ("GET or POST /a: {}\n", #"did you mean "GET|POST /a"?"#),
        ("get, put /a/{id}: {}\n", #"did you mean "GET|PUT /a/{id}"?"#), ("\"* /a\": {}\n", #"did you mean "ANY /a"?"#),
        ("ALL /a: {}\n", #"did you mean "ANY /a"?"#), ("GET POST /a: {}\n", #"did you mean "GET|POST /a"?"#),
    ]

    /// Keys that stand beside or around what they belong under.
    static let misplaced = [
        (
            "GET /books:\n  query: { page: 2 }\n  json: []\n",
            #"2:3: error: ["GET /books"].query: "query" belongs under "when"; did you mean "when: {query: {page: 2}}"? Expected when: {query: …}"#
        ),
        (
            "GET /a:\n  queryParameters: { q: { equalTo: tea } }\n",
            #"2:3: error: ["GET /a"].queryParameters: "queryParameters" belongs under "when"; did you mean "when: {query: {q: {equalTo: tea}}}"? Expected when: {query: …}"#
        ),
        (
            "POST /a:\n  bodyPatterns: [ { contains: x } ]\n",
            #"2:3: error: ["POST /a"].bodyPatterns: "bodyPatterns" belongs under "when"; did you mean "when: {body: [{contains: x}]}"? Expected when: {body: …}"#
        ),
        (
            "POST /a:\n  - when: { query: { a: 1 } }\n  - formParams: { a: b }\n",
            #"3:5: error: ["POST /a"][1].formParams: "formParams" belongs under "when"; did you mean "when: {form: {a: b}}"? Expected when: {form: …}"#
        ),
        (
            "GET /a/{id}:\n  path: { id: { matches: x } }\n",
            #"2:3: error: ["GET /a/{id}"].path: "path" belongs under "when"; did you mean "when: {path: {id: {matches: x}}}"? Expected when: {path: …}"#
        ),
        (
            "GET /a:\n  cookies: { s: t }\n  basicAuth: { username: u, password: p }\n",
            #"2:3: error: ["GET /a"].cookies: "cookies" belongs under "when"; did you mean "when: {cookies: {s: t}}"? Expected when: {cookies: …}"#
        ),
        (
            "GET /a:\n  method: POST\n",
            #"2:3: error: ["GET /a"].method: "method" belongs in the route's key; did you mean "POST /a"? Expected METHOD /path, such as "GET /users/{id}""#
        ),
        (
            "ANY /a:\n  method: [GET, PUT]\n",
            #"2:3: error: ["ANY /a"].method: "method" belongs under "when"; did you mean "when: {method: [GET, PUT]}"? Expected when: {method: …}"#
        ),
        (
            "GET /a:\n  urlPath: /b\n",
            #"2:3: error: ["GET /a"].urlPath: "urlPath" belongs in the route's key; expected METHOD /path, such as "GET /users/{id}""#
        ),
        (
            "POST /users:\n  response:\n    status: 201\n    json: { id: 7 }\n",
            #"2:3: error: ["POST /users"].response: unknown key "response": a route is the response; expected its members ("status", "json") directly below "POST /users""#
        ),
        (
            "GET /a:\n  sequence:\n    - response: { status: 201 }\n",
            #"3:7: error: ["GET /a"].sequence[0].response: unknown key "response": an entry of a sequence is the response; expected its members ("status") directly below "sequence""#
        ),
    ]

    /// Fields of a mapping at another level than WireMock has them.
    static let otherLevels = [
        (#"{"request": {"url": "/a"}, "bodyPatterns": []}"#, #"bodyPatterns: "bodyPatterns" belongs in "request""#),
        (#"{"request": {"url": "/a"}, "urlPath": "/b"}"#, #"urlPath: "urlPath" belongs in "request""#),
        (#"{"request": {"url": "/a"}, "method": "GET"}"#, #"method: "method" belongs in "request""#),
        (#"{"request": {"url": "/a"}, "jsonBody": {}}"#, #"jsonBody: "jsonBody" belongs in "response""#),
        (#"{"request": {"url": "/a"}, "status": 200}"#, #"status: "status" belongs in "response""#),
        (#"{"request": {"url": "/a"}, "headers": {}}"#, #"headers: "headers" belongs in "request" or in "response""#),
        (#"{"request": {"url": "/a", "status": 200}}"#, #"request.status: "status" belongs in "response""#),
        (#"{"request": {"url": "/a", "priority": 1}}"#, #"request.priority: "priority" belongs beside "request""#),
        (#"{"request": {"url": "/a", "response": {}}}"#, #"request.response: "response" belongs beside "request""#),
        (
            #"{"request": {"url": "/a"}, "response": {"scenarioName": "s"}}"#,
            #"response.scenarioName: "scenarioName" belongs beside "response""#
        ),
        (
            #"{"request": {"url": "/a"}, "response": {"method": "GET"}}"#,
            #"response.method: "method" belongs in "request""#
        ),
        (
            #"{"request": {"url": "/a"}, "response": {"queryParameters": {}}}"#,
            #"response.queryParameters: "queryParameters" belongs in "request""#
        ),
    ]

    /// Fields for URLs that WireMock does not have, with their texts.
    static let urlFields = [
        ("urlPathMatching", "/users/{id}", "urlPathTemplate"), ("urlPathMatching", "/users/[0-9]+", "urlPathPattern"),
        ("urlPathMatching", "/a{2,3}", "urlPathPattern"), ("path", "/users/{id}/x", "urlPathTemplate"),
        ("path", "/users", "urlPath"), ("urlMatching", "/users/{userId}", "urlPathTemplate"),
        ("urlMatching", "/users/.*", "urlPattern"), ("urlEqualTo", "/users?page=2", "url"),
        ("pathRegex", "/a{2}/{id}", "urlPathTemplate"), ("urlPathEqualTo", "/a", "urlPath"),
    ]

    @Test(arguments: misplaced) func keysThatBelongElsewhereAreTold(text: String, message: String) {
        #expect(said(text).first == message)
    }

    /// What is suggested under `when` is right there.
    @Test func conditionsAreValidUnderWhen() {
        for (text, message) in Self.misplaced where message.contains(#"did you mean "when: "#) {
            let meant = message.components(between: "did you mean \"", and: "\"? Expected")
            let key = text.prefix { $0 != "\n" }.dropLast()
            #expect(said("\(key):\n  \(meant)\n") == [], "\(meant)")
        }
    }

    @Test(arguments: otherLevels) func fieldsOfOtherLevelsAreTold(text: String, message: String) {
        let said = said(text, .json)
        #expect(said.count == 1 && said[0].hasSuffix(": error: " + message), "\(said)")
    }

    @Test(arguments: urlFields) func theFieldForAnURLIsThatOfItsText(name: String, text: String, meant: String) {
        let said = said(#"{"request": {"\#(name)": "\#(text)"}, "response": {}}"#, .json)
        let words = "unknown field \"\(name)\"; did you mean \"\(meant)\"?"
        #expect(said.count == 1 && said[0].contains(words), "\(said)")
    }

    @Test(arguments: [
        (
            "name=Ada&age=36",
            #"; did you mean "equalTo"? Expected JSON here, "equalTo" for a text, or "formParameters" for the fields of a "#
                + "form, found "
        ),
        ("hello there", #"; did you mean "equalTo"? Expected JSON here, "equalTo" for a text, found "#),
        ("{ broken", "; expected "),
    ])
    func aTextThatIsNoJSONIsForAnotherOperator(text: String, words: String) {
        let said = said(
            #"{"request": {"bodyPatterns": [{"equalToJson": "\#(text)"}]}, "response": {}}"#, .json)
        #expect(said.count == 1 && said[0].contains("of the text)" + words), "\(said)")
    }

    @Test(arguments: [("high", "1"), ("Lowest", "10"), ("urgent", nil)])
    func prioritiesAreNumbers(word: String, meant: String?) {
        let words =
            "not an integer" + (meant.map { "; did you mean \"\($0)\"? E" } ?? "; e")
            + "xpected an integer: 1 comes first, and 5 is the priority of a stub without one, found the text \"\(word)\""
        #expect(said("GET /a: { priority: \(word) }").first?.hasSuffix(words) == true)
        #expect(said(#"{"request": {"url": "/a"}, "priority": "\#(word)"}"#, .json).first?.hasSuffix(words) == true)
    }

    @Test(arguments: [
        ("\"GET /a\\nb\": {}\n", #"did you mean "GET /ab"? Expected one line; %0A for a line feed that is sent"#),
        ("\"GET /a\\n  /b?c=d\": {}\n", #"did you mean "GET /a/b?c=d"? Expected one line"#),
        ("\"GET =/a\\r\\n\\x01b\": {}\n", #"did you mean "GET =/ab"? Expected one line"#),
    ])
    func aKeyIsOneLine(text: String, words: String) {
        let said = said(text)
        #expect(said.count == 1 && said[0].contains(words), "\(said)")
        #expect(self.said("\"GET ~/a\\nb\": {}\n") == [])
    }

    @Test(arguments: ["per: query.b", "onEnd: loop", "select: random"])
    func whatASequenceHasDoesNotStandBesideIt(member: String) {
        let name = member.prefix { $0 != ":" }
        let said = said("GET /a:\n  sequence: { \(member), responses: [ {}, {} ] }\n  \(member)\n")
        let message = "duplicate \"\(name)\", which \"sequence\" has, too; expected one of the two"
        #expect(said.first == "3:3: error: [\"GET /a\"].\(name): \(message)")
    }

    /// What is said of a sequence, a quota or a scenario, from its message on.
    @Test(arguments: [
        (
            "GET /a/{b}/{c}: { sequence: { per: \"{{path.b}}-{{path.c}}\", responses: [ {} ] } }",
            "a sequence is kept for one value, and not for several together; expected path.NAME, "
        ),
        (
            "GET /a/{b}/{c}: { sequence: { per: [path.b, path.c], responses: [ {} ] } }",
            "a sequence is kept for one value, and not for several together; expected path.NAME, "
        ),
        ("GET /a/{b}: { sequence: { per: \"{{path.b}}\", responses: [ {} ] } }", "did you mean \"path.b\"?"),
        ("GET /a: { sequence: { per: session, responses: [ {} ] } }", "did you mean \"cookie.session\"?"),
        ("GET /a: { sequence: { per: ip, responses: [ {} ] } }", "not a place of a request; expected path.NAME, "),
        ("GET /a: { sequence: [{}], onEnd: repeat }", "not an end; did you mean \"repeatLast\"?"),
        ("GET /a: { sequence: [{}], onEnd: 404 }", "not an end; did you mean \"notFound\"?"),
        (
            "GET /a: { sequence: [ { status: 201, times: 2 } ] }",
            "belongs to a route, and not to one response of its sequence; expected the response as many times as it is sent"
        ),
        (
            "GET /a: { sequence: [ { when: { query: { b: c } } } ] }",
            "belongs to a route, and not to one response of its sequence; expected a list of routes, each with its \"when\""
        ),
        ("GET /a: { fault: { quota: { limit: 5, per: 60 } } }", "did you mean \"60s\"?"),
        ("GET /a: { fault: { quota: { requests: 5, per: 60s } } }", "did you mean \"limit\"?"),
        (
            "GET /a: { fault: { quota: { limit: 5, per: header.X-Key } } }",
            "a quota is that of all requests together; expected a duration, such as 1m; for a quota of each value, a "
                + "sequence: {per: header.X-Key, …}"
        ),
        (
            "GET /a: { rateLimit: 5 }",
            "belongs under \"fault\", as \"quota\"; expected fault: {quota: {limit: 10, per: 1m}}"
        ),
        (
            "GET /a: { rate-limit: { limit: 5, per: 1s } }",
            "as \"quota\"; did you mean \"fault: {quota: {limit: 5, per: 1s}}\"?"
        ),
        (
            "GET /a/{id}: { scenario: { name: \"job {{path.id}}\", from: Started, to: b } }",
            "warning: [\"GET /a/{id}\"].scenario.name: this is no template: it is the same for all requests; expected a "
                + "text; for steps of each value, sequence: {per: path.id, responses: […]}"
        ),
    ])
    func stepsForEachValueAreTold(text: String, words: String) {
        let said = said(text)
        #expect(said.count == 1 && said[0].contains(words), "\(said)")
    }

    /// A condition under `when`, and what is said of it.
    static let conditions = [
        ("headers: { A: \"*\" }", "sign by sign; did you mean \"{absent: false}\"?"),
        ("headers: { A: \"{any}\" }", "did you mean \"{absent: false}\"?"),
        ("query: { page: \".*\" }", "did you mean \"{absent: false}\"?"),
        ("headers: { A: /b.*/ }", "did you mean \"{matches: \"b.*\"}\"?"),
        ("headers: { A: \"Bearer *\" }", "did you mean \"{matches: \"Bearer .*\"}\"?"),
        ("cookies: { a: \"^[0-9]+$\" }", "did you mean \"{matches: \"^[0-9]+$\"}\"?"),
        ("headers: { A: [b, \"*\"] }", "did you mean \"{absent: false}\"?"),
        ("headers: { A: [b, c] }", "did you mean \"{or: [{equalTo: b}, {equalTo: c}]}\"?"),
        (
            "headers: { A: [b, c, { contains: d }] }",
            "did you mean \"{or: [{equalTo: b}, {equalTo: c}, {contains: d}]}\"?"
        ),
        ("multipart: { name: f, headers: { A: [b, c] } }", "each in a line of its own; did you mean"),
        ("headers: { A: { exists: true } }", "did you mean \"absent: false\"?"),
        ("headers: { A: { present: false } }", "did you mean \"absent: true\"?"),
        ("query: { a: { in: [b, c] } }", "did you mean \"or\"?"),
        ("not: { headers: { A: b } }", "a value is negated where it stands; expected a matcher such as headers: "),
        ("or: [ { headers: { A: b } } ]", "hold together; expected a list of routes, each with its \"when\""),
        ("$.name: ada", "did you mean \"jsonPath: {\"$.name\": ada}\"?"),
        ("authorization: Bearer x", "did you mean \"headers: {authorization: \"Bearer x\"}\"?"),
        ("X-Key: abc", "did you mean \"headers: {X-Key: abc}\"?"),
    ]

    @Test(arguments: conditions) func conditionsOfOtherToolsAreKnown(condition: String, words: String) {
        let said = said("POST /a: { when: { \(condition) } }")
        #expect(said.count == 1 && said[0].contains(words), "\(said)")
    }

    @Test func suggestedConditionsAreValid() {
        for (condition, words) in Self.conditions where words.contains("did you mean") {
            let meant = words.components(between: "did you mean \"", and: "\"?")
            let isMatcher = meant.hasPrefix("{")
            guard isMatcher || meant.contains(": ") else { continue }
            let isPart = meant.hasPrefix("absent")
            let when = isMatcher ? "headers: { A: \(meant) }" : isPart ? "headers: { A: { \(meant) } }" : meant
            #expect(said("POST /a: { when: { \(when) } }") == [], "\(condition)")
        }
    }

    @Test(arguments: [
        "headers: { Accept: \"*/*\", If-None-Match: \"*\" }", "headers: { Accept: text/* }", "query: { q: a.b }",
        "query: { at: /a/b/ }", "query: { q: \"2 * 3\", price: $5, f: \"[1]\" }",
        "headers: { A: https://a.example/.* }",
        "query: { a: [b, c] }", "form: { a: [b, c] }", "headers: { A: [b] }", "headers: { A: [b, { contains: c }] }",
        "headers: { A: { includes: [{ equalTo: b }, { equalTo: c }] } }",
        "body: \"*\"", "jsonPath: { $.a: \".*\" }",
    ])
    func textsThatAreNoPatternsAreTakenAsTheyAre(condition: String) {
        #expect(said("POST /a: { when: { \(condition) } }") == [])
    }

    static let faults = [
        ("timeout", "{neverAnswer: true}"), ("TIMEOUT", "{neverAnswer: true}"), ("hang", "{neverAnswer: true}"),
        ("reset", "CONNECTION_RESET_BY_PEER"), ("ECONNRESET", "CONNECTION_RESET_BY_PEER"),
        ("connection-reset", "CONNECTION_RESET_BY_PEER"), ("close", "EMPTY_RESPONSE"), ("drop", "EMPTY_RESPONSE"),
        ("garbage", "RANDOM_DATA_THEN_CLOSE"), ("slow", "{bandwidth: 1KB/s}"), ("503", "{status: 503}"),
        ("{ type: timeout }", "neverAnswer: true"), ("{ timeout: 5s }", "neverAnswer: true"),
        ("{ kind: reset }", "kind: CONNECTION_RESET_BY_PEER"), ("{ type: reset }", "kind: CONNECTION_RESET_BY_PEER"),
    ]

    static let delays = [
        ("{ min: 100, max: 500 }", "{uniform: [100ms, 500ms]}"), ("{ min: 100ms, max: 2s }", "{uniform: [100ms, 2s]}"),
        ("{ from: 1s, to: 2s }", "{uniform: [1s, 2s]}"), ("{ lower: 1, upper: 5 }", "{uniform: [1ms, 5ms]}"),
        ("{ random: [1s, 2s] }", "{uniform: [1s, 2s]}"), ("[100, 500]", "{uniform: [100ms, 500ms]}"),
        ("{ mean: 1s, stddev: 200ms }", "{gaussian: [1s, 200ms]}"), ("{ fixed: 1s }", "1s"),
        ("{ milliseconds: 250 }", "250ms"), ("{ seconds: 2 }", "2s"), ("100", "100ms"),
        ("1m30s", "90s"), ("1h 5m", "65m"), ("2 min 1 sec", "121s"), ("0.5", "500ms"), ("1.25", "1250ms"),
    ]

    private func said(_ text: String, _ format: StubFile.Format = .yaml) -> [String] {
        StubFile.parse(text.utf8, format: format, path: "a").diagnostics.map { String("\($0)".dropFirst("a:".count)) }
    }

    @Test(arguments: defaults) func whatIsForAllRoutesBelongsUnderDefaults(text: String, message: String) {
        #expect(said(text) == [message])
    }

    @Test(arguments: keys) func methodsOfAKeyAreListedWithBars(text: String, words: String) {
        let said = said(text)
        #expect(said.count == 1 && said[0].contains(words), "\(said)")
        #expect(said.first?.hasPrefix("1:1: error: ") == true)
    }

    @Test(arguments: faults) func faultsOfOtherToolsAreKnown(fault: String, meant: String) {
        let said = said("GET /a: { fault: \(fault) }")
        #expect(said.count == 1 && said[0].contains("; did you mean \"\(meant)\"? Expected one of"), "\(said)")
        // In a mapping of WireMock, too.
        guard !fault.hasPrefix("{") else { return }
        let mapping = self.said(#"{"request": {"url": "/a"}, "response": {"fault": "\#(fault)"}}"#, .json)
        #expect(mapping.count == 1 && mapping[0].contains("; did you mean \"\(meant)\"?"), "\(mapping)")
    }

    @Test(arguments: delays) func delaysOfOtherToolsAreKnown(delay: String, meant: String) {
        let said = said("GET /a: { delay: \(delay) }")
        #expect(said.count == 1 && said[0].contains("; did you mean \"\(meant)\"? Expected a duration"), "\(said)")
    }

    /// What is suggested is right where it is written.
    @Test func suggestionsAreValid() throws {
        for meant in Set((Self.faults.filter { !$0.0.hasPrefix("{") }).map(\.1)) {
            #expect(said("GET /a: { fault: \(meant) }").isEmpty, "\(meant)")
        }
        for meant in Self.delays.map(\.1) { #expect(said("GET /a: { delay: \(meant) }").isEmpty, "\(meant)") }
        for (_, words) in Self.keys {
            let key = words.dropFirst("did you mean \"".count).dropLast(2)
            #expect(said("\(key): {}").isEmpty, "\(key)")
        }
    }

    /// The guess stands before the list of what is valid.
    @Test(arguments: [
        ("GET /a: { stauts: 200 }", "unknown key \"stauts\"; did you mean \"status\"? Expected one of when, "),
        ("request: { urll: /a }", "unknown field \"urll\"; did you mean \"url\"? Expected one of scheme, "),
        (
            "GET /a: { sequence: [{}], onEnd: lop }",
            "not an end; did you mean \"loop\"? Expected one of repeatLast, loop, notFound, found"
        ),
    ])
    func theGuessComesFirst(text: String, words: String) {
        #expect(said(text).first?.contains(words) == true, "\(said(text))")
    }

    /// A key that is not indented, and a text that is a comment.
    @Test(arguments: [
        (
            "GET /me:\n  json:\n  id: 1\n  email: ada@example.com\n",
            [
                "3:3: error: [\"GET /me\"].id: \"id\" stands beside \"json\", which is empty; expected it indented more than \"json\", to be part of that",
                "4:3: error: [\"GET /me\"].email: \"email\" stands beside \"json\", which is empty; expected it indented more than \"json\", to be part of that",
            ]
        ),
        (
            "GET /c:\n  body: #ff0000\n",
            [
                "2:8: error: [\"GET /c\"].body: no text; expected a text, or no \"body\" at all; in quotes if it begins with #, which begins a comment otherwise, found null"
            ]
        ),
        (
            "- httpRequest: { method: GET, path: /users }\n  httpResponse: { statusCode: 200 }\n",
            [
                "1:3: warning: [0].httpRequest: an expectation of MockServer is not read, so nothing of it is served; expected a route such as \"GET /users: {status: 200}\", or a stub with \"request\" and \"response\""
            ]
        ),
    ])
    func whatIsNotAsItLooksIsExplained(text: String, messages: [String]) {
        #expect(said(text) == messages)
    }
}

extension String {
    /// The text between two others; empty if they are not there.
    fileprivate func components(between start: String, and end: String) -> String {
        guard let first = range(of: start), let last = range(of: end), first.upperBound <= last.lowerBound else {
            return ""
        }
        return String(self[first.upperBound..<last.lowerBound])
    }
}
