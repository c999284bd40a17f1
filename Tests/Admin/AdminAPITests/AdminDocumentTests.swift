import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel
import SDStubs
import SDTestSupport
import Testing

@testable import SDAdminAPI

@Suite struct GlobalSettingsTests {
    @Test(arguments: [
        #"{"fixedDelay":5,"delayDistribution":{"type":"uniform","lower":1,"upper":2},"proxyPassThrough":true}"#,
        #"{"extended":{"a":1},"proxyPassThrough":false}"#,
    ])
    func readsTheBareAndTheWrappedFormAndWritesTheWrappedOne(text: String) throws {
        let bare = try JSONValue(parsing: text)
        let settings = try GlobalSettings(json: bare)
        #expect(settings.json == ["settings": bare])
        #expect(try GlobalSettings(json: settings.json) == settings)
    }

    @Test func absentMembersAreCleared() throws {
        #expect(try GlobalSettings(json: [:]).json.compactText == #"{"settings":{"proxyPassThrough":false}}"#)
        #expect(GlobalSettings().json.compactText == #"{"settings":{"proxyPassThrough":true}}"#)
    }

    @Test(arguments: [
        (
            #"{"foo":1}"#, "/foo",
            #"Unrecognized field "foo" (class com.github.tomakehurst.wiremock.admin.model.GetGlobalSettingsResult), "#
                + "not marked as ignorable"
        ),
        (
            #"{"settings":{"foo":1}}"#, "/settings/foo",
            #"Unrecognized field "foo" (class com.github.tomakehurst.wiremock.global.GlobalSettings), "#
                + "not marked as ignorable"
        ),
        (
            #"{"settings":{},"x":1}"#, "/x",
            #"Unrecognized field "x" (class com.github.tomakehurst.wiremock.admin.model.GetGlobalSettingsResult), "#
                + "not marked as ignorable"
        ),
        (
            "[]", "/",
            "Cannot deserialize value of type `com.github.tomakehurst.wiremock.admin.model.GetGlobalSettingsResult` "
                + "from Array value (token `JsonToken.START_ARRAY`)"
        ),
    ])
    func problemsAreWordedAsWireMockDoes(text: String, pointer: String, detail: String) throws {
        let json = try JSONValue(parsing: text)
        let problems = try #require(#expect(throws: ModelProblems.self) { try GlobalSettings(json: json) })
        #expect(
            ErrorDocument(problems).errors.map(\.pointer) == [pointer])
        let item = ErrorDocument(problems).errors[0]
        #expect(item.code == 10 && item.title == "Error parsing JSON")
        #expect(item.detail?.hasPrefix(detail + "\n") == true, "\(item)")
    }
}

@Suite struct StubImportTests {
    @Test func readsMappingsAndOptions() throws {
        let document = try StubImport(
            json: [
                "mappings": [["name": "a"], ["name": "b"]], "other": 1,
                "importOptions": ["duplicatePolicy": "IGNORE", "deleteAllNotInImport": "true"],
            ])
        #expect(document.mappings.map(\.name) == ["a", "b"])
        #expect(document.duplicatePolicy == .ignore)
        #expect(document.deleteAllNotInImport)
    }

