import SDJSON
import SDStubFiles
import SDStubModel
import Testing

/// Files with mistakes of which it is known what their authors mean: the message says what to write, with their values.
@Suite struct MeantInFilesTests {
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
