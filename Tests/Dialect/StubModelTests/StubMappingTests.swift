import SDJSON
import SDStubModel
import SDTestSupport
import Testing

@Suite struct StubMappingTests {
    static let full: JSONValue = {
        let text = """
            {"id":"6e5b1f6c-0b8a-4b7e-9f0e-111111111111","name":"n",
             "request":{"scheme":"http","host":{"equalTo":"b"},"port":1,"clientIp":{"contains":"b"},"urlPath":"/a",
              "method":"GET","headers":{"a":{"equalTo":"b","caseInsensitive":true}},
              "pathParameters":{"a":{"matches":"b"}},
              "queryParameters":{"a":{"hasExactly":[{"equalTo":"b"},{"absent":true}]}},
              "formParameters":{"a":{"includes":[{"equalTo":"b"}]}},"cookies":{"a":{"not":{"equalTo":"b"}}},
              "bodyPatterns":[{"equalToJson":{"a":1.50},"ignoreArrayOrder":true},{"binaryEqualTo":"AQID"},
               {"and":[{"contains":"x"},{"doesNotContain":"y"}]},{"matchesJsonPath":{"expression":"$.a","equalTo":"1"}},
               {"matchesXPath":"//a","xPathNamespaces":{"a":"b"}},{"before":"now","truncateActual":"first day of month"}],
              "customMatcher":{"name":"c","parameters":{"x":[1]}},
              "multipartPatterns":[{"name":"n","matchingType":"ALL","bodyPatterns":[{"equalTo":"a"}]}],
              "basicAuthCredentials":{"username":"u","password":"p"}},
             "response":{"status":201,"statusMessage":"m","jsonBody":{"a":[1,2.50]},"bodyFileName":"f",
              "headers":{"a":"b","c":["d","e"]},"additionalProxyRequestHeaders":{"a":"b"},
              "removeProxyRequestHeaders":["a"],"fixedDelayMilliseconds":4,
              "delayDistribution":{"type":"lognormal","median":80.0,"sigma":0.4,"maxValue":100.0},
              "chunkedDribbleDelay":{"numberOfChunks":2,"totalDuration":5},"proxyBaseUrl":"http://q",
              "proxyUrlPrefixToRemove":"/x","proxyHttp2":true,"fault":"EMPTY_RESPONSE","transformers":["x"],
              "transformerParameters":{"a":1}},
             "uuid":"6e5b1f6c-0b8a-4b7e-9f0e-111111111111","persistent":true,"priority":3,"scenarioName":"s",
             "requiredScenarioState":"x","newScenarioState":"b","metadata":{"z":{"deep":[null]}},"insertionIndex":114,
             "postServeActions":[{"name":"a","parameters":{"b":1}}],
             "serveEventListeners":[{"name":"a","requestPhases":["BEFORE_MATCH"]}]}
            """
        return (try? JSONValue(parsing: text)) ?? .null
    }()

    @Test func everyFieldSurvivesARoundTripInWireMocksOrder() throws {
        let stub = try StubMapping(json: Self.full)
        #expect(stub.json(view: .file).compactText == Self.full.compactText)
        #expect(try StubMapping(json: stub.json(view: .file)) == stub)
    }

    @Test func insertionIndexIsForFilesOnly() throws {
        let stub = try StubMapping(json: Self.full)
        #expect(stub.json(view: .api)["insertionIndex"] == nil)
        #expect(stub.json()["uuid"] == "6e5b1f6c-0b8a-4b7e-9f0e-111111111111")
    }

    @Test func anEmptyMappingMatchesEverythingWithAnEmpty200() throws {
        let stub = try StubMapping(json: [:])
        #expect(stub.request == RequestPattern())
        #expect(stub.response == ResponseDefinition())
        #expect(stub.json()["request"] == ["method": "ANY"])
        #expect(stub.json()["response"] == ["status": 200])
        #expect(try StubMapping(json: [:]).id != stub.id)
    }

    @Test(arguments: ["id", "uuid"])
    func idsAreReadUnderBothNamesAndWrittenInLowerCase(name: String) throws {
        let stub = try StubMapping(json: .object([name: "6E5B1F6C-0B8A-4B7E-9F0E-AAAAAAAAAAAA"]))
        #expect(stub.idText == "6e5b1f6c-0b8a-4b7e-9f0e-aaaaaaaaaaaa")
    }

