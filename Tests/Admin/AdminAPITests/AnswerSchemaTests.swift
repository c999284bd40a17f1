import Foundation
import SDJSON
import SDJSONSchema
import SDTestSupport
import Testing

@testable import SDAdminAPI

/// The OpenAPI document that WireMock publishes for its admin API.
private enum WireMockDocument {
    static let json: JSONValue? = {
        let path = Conformance.path("wiremock-admin-api/wiremock-admin-api.json")
        return FileManager.default.contents(atPath: path).flatMap { try? JSONValue(parsing: $0) }
    }()
}

/// A call whose answer has a schema.
struct DescribedCall: Sendable, CustomTestStringConvertible {
    let method: String
    let path: String
    /// The path below `/__admin` in WireMock's document.
    let wireMockPath: String
    let body: String
    let status: Int

    init(_ method: String, _ path: String, as wireMockPath: String? = nil, _ body: String = "", status: Int = 200) {
        self.method = method
        self.path = path
        self.wireMockPath = wireMockPath ?? path
        self.body = body
        self.status = status
    }

    var testDescription: String { "\(method) \(path) → \(status)" }

    /// The path below `/__admin` in this project's document.
    var ourPath: String {
        let names = ["{stubMappingId}": "{id}", "{fileId}": "{path}"]
        guard let theirs = names.keys.first(where: wireMockPath.hasSuffix) else { return wireMockPath }
        return wireMockPath.dropLast(theirs.count) + (names[theirs] ?? "")
    }

    private static let id = "11111111-1111-4111-8111-111111111111"
    private static let byID = "/mappings/{stubMappingId}"

