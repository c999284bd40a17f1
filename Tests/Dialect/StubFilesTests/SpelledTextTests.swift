import SDJSON
import SDStubFiles
import SDStubModel
import Testing

/// Scalars of YAML where a text is wanted: what stands in the file counts, not the value that YAML reads.
@Suite struct SpelledTextTests {
    /// A scalar, and its value where JSON is wanted.
    static let scalars: [(spelling: String, json: JSONValue)] = [
        ("007", 7), ("01", 1), ("00", 0), ("0x1F", 31), ("0o17", 15), ("+5", 5), (".5", 0.5), ("True", true),
        ("FALSE", false), ("true", true), ("yes", "yes"), ("no", "no"), ("~", .null), ("1_000", "1_000"),
        ("2026-03-01", "2026-03-01"), ("1.10", .number(JSONNumber(validText: "1.10"))),
        ("1e3", .number(JSONNumber(validText: "1e3"))), ("-0", .number(JSONNumber(validText: "-0"))),
    ]

    private func mapping(_ text: String) throws -> JSONValue {
        let (stubs, all) = parse(text)
        let diagnostics = all.filter { !$0.message.hasSuffix("without its zero") }
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        return try #require(stubs.first).json(view: .file)
    }

    /// The places of texts in a route, and in its mapping.
    static let ofRoute: [(text: String, pointer: String)] = [
        ("GET /a: { headers: { X-Zip: # } }", "/response/headers/X-Zip"),
        ("GET /a: { headers: { X-Zip: [ a, # ] } }", "/response/headers/X-Zip/1"),
        ("GET /a: { body: # }", "/response/body"),
        ("GET /a: { statusMessage: # }", "/response/statusMessage"),
        ("GET /a: { name: # }", "/name"),
        ("GET /a: { trailers: { T: # } }", "/response/trailers/T"),
        ("GET /a: { capture: { zip: # } }", "/serveEventListeners/0/parameters/state/zip"),
        ("GET /a: { scenario: { name: a, from: # } }", "/requiredScenarioState"),
        ("GET /a: { when: { headers: { A: # } } }", "/request/headers/A/equalTo"),
        ("GET /a: { when: { query: { page: # } } }", "/request/queryParameters/page/equalTo"),
        ("GET /a: { when: { query: { page: [ # ] } } }", "/request/queryParameters/page/includes/0/equalTo"),
        ("GET /a: { when: { cookies: { c: # } } }", "/request/cookies/c/equalTo"),
        ("POST /a: { when: { form: { f: # } } }", "/request/formParameters/f/equalTo"),
        ("POST /a: { when: { body: # } }", "/request/bodyPatterns/0/equalTo"),
        ("POST /a: { when: { body: { contains: # } } }", "/request/bodyPatterns/0/contains"),
        ("POST /a: { when: { headers: { A: { not: { matches: # } } } } }", "/request/headers/A/not/matches"),
        ("GET /a/{id}: { when: { path: { id: # } } }", "/request/pathParameters/id/equalTo"),
        ("GET /a: { when: { basicAuth: { username: u, password: # } } }", "/request/basicAuthCredentials/password"),
        ("GET /a: { sequence: [ { body: # } ] }", "/responses/0/body"),
        ("defaults: { headers: { X-Zip: # } }\nGET /a: { status: 204 }", "/response/headers/X-Zip"),
        ("x-shared: &s { X-Zip: # }\nGET /a: { headers: *s }", "/response/headers/X-Zip"),
        ("x-shared: &s { X-Zip: # }\nGET /a: { headers: { <<: *s } }", "/response/headers/X-Zip"),
    ]

    @Test(arguments: ofRoute) func aTextOfARouteIsTakenAsItIsSpelt(text: String, pointer: String) throws {
        let pointer = try #require(JSONPointer(text: pointer))
        for (spelling, json) in Self.scalars {
            // An operator takes no number or flag of JSON, in either format.
            if pointer.tokens.last == "contains" || pointer.tokens.last == "matches", json.compactText == spelling {
                continue
            }
            let mapping = try mapping(text.replacingHash(by: spelling))
            #expect(mapping[pointer] == .string(spelling), "\(text): \(spelling)")
        }
    }

    /// The places of texts in a mapping. There `~` is null, which counts as absent, and what JSON spells so is what it
    /// is in JSON: an error where WireMock takes only texts.
    static let ofMapping: [String] = [
        "/response/body", "/response/headers/X/1", "/response/statusMessage", "/name",
        "/scenarioName", "/request/headers/A/equalTo", "/request/queryParameters/q/or/1/equalTo",
        "/request/bodyPatterns/0/matchesJsonPath/contains",
        "/serveEventListeners/0/parameters/state/zip", "/serveEventListeners/0/parameters/list/addLast/zip",
        "/request/customMatcher/parameters/property/zip/equalTo",
    ]

