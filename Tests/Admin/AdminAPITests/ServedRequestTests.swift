import SDJSON
import SDTestSupport
import Testing

/// Requests count as served, unmatched or failed in the same way wherever a client asks.
@Suite struct ServedRequestTests {
    private let mock: TestMock

    init() throws {
        mock = try TestMock(files: ["hello.json": #"{"a": 1}"#, "d/index.html": "<p>x</p>"])
        try mock.add(#"{"name": "broken", "request": {"url": "/broken"}, "response": {"bodyFileName": "none.png"}}"#)
        // A failure has a status of its own.
        try mock.add(
            #"{"name": "500", "request": {"url": "/500"}, "response": {"status": 500, "bodyFileName": "none.png"}}"#)
    }

    private func urls(_ path: String) throws -> [String?] {
        let list = try Exchange(mock.port, "GET", "/__admin" + path).json?["requests"]?.arrayValue ?? []
        return list.map { ($0["request"] ?? $0)["url"]?.stringValue }
    }

    /// WireMock counts requests that were answered by a file as unmatched.
    @Test func aRequestAnsweredByAFileIsServed() throws {
        let session = try #require(try Exchange(mock.port, "POST", "/__admin/sessions").json?["id"]?.stringValue)
        for prefix in ["", "/__session/" + session] {
            #expect(try Exchange(mock.port, "GET", prefix + "/hello.json").status == 200)
            #expect(try Exchange(mock.port, "GET", prefix + "/d/").status == 200)
        }
        #expect(try urls("/requests/unmatched") == [])
        #expect(try urls("/requests?unmatched=true") == [])
        #expect(try Exchange(mock.port, "GET", "/__admin/requests/unmatched/near-misses").json?["nearMisses"] == [])
        #expect(try Exchange(mock.port, "GET", "/__admin/requests/counters").json?["unmatched"] == 0)
        let report = try Exchange(mock.port, "GET", "/__admin/sessions/\(session)/report").json
        #expect(report?["verdict"] == "passed")
        #expect(report?["served"] == 2)
        let event = try Exchange(mock.port, "GET", "/__admin/requests?limit=1").json?["requests"]?[0]
        #expect(event?["wasMatched"] == true)
        #expect(event?["response"]?["status"] == 200)
        #expect(event?["response"]?["body"] == "<p>x</p>")
        #expect(event?["responseDefinition"] == ["status": 200, "bodyFileName": "d/index.html"])
    }

    /// A file answers only GET requests.
    @Test func aRequestWithoutAFileIsUnmatched() throws {
        #expect(try Exchange(mock.port, "POST", "/hello.json").status == 404)
        #expect(try Exchange(mock.port, "GET", "/none.json").status == 404)
        #expect(try urls("/requests/unmatched") == ["/none.json", "/hello.json"])
        let event = try Exchange(mock.port, "GET", "/__admin/requests?limit=1").json?["requests"]?[0]
        #expect(event?["wasMatched"] == false)
        #expect(event?["responseDefinition"] == ["status": 404, "fromConfiguredStub": false])
    }

    @Test(arguments: ["/broken", "/500"])
    func aStubThatCannotBeServedFailsTheReport(path: String) throws {
        let session = try #require(try Exchange(mock.port, "POST", "/__admin/sessions").json?["id"]?.stringValue)
        #expect(try Exchange(mock.port, "GET", "/__session/\(session)\(path)").status == 500)
        let report = try #require(try Exchange(mock.port, "GET", "/__admin/sessions/\(session)/report").json)
        #expect(report["verdict"] == "failed")
        #expect(report["unmatchedCount"] == 0)
        #expect(report["failedCount"] == 1)
        let failed = report["failed"]?[0]
        #expect(failed?["request"]?["url"]?.stringValue == path)
        #expect(failed?["status"] == 500)
        #expect(failed?["stub"]?["name"]?.stringValue == String(path.dropFirst()))
        #expect(failed?["reason"] == "the body file none.png cannot be served: no file none.png in __files")
        let listed = try Exchange(mock.port, "GET", "/__admin/sessions/\(session)").json
        #expect(listed?["failed"] == 1)
        #expect(try urls("/requests/unmatched") == [])
    }
}
