import SDJSON
import SDShorthand
import SDStubFiles
import SDStubModel
import SDTestSupport
import Testing

/// Stubs written as YAML read back as they were.
@Suite struct StubFileTextTests {
    private func yaml(_ mappings: JSONValue...) throws -> String {
        StubFileText.yaml(try mappings.map(StubMapping.init(json:)))
    }

    /// What a file's reader makes of a text, in the order in which the stubs are tried.
    private func read(_ text: String) throws -> [StubMapping] {
        let (stubs, diagnostics) = StubFile.parse(Array(text.utf8), format: .yaml, path: "a.yaml")
        #expect(diagnostics.filter { $0.severity == .error }.isEmpty, "\(diagnostics)\n\(text)")
        return stubs.reversed()
    }

    @Test func routesAreReadable() throws {
        let text = try yaml(
            [
                "name": "one", "request": ["method": "GET", "urlPath": "/things/1"],
                "response": [
                    "jsonBody": ["id": 1, "tags": ["a", "yes"]], "headers": ["Content-Type": "application/json"],
                ],
            ],
            [
                "request": [
                    "method": "POST", "urlPath": "/things",
                    "queryParameters": ["q": ["equalTo": "a b"], "r": ["absent": true]],
                    "bodyPatterns": [["equalToJson": ["name": "x"]]],
                ],
                "response": [
                    "status": 201, "body": "two\nlines\n", "headers": ["Content-Type": "text/plain; charset=utf-8"],
                    "fixedDelayMilliseconds": 1500,
                ],
            ], ["request": ["method": "GET", "urlPath": "/things"]])
        #expect(
            text == """
                GET /things/1:
                  name: one
                  json:
                    id: 1
                    tags:
                      - a
                      - "yes"

                POST /things?q=a%20b:
                  when:
                    query:
                      r:
                        absent: true
                    json:
                      name: x
                  status: 201
                  delay: 1500ms
                  body: |
                    two
                    lines

                GET /things: null

                """)
    }

    @Test func whatRoutesCannotSayIsInWireMocksForm() throws {
        let mappings: [JSONValue] = [
            ["id": "11111111-1111-4111-8111-111111111111", "request": ["port": 1], "response": ["body": "x"]],
            ["request": ["method": "GET", "urlPath": "/b"], "response": ["status": 204]],
            ["request": ["method": "GET", "urlPath": "/c"]], ["request": ["method": "GET", "urlPath": "/b"]],
        ]
        let stubs = try mappings.map(StubMapping.init(json:))
        let back = try read(StubFileText.yaml(stubs))
        #expect(back[0] == stubs[0])
        #expect(back.map(\.request) == stubs.map(\.request))
        #expect(back.map(\.response.status) == [200, 204, 200, 200])
    }

    @Test func responsesOfOneKeyStandTogether() throws {
        let text = try yaml(
            [
                "request": ["method": "GET", "urlPath": "/a", "headers": ["X": ["equalTo": "1"]]],
                "response": ["status": 204],
            ],
            ["request": ["method": "GET", "urlPath": "/a"]])
        #expect(
            text == """
                GET /a:
                  - when:
                      headers:
                        X: "1"
                    status: 204
                  - null

                """)
    }

    @Test func everyMappingReadsBack() throws {
        var generator = TestGenerator()
        var routes = 0
        for _ in 0..<2_000 {
            let mapping = RandomMapping.json(using: &generator)
            guard let stub = try? StubMapping(json: mapping) else { continue }
            let text = StubFileText.yaml([stub])
            let back = try read(text)
            #expect(back.count == 1 && back[0].essence == stub.essence, "\(generator): \(mapping.compactText)\n\(text)")
            if !text.contains("request:") { routes += 1 }
        }
        #expect(routes > 250, "\(routes) were written as routes: \(generator)")
    }

    @Test(arguments: ["a\n", "a\n\n", "a\nb\n\n\n", "a\n\nb\n", "\n", "\n\n"]) func linesAtTheEndOfATextReadBack(
        _ text: String
    ) throws {
        let value: JSONValue = [
            "first": .string(text), "second": ["inner": .string(text)], "third": [.string(text), 1],
        ]
        for isSpaced in [true, false] {
            let yaml = value.yamlText(isSpaced: isSpaced)
            #expect(try JSONValue(parsingYAML: Array(yaml.utf8)) == value, "\(yaml)")
        }
    }

    /// YAML takes at most 1,024 characters up to the colon of a key without a `?` before it.
    @Test(arguments: [1_016, 1_017, 1_018, 1_019, 1_024, 1_025, 5_000], ["k", "é", "\u{1}", "?", "\""])
    func longKeysReadBack(_ count: Int, _ letter: String) throws {
        let key = String(repeating: letter, count: count)
        let inner: JSONValue = [key: 1, "short": [[key: [key: []]], [key: "a\nb"], ["a": 1, key: [[key: 2]]]]]
        let values: [JSONValue] = [
            [key: .null], [key: inner, "b": 2], ["a": inner], [inner, inner],
            .object(["GET /" + key: .object([key + "x": inner])]),
        ]
        for value in values {
            for isSpaced in [true, false] {
                let text = value.yamlText(isSpaced: isSpaced)
                #expect(try JSONValue(parsingYAML: Array(text.utf8)) == value)
            }
        }
    }

    @Test func everyDocumentReadsBack() throws {
        var generator = TestGenerator()
        for _ in 0..<3_000 {
            let value = RandomText.value(depth: 3, using: &generator)
            let text = value.yamlText()
            let back = try JSONValue(parsingYAML: Array(text.utf8))
            #expect(back == value, "\(generator): \(value.compactText)\n\(text)")
        }
    }
}