    @Test(
        arguments: [
            (#"{"mapings":[]}"#, "mappings"), (#"{"importOptions":{"deleteAllNotInImport":true}}"#, nil),
            (#"{"mappings":null}"#, nil), ("{}", nil), (#"{"meta":{"total":0}}"#, nil),
        ] as [(String, String?)])
    func mappingsAreRequired(text: String, suggestion: String?) throws {
        let json = try JSONValue(parsing: text)
        let problems = try #require(#expect(throws: ModelProblems.self) { try StubImport(json: json) })
        #expect(problems.problems.map(\.message) == ["\"mappings\" is missing"])
        #expect(problems.problems.map(\.suggestion) == [suggestion])
    }

    @Test func overwritesAndKeepsOthersByDefault() throws {
        let document = try StubImport(json: ["mappings": []])
        #expect(document == StubImport(mappings: [], duplicatePolicy: .overwrite, deleteAllNotInImport: false))
    }

    @Test(arguments: [
        (
            #"{"mappings":[],"importOptions":{"duplicatePolicy":"X"}}"#, "/importOptions/duplicatePolicy",
            "Cannot deserialize value of type `com.github.tomakehurst.wiremock.stubbing.StubImport$Options$DuplicatePolicy` "
                + #"from String "X": not one of the values accepted for Enum class: [IGNORE, OVERWRITE]"#
        ),
        (
            #"{"mappings":[{"request":{"urlx":"/z"}}]}"#, "/mappings/0/request/urlx",
            #"Unrecognized field "urlx" (class com.github.tomakehurst.wiremock.matching.RequestPattern), "#
                + "not marked as ignorable"
        ),
        (
            #"{"mappings":{}}"#, "/mappings",
            "Cannot deserialize value of type `java.util.ArrayList<com.github.tomakehurst.wiremock.stubbing.StubMapping>` "
                + "from Object value (token `JsonToken.START_OBJECT`)"
        ),
        (
            #"{"mappings":[],"importOptions":{"zzz":1}}"#, "/importOptions/zzz",
            #"Unrecognized field "zzz" (class com.github.tomakehurst.wiremock.stubbing.StubImport$Options), "#
                + "not marked as ignorable"
        ),
    ])
    func problemsAreWordedAsWireMockDoes(text: String, pointer: String, detail: String) throws {
        let json = try JSONValue(parsing: text)
        let problems = try #require(#expect(throws: ModelProblems.self) { try StubImport(json: json) })
        #expect(problems.problems.map(\.pointer.text) == [pointer])
        #expect(problems.problems.map(\.detail) == [detail])
    }
}

@Suite struct AdminDocumentFuzzTests {
    @Test func randomDocumentsOfKnownNamesNeverCrash() {
        let names =
            RandomDocument.names + [
                "importOptions", "duplicatePolicy", "deleteAllNotInImport", "expectations", "pattern", "inOrder",
                "nothingElse", "since", "timeoutMs", "quietMs", "settings", "inherit", "seed", "ttl", "state",
            ]
        var generator = SeededGenerator()
        var readCount = 0
        for round in 0..<3_000 {
            let json = RandomDocument.value(depth: round % 6, names: names, using: &generator)
            if (try? StubImport(json: ["mappings": [json], "importOptions": json])) != nil { readCount += 1 }
            if (try? VerificationDocument.verify(["expectations": [["pattern": json]], "inOrder": json])) != nil {
                readCount += 1
            }
            if (try? VerificationDocument.wait(json)) != nil { readCount += 1 }
            if (try? IdleDocument(json: json)) != nil { readCount += 1 }
            if (try? SessionDocument(json: json)) != nil { readCount += 1 }
            if (try? ScenarioState(json: json)) != nil { readCount += 1 }
        }
        #expect(readCount > 0, "seed \(generator.seed)")
    }
}

@Suite struct ErrorDocumentTests {
    @Test func absentMembersAreOmitted() {
        let document = ErrorDocument(code: 30, title: "Not currently recording.")
        #expect(document.json.compactText == #"{"errors":[{"code":30,"title":"Not currently recording."}]}"#)
    }

    @Test(arguments: [
        ("", "/", "line 1, column 1: expected a value, found an empty text"),
        ("{bad", "", #"line 1, column 2: expected a member name in quotes or "}", found "bad""#),
        ("\n (", "", #"line 2, column 2: expected a value, found "(""#),
        ("[1", "", #"line 1, column 3: expected "," or "]", found the end of the text"#),
        ("{} {}", "", #"line 1, column 4: expected the end of the text, found "{""#),
        (#"{"a": [0, {"b/c": [tru"#, "/a/1/b~1c", #"line 1, column 20: expected a value, found "tru""#),
        (#"{"a": [0, {"b": "c"}, {"d": "e"#, "/a/2/d", #"line 1, column 29: expected a string that ends with a quote"#),
        (#"{"a": {"b": "\x"}}"#, "/a/b", #"line 1, column 14: expected one of the escapes"#),
        (#"{"a": {"b\x": 1}}"#, "/a", #"line 1, column 10: expected one of the escapes"#),
        (#"{"a": {"b": 1 "c": 2}}"#, "/a", #"line 1, column 15: expected "," or "}""#),
        (#"{"a": {"}": 1}, "b": {"c": [ {} {}]}}"#, "/b/c", #"line 1, column 33: expected "," or "]""#),
    ])
    func syntaxErrorsHaveTheirPlaceAndWhatIsValidThere(text: String, pointer: String, part: String) throws {
        let error = try #require(#expect(throws: JSONSyntaxError.self) { try JSONValue(parsing: text) })
        let item = try #require(ErrorDocument(error, in: Array(text.utf8)).errors.first)
        #expect(item.code == 10)
        #expect(item.title == "Error parsing JSON")
        #expect(item.pointer == pointer)
        #expect(item.detail?.hasPrefix(part) == true, "\(item)")
    }
}
