import SDJSON
import SDStubFiles
import SDStubModel
import Testing

func parse(
    _ text: String, _ format: StubFile.Format = .yaml, path: String = "mocks/test.yaml"
) -> (stubs: [StubMapping], diagnostics: [FileDiagnostic]) {
    StubFile.parse(text.utf8, format: format, path: path)
}

@Suite struct StubFileTests {
    @Test func aFileMayBeOneMapping() throws {
        let (stubs, diagnostics) = parse("request: { url: /a }\nresponse: { status: 201 }\n")
        #expect(diagnostics.isEmpty)
        #expect(stubs.map(\.request.url) == [.url("/a")])
        #expect(stubs.first?.response.status == 201)
    }

    @Test func aCollectionMayHaveSchemaMetaAndComments() {
        let text = """
            { // a comment
              "$schema": "https://example.org", "meta": { "total": 2 }, 'mappings': [
                { "name": "first", "request": { "urlPath": "/a" } }, { "name": "second" } ] }
            """
        let (stubs, diagnostics) = parse(text, .json)
        #expect(diagnostics.isEmpty)
        #expect(stubs.map(\.name) == ["first", "second"])
    }

    /// Repetitions that would silently lose something in a route file, in JSON as in YAML.
    @Test(
        arguments: [
            (
                "{ \"GET /a\": {},\n  \"GET /a\": { \"status\": 404 } }", StubFile.Format.json,
                ["2:3 duplicate key \"GET /a\", first in line 1, column 3"]
            ),
            (
                "{ \"GET /a\": { \"json\": { \"a\": 1, \"a\": 2 } } }", .json,
                ["1:33 duplicate key \"a\", first in line 1, column 25"]
            ),
            (
                "[ {}, { \"GET /a\": { \"status\": 201, \"status\": 202, \"status\": 203 } } ]", .json,
                [
                    "1:36 duplicate key \"status\", first in line 1, column 21",
                    "1:51 duplicate key \"status\", first in line 1, column 21",
                ]
            ),
            (
                "{ \"mappings\": [ { \"GET /a\": {}, \"GET /a\": {} } ] }", .json,
                ["1:33 duplicate key \"GET /a\", first in line 1, column 19"]
            ),
            (
                "GET /a: {}\nGET /a: { status: 404 }\n", .yaml,
                ["2:1 duplicate key \"GET /a\", first in line 1, column 1"]
            ),
        ] as [(String, StubFile.Format, [String])])
    func keysThatStandTwiceAreErrorsInRoutes(text: String, format: StubFile.Format, expected: [String]) {
        let (stubs, diagnostics) = parse(text, format)
        #expect(stubs.isEmpty)
        #expect(diagnostics.allSatisfy { $0.severity == .error && $0.expected == "each key once" })
        #expect(diagnostics.map { "\($0.line ?? 0):\($0.column ?? 0) \($0.message)" } == expected)
    }

    /// WireMock takes the last one, so the file has the same meaning in both.
    @Test(
        arguments: [
            (
                "{ \"request\": { \"url\": \"/a\" }, \"request\": { \"url\": \"/b\" } }", "/b",
                "a.json:1:31: warning: request: duplicate key \"request\", first in line 1, column 3; "
                    + "the last one counts, as in WireMock; expected each key once"
            ),
            (
                "[{ \"request\": { \"url\": \"/c\" }, \"response\": { \"jsonBody\": { \"GET /a\": 1,\n\"GET /a\": 2 } } }]",
                "/c",
                "a.json:2:1: warning: [0].response.jsonBody[\"GET /a\"]: duplicate key \"GET /a\", "
                    + "first in line 1, column 60; the last one counts, as in WireMock; expected each key once"
            ),
        ])
    func keysThatStandTwiceAreWarningsInMappings(text: String, url: String, expected: String) {
        let (stubs, diagnostics) = parse(text, .json, path: "a.json")
        #expect(stubs.map(\.request.url) == [.url(url)])
        #expect(diagnostics.map(\.description) == [expected])
    }

