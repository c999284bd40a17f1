import Foundation
import SDJSON
import SDStubModel
import SDTestSupport
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDRequestTemplates
@testable import SDStubs

/// Rendered templates equal those of WireMock 3.13.2, recorded by `Tools/oracle/record_templates.py`, except for the
/// ones in `DifferentTemplates.json`. Where WireMock refuses a template, rendering it is no difference.
@Suite struct RecordedTemplateTests {
    private struct Recording {
        let requests: JSONObject
        let parameters: JSONValue
        let cases: [JSONValue]

        init() throws {
            let document = try JSONValue(parsing: Array(PackageFiles.data("Tests/Oracle/templates.json")))
            requests = try #require(document["requests"]?.objectValue)
            parameters = document["parameters"] ?? .null
            cases = try #require(document["cases"]?.arrayValue)
        }
    }

    private static let knownFile = "Tests/Engine/MockEngineTests/Templates/DifferentTemplates.json"

    /// The stub of a case: its template as the body of a response to any request.
    private static func stub(_ one: JSONValue, _ template: String, _ request: JSONValue, _ shared: JSONValue)
        -> JSONValue
    {
        var response: JSONObject = [
            "body": .string(template), "transformers": .array([.string("response-template")]),
        ]
        if let own = one["parameters"] {
            // A text names parameters that many cases share.
            response["transformerParameters"] = own.stringValue.flatMap { shared[$0] } ?? own
        }
        return ["request": request["pattern"] ?? [:], "response": .object(response)]
    }

    @Test(.timeLimit(.minutes(30))) func templatesRenderAsInWireMock() throws {
        let recording = try Recording()
        let known = try JSONValue(parsing: Array(PackageFiles.data(Self.knownFile)))
        let expected = Set((known.arrayValue ?? []).compactMap(\.stringValue))
        var options = SessionOptions()
        options.templates.environmentVariable = { $0 == "WIREMOCK_SHOWN" ? "shown" : nil }
        let mock = try ServedSession(options)
        let connection = try PersistentConnection(port: mock.server.port)
        var different: [String] = []
        var checked = 0
        for one in recording.cases {
            guard let template = one["template"]?.stringValue, let name = one["request"]?.stringValue else { continue }
            let request = try #require(recording.requests[name])
            // The server of this test has no TLS, and WireMock's options are the daemon's.
            if request["scheme"]?.stringValue == "https" || one["flags"] != nil { continue }
            mock.session.dropAllButFiles()
            try mock.session.add(StubMapping(json: Self.stub(one, template, request, recording.parameters)))
            let headers = (request["headers"]?.arrayValue ?? []).map {
                "\($0[0]?.stringValue ?? ""): \($0[1]?.stringValue ?? "")"
            }
            let body = request["body"]?.stringValue.map { Array($0.utf8) }
            let answer = try connection.request(
                request["method"]?.stringValue ?? "GET", request["target"]?.stringValue ?? "/", headers: headers,
                bytes: try request["base64"]?.stringValue.map { try Base64.decode($0) } ?? body)
            checked += 1
            guard one["status"]?.intValue == 200, let wanted = one["body"]?.stringValue else { continue }
            if answer.status == 200, answer.text == wanted { continue }
            let place = "\(name) | \(template)"
            different.append(place)
            if !expected.contains(place) {
                Issue.record(
                    "\(one["group"]?.stringValue ?? "") | \(place) | wanted \(wanted) | got \(answer.status) \(answer.text)"
                )
            }
        }
        #expect(checked > 9_000)
        let mended = expected.subtracting(different).sorted()
        #expect(mended.isEmpty, "these no longer differ: remove them from \(Self.knownFile)")
        if let path = ProcessInfo.processInfo.environment["STUNTDOUBLE_DIFFERENT_TEMPLATES"] {
            let lines = Set(different).sorted().map { JSONValue.string($0).compactText }
            try Data("[\n\(lines.joined(separator: ",\n"))\n]\n".utf8).write(to: URL(fileURLWithPath: path))
        }
    }
}