private enum RandomText {
    static let pieces = [
        "a", " ", "\n", ":", "#", "-", "é", "\t", "\u{7F}", "\u{1F600}", "{{x}}", "'", "\"", "\\", "yes", "null", "1",
        "|",
        "\r", "%", "&", ",", "[", "}", "\u{2028}", "~", "- a", ": b", " #c", "0x1F", "1e3", "@", "`", "!", "\u{FEFF}",
        "\u{0}",
    ]

    static func text(using generator: inout TestGenerator) -> String {
        (0..<Int.random(in: 0..<6, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }
            .joined()
    }

    static func value(depth: Int, using generator: inout TestGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &generator) {
        case 0..<4: return .string(text(using: &generator))
        case 4: return [JSONValue.null, true, 1.5, -3].randomElement(using: &generator) ?? .null
        case 5..<7:
            return .array(
                (0..<Int.random(in: 0..<4, using: &generator)).map { _ in value(depth: depth - 1, using: &generator) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0..<4, using: &generator) {
                object[text(using: &generator)] = value(depth: depth - 1, using: &generator)
            }
            return .object(object)
        }
    }
}

/// Mappings of members that mean something.
enum RandomMapping {
    static let matchers: [JSONValue] = [
        ["equalTo": "1"], ["equalTo": "A", "caseInsensitive": true], ["contains": "x y"], ["absent": true],
        ["matches": ".*"],
        ["includes": [["equalTo": "a"], ["equalTo": "b"]]], ["hasExactly": [["equalTo": "a"]]],
        ["doesNotMatch": "[0-9]+"],
    ]
    static let requests: [(String, [JSONValue])] = [
        ("method", ["GET", "POST", "ANY", ["oneOf": ["GET", "PUT"]], ["noneOf": ["GET"]], "get"]),
        ("urlPath", ["/a", "/a%20b/c", "/a?b", "/ä", "/a{b}", "/**"]), ("url", ["/a", "/a?b=c"]),
        ("urlPathTemplate", ["/a/{id}", "/x/**"]), ("urlPathPattern", ["/a.*", "/(a|b)"]),
        (
            "bodyPatterns",
            [
                [["equalToJson": ["a": 1]]], [["equalToJson": "{\"a\": 1}", "ignoreArrayOrder": true]],
                [["equalTo": "x\ny"]],
                [["contains": "a"], ["contains": "b"]], [["matchesJsonPath": "$.a"]], [["equalToXml": "<a/>"]],
                [["binaryEqualTo": "AQID"]],
            ]
        ), ("scheme", ["https"]), ("host", [["equalTo": "example.com"]]), ("port", [8080]),
        ("basicAuth", [["username": "u", "password": "p"]]), ("cookies", [["c": ["equalTo": "1"]]]),
        (
            "multipartPatterns",
            [
                [["name": "a", "headers": ["Content-Disposition": ["contains": "name=\"a\""]]]],
                [["matchingType": "ALL", "bodyPatterns": [["equalTo": "x"]]], ["fileName": "f", "headers": [:]]],
                [["name": "a", "headers": ["X": ["equalTo": "1"]], "bodyPatterns": [["matchesXPath": "/a"]]]],
            ]
        ), ("customMatcher", [["name": "m"], ["name": "m", "parameters": ["a": 1]]]),
        ("clientCertificate", [["subject": ["contains": "CN=a"]]]), ("clientIp", [["equalTo": "10.0.0.1"]]),
        ("formParameters", [["f": ["includes": [["equalTo": "a"], ["contains": "b"]]]]]),
    ]
    static let responses: [(String, [JSONValue])] = [
        ("status", [200, 204, 503]), ("statusMessage", ["Fine", ""]),
        ("body", ["", "x", "two\nlines", "{{x}}", "a {{", " \n"]),
        ("jsonBody", [["a": [1, ["b": "{{request.path}}"]]], [1, 2], "text", false, [:]]), ("base64Body", ["AQID"]),
        ("bodyFileName", ["a.json", "b/c.png"]), ("fixedDelayMilliseconds", [0, 1500, 60_000]),
        ("chunkedDribbleDelay", [["numberOfChunks": 2, "totalDuration": 1000]]), ("fault", ["EMPTY_RESPONSE"]),
        ("transformers", [["response-template"], ["x"]]), ("proxyBaseUrl", ["http://x"]),
        (
            "delayDistribution",
            [
                ["type": "uniform", "lower": 1, "upper": 2], ["type": "lognormal", "median": 80, "sigma": 0.4],
                ["type": "lognormal", "median": 0.5, "sigma": 0.4, "maxValue": 900],
                ["type": "fixed", "milliseconds": 5],
                ["type": "gaussian", "mean": 80, "standardDeviation": 5], ["type": "exponential", "mean": 1.5],
            ]
        ), ("proxyUrlPrefixToRemove", ["/p"]), ("proxyHttp2", [true, false]),
        ("additionalProxyRequestHeaders", [["A": "1"]]),
        ("hold", ["g", ["gate": "g", "timeout": "5s", "onTimeout": 504]]), ("conditional", [true]),
        ("template", [true, false]),
        (
            "headers",
            [
                ["Content-Type": "application/json"], ["X": ["1", "2"], "Content-Type": "text/plain; charset=utf-8"],
                ["Content-Type": "text/plain", "Y": "yes"],
            ]
        ), ("stream", [[["data": "a\nb"], ["after": "1s", "chunk": "x"]]]), ("early", [[["status": 103]]]),
        ("trailers", [["X": "1"]]), ("ranges", [true]),
    ]
    static let others: [(String, [JSONValue])] = [
        ("name", ["n", "yes", ""]), ("priority", [1, 9]), ("metadata", [["a": 1]]), ("times", [2]), ("ttl", ["30s"]),
        ("enabled", [false]), ("scenarioName", ["s"]), ("requiredScenarioState", ["Started"]),
        ("newScenarioState", ["b"]), ("cors", [true, ["origins": ["https://a.example"], "credentials": true]]),
        (
            "serveEventListeners",
            [
                [["name": "webhook", "parameters": ["url": "http://a.example/"]]],
                [
                    [
                        "name": "webhook",
                        "parameters": ["method": "POST", "url": "http://a.example/", "jsonBody": ["a": 1], "x": 2],
                    ], ["name": "recordState", "parameters": ["context": "session", "state": ["a": "{{x}}"]]],
                ], [["name": "recordState", "parameters": ["context": "c", "state": ["a": "1"]]]],
                [["name": "other", "requestPhases": ["AFTER_COMPLETE"]]],
                [
                    ["name": "webhook", "parameters": ["method": "PUT", "url": "http://a.example/", "body": "x"]],
                    ["name": "webhook", "parameters": ["url": "http://b.example/", "headers": ["A": "1"]]],
                ],
            ]
        ), ("postServeActions", [["webhook": ["url": "http://a.example/"]]]),
        ("id", ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"]),
    ]

    private static func choose(
        _ fields: [(String, [JSONValue])], _ share: Int, using generator: inout TestGenerator
    ) -> JSONObject {
        var object = JSONObject()
        for (name, values) in fields where Int.random(in: 0..<share, using: &generator) == 0 {
            object[name] = values.randomElement(using: &generator)
        }
        return object
    }

    static func json(using generator: inout TestGenerator) -> JSONValue {
        var request = choose(requests, 7, using: &generator)
        if request["urlPath"] == nil, Bool.random(using: &generator) { request["urlPath"] = "/p" }
        for name in ["headers", "queryParameters"] where Bool.random(using: &generator) {
            var named = JSONObject()
            for key in ["A", "b c", "q=1"] where Bool.random(using: &generator) {
                named[key] = matchers.randomElement(using: &generator)
            }
            if !named.isEmpty { request[name] = .object(named) }
        }
        var mapping = choose(others, 12, using: &generator)
        mapping["request"] = .object(request)
        if Int.random(in: 0..<6, using: &generator) == 0 {
            mapping["responses"] = .array(
                (0..<2).map { _ in .object(choose(responses, 9, using: &generator)) })
        } else {
            mapping["response"] = .object(choose(responses, 9, using: &generator))
        }
        return .object(mapping)
    }
}
