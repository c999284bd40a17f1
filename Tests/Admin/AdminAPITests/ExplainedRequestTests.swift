import SDJSON
import SDJournal
import SDMockEngine
import SDTestSupport
import Testing

/// `requests/{id}/explain`: why a request of the journal was answered, or was not.
@Suite struct ExplainedRequestTests {
    private func last(_ mock: TestMock, in session: String = "") throws -> String {
        let answer = try Exchange(mock.port, "GET", "\(session)/__admin/requests?limit=1")
        return try #require(answer.json?["requests"]?[0]?["id"]?.stringValue)
    }

    @Test func anUnmatchedRequestIsJudgedWithItsBody() throws {
        let mock = try TestMock()
        try mock.add(
            #"""
            {"name": "orders", "request": {"method": "POST", "urlPath": "/orders",
             "bodyPatterns": [{"equalToJson": {"item": 1}}]}, "response": {"status": 201}}
            """#)
        _ = try Exchange(mock.port, "POST", "/orders", body: #"{"item": 2}"#)
        let answer = try mock.admin("GET", "/requests/\(try last(mock))/explain")
        #expect(answer["stubMapping"] == .null)
        #expect(answer["nearMisses"]?[0]?["stubMapping"]?["name"] == "orders")
        #expect(answer["smallestChange"]?.stringValue?.isEmpty == false)
        #expect(answer.compactText.contains(#"{\"item\": 2}"#), "\(answer.compactText)")
        let report = try mock.admin("GET", "/report")
        #expect(report["unmatched"]?[0]?["smallestChange"] == answer["smallestChange"])
    }

    @Test func anAnsweredRequestNamesItsStub() throws {
        let mock = try TestMock()
        try mock.add(#"{"name": "a", "request": {"url": "/a"}}"#)
        _ = try Exchange(mock.port, "GET", "/a")
        let answer = try mock.admin("GET", "/requests/\(try last(mock))/explain")
        #expect(answer["stubMapping"]?["name"] == "a")
        #expect(answer["smallestChange"] == nil)
        #expect(try Exchange(mock.port, "GET", "/__admin/requests/x/explain").status == 400)
        let none = "/__admin/requests/11111111-1111-4111-8111-111111111111/explain"
        #expect(try Exchange(mock.port, "GET", none).status == 404)
    }

    @Test func aRequestOfASessionIsFoundByItsID() throws {
        let mock = try TestMock()
        let session = try mock.admin("POST", "/sessions", "{}", status: 201)
        let id = try #require(session["id"]?.stringValue)
        _ = try mock.admin("POST", "/mappings", #"{"request": {"url": "/near"}}"#, status: 201)
        _ = try Exchange(mock.port, "GET", "/__session/\(id)/nearly")
        let request = try last(mock, in: "/__session/\(id)")
        #expect(try mock.admin("GET", "/requests/\(request)/explain")["nearMisses"]?[0] != nil)
    }

    @Test func secretsAreNotShown() throws {
        var options = SessionOptions.unhurried
        options.redaction = Redaction(["token"])
        let mock = try TestMock(session: options)
        try mock.add(
            #"""
            {"request": {"urlPath": "/a", "headers": {"Authorization": {"equalTo": "s3cret-a"}},
             "queryParameters": {"token": {"equalTo": "s3cret-b"}}}}
            """#)
        _ = try Exchange(mock.port, "GET", "/a?token=s3cret-c", headers: [("Authorization", "s3cret-d")])
        let answer = try mock.admin("GET", "/requests/\(try last(mock))/explain")
        #expect(!answer.compactText.contains("s3cret"), "\(answer.compactText)")
        _ = try Exchange(mock.port, "GET", "/a?token=s3cret-b", headers: [("Authorization", "s3cret-a")])
        let matched = try mock.admin("GET", "/requests/\(try last(mock))/explain")
        #expect(matched["stubMapping"]?["id"] != nil)
        #expect(!matched.compactText.contains("s3cret"), "\(matched.compactText)")
    }
}
