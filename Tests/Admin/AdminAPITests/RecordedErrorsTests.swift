import Foundation
import SDJSON
import SDMockEngine
import SDTestSupport
import Testing

/// Calls that WireMock refuses, recorded by `Tools/oracle/record_admin_errors.py`: status, code, title, pointer, and
/// the beginning of the detail, unless it is about a text that is not JSON.
@Suite(.serialized) struct RecordedErrorsTests {
    struct Call: Sendable, CustomTestStringConvertible {
        let group: String
        let method: String
        let path: String
        let body: String
        let status: Int
        let errors: [JSONValue]?

        init(_ json: JSONValue) {
            group = json["group"]?.stringValue ?? ""
            method = json["method"]?.stringValue ?? ""
            path = json["path"]?.stringValue ?? ""
            body = json["body"]?.stringValue ?? ""
            status = json["status"]?.intValue ?? 0
            errors = json["errors"]?.arrayValue
        }

        var testDescription: String { "\(method) \(path) \(body)" }
    }

    static let calls: [Call] = {
        let path = PackageFiles.root + "/Tests/Admin/AdminAPITests/Golden/errors.json"
        let json = FileManager.default.contents(atPath: path).flatMap { try? JSONValue(parsing: $0) }
        return (json?.arrayValue ?? []).map(Call.init)
    }()

    /// Calls that are answered differently on purpose, by the reason, which is also in docs/differences.md.
    static let differences: [(reason: String, bodies: [String])] = [
        (
            "a syntax error is told before a wrong type in front of it",
            ["[", "[1,]", "[1 2]", "[}", "1 2", #"{"name":[1,2}"#, #"{"name":{"name":[}}"#]
        ),
        (
            "WireMock does not look at what stands behind a document",
            [#"{"name":1} x"#, "{}}", #"{"request":{"url":"/a"}},"#, #"{"request":{"url":"/a"}}]"#]
        ),
        ("WireMock counts the elements of a list of texts", [#"{"response":{"transformers":[x"#]),
        (
            "an expression that Java takes and that is not served",
            [#"(?<=a+)b"#, #"(?<!a*)b"#, #"\\b{g}"#, "{1}", "^*", "$*"].map(header)
        ),
        ("the words for it are ours alone", [#"\\N{x}"#, #"\\b{x}"#].map(header)),
        (
            "the words for an expression are ours alone",
            ["a[?(", "$[", "$.a[?(@.b ==)]", "$['a", "$.a.length(", "$[?(@.a =~ /[/)]"].map(path)
        ),
        ("WireMock takes an expression that is none", ["$.a[", "()", "$[1:2:3:4]"].map(path)),
        (
            "a mistake of the caller's is no server's error",
            [#"{"matches":"["}"#, #"{"matches":"(a"}"#, #"{"matches":"*"}"#]
        ),
        ("an unknown member of a described request is ignored", [#"{"urll":1}"#]),
        ("WireMock takes a wrong type", [#"{"response":{"headers":[]}}"#, #"{"postServeActions":5}"#]),
        ("WireMock repeats the text", [#"{"response":{"fixedDelayMilliseconds":99999999999}}"#]),
        ("a number is no fault's name", [#"{"response":{"fault":5}}"#]),
        ("settings may be told without their wrapper", [#"{"fixedDelay":"x"}"#]),
        (
            "of a text that is no JSON, the operator for texts is named",
            [
                #"{"request":{"bodyPatterns":[{"equalToJson": "nope"}]}}"#
            ]
        ),
    ]

    private static func header(_ expression: String) -> String {
        #"{"request":{"headers":{"X":{"matches": ""# + expression + #""}}}}"#
    }

    private static func path(_ expression: String) -> String {
        #"{"request":{"bodyPatterns":[{"matchesJsonPath": ""# + expression + #""}]}}"#
    }

    /// The reason why a call is answered differently; nil if it is not. The excluded body is answered differently
    /// elsewhere only.
    private static func difference(_ call: Call) -> String? {
        if call.path == "/requests/count", call.body == #"{"urll":1}"# { return nil }
        return differences.first { $0.bodies.contains(call.body) }?.reason
    }

    private static let mock = try? TestMock()

    @Test func theRecordingExists() {
        #expect(Self.calls.count > 400)
        #expect(Set(Self.calls.map(\.group)).count >= 10)
    }

    @Test(arguments: calls) func refusesAsWireMockDoes(call: Call) throws {
        let mock = try #require(Self.mock)
        try mock.session.removeAll()
        let answer = try Exchange(mock.port, call.method, "/__admin" + call.path, body: call.body)
        let problem = Self.problem(answer, call)
        if let reason = Self.difference(call) {
            #expect(problem != nil, "no difference any more: \(reason)")
            return
        }
        #expect(problem == nil, "\(call.testDescription): \(problem ?? "")\n\(answer)")
    }

    /// The difference; nil if there is none.
    private static func problem(_ answer: Exchange, _ call: Call) -> String? {
        guard answer.status == call.status else { return "status \(answer.status), not \(call.status)" }
        guard let expected = call.errors?.first else { return nil }
        guard let ours = answer.json?["errors"]?[0] else { return "no error document" }
        for name in ["code", "title", "source"] where ours[name] != expected[name] {
            return "\(name) \(ours[name]?.compactText ?? "none"), not \(expected[name]?.compactText ?? "none")"
        }
        let detail = ours["detail"]?.stringValue ?? ""
        if JSONComplaint.agree(detail, expected["detail"]?.stringValue ?? "") { return nil }
        guard detail.hasPrefix(expected["detail"]?.stringValue ?? "") else {
            return "detail\n\(detail)\nnot\n\(expected["detail"]?.stringValue ?? "")"
        }
        return nil
    }
}