    @Test(arguments: [
        "", "6e5b1f6c", "6e5b1f6c0b8a4b7e9f0eaaaaaaaaaaaaaaaa", "6e5b1f6c-0b8a-4b7e-9f0e-aaaaaaaaaaa",
        "6e5b1f6c-0b8a-4b7e-9f0e-aaaaaaaaaaag", "6e5b1f6c-0b8a-4b7e-9f0eaaaaaaaaaaaaa",
        " e5b1f6c-0b8a-4b7e-9f0e-aaaaaaaaaaaa",
        "+e5b1f6c-0b8a-4b7e-9f0e-aaaaaaaaaaaa", "6e5b1f6-c0b8a-4b7e-9f0e-aaaaaaaaaaaa",
        "6e5b1f6c-0b8a-4b7e-9f0e-aaaaaaaaaaé",
    ])
    func anIDMustBeAUUID(text: String) {
        #expect(StubMapping.id(text: text) == nil)
    }

    @Test func everyIDReadsBackAsItself() {
        let seed = TestGenerator.newSeed
        var generator = TestGenerator(seed: seed)
        for _ in 0..<1_000 {
            let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            let parts = [8, 4, 4, 4, 12].reduce(into: (texts: [Substring](), rest: digits[...])) { parts, length in
                parts.texts.append(parts.rest.prefix(length))
                parts.rest = parts.rest.dropFirst(length)
            }
            let text = parts.texts.joined(separator: "-")
            #expect(StubMapping.id(text: text)?.lowercasedString == text, "seed \(seed)")
            #expect(StubMapping.id(text: text.uppercased())?.lowercasedString == text, "seed \(seed)")
        }
    }