    private static let mapping = """
        request:
          url: /a
          headers: { A: { equalTo: # } }
          queryParameters: { q: { or: [ { equalTo: a }, { equalTo: # } ] } }
          bodyPatterns: [ { matchesJsonPath: { expression: $.a, contains: # } } ]
          customMatcher: { name: state-matcher, parameters: { hasContext: c, property: { zip: { equalTo: # } } } }
        response: { body: #, statusMessage: #, headers: { X: [ a, # ] }, transformerParameters: { p: # } }
        name: #
        scenarioName: #
        metadata: { m: # }
        serveEventListeners:
          - name: recordState
            parameters: { context: c, state: { zip: # }, list: { addLast: { zip: # } } }
        """

    @Test func aTextOfAMappingIsTakenAsItIsSpelt() throws {
        for (spelling, json) in Self.scalars where spelling != "~" && spelling != json.compactText {
            let mapping = try mapping(Self.mapping.replacingHash(by: spelling))
            for text in Self.ofMapping {
                let pointer = try #require(JSONPointer(text: text))
                #expect(mapping[pointer] == .string(spelling), "\(text): \(spelling)")
            }
            #expect(mapping["metadata"]?["m"] == json)
            #expect(mapping["response"]?["transformerParameters"]?["p"] == json)
        }
    }

    /// A file, and the warnings about numbers that lose their zero.
    @Test(
        arguments: [
            (
                "GET /a:\n  json:\n    zip: 01234\n",
                [
                    "a.yaml:3:10: warning: [\"GET /a\"].json.zip: 01234 is the number 1234, without its zero"
                ]
            ),
            ("POST /a: { when: { json: [ 007 ] } }", ["007 is the number 7"]),
            (
                "{ request: { url: /a }, response: { jsonBody: { a: [ +01, -007, 00 ] } } }",
                ["+01 is", "-007 is", "00 is"]
            ),
            ("CRUD /a: { data: [ { id: 1, zip: 0815 } ] }", ["0815 is the number 815"]),
            ("x-s: &s { zip: 01 }\nGET /a: { json: *s }", ["01 is the number 1"]),
            (
                "{ request: { url: /a }, serveEventListeners: [ { name: webhook, parameters: { url: \"http://a\", code: 01 } } ] }",
                ["01 is the number 1"]
            ),
            (
                "x-s: &s { X: 01 }\nGET /a: { headers: *s, status: 0200, json: { a: [ 0, 0.5, 10, \"01\", 0x1F, 0o17, -0 ] } }",
                []
            ),
            (
                "GET /a: { headers: { X: 01234 }, body: 0123, when: { jsonPath: { $.zip: 007 } }, webhook: { url: \"http://a\", headers: { X: 01 } } }",
                []
            ),
        ] as [(String, [String])])
    func aNumberThatLosesItsZeroIsTold(text: String, expected: [String]) {
        let found = StubFile.parse(text.utf8, format: .yaml, path: "a.yaml").diagnostics.map(\.description)
        #expect(found.count == expected.count, "\(found)")
        for (found, expected) in zip(found, expected) { #expect(found.contains(expected), "\(found)") }
    }

    @Test func headersOfWebhooksInMappingsAreTakenAsTheyAreSpelt() throws {
        let mapping = try mapping(
            "{ request: { url: /a }, serveEventListeners: [ { name: webhook, parameters: "
                + "{ url: \"http://a\", method: POST, headers: { X: 01234, Y: [ 007 ] }, body: 0123 } } ] }")
        let parameters = mapping["serveEventListeners"]?[0]?["parameters"]
        #expect(parameters?["headers"] == ["X": "01234", "Y": ["007"]])
        #expect(parameters?["body"] == "0123")
    }

    @Test func whereJSONIsWantedTheValueCounts() throws {
        for (spelling, json) in Self.scalars {
            let route = try mapping("GET /a: { json: { a: \(spelling) }, metadata: { m: \(spelling) } }")
            #expect(route["response"]?["jsonBody"]?["a"] == json)
            #expect(route["metadata"]?["m"] == json)
            let condition = try mapping("POST /a: { when: { json: [ \(spelling) ] } }")
            #expect(condition["request"]?["bodyPatterns"]?[0]?["equalToJson"]?[0] == json)
        }
        let found = try mapping("POST /a: { when: { jsonPath: { $.zip: 007, $.done: True } } }")
        #expect(found["request"]?["bodyPatterns"]?[0]?["matchesJsonPath"]?["equalTo"] == "007")
        #expect(found["request"]?["bodyPatterns"]?[1]?["matchesJsonPath"]?["equalTo"] == "true")
    }

    /// Nobody knows whether nothing is meant, or the word.
    @Test(arguments: ["null", "Null", ""]) func nullIsNoText(spelling: String) {
        #expect(parse("GET /a: { headers: { X: \(spelling) } }").diagnostics.count == 1)
        #expect(parse("GET /a: { when: { query: { q: \(spelling) } } }").diagnostics.count == 1)
    }

    @Test func jsonIsReadAsBefore() throws {
        let text = #"{"request": {"url": "/a", "headers": {"A": {"equalTo": 7}}}, "response": {}}"#
        let file = StubFile.parse(Array(text.utf8), format: .json, path: "a.json")
        #expect(file.diagnostics.map(\.message) == ["not a string"])
    }
}

extension String {
    fileprivate func replacingHash(by text: String) -> String {
        split(separator: "#", omittingEmptySubsequences: false).joined(separator: text)
    }
}
