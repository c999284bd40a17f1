import Testing

@testable import SDChecking

/// What of a real answer differs from a stub's: its form, not its values.
@Suite struct AnswerComparisonTests {
    private static let json = "application/json"

    private func compare(_ stub: String, _ service: String) -> AnswerComparison {
        func answer(_ body: String) -> CheckedAnswer {
            CheckedAnswer(status: 200, contentType: Self.json, body: Array(body.utf8))
        }
        return AnswerComparison(stub: answer(stub), service: answer(service))
    }

    @Test(arguments: [
        (#"{"a": 1, "b": "x"}"#, #"{"b": "other", "a": -2.5}"#), ("[]", "[1, 2]"), ("[1]", "[2, 3, 4]"),
        (#"[{"a": 1}, {"a": null}]"#, #"[{"a": null}, {"a": 7}]"#),
        // A member that some of the stub's elements have may be missing.
        (#"[{"a": 1}, {"a": 1, "b": 2}]"#, #"[{"a": 1}]"#), ("true", "false"), (#""x""#, #""y""#),
    ]) func valuesMayDiffer(stub: String, service: String) {
        let comparison = compare(stub, service)
        #expect(comparison.differences.isEmpty && comparison.notes.isEmpty, "\(comparison)")
    }

    @Test(arguments: [
        (
            #"{"user": {"name": "Ada"}}"#, #"{"user": {"name": null}}"#,
            ["$.user.name: the stub has a string, the service null"]
        ),
        (#"{"a": 1}"#, "{}", ["$.a: the stub has a number, the service no such member"]),
        (#"{"a b": 1}"#, "{}", [#"$["a b"]: the stub has a number, the service no such member"#]),
        (#"{"a": {}}"#, #"{"a": []}"#, ["$.a: the stub has an object, the service an array"]),
        // Once for all elements.
        (
            #"[{"id": 1}]"#, #"[{"id": 1}, {"id": "2"}, {"id": "3"}]"#,
            ["$[1].id: the stub has a number, the service a string"]
        ),
        (
            #"[{"id": 1}, {"id": null}]"#, #"[{"id": true}]"#,
            ["$[0].id: the stub has a number or null, the service a boolean"]
        ),
        ("[1]", "{}", ["$: the stub has an array, the service an object"]),
        ("{}", "", ["$: the stub has an object, the service no body"]),
        ("{}", "<p>", ["$: the stub has an object, the service a body that is no JSON"]),
    ]) func formsMayNot(stub: String, service: String, differences: [String]) {
        #expect(compare(stub, service).differences.map(\.description) == differences)
    }

    @Test(arguments: [
        (#"{"a": 1}"#, #"{"a": 1, "b": "x"}"#, ["$.b: the stub has no such member, the service a string"]),
        (#"{"a": null}"#, #"{"a": "x"}"#, ["$.a: the stub has null, the service a string"]),
        ("[1]", "[]", ["$: the stub has elements, the service an empty array"]),
    ]) func whatIsMoreIsNoted(stub: String, service: String, notes: [String]) {
        let comparison = compare(stub, service)
        #expect(comparison.differences.isEmpty)
        #expect(comparison.notes.map(\.description) == notes)
    }

    @Test func statusAndTypeAreCompared() {
        let stub = CheckedAnswer(status: 200, contentType: "Application/JSON; charset=utf-8", body: Array("{}".utf8))
        let same = CheckedAnswer(status: 200, contentType: Self.json, body: Array("{}".utf8))
        #expect(AnswerComparison(stub: stub, service: same).differences.isEmpty)
        let page = CheckedAnswer(status: 201, contentType: "text/html", body: Array("<p>".utf8))
        let paths = AnswerComparison(stub: stub, service: page).differences.map(\.path)
        #expect(paths == ["status", "Content-Type", "$"])
        // The body of an error is no news beside its status.
        let failure = CheckedAnswer(status: 404, contentType: nil, body: [])
        let found = AnswerComparison(stub: stub, service: failure).differences.map(\.description)
        #expect(
            found == [
                "status: the stub has 200, the service 404",
                "Content-Type: the stub has application/json, the service none",
            ])
        #expect(AnswerComparison(stub: stub, service: page, comparesBodies: false).differences.count == 2)
    }

    /// Of another body only the type counts.
    @Test func textsAreNotCompared() {
        let stub = CheckedAnswer(status: 200, contentType: "text/plain", body: Array("a".utf8))
        let other = CheckedAnswer(status: 200, contentType: "text/plain", body: Array("b".utf8))
        #expect(AnswerComparison(stub: stub, service: other).differences.isEmpty)
    }
}
