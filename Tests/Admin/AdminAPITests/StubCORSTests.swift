import SDJSON
import SDMockEngine
import SDTestSupport
import Testing

/// `--enable-stub-cors`.
@Suite struct StubCORSTests {
    private func mock() throws -> TestMock {
        var options = SessionOptions()
        options.stubCORS = true
        let mock = try TestMock(session: options)
        try mock.add(
            #"{"request": {"url": "/own"}, "response": {"headers": {"access-control-allow-origin": "https://mine", "Vary": "Accept"}}}"#
        )
        try mock.add(#"{"request": {"url": "/plain", "method": "GET"}, "response": {"body": "x"}}"#)
        return mock
    }

    private let origin = [("Origin", "https://page")]

    private func values(_ answer: Exchange, _ name: String) -> [String] {
        answer.headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    @Test func aPageMayReadTheResponse() throws {
        let mock = try mock()
        for path in ["/plain", "/unmatched"] {
            let answer = try Exchange(mock.port, "GET", path, headers: origin)
            #expect(values(answer, "Access-Control-Allow-Origin") == ["https://page"])
            #expect(values(answer, "Access-Control-Allow-Credentials") == ["true"])
            #expect(values(answer, "Access-Control-Expose-Headers") == ["*"])
            #expect(values(answer, "Vary") == ["Origin"])
        }
        let other = try Exchange(mock.port, "GET", "/plain")
        #expect(values(other, "Access-Control-Allow-Origin") == [])
        #expect(values(other, "Vary") == ["Origin"])
    }

    /// Browsers that send credentials take `*` for a name.
    @Test(arguments: [("Cookie", "a=b"), ("Authorization", "Bearer x")])
    func aPageThatSendsCredentialsIsToldTheNames(field: (String, String)) throws {
        let mock = try mock()
        try mock.add(
            #"{"request": {"url": "/c"}, "response": {"headers": {"X-A": "1", "X-B": ["2", "3"], "Vary": "Accept"}}}"#)
        try mock.add(#"{"request": {"url": "/d"}, "response": {"headers": {"Access-Control-Expose-Headers": "X-D"}}}"#)
        for _ in 0..<2 {
            let answer = try mock.call("GET", "/c", headers: origin + [field])
            #expect(values(answer, "Access-Control-Expose-Headers") == ["X-A, X-B, Matched-Stub-Id"])
            #expect(values(answer, "Access-Control-Allow-Credentials") == ["true"])
            let other = try mock.call("GET", "/c", headers: origin)
            #expect(values(other, "Access-Control-Expose-Headers") == ["*"])
        }
        #expect(
            values(try mock.call("GET", "/d", headers: origin + [field]), "Access-Control-Expose-Headers") == ["X-D"])
        // Without a page nothing is told.
        #expect(values(try mock.call("GET", "/c", headers: [field]), "Access-Control-Expose-Headers") == [])
    }

    /// WireMock sends both lines, which no browser accepts.
    @Test func theStubsOwnHeadersTakePrecedence() throws {
        let mock = try mock()
        let answer = try Exchange(mock.port, "GET", "/own", headers: origin)
        #expect(values(answer, "Access-Control-Allow-Origin") == ["https://mine"])
        #expect(values(answer, "Access-Control-Allow-Credentials") == ["true"])
        #expect(Set(values(answer, "Vary")) == ["Accept", "Origin"])
    }

    /// No browser sends two, and which of them would count?
    @Test func severalOriginsAreRefused() throws {
        let mock = try mock()
        let both = origin + [("Origin", "https://evil")]
        let answer = try Exchange(mock.port, "GET", "/plain", headers: both)
        #expect(answer.status == 200 && values(answer, "Vary") == ["Origin"])
        #expect(!answer.headers.contains { $0.name.lowercased().hasPrefix("access-control-") }, "\(answer)")
        let asked = both + [("Access-Control-Request-Method", "PUT")]
        let preflight = try Exchange(mock.port, "OPTIONS", "/plain", headers: asked)
        #expect(values(preflight, "Access-Control-Allow-Origin") == [], "\(preflight)")
        let report = try Exchange(mock.port, "GET", "/__admin/report?format=text").text
        #expect(report.contains("it has several Origin headers"), "\(report)")
        #expect(report.contains("GET /plain, which has several Origin headers"), "\(report)")
    }

    @Test func aPreflightIsAnsweredAsInWireMockAndJournalledAsServed() throws {
        let mock = try mock()
        let asked = origin + [("Access-Control-Request-Method", "PUT"), ("Access-Control-Request-Headers", "X-A, X-B")]
        let answer = try Exchange(mock.port, "OPTIONS", "/plain", headers: asked)
        #expect(answer.status == 200)
        #expect(values(answer, "Access-Control-Allow-Methods") == ["OPTIONS,GET,POST,PUT,PATCH,DELETE"])
        #expect(values(answer, "Access-Control-Allow-Headers") == ["X-A,X-B"])
        #expect(values(answer, "Access-Control-Max-Age") == ["1800"])
        #expect(values(answer, "Access-Control-Expose-Headers") == [])
        let events = try Exchange(mock.port, "GET", "/__admin/requests").json?["requests"]
        #expect(events?.arrayValue?.count == 1)
        #expect(events?[0]?["request"]?["method"] == "OPTIONS")
        #expect(events?[0]?["wasMatched"] == true)
        #expect(mock.session.counts.unmatched == 0)
        // Without the headers of a preflight it is an ordinary request.
        #expect(try Exchange(mock.port, "OPTIONS", "/plain", headers: origin).status == 404)
    }
}
