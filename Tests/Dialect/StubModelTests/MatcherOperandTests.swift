import SDJSON
import SDShorthand
import SDStubModel
import SDTestSupport
import Testing

/// Valid operands of matchers and members beside them.
@Suite struct MatcherOperandTests {
    private func problems(_ request: String) throws -> [ModelProblem] {
        let json = try JSONValue(parsing: request)
        do throws(ModelProblems) {
            _ = try RequestPattern(json: json)
            return []
        } catch {
            return error.problems
        }
    }

    @Test(
        arguments: [
            (
                #"{"headers":{"A":{"startsWith":5}}}"#, "/headers/A/startsWith",
                "startsWith operand must be a non-null string"
            ),
            (
                #"{"headers":{"A":{"endsWith":null}}}"#, "/headers/A/endsWith",
                "endsWith operand must be a non-null string"
            ),
            (#"{"headers":{"A":{"glob":[]}}}"#, "/headers/A/glob", "glob operand must be a non-null string"),
            (#"{"queryParameters":{"a":{"count":"2"}}}"#, "/queryParameters/a/count", nil),
            (#"{"queryParameters":{"a":{"count":1.5}}}"#, "/queryParameters/a/count", nil),
            (#"{"queryParameters":{"a":{"count":{}}}}"#, "/queryParameters/a/count", nil),
            (#"{"queryParameters":{"a":{"count":{"exactly":1,"atMost":2}}}}"#, "/queryParameters/a/count", nil),
            (#"{"cookies":{"a":{"count":1}}}"#, "/cookies/a", #"{"count":1} is not a valid match operation"#),
            (
                #"{"headers":{"A":{"and":[{"count":1},{"equalTo":"a"}]}}}"#, "/headers/A/and/0",
                #"{"count":1} is not a valid match operation"#
            ),
            (
                #"{"headers":{"A":{"matchesGraphql":{}}}}"#, "/headers/A",
                #"{"matchesGraphql":{}} is not a valid match operation"#
            ),
            (#"{"headers":{"A":{"matchesJwt":"x"}}}"#, "/headers/A/matchesJwt", nil),
            (
                #"{"bodyPatterns":[{"not":{"binaryEqualTo":"AQID"}}]}"#, "/bodyPatterns/0/not",
                #"{"binaryEqualTo":"AQID"} is not a valid match operation"#
            ),
            (
                #"{"headers":{"A":{"equalToNumber":"x"}}}"#, "/headers/A/equalToNumber",
                "equalToNumber has to be a numeric value"
            ),
            (#"{"headers":{"A":{"includes":[],"equalTo":"x"}}}"#, "/headers/A/equalTo", nil),
        ] as [(String, String, String?)])
    func wrongOperandsAreRefused(request: String, place: String, detail: String?) throws {
        let problems = try problems(request)
        #expect(problems.map(\.place.text) == [place], "\(problems)")
        if let detail { #expect(problems.first?.detail == detail) }
    }

    @Test(arguments: [
        #"{"headers":{"A":{"startsWith":"a"},"B":{"endsWith":""},"C":{"glob":"*.png"},"D":{"count":0}}}"#,
        #"{"queryParameters":{"a":{"count":{"atLeast":1}},"b":{"count":{"atMost":2}},"c":{"count":{"exactly":3}}}}"#,
        #"{"formParameters":{"a":{"count":{"atLeast":1,"atMost":1}}}}"#,
        #"{"bodyPatterns":[{"matchesGraphql":{"query":"{ a }"}},{"not":{"matchesGraphql":{"operationName":"A"}}}]}"#,
        #"{"bodyPatterns":[{"equalToJson":"{}","nullsEqualMissing":true}]}"#,
        #"{"cookies":{"token":{"matchesJwt":{"claims":{"sub":"a"},"header":{"alg":{"contains":"256"}}}}}}"#,
    ])
    func additionsAreReadAndGivenBack(request: String) throws {
        var json = try #require(try JSONValue(parsing: request).objectValue)
        json["method"] = "ANY"
        #expect(try RequestPattern(json: .object(json)).json == .object(json))
    }

    @Test(
        arguments: [
            ("2", 2...2), (#"{"exactly":0}"#, 0...0), (#"{"atLeast":1}"#, 1...Int.max), (#"{"atMost":3}"#, 0...3),
            (#"{"atLeast":1,"atMost":3}"#, 1...3), ("-1", nil), ("null", nil), ("99999999999999999999", nil),
            (#"{"atLeast":4,"atMost":3}"#, nil), (#"{"least":4}"#, nil),
        ] as [(String, ClosedRange<Int>?)])
    func countsAreRanges(operand: String, range: ClosedRange<Int>?) throws {
        #expect(ValueCount(try JSONValue(parsing: operand))?.range == range)
    }

    @Test(
        arguments: [
            (#"{"claims":{"sub":"ada","aud":["a"],"org":{"id":1},"x":null}}"#, nil),
            (#"{"header":{"kid":{"absent":true}}}"#, nil),
            (#"{"claims":{"a":{"matches":5}}}"#, "/claims/a/matches"), (#"{"claims":{"a":{"count":1}}}"#, "/claims/a"),
            (#"{"claims":5}"#, "/claims"), (#"{"payload":{}}"#, "/payload"), ("{}", ""), (#""x""#, ""),
        ] as [(String, String?)])
    func claimsAreValuesOrMatchers(operand: String, place: String?) throws {
        let problems = try problems("{\"headers\":{\"A\":{\"matchesJwt\":\(operand)}}}")
        #expect(problems.map(\.place.text) == (place.map { ["/headers/A/matchesJwt" + $0] } ?? []))
    }

    /// Variables are often named `after` or `before`, so these are no matchers there.
    @Test(
        arguments: [
            (#"{"operationName":"A","query":"{a}","variables":{"after":"x"}}"#, nil), (#"{"operationName":null}"#, nil),
            (#"{"query":5}"#, "/query"), (#"{"operationName":{"matches":"A"}}"#, "/operationName"),
            (#"{"variables":[]}"#, "/variables"), (#"{"operation":"A"}"#, "/operation"), ("{}", ""), ("[]", ""),
        ] as [(String, String?)])
    func aGraphQLRequestHasANameAQueryAndVariables(operand: String, place: String?) throws {
        let problems = try problems("{\"bodyPatterns\":[{\"matchesGraphql\":\(operand)}]}")
        #expect(problems.map(\.place.text) == (place.map { ["/bodyPatterns/0/matchesGraphql" + $0] } ?? []))
    }

    @Test(arguments: [
        (#"{"equalTo":"x","caseInsensitive":true}"#, true), (#"{"equalTo":"x","caseInsensitive":"true"}"#, true),
        (#"{"equalTo":"x","caseInsensitive":1}"#, true), (#"{"equalTo":"x","caseInsensitive":0}"#, false),
        (#"{"equalTo":"x","caseInsensitive":"yes"}"#, true), (#"{"equalTo":"x","caseInsensitive":[]}"#, false),
        (#"{"equalTo":"x"}"#, false), (#"{"equalTo":"x","caseInsensitive":" true"}"#, true),
        (#"{"equalTo":"x","caseInsensitive":1.5}"#, false), (#"{"equalTo":"x","caseInsensitive":"1"}"#, true),
        (#"{"equalTo":"x","caseInsensitive":"True"}"#, true), (#"{"equalTo":"x","caseInsensitive":"no"}"#, false),
        (#"{"equalTo":"x","caseInsensitive":"maybe"}"#, false), (#"{"equalTo":"x","caseInsensitive":null}"#, false),
    ])
    func flagsAreOnWhereTheirAuthorSaysSo(matcher: String, isOn: Bool) throws {
        #expect(try ValueMatcher(json: JSONValue(parsing: matcher)).flag("caseInsensitive") == isOn)
    }

    /// What `absent` is given, whether the value must be there, and what the admin API shows.
    @Test(
        arguments: [
            ("true", false, true), ("\"(absent)\"", false, true), ("null", false, true), ("\"yes\"", false, true),
            ("1", false, true), ("{}", false, true), ("\"x\"", false, true), ("false", true, false),
            ("\"no\"", true, false), ("\"False\"", true, false), ("\"off\"", true, false), ("0", true, false),
        ] as [(String, Bool, Bool)])
    func absentFalseRequiresAValue(operand: String, isPresence: Bool, shown: Bool) throws {
        let matcher = try ValueMatcher(json: JSONValue(parsing: "{\"absent\":\(operand)}"))
        #expect(matcher.requiresPresence == isPresence && matcher.isAbsence != isPresence)
        #expect(matcher.needsValue == isPresence)
        #expect(matcher.json == ["absent": .bool(shown)])
    }

    @Test(
        arguments: [
            ("3", 3), ("3.7", 3), ("-3.7", -3), ("\"3\"", 3), ("\"x\"", 0), ("null", nil),
            ("99999999999", 2_147_483_647), ("1e400", 2_147_483_647),
        ] as [(String, Int?)])
    func offsetsAreCutToIntegers(offset: String, expected: Int?) throws {
        let json = try JSONValue(
            parsing: "{\"before\":\"now\",\"expectedOffset\":\(offset),\"expectedOffsetUnit\":\"days\"}")
        let matcher = try ValueMatcher(json: json)
        #expect(matcher.integer("expectedOffset") == expected)
        #expect(matcher.integer("another") == nil)
    }

    @Test(
        arguments: [
            (#"{"matchesXPath":"//a","xPathNamespaces":{"a":"b"}}"#, ["a": "b"]),
            (#"{"matchesXPath":{"expression":"//a","equalTo":"x","xPathNamespaces":{"a":"b"}}}"#, ["a": "b"]),
            (#"{"matchesXPath":"//a","xPathNamespaces":{}}"#, nil), (#"{"matchesXPath":"//a"}"#, nil),
            (#"{"matchesXPath":"//a","xPathNamespaces":"x"}"#, nil),
        ] as [(String, JSONObject?)])
    func namespacesStandBesideThePathOrWithinIt(matcher: String, namespaces: JSONObject?) throws {
        #expect(try ValueMatcher(json: JSONValue(parsing: matcher)).xPathNamespaces == namespaces)
    }

    /// WireMock was observed to compare the file name as soon as there are headers or bodies, even empty ones.
    @Test(arguments: [
        (#"{"fileName":"f"}"#, false), (#"{"fileName":"f","headers":null}"#, false), (#"{"headers":{}}"#, false),
        (#"{"fileName":"f","headers":{}}"#, true), (#"{"fileName":"f","bodyPatterns":[]}"#, true),
        (#"{"fileName":"f","bodyPatterns":[{"equalTo":"x"}]}"#, true),
    ])
    func fileNamesAreComparedOnlyBesideHeadersOrBodies(pattern: String, compares: Bool) throws {
        let request = try RequestPattern(json: ["multipartPatterns": [JSONValue(parsing: pattern)]])
        #expect(request.multipartPatterns.map(\.comparesFileName) == [compares])
        #expect(try RequestPattern(json: request.json) == request)
    }

    /// A document's stub, its warning and the nearest name.
    @Test(
        arguments: [
            (#"{"headers":{"A":{"before":"soon"}}}"#, "headers/A/before", nil),
            (#"{"headers":{"A":{"before":"now+3 days"}}}"#, "headers/A/before", nil),
            (#"{"headers":{"A":{"before":"now","expectedOfset":3}}}"#, "headers/A/expectedOfset", "expectedOffset"),
            (#"{"headers":{"A":{"before":"now","expectedOffsetUnit":"days"}}}"#, "headers/A/expectedOffsetUnit", nil),
            (#"{"headers":{"A":{"before":"now","truncateActual":5}}}"#, "headers/A/truncateActual", nil),
            (#"{"headers":{"A":{"before":"now","applyTruncationLast":"x"}}}"#, "headers/A/applyTruncationLast", nil),
            (#"{"headers":{"A":{"before":"now","expectedOffset":"x"}}}"#, "headers/A/expectedOffset", nil),
            (#"{"headers":{"A":{"equalTo":"x","caseInsensitive":"maybe"}}}"#, "headers/A/caseInsensitive", nil),
            (#"{"headers":{"A":{"absent":"x"}}}"#, "headers/A/absent", nil),
            (#"{"headers":{"A":{"absent":{"equalTo":"x"}}}}"#, "headers/A/absent", nil),
            (#"{"headers":{"A":{"contain":"y","equalTo":"x"}}}"#, "headers/A/contain", "contains"),
            (
                #"{"bodyPatterns":[{"equalToJson":"{}","ignoreExtraElement":true}]}"#,
                "bodyPatterns/0/ignoreExtraElement", "ignoreExtraElements"
            ),
            (
                #"{"bodyPatterns":[{"equalToXml":"<a/>","exemptedComparisons":"TEXT_VALUE"}]}"#,
                "bodyPatterns/0/exemptedComparisons", nil
            ),
            (
                #"{"bodyPatterns":[{"matchesXPath":"//a","xPathNamespaces":{"a":5}}]}"#,
                "bodyPatterns/0/xPathNamespaces/a", nil
            ),
            (
                #"{"bodyPatterns":[{"matchesXPath":{"expression":"//a","equalTo":"x","xPathNamespace":{}}}]}"#,
                "bodyPatterns/0/matchesXPath/xPathNamespace", "xPathNamespaces"
            ),
            (#"{"basicAuth":{"username":"u"}}"#, "basicAuth", nil), (#"{"customMatcher":{}}"#, "customMatcher", nil),
            (#"{"multipartPatterns":[{"fileName":"a"}]}"#, "multipartPatterns/0/fileName", nil),
            (#"{"multipartPatterns":[{"name":"a","bodyPatterns":[]}]}"#, "multipartPatterns/0/name", nil),
            (#"{"port":80.5}"#, "port", nil),
        ] as [(String, String, String?)])
    func misleadingOperandsAreAWarning(request: String, place: String, suggestion: String?) throws {
        let document = StubDocument(json: ["request": try JSONValue(parsing: request)])
        #expect(document.problems.isEmpty, "\(document.problems)")
        #expect(document.warnings.map(\.place.text) == ["/request/" + place], "\(document.warnings)")
        #expect(document.warnings.first?.suggestion == suggestion)
    }

    @Test func anXPathMatcherInObjectFormMayDeclareNamespaces() throws {
        let request: JSONValue = [
            "bodyPatterns": [["matchesXPath": ["expression": "//a", "equalTo": "x", "xPathNamespaces": ["a": "b"]]]]
        ]
        let document = StubDocument(json: ["request": request])
        #expect(document.problems.isEmpty && document.warnings.isEmpty)
    }

    @Test(arguments: ["equalToJson", "matchesJsonSchema"])
    func invalidJSONIsAnErrorWithItsPlaceInTheText(name: String) throws {
        let problems = try problems("{\"bodyPatterns\":[{\"\(name)\":\"{\\n  oops}\"}]}")
        #expect(problems.map(\.place.text) == ["/bodyPatterns/0/\(name)"])
        #expect(problems.first?.message == "not valid JSON (line 2, column 3 of the text)")
    }

    @Test func randomDocumentsNameAllThatStubsMayHave() {
        let names = DialectNames.mapping + DialectNames.request + DialectNames.response + DialectNames.matcher
        let others = DialectNames.fault + DialectNames.event + DialectNames.when + DialectNames.routeResponse
        #expect(Set(names + others).subtracting(RandomDocument.names) == [])
    }
}