    @Test func allProblemsAreGatheredInTheOrderOfTheDocument() throws {
        let json = try JSONValue(
            parsing: """
                {"nam":"x","response":{"status":"abc","fault":"X"},"request":{"headers":{"A":{"equalTo":5}},
                 "bodyPatterns":[{"foo":1},{"and":[{"equalTo":"x"},{"contains":null}]}]},"priority":[]}
                """)
        let error = #expect(throws: ModelProblems.self) { try StubMapping(json: json) }
        let problems = error?.problems ?? []
        #expect(
            problems.map(\.pointer.text) == [
                "/nam", "/response/status", "/response/fault", "/request/headers/A", "/request/bodyPatterns/0",
                "/request/bodyPatterns/1/1", "/priority",
            ])
        #expect(
            problems.map(\.place.text) == [
                "/nam", "/response/status", "/response/fault", "/request/headers/A/equalTo", "/request/bodyPatterns/0",
                "/request/bodyPatterns/1/and/1/contains", "/priority",
            ])
        #expect(problems.first?.suggestion == "name")
        #expect(problems.first?.isAboutName == true)
        let first = "nam: unknown field \"nam\"; did you mean \"name\"? Expected one of id, "
        #expect(problems.first?.description.hasPrefix(first) == true)
    }

    /// A delay beyond all measure, in a mapping and in the settings.
    @Test(arguments: [
        (#"{"type":"lognormal","median":1e308,"sigma":1}"#, "median"),
        (#"{"type":"lognormal","median":1,"sigma":1e308}"#, "sigma"),
        (#"{"type":"gaussian","mean":1e308,"standardDeviation":1}"#, "mean"),
        (#"{"type":"gaussian","mean":1,"standardDeviation":1e308}"#, "standardDeviation"),
        (#"{"type":"exponential","mean":1e308}"#, "mean"),
    ])
    func aDelayWithoutMeasureIsRefused(distribution: String, name: String) throws {
        let delay = try JSONValue(parsing: distribution)
        let mapping = #expect(throws: ModelProblems.self) {
            try StubMapping(json: ["response": ["delayDistribution": delay]])
        }
        #expect(mapping?.problems.map(\.place.text) == ["/response/delayDistribution/\(name)"])
        let settings = #expect(throws: ModelProblems.self) { try GlobalSettings(json: ["delayDistribution": delay]) }
        #expect(settings?.problems.map(\.place.text) == ["/delayDistribution/\(name)"])
    }

    @Test func deeplyNestedMatchersAreReadWithoutACrash() throws {
        var matcher: JSONValue = ["equalTo": "x"]
        for _ in 0..<500 { matcher = ["not": matcher] }
        let json: JSONValue = ["request": ["headers": ["A": matcher]]]
        #expect(try StubMapping(json: json).request.headers.first?.matcher.operator == .not)
    }

    @Test func derivedIDsDependOnTheTextAlone() {
        let id = StubMapping.id(hashing: "mocks/a.yaml#/0")
        #expect(id == StubMapping.id(hashing: "mocks/a.yaml#/0"))
        let ids = Set((0..<10_000).map { StubMapping.id(hashing: "mocks/a.yaml#/\($0)") })
        #expect(ids.count == 10_000)
        let text = Array(id.lowercasedString)
        #expect(text[14] == "8")
        #expect("89ab".contains(text[19]))
    }
}

@Suite struct RequestPatternTests {
    @Test(arguments: [
        (#"{"url":"/a","urlPath":"/b"}"#, URLPattern.url("/a")),
        (#"{"urlPathTemplate":"/a","urlPathPattern":"/b","urlPath":"/c","urlPattern":"/d"}"#, .urlPattern("/d")),
        (#"{"urlPathTemplate":"/a","urlPathPattern":"/b","urlPath":"/c"}"#, .urlPath("/c")),
        (#"{"urlPathTemplate":"/a","urlPathPattern":"/b"}"#, .urlPathPattern("/b")),
        (#"{"urlPathTemplate":"/a","url":null}"#, .urlPathTemplate("/a")), ("{}", .any),
    ])
    func theFirstOfSeveralURLsCounts(text: String, expected: URLPattern) throws {
        #expect(try RequestPattern(json: JSONValue(parsing: text)).url == expected)
    }

    @Test(arguments: [
        (#""ANY""#, MethodPattern.any), ("null", .any), (#""get""#, .exactly("get")),
        (#""GET_OR_HEAD""#, .exactly("GET_OR_HEAD")), (#"{"oneOf":["GET","PUT"]}"#, .oneOf(["GET", "PUT"])),
        (#"{"noneOf":["GET"]}"#, .noneOf(["GET"])),
    ])
    func aMethodPatternIsReadAndWritten(text: String, expected: MethodPattern) throws {
        let pattern = try RequestPattern(json: ["method": JSONValue(parsing: text)])
        #expect(pattern.method == expected)
        #expect(try RequestPattern(json: pattern.json) == pattern)
    }

    @Test func oneOfNeedsAMethod() throws {
        for text in [#"{"oneOf":[]}"#, #"{"oneOf":null}"#] {
            let json: JSONValue = ["method": try JSONValue(parsing: text)]
            let problems = try #require(#expect(throws: ModelProblems.self) { try RequestPattern(json: json) })
            #expect(problems.problems.map(\.place.text) == ["/method/oneOf"])
        }
        #expect(try RequestPattern(json: ["method": ["noneOf": []]]).method == .noneOf([]))
    }

    @Test func theOrderOfNamesIsIrrelevantToEquality() throws {
        let left = try RequestPattern(
            json: ["headers": ["A": ["equalTo": "1"], "B": ["absent": true]], "cookies": ["c": ["contains": "x"]]])
        let right = try RequestPattern(
            json: ["cookies": ["c": ["contains": "x"]], "headers": ["B": ["absent": true], "A": ["equalTo": "1"]]])
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left != (try RequestPattern(json: ["headers": ["A": ["equalTo": "1"]]])))
        #expect(left != (try RequestPattern(json: ["headers": ["A": ["equalTo": "2"], "B": ["absent": true]]])))
    }

    @Test func theFirstKnownOperatorDecides() throws {
        let matcher = try ValueMatcher(json: ["zzz": 1, "contains": "a", "equalTo": "b"])
        #expect(matcher.operator == .contains)
        #expect(matcher.operand == "a")
        #expect(matcher.json.keys == ["zzz", "contains", "equalTo"])
    }
}