    @Test func aFloodOfRepeatedKeysIsBounded() {
        let text = "{" + String(repeating: "\"GET /a\": {},", count: 5_000) + "\"GET /b\": {}}"
        #expect(parse(text, .json).diagnostics.count == 100)
    }

    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x47, 0x00], "UTF-16"), ([0xFE, 0xFF, 0x00, 0x47], "UTF-16"),
            ([0x47, 0x00, 0x45, 0x00, 0x54, 0x00], "UTF-16"), ([0x00, 0x7B, 0x00, 0x20], "UTF-16"),
            ([0xFF, 0xFE, 0x00, 0x00], "UTF-32"), ([0x7B, 0x00, 0x00, 0x00], "UTF-32"),
        ] as [([UInt8], String)])
    func anotherEncodingIsNamed(bytes: [UInt8], encoding: String) {
        for format in StubFile.Format.allCases {
            let diagnostics = StubFile.parse(bytes, format: format, path: "a").diagnostics
            #expect(
                diagnostics.map(\.description) == [
                    "a:1:1: error: the file is in \(encoding); expected UTF-8, found \(encoding), "
                        + "in which some editors and PowerShell save text"
                ])
        }
    }

    @Test func aRepeatedAnchorIsAWarning() {
        let (stubs, diagnostics) = parse("GET /a: &r { status: 201 }\nGET /b: &r { status: 202 }\nGET /c: *r\n")
        #expect(stubs.map(\.response.status) == [202, 202, 201])
        #expect(diagnostics.map(\.severity) == [.warning])
        #expect(diagnostics.map(\.line) == [2])
    }

    @Test func aListMayMixMappingsAndRoutes() {
        let (stubs, diagnostics) = parse(
            "- name: one\n- GET /b: { status: 202 }\n  GET /c: { status: 203 }\n- name: two\n")
        #expect(diagnostics.isEmpty)
        #expect(stubs.map(\.name) == ["one", nil, nil, "two"])
        #expect(stubs.map(\.response.status) == [200, 203, 202, 200])
    }

    @Test func theShorthandMayBeJSON() {
        let (stubs, diagnostics) = parse(#"{ "GET /a": { "json": [1] } }"#, .json)
        #expect(diagnostics.isEmpty)
        #expect(stubs.first?.response.jsonBody == [1])
    }

    /// Those that a header may have.
    static let namesOfOperators = ValueMatcher.Operator.allCases.filter { $0.isAllowed(at: .multiValue) }
        .map(\.rawValue).joined(separator: ", ")
    static let namesOfFaults = Fault.allCases.map(\.rawValue).joined(separator: ", ")

    @Test(
        arguments: [
            (
                "{\"request\": {]}", StubFile.Format.json,
                "mocks/a.json:1:14: error: not valid JSON; expected a member name in quotes or \"}\", found \"]\""
            ),
            (
                "a: [1\nb: 2", .yaml,
                "mocks/a.json:2:2: error: the list that \"[\" opens in line 1, column 4 is not closed before this place; "
                    + "expected \",\" or \"]\", found \":\""
            ),
            (
                "{\n  \"request\": {\n    \"urll\": \"/a\"\n  }\n}", .json,
                "mocks/a.json:3:5: error: request.urll: unknown field \"urll\"; did you mean \"url\"? Expected one of "
                    + DialectNames.request.joined(separator: ", ")
            ),
            (
                "mappings:\n  - response:\n      status: abc\n", .yaml,
                "mocks/a.json:3:15: error: mappings[0].response.status: not an integer; expected an integer, found the text \"abc\""
            ),
            (
                "mappings: []\nmapings: []\n", .yaml,
                "mocks/a.json:2:1: error: mapings: unknown field \"mapings\"; did you mean \"mappings\"? Expected one of "
                    + "mappings, meta, $schema"
            ),
            (
                "request:\n  headers:\n    Accept: { equalsTo: x }\n", .yaml,
                "mocks/a.json:3:13: error: request.headers.Accept: a matcher without a known operator; did you mean \"equalTo\"? "
                    + "Expected one of " + namesOfOperators + ", found \"equalsTo\""
            ),
            (
                "response: { fault: CONNECTION_RESET }\n", .yaml,
                "mocks/a.json:1:20: error: response.fault: unknown value; did you mean \"CONNECTION_RESET_BY_PEER\"? Expected one of "
                    + namesOfFaults
                    + ", or an object such as {cutAfter: 10, then: rst}, found the text \"CONNECTION_RESET\""
            ),
            ("just a text", .yaml, nil), ("42", .json, nil), ("GET /a: 5", .yaml, nil),
            ("GET /a: []", .yaml, nil),
        ] as [(String, StubFile.Format, String?)])
    func errorsSayWhereAndWhat(text: String, format: StubFile.Format, expected: String?) {
        let (stubs, diagnostics) = parse(text, format, path: "mocks/a.json")
        #expect(stubs.isEmpty)
        #expect(diagnostics.count == 1)
        #expect(diagnostics.first?.severity == .error)
        if let expected { #expect(diagnostics.first?.description == expected) }
    }

    @Test func allErrorsOfAFileAreReportedInItsOrder() {
        let (stubs, diagnostics) = parse(
            """
            GET /good: { status: 200 }
            get /a: { status: 200 }
            GET /b:
              stauts: 200
              delay: 120
            GET /c: { json: 1, body: x }
            GET /d/{id: { file: ../x }
            """)
        #expect(stubs.isEmpty)
        #expect(
            diagnostics.map { "\($0.line ?? 0):\($0.column ?? 0) \($0.suggestion ?? "-")" } == [
                "2:1 GET /a", "4:3 status", "5:10 120ms", "6:20 -", "7:1 -",
            ])
    }

    @Test(arguments: [
        (0, "/request/headers/Accept/matches", "/GET ~1a/1/when/headers/Accept/matches", 5, 37),
        (0, "/request/queryParameters/q", "/GET ~1a/1/when/query/q", 6, 19), (0, "/request/urlPath", "/GET ~1a", 1, 1),
        (0, "/response/bodyFileName", "/GET ~1a/1/file", 7, 11), (1, "/priority", "/GET ~1a/0/priority", 3, 15),
        (1, "/response", "/GET ~1a/0", 2, 5), (7, "/response", "/response", 1, 1),
    ])
    func problemsThatOthersFindArePlacedInTheFile(
        index: Int, pointer: String, place: String, line: Int, column: Int
    ) throws {
        let text = """
            GET /a:
              - status: 200
                priority: 9
              - when:
                  headers: { Accept: { matches: "[" } }
                  query: { q: { matches: "(" } }
                file: a.json
            """
        let file = StubFile.read(text.utf8, format: .yaml, path: "mocks/a.yaml")
        #expect(file.diagnostics.isEmpty)
        #expect(file.stubs.map(\.priority) == [nil, 9])
        let problem = ModelProblem(pointer: try #require(JSONPointer(text: pointer)), message: "does not compile")
        let diagnostic = try #require(file.diagnostics(for: [problem], inStubAt: index).first)
        #expect(diagnostic.pointer.text == place)
        #expect(diagnostic.line == line)
        #expect(diagnostic.column == column)
    }

    @Test func problemsThatOthersFindArePlacedInMappings() throws {
        let text = "{\n \"mappings\": [ {},\n  { \"request\": { \"urlPattern\": \"[\" } } ] }"
        let file = StubFile.read(text.utf8, format: .json, path: "a.json")
        let problem = ModelProblem(pointer: JSONPointer(["request", "urlPattern"]), message: "does not compile")
        let diagnostic = try #require(file.diagnostics(for: [problem], inStubAt: 1).first)
        #expect(diagnostic.description == "a.json:3:32: error: mappings[1].request.urlPattern: does not compile")
    }

    @Test func aFloodOfErrorsIsBounded() {
        var text = "{\"request\": {},"
        for key in 0..<20_000 { text += "\"key\(key)\": 1," }
        let (stubs, diagnostics) = parse(text + "\"id\": 5}", .json)
        #expect(stubs.isEmpty)
        #expect(diagnostics.count == 100)
    }

    @Test func diagnosticsAreJSONToo() throws {
        let diagnostic = try #require(parse("GET /a: { stauts: 1 }").diagnostics.first)
        #expect(
            diagnostic.json == [
                "severity": "error", "file": "mocks/test.yaml", "line": 1, "column": 11, "pointer": "/GET ~1a/stauts",
                "keyPath": "[\"GET /a\"].stauts", "message": "unknown key \"stauts\"",
                "expected": .string(diagnostic.expected ?? ""), "suggestion": "status",
            ])
    }

    @Test func idsStayWhenAFileIsReadAgain() {
        let text = "GET /a: [ { status: 201 }, { status: 202 } ]\nGET /b: {}\n"
        let first = parse(text).stubs.map(\.id)
        #expect(Set(first).count == 3)
        #expect(parse(text).stubs.map(\.id) == first)
        #expect(Set(parse(text, path: "mocks/other.yaml").stubs.map(\.id)).isDisjoint(with: first))
        let edited = parse("GET /a: [ { status: 209 }, { status: 202 } ]\nGET /b: {}\n").stubs.map(\.id)
        #expect(edited == first)
    }

    @Test func anIdMayOccurOnlyOnceInAFile() {
        let id = "8c5db8b0-2db4-4ad7-a99f-38c9b00da3f7"
        let (stubs, diagnostics) = parse("- id: \(id)\n- id: \(id)\n")
        #expect(stubs.isEmpty)
        #expect(diagnostics.map(\.line) == [2])
    }

    @Test(
        arguments: [
            ("a.json", StubFile.Format.json), ("a.YAML", .yaml), ("a/b.yml", .yaml), ("a.txt", nil), ("json", nil),
        ] as [(String, StubFile.Format?)])
    func theExtensionDecidesTheFormat(path: String, format: StubFile.Format?) {
        #expect(StubFile.Format(path: path) == format)
    }

    @Test(arguments: [
        ("request: { url: /a, urlPath: /b }", "request.urlPath: \"urlPath\" is ignored beside \"url\""),
        (
            "request: { urlPath: a }",
            "request.urlPath: URLs must start with a /, so this never matches; did you mean \"/a\"?"
        ),
        (
            "request: { urlPath: /a, pathParameters: { x: { equalTo: y } } }",
            "request.pathParameters: \"pathParameters\" is ignored without \"urlPathTemplate\""
        ),
        (
            "request: { headers: { A: { equalTo: x, caseInsensitve: true } } }",
            "request.headers.A.caseInsensitve: \"caseInsensitve\" is ignored; \"equalTo\" has no such option; "
                + "did you mean \"caseInsensitive\"?"
        ),
        (
            "request: { headers: { A: { contains: x, matches: y } } }",
            "request.headers.A.matches: \"matches\" is ignored; only the first operator applies: \"contains\""
        ),
        (
            "response: { jsonBody: 1, base64Body: AQID }",
            "response.base64Body: \"base64Body\" is ignored beside \"jsonBody\""
        ),
        (
            "response: { body: a, bodyFileName: b }",
            "response.bodyFileName: \"bodyFileName\" is ignored beside \"body\""
        ),
    ])
    func ignoredFieldsAreAWarning(text: String, expected: String) {
        let (stubs, diagnostics) = parse(text)
        #expect(stubs.count == 1)
        #expect(diagnostics.map(\.severity) == [.warning])
        #expect(diagnostics.first?.line == 1)
        #expect(diagnostics.first?.description.hasSuffix("warning: " + expected) == true, "\(diagnostics)")
    }
}