    /// Calls to a daemon with the stubs of `AnswerSchemaTests`.
    static let all = [
        DescribedCall("GET", "/mappings"),
        DescribedCall("GET", "/mappings?limit=1&offset=1", as: "/mappings"),
        DescribedCall("POST", "/mappings", #"{"request": {"url": "/new"}}"#, status: 201),
        DescribedCall("POST", "/mappings", #"{"request": {"urll": "/new"}}"#, status: 422),
        DescribedCall("POST", "/mappings", "{", status: 422),
        DescribedCall("GET", "/mappings/\(id)", as: byID),
        DescribedCall("PUT", "/mappings/\(id)", as: byID, #"{"request": {"url": "/edited"}, "priority": 2}"#),
        DescribedCall("GET", "/mappings/22222222-2222-4222-8222-222222222222", as: byID, status: 404),
        DescribedCall("DELETE", "/mappings/\(id)", as: byID),
        DescribedCall("DELETE", "/mappings"),
        DescribedCall("POST", "/mappings/find-by-metadata", #"{"matchesJsonPath": "$.team"}"#),
        DescribedCall("POST", "/mappings/remove-by-metadata", #"{"matchesJsonPath": "$.team"}"#),
        DescribedCall("GET", "/mappings/unmatched"),
        DescribedCall("DELETE", "/mappings/unmatched"),
        DescribedCall("POST", "/mappings/import", #"{"mappings": []}"#),
        DescribedCall("POST", "/mappings/save"),
        DescribedCall("POST", "/mappings/reset"),
        DescribedCall("POST", "/reset"),
        DescribedCall("GET", "/files"),
        DescribedCall("GET", "/files/a.txt", as: "/files/{fileId}"),
        DescribedCall("GET", "/files/none.txt", as: "/files/{fileId}", status: 404),
        DescribedCall("PUT", "/files/b.txt", as: "/files/{fileId}", "b"),
        DescribedCall("DELETE", "/files/a.txt", as: "/files/{fileId}"),
        DescribedCall("POST", "/settings", #"{"fixedDelay": 1}"#),
        DescribedCall("POST", "/near-misses/request", #"{"method": "GET", "url": "/near"}"#),
        DescribedCall("POST", "/near-misses/request-pattern", #"{"url": "/near"}"#),
        DescribedCall("GET", "/requests/unmatched/near-misses"),
        DescribedCall("DELETE", "/requests"), DescribedCall("POST", "/requests/count", #"{"urlPath": "/nothing"}"#),
        DescribedCall("GET", "/scenarios"), DescribedCall("POST", "/scenarios/reset"),
        DescribedCall("POST", "/recordings/start", "{}"), DescribedCall("POST", "/recordings/snapshot"),
        DescribedCall("GET", "/recordings/status"),
        DescribedCall("GET", "/health"),
        DescribedCall("GET", "/version"),
    ]

    /// Calls that WireMock does not have, or whose answers its document does not describe.
    static let additions = [
        DescribedCall("POST", "/recordings/start", "x", status: 422),
        DescribedCall("GET", "/report"), DescribedCall("GET", "/report/pending"), DescribedCall("GET", "/refusals"),
        DescribedCall("GET", "/report?fail=unused", as: "/report", status: 422),
        DescribedCall("GET", "/report?format=x", as: "/report", status: 400), DescribedCall("DELETE", "/report"),
        DescribedCall("POST", "/recordings/stop", status: 400),
        DescribedCall("GET", "/recordings/preview", status: 400),
        DescribedCall("POST", "/mappings/validate", #"{"request": {"url": "/new"}}"#),
        DescribedCall("POST", "/mappings/validate", #"{"request": {"urll": "/new"}}"#),
        DescribedCall("POST", "/mappings/validate?id=x", as: "/mappings/validate", "{}", status: 400),
        DescribedCall("PATCH", "/mappings/\(id)", as: "/mappings/{id}", #"{"enabled": false}"#),
        DescribedCall("PATCH", "/mappings/\(id)", as: "/mappings/{id}", #"{"enabled": 1}"#, status: 422),
        DescribedCall("POST", "/mappings/import/a.yaml", as: "/mappings/import/{path}", "GET /a: { body: a }"),
        DescribedCall(
            "POST", "/mappings/import/a.yaml", as: "/mappings/import/{path}", "GET /a: { bdy: a }", status: 422),
        DescribedCall("POST", "/requests/wait", #"{"pattern": {"urlPath": "/nothing"}}"#),
        DescribedCall("POST", "/requests/wait", #"{"pattern": {"url": "/nothin"}, "timeoutMs": 20}"#),
        DescribedCall("POST", "/requests/wait", #"{"patern": {}}"#, status: 422),
        DescribedCall(
            "POST", "/requests/verify",
            #"{"expectations": [{"name": "n", "pattern": {"url": "/nothin"}}, {"pattern": {"urlPath": "/nothing"}}], "#
                + #""inOrder": true, "nothingElse": true}"#),
        DescribedCall("POST", "/requests/verify", #"{"expectations": [], "nothingElse": true, "inOrder": [[]]}"#),
        DescribedCall("POST", "/requests/verify", #"{"expectations": 1}"#, status: 422),
        DescribedCall("POST", "/requests/idle", #"{"quietMs": 10}"#),
        DescribedCall("GET", "/gates"),
        DescribedCall("GET", "/gates?limit=x", as: "/gates", status: 400),
        DescribedCall("GET", "/gates/g", as: "/gates/{gate}"),
        DescribedCall("GET", "/gates/g?limit=x", as: "/gates/{gate}", status: 400),
        DescribedCall("POST", "/gates/g/release", as: "/gates/{gate}/release", #"{"count": 1}"#),
        DescribedCall("POST", "/gates/g/release", as: "/gates/{gate}/release", #"{"count": 0}"#, status: 422),
        DescribedCall("POST", "/gates/g/fail", as: "/gates/{gate}/fail"),
        DescribedCall("POST", "/gates/g/fail", as: "/gates/{gate}/fail", #"{"fault": "x"}"#, status: 422),
        DescribedCall("POST", "/gates/g/open", as: "/gates/{gate}/open"),
        DescribedCall("POST", "/gates/g/close", as: "/gates/{gate}/close"),
        DescribedCall("GET", "/streams"),
        DescribedCall("GET", "/streams?limit=x", as: "/streams", status: 400),
        DescribedCall("GET", "/streams/s", as: "/streams/{name}"),
        DescribedCall("GET", "/streams/s?limit=x", as: "/streams/{name}", status: 400),
        DescribedCall("POST", "/streams/s", as: "/streams/{name}", #"{"data": "x"}"#),
        DescribedCall("POST", "/streams/s", as: "/streams/{name}", "[]", status: 422),
        DescribedCall("POST", "/streams/s/close", as: "/streams/{name}/close"),
        DescribedCall("POST", "/streams/s/fail", as: "/streams/{name}/fail"),
        DescribedCall("POST", "/streams/s/fail", as: "/streams/{name}/fail", #"{"fault": "x"}"#, status: 422),
        DescribedCall("POST", "/requests/idle", #"{"quietMs": 3600000, "timeoutMs": 10}"#),
        DescribedCall("POST", "/requests/idle", "[]", status: 422),
        DescribedCall("GET", "/in-flight"), DescribedCall("DELETE", "/in-flight"),
        DescribedCall("DELETE", "/in-flight/\(id)", as: "/in-flight/{id}", status: 404),
        DescribedCall("DELETE", "/in-flight/x", as: "/in-flight/{id}", status: 400),
        DescribedCall("GET", "/memory"), DescribedCall("GET", "/status"), DescribedCall("GET", "/replicas"),
        DescribedCall("GET", "/events?types=x", as: "/events", status: 400),
        DescribedCall("GET", "/requests"), DescribedCall("GET", "/requests/unmatched"),
        DescribedCall("POST", "/requests/find", #"{"urlPath": "/nothing"}"#),
        DescribedCall("POST", "/requests/remove", #"{"urlPath": "/nothing"}"#),
        DescribedCall("POST", "/requests/remove-by-metadata", #"{"matchesJsonPath": "$.team"}"#),
        DescribedCall("PUT", "/scenarios/turn/state", as: "/scenarios/{name}/state", #"{"state": "two"}"#),
        DescribedCall("GET", "/message-mappings"), DescribedCall("DELETE", "/message-mappings"),
        DescribedCall("POST", "/message-mappings", #"{"actions": [{"type": "send", "message": "a"}]}"#, status: 201),
        DescribedCall("POST", "/message-mappings", #"{"actions": [{"type": "send"}]}"#, status: 422),
        DescribedCall("POST", "/message-mappings/find-by-metadata", #"{"matchesJsonPath": "$.team"}"#),
        DescribedCall("POST", "/message-mappings/remove-by-metadata", #"{"matchesJsonPath": "$.team"}"#),
        DescribedCall("GET", "/message-mappings/\(id)", as: "/message-mappings/{id}", status: 404),
        DescribedCall("PUT", "/message-mappings/\(id)", as: "/message-mappings/{id}", "{}", status: 404),
        DescribedCall("DELETE", "/message-mappings/\(id)", as: "/message-mappings/{id}"),
        DescribedCall("GET", "/messages"), DescribedCall("DELETE", "/messages"),
        DescribedCall("GET", "/messages?limit=x", as: "/messages", status: 400),
        DescribedCall("POST", "/messages/count", "{}"), DescribedCall("POST", "/messages/find", "{}"),
        DescribedCall("POST", "/messages/find", #"{"foo": 1}"#, status: 422),
        DescribedCall("POST", "/messages/remove", "{}"),
        DescribedCall("POST", "/messages/remove-by-metadata", #"{"matchesJsonPath": "$.team"}"#),
        DescribedCall("POST", "/messages/wait", "{}"), DescribedCall("POST", "/messages/wait-for-count", "{}"),
        DescribedCall("GET", "/messages/\(id)", as: "/messages/{id}"),
        DescribedCall("DELETE", "/messages/\(id)", as: "/messages/{id}"),
        DescribedCall("GET", "/channels"),
        DescribedCall("POST", "/channels", #"{"providerName": "p", "channelName": "c"}"#, status: 422),
        DescribedCall("POST", "/channels/send", #"{"type": "websocket", "message": "a"}"#),
        DescribedCall("POST", "/channels/find", #"{"urlPath": "/chat"}"#),
        DescribedCall("POST", "/channels/find", #"{"foo": 1}"#, status: 422),
        DescribedCall("DELETE", "/channels/\(id)?code=9", as: "/channels/{id}", status: 400),
        DescribedCall("GET", "/channels/\(id)", as: "/channels/{id}", status: 404),
        DescribedCall("DELETE", "/channels/\(id)", as: "/channels/{id}"),
        DescribedCall("GET", "/channel-providers"),
        DescribedCall("POST", "/channel-providers", #"{"name": "p", "driverType": "in-memory"}"#, status: 201),
        DescribedCall("GET", "/channel-providers/p", as: "/channel-providers/{name}", status: 404),
        DescribedCall(
            "PUT", "/channel-providers/p", as: "/channel-providers/{name}",
            #"{"name": "p", "driverType": "in-memory"}"#, status: 404),
        DescribedCall("DELETE", "/channel-providers/p", as: "/channel-providers/{name}"),
        DescribedCall("GET", "/state"), DescribedCall("DELETE", "/state"),
        DescribedCall("PUT", "/state/a", as: "/state/{context}", #"{"properties": {"b": "1"}, "list": [{"c": 2}]}"#),
        DescribedCall("PUT", "/state/a", as: "/state/{context}", #"{"list": [1]}"#, status: 422),
        DescribedCall("PATCH", "/state/a", as: "/state/{context}", #"{"properties": {"b": "1"}}"#),
        DescribedCall("PATCH", "/state/a", as: "/state/{context}", #"{"property": {}}"#, status: 422),
        DescribedCall("GET", "/state/none", as: "/state/{context}", status: 404),
        DescribedCall("DELETE", "/state/none", as: "/state/{context}", status: 404),
        DescribedCall("GET", "/state-extension/contexts"),
        DescribedCall("GET", "/state-extension/contexts/none", as: "/state-extension/contexts/{context}", status: 404),
        DescribedCall("GET", "/data"), DescribedCall("GET", "/data/pets", as: "/data/{name}"),
        DescribedCall("GET", "/data/pats", as: "/data/{name}", status: 404),
        DescribedCall("PUT", "/data/pets", as: "/data/{name}", #"[{"id": 2}]"#),
        DescribedCall("PUT", "/data/pets", as: "/data/{name}", "1", status: 422),
        DescribedCall("POST", "/data/pets", as: "/data/{name}", "{}", status: 201),
        DescribedCall("POST", "/data/pets", as: "/data/{name}", #"{"id": 1}"#, status: 409),
        DescribedCall("POST", "/data/pets", as: "/data/{name}", "[]", status: 422),
        DescribedCall("POST", "/data/pets/reset", as: "/data/{name}/reset"),
        DescribedCall("GET", "/data/pets/1", as: "/data/{name}/{key}"),
        DescribedCall("GET", "/data/pets/2", as: "/data/{name}/{key}", status: 404),
        DescribedCall("PUT", "/data/pets/1", as: "/data/{name}/{key}", "{}"),
        DescribedCall("PUT", "/data/pets/2", as: "/data/{name}/{key}", "{}", status: 201),
        DescribedCall("PUT", "/data/pets/2", as: "/data/{name}/{key}", #"{"id": 3}"#, status: 422),
        DescribedCall("DELETE", "/data/pets/1", as: "/data/{name}/{key}"),
        DescribedCall("DELETE", "/data/pets/2", as: "/data/{name}/{key}", status: 404),
        DescribedCall("GET", "/sessions"), DescribedCall("DELETE", "/sessions"),
        DescribedCall("GET", "/sessions?ended=true", as: "/sessions"),
        DescribedCall("POST", "/explain", #"{"url": "/c", "stubs": [{"request": {"url": "/c"}}]}"#),
        DescribedCall("POST", "/sessions", #"{"name": "a", "seed": 1}"#, status: 201),
        DescribedCall("POST", "/explain", #"{"url": "/b", "method": "GET"}"#),
        DescribedCall("POST", "/explain", #"{"url": "/b", "message": "hi"}"#),
        DescribedCall("GET", "/requests/counters"), DescribedCall("GET", "/"), DescribedCall("GET", "/settings"),
        DescribedCall("PATCH", "/settings/extended", #"{"extended": {"a": 1}}"#),
        DescribedCall("GET", "/docs/swagger"),
        DescribedCall("GET", "/faults"), DescribedCall("DELETE", "/faults"),
        DescribedCall(
            "POST", "/faults", #"[{"id": "\#(id)", "request": {"url": "/b"}, "cutAfter": 1, "first": 2}]"#, status: 201),
        DescribedCall("POST", "/faults", #"{"chaos": "bad day"}"#, status: 201),
        DescribedCall("POST", "/faults", #"{"chaos": "good day"}"#, status: 404),
        DescribedCall("POST", "/faults", #"{"listener": "down"}"#, status: 422),
        DescribedCall("GET", "/faults/\(id)", as: "/faults/{id}", status: 404),
        DescribedCall("DELETE", "/faults/x", as: "/faults/{id}", status: 400),
        DescribedCall("PUT", "/faults/sets/bad%20day", as: "/faults/sets/{name}"),
        DescribedCall("DELETE", "/faults/sets/bad%20day", as: "/faults/sets/{name}"),
    ]
}

/// Answers of the admin API have the shapes that WireMock's document and this project's promise.
@Suite struct AnswerSchemaTests {
    private static let files = [
        "mappings/stubs.json": #"""
        {"mappings": [
          {"id": "11111111-1111-4111-8111-111111111111", "name": "one", "priority": 3, "metadata": {"team": "web"},
           "request": {"method": "POST", "urlPathTemplate": "/users/{id}", "headers": {"A": {"contains": "b"}},
             "queryParameters": {"q": {"equalTo": "1", "caseInsensitive": true}}, "cookies": {"c": {"absent": true}},
             "bodyPatterns": [{"equalToJson": {"a": 1}, "ignoreExtraElements": true}]},
           "response": {"status": 201, "headers": {"X": "y"}, "jsonBody": {"a": 1}, "fixedDelayMilliseconds": 1}},
          {"request": {"url": "/b"}, "response": {"bodyFileName": "a.txt"}},
          {"scenarioName": "turn", "newScenarioState": "two", "request": {"url": "/turn"}},
          {"request": {"urlPath": "/pets"}, "resource": {"name": "pets", "path": "/pets", "data": [{"id": 1}]}}
        ]}
        """#,
        "mappings/chaos.json": #"{"chaos": {"bad day": [{"status": 500, "probability": 0.5}]}}"#,
        "__files/a.txt": "a",
    ]
    /// The content of the file that one call reads, and of the one that another writes; WireMock returns the latter in
    /// Base64.
    private static let fileTexts = ["a", #""Yg==""#]

    @Test(
        .enabled(if: Conformance.isPresent("wiremock-admin-api"), "\(Conformance.absence)"),
        arguments: DescribedCall.all)
    func theAnswerFitsWireMocksSchema(call: DescribedCall) throws {
        let document = try #require(WireMockDocument.json)
        let operation = try #require(document["paths"]?["/__admin" + call.wireMockPath]?[call.method.lowercased()])
        let answer = try answer(to: call)
        let response = try #require(operation["responses"]?[String(call.status)], "not in WireMock's document")
        // WireMock's document calls `source` a string, but its server has always sent an object, which clients read.
        let known: Set = [
            "/errors/0/source: expected string, found an object",
            "/errors/0/source: expected string, found an empty object",
        ]
        try expect(answer, fits: resolved(response, in: document), of: document, but: known)
    }

    @Test(arguments: DescribedCall.all + DescribedCall.additions)
    func theAnswerFitsOurSchema(call: DescribedCall) throws {
        let document = OpenAPIDocument.json(version: "1")
        let operation = try #require(document["paths"]?["/__admin" + call.ourPath]?[call.method.lowercased()])
        let response = try #require(operation["responses"]?[String(call.status)], "\(call.status) is not documented")
        try expect(try answer(to: call), fits: response, of: document)
    }

    @Test func everyAnswerWithASchemaIsCompared() {
        // These need the id of a request or session that was made before; `mcp` is not there unless it is asked for.
        let withAnID: Set = [
            "POST /mcp",
            "GET /requests/{id}", "DELETE /requests/{id}", "GET /requests/{id}/explain", "GET /messages/{id}/explain",
            "GET /sessions/{id}",
            "DELETE /sessions/{id}",
            "GET /gates/{gate}/requests/{id}", "GET /sessions/{id}/report", "DELETE /sessions/{id}/report",
            "GET /sessions/{id}/report/pending",
        ]
        let called = Set((DescribedCall.all + DescribedCall.additions).map { "\($0.method) \($0.ourPath)" })
        var missing: [String] = []
        for path in OpenAPIDocument.json(version: "1")["paths"]?.objectValue?.members ?? [] {
            for operation in path.value.objectValue?.members ?? [] {
                let answers = operation.value["responses"]?.objectValue?.members ?? []
                let hasSchema = answers.contains {
                    $0.key.hasPrefix("2") && $0.value["content"]?["application/json"] != nil
                }
                if hasSchema { missing.append("\(operation.key.uppercased()) \(path.key.dropFirst("/__admin".count))") }
            }
        }
        #expect(missing.count > 40)
        missing.removeAll { called.contains($0) || withAnID.contains($0) }
        #expect(missing == [], "each needs a `DescribedCall`")
    }

    /// The document names every member of an explanation, including rare ones.
    @Test(arguments: [
        (#"{"url": "/b", "method": "GET"}"#, ["ineligible", "ineligibleCount", "shadows", "shadowCount"]),
        (#"{"url": "/c", "method": "GET"}"#, ["ineligible", "ineligibleCount", "nearMisses"]),
    ])
    func theDocumentNamesEveryMemberOfAnExplanation(request: String, tells: [String]) throws {
        let document = OpenAPIDocument.json(version: "1")
        let mock = try TestMock()
        let state = #""scenarioName": "s", "requiredScenarioState": "full""#
        for stub in [
            #"{"name": "b", "request": {"url": "/b"}}"#, #"{"request": {"url": "/b"}}"#,
            #"{"request": {"urlPattern": "/[bc]"}, "enabled": false}"#,
            #"{"name": "c", "request": {"url": "/c"}, \#(state)}"#,
        ] { try mock.add(stub) }
        let answer = try Exchange(mock.port, "POST", "/__admin/explain", body: request)
        let response = document["paths"]?["/__admin/explain"]?["post"]?["responses"]?["200"]
        try expect(answer, fits: try #require(response), of: document)
        let json = try #require(answer.json)
        for name in tells { #expect(json[name] != nil, "\(answer.text)") }
        let schemas = try #require(document["components"]?["schemas"])
        expectNames(json, in: schemas["Explanation"])
        for near in json["nearMisses"]?.arrayValue ?? [] {
            expectNames(near, in: schemas["Explanation"]?["properties"]?["nearMisses"]?["items"])
        }
        for stub in (json["ineligible"]?.arrayValue ?? []) + (json["shadows"]?.arrayValue ?? []) {
            expectNames(stub, in: schemas["StubWithReason"])
        }
    }

    /// A body file that would answer, and a stub whose body file is missing.
    @Test(arguments: [("/a.txt", "bodyFile", "a.txt"), ("/gone", "failure", "no file gone.txt in __files")])
    func theDocumentNamesEveryMemberOfAnExplanationOfBodyFiles(path: String, name: String, text: String) throws {
        let document = OpenAPIDocument.json(version: "1")
        var files = Self.files
        files["mappings/gone.json"] = #"{"request": {"url": "/gone"}, "response": {"bodyFileName": "gone.txt"}}"#
        let daemon = try RunningDaemon(files: files)
        let answer = try Exchange(
            daemon.port, "POST", "/__admin/explain", body: #"{"url": "\#(path)", "method": "GET"}"#)
        let response = document["paths"]?["/__admin/explain"]?["post"]?["responses"]?["200"]
        try expect(answer, fits: try #require(response), of: document)
        let json = try #require(answer.json)
        #expect(json[name]?.stringValue?.hasSuffix(text) == true, "\(answer.text)")
        expectNames(json, in: document["components"]?["schemas"]?["Explanation"])
    }

    private func expectNames(_ object: JSONValue, in schema: JSONValue?) {
        let known = Set(schema?["properties"]?.objectValue?.keys ?? [])
        #expect(!known.isEmpty)
        let unknown = (object.objectValue?.keys ?? []).filter { !known.contains($0) }
        #expect(unknown.isEmpty)
    }

    private func answer(to call: DescribedCall) throws -> Exchange {
        let daemon = try RunningDaemon(files: Self.files)
        _ = try Exchange(daemon.port, "GET", "/nothing?here=1", headers: [("Cookie", "a=b"), ("X", "1"), ("X", "2")])
        let answer = try Exchange(daemon.port, call.method, "/__admin" + call.path, body: call.body)
        #expect(answer.status == call.status, "\(answer)")
        return answer
    }

    private func resolved(_ value: JSONValue, in document: JSONValue) -> JSONValue {
        guard let reference = value["$ref"]?.stringValue, let pointer = JSONPointer(text: String(reference.dropFirst()))
        else { return value }
        return document[pointer] ?? value
    }

    private func expect(
        _ answer: Exchange, fits response: JSONValue, of document: JSONValue, but known: Set<String> = []
    ) throws {
        guard let schema = response["content"]?["application/json"]?["schema"] else {
            // An answer without a description is empty or a file.
            #expect(answer.body.isEmpty || answer.json == [:] || Self.fileTexts.contains(answer.text), "\(answer)")
            return
        }
        #expect(answer.header("Content-Type") == "application/json")
        let json = try #require(answer.json, "\(answer)")
        // References in OpenAPI point into the document, so the schema is compiled together with its components.
        let root: JSONValue = ["allOf": [schema], "components": document["components"] ?? .null]
        let compiled = try JSONSchema(root, draft: .v4)
        #expect(compiled.problems.isEmpty)
        #expect(compiled.errors(in: json).map { "\($0)" }.filter { !known.contains($0) } == [], "\(answer.text)")
    }
}
