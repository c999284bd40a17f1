import SDAnswering
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDPlatform
import SDTestSupport
import Testing

/// Calls about requests of which the journal keeps only the beginning of the body.
@Suite struct CutBodyTests {
    private static let reason =
        "cannot tell of #1: the journal keeps only the first 1000 bytes of a body, see "
        + "--journal-body-limit"

    /// A mock whose journal keeps 1,000 bytes of a body.
    private func emptyMock() throws -> TestMock {
        var options = SessionOptions.unhurried
        options.journalBodyLimit = 1_000
        return try TestMock(session: options)
    }

    /// A mock whose journal has a request with a body of some 5,000 bytes.
    private func mock() throws -> TestMock {
        let mock = try emptyMock()
        let body = #"{"pad": "\#(String(repeating: "x", count: 4_979))", "b": [1]}"#
        _ = try Exchange(mock.port, "POST", "/a", headers: [("X-Kind", "json")], body: body)
        return mock
    }

    /// Patterns that read the body and match apart from that.
    static let undecided = [
        #"{"url": "/a", "bodyPatterns": [{"matchesJsonPath": "$.b[0]"}]}"#,
        #"{"method": "POST", "headers": {"X-Kind": {"contains": "js"}}, "bodyPatterns": [{"contains": "b"}]}"#,
        #"{"formParameters": {"b": {"absent": true}}}"#,
        #"{"multipartPatterns": [{"bodyPatterns": [{"contains": "b"}]}]}"#,
        #"{"customMatcher": {"name": "graphql-body-matcher", "parameters": {"query": "{ a }"}}}"#,
    ]
    /// Patterns whose verdict does not depend on the body, with the count.
    static let decided: [(String, JSONValue)] = [
        (#"{"url": "/a"}"#, 1), (#"{"url": "/b", "bodyPatterns": [{"matchesJsonPath": "$.b[0]"}]}"#, 0),
        (#"{"method": "PUT", "bodyPatterns": [{"contains": "b"}]}"#, 0),
        (#"{"headers": {"X-Kind": {"contains": "xml"}}, "formParameters": {"b": {"absent": true}}}"#, 0),
        (#"{"queryParameters": {"q": {"equalTo": "1"}}, "bodyPatterns": [{"contains": "b"}]}"#, 0),
    ]

    @Test(arguments: undecided, ["count", "find", "remove"])
    func aPatternThatReadsABodyThatWasCutIsNotAnswered(pattern: String, call: String) throws {
        let mock = try mock()
        let answer = try Exchange(mock.port, "POST", "/__admin/requests/\(call)", body: pattern)
        #expect(answer.status == 409)
        #expect(
            answer.json == [
                "errors": [["code": 50, "title": "Cannot tell which requests match", "detail": .string(Self.reason)]]
            ],
            "\(answer)")
        #expect(mock.session.events.count == 1)
    }

    @Test(arguments: decided) func whatIsDecidedWithoutTheBodyIsAnswered(pattern: String, count: JSONValue) throws {
        let mock = try mock()
        #expect(try mock.admin("POST", "/requests/count", pattern)["count"] == count)
        #expect(
            try mock.admin("POST", "/requests/find", pattern)["requests"]?.arrayValue?.count == count.intValue)
    }

    @Test func aBodyOfExactlyTheLimitIsWhole() throws {
        let mock = try emptyMock()
        for count in [999, 1_000] {
            _ = try Exchange(mock.port, "POST", "/a", body: String(repeating: "x", count: count))
        }
        let pattern = #"{"bodyPatterns": [{"matches": "x{1000}"}]}"#
        #expect(try mock.admin("POST", "/requests/count", pattern)["count"] == 1)
    }

    @Test(arguments: undecided, [#"{"exactly": 0}"#, #"{"exactly": 1}"#, #"{"atLeast": 1}"#, #"{"atMost": 0}"#])
    func anExpectationOnABodyThatWasCutIsNeverVerified(pattern: String, count: String) throws {
        let mock = try mock()
        let expectation = #"{"pattern": \#(pattern), "count": \#(count)}"#
        let verdict = try mock.admin("POST", "/requests/verify", #"{"expectations": [\#(expectation)]}"#)
        #expect(verdict["verified"] == false)
        let item = try #require(verdict["expectations"]?[0])
        #expect(item["ok"] == false)
        #expect(item["undecided"] == [1])
        #expect(item["cannotTell"]?.stringValue == Self.reason)
        #expect(verdict["text"]?.stringValue?.contains("    \(Self.reason)\n") == true)

        let wait = try mock.admin(
            "POST", "/requests/wait", #"{"pattern": \#(pattern), "count": \#(count), "timeoutMs": 1}"#)
        #expect(wait["satisfied"] == false)
        #expect(wait["cannotTell"]?.stringValue == Self.reason)
    }

    @Test func anExpectationHoldsIfItDoesWhicheverOfTheUndecidedCount() throws {
        let mock = try mock()
        _ = try Exchange(mock.port, "POST", "/a", body: #"{"b": [2]}"#)
        for (count, holds) in [
            (#"{"atLeast": 1}"#, true), (#"{"atLeast": 1, "atMost": 2}"#, true), (#"{"atMost": 2}"#, true),
            (#"{"exactly": 1}"#, false), (#"{"exactly": 2}"#, false), (#"{"atMost": 1}"#, false),
            (#"{"atLeast": 2}"#, false), (#"{"exactly": 0}"#, false), (#"{"atLeast": 3}"#, false),
        ] {
            let expectation = #"{"pattern": \#(Self.undecided[0]), "count": \#(count)}"#
            let verdict = try mock.admin("POST", "/requests/verify", #"{"expectations": [\#(expectation)]}"#)
            #expect(verdict["verified"] == .bool(holds), "\(count)")
            #expect(verdict["expectations"]?[0]?["count"] == 1)
        }
    }

    @Test func aRequestThatMayMeetAnExpectationIsNotUnexpectedNorVerified() throws {
        let mock = try mock()
        let verdict = try mock.admin(
            "POST", "/requests/verify",
            #"{"expectations": [{"pattern": \#(Self.undecided[0]), "count": {"atMost": 9}}], "nothingElse": true}"#)
        #expect(verdict["verified"] == false)
        #expect(verdict["unexpected"] == [])
        #expect(verdict["cannotTell"]?.stringValue == Self.reason)
        #expect(verdict["text"]?.stringValue?.contains("✗ nothing else: \(Self.reason)") == true)
    }

    @Test func aCallThatWaitsCannotTellOfWhatComesEither() throws {
        let mock = try emptyMock()
        let call = try PendingCall(
            mock.port, "/requests/wait",
            #"{"pattern": \#(Self.undecided[1]), "count": {"atLeast": 1}, "timeoutMs": 50}"#)
        _ = try Exchange(
            mock.port, "POST", "/a", headers: [("X-Kind", "json")], body: String(repeating: "b", count: 5_000))
        #expect(try call.json()["satisfied"] == false)
    }

    @Test(arguments: [false, true]) func aRequestThatWaitsAtAGateHasItsWholeBody(isZipped: Bool) throws {
        let mock = try emptyMock()
        try mock.add(#"{"request": {"url": "/a"}, "response": {"hold": "g"}}"#)
        let body = "name=ann&pad=" + String(repeating: "x", count: 200_000) + "&last=1"
        let sent = isZipped ? try #require(gzipped(Array(body.utf8)[...])) : Array(body.utf8)
        let client = try RawClient(port: mock.port)
        try client.send(
            Array(
                ("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                    + "Content-Length: \(sent.count)\r\n\r\n").utf8) + sent)
        let event = try #require(eventually(within: 20_000) { mock.session.gate("g").waiting.first?.event })
        let id = try #require(try mock.admin("GET", "/gates/g")["requests"]?[0]?["id"]?.stringValue)
        let whole = try mock.admin("GET", "/gates/g/requests/\(id)")
        #expect(whole["id"]?.stringValue == id)
        #expect(whole["request"]?["body"]?.stringValue == body)
        #expect(whole["request"]?["bodyTruncatedFrom"] == nil)
        #expect(whole["request"]?["formParams"]?["last"] == ["key": "last", "values": ["1"]])
        // The journal has its own rule.
        #expect(event.request.bodyCount == min(sent.count, 1_000))
        #expect(try mock.admin("GET", "/requests/\(id)")["request"]?["bodyTruncatedFrom"]?.intValue == body.utf8.count)

        for path in ["/gates/other/requests/\(id)", "/gates/g/requests/0a000000-0000-4000-8000-000000000001"] {
            #expect(try Exchange(mock.port, "GET", "/__admin" + path).status == 404)
        }
        #expect(try Exchange(mock.port, "GET", "/__admin/gates/g/requests/x").status == 400)
        #expect(try mock.admin("POST", "/gates/g/release") == ["released": 1])
        #expect(try Exchange(mock.port, "GET", "/__admin/gates/g/requests/\(id)").status == 404)
    }
}
