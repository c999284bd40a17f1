import JSON
import MockEngine
import TestSupport
import Testing

/// `--enable-stub-cors`.
@Suite struct StubCORSTests {
    private func house() throws -> TestHouse {
        var options = SessionOptions()
        options.stubCORS = true
        let house = try TestHouse(session: options)
        try house.add(
            #"{"request": {"url": "/own"}, "response": {"headers": {"access-control-allow-origin": "https://mine", "Vary": "Accept"}}}"#
        )
        try house.add(#"{"request": {"url": "/plain", "method": "GET"}, "response": {"body": "x"}}"#)
        return house
    }

    private let origin = [("Origin", "https://page")]

    private func values(_ answer: Exchange, _ name: String) -> [String] {
        answer.headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    @Test func aPageMayReadTheResponse() throws {
        let house = try house()
        for path in ["/plain", "/unmatched"] {
            let answer = try Exchange(house.port, "GET", path, headers: origin)
            #expect(values(answer, "Access-Control-Allow-Origin") == ["https://page"])
            #expect(values(answer, "Access-Control-Allow-Credentials") == ["true"])
            #expect(values(answer, "Access-Control-Expose-Headers") == ["*"])
            #expect(values(answer, "Vary") == ["Origin"])
        }
        let other = try Exchange(house.port, "GET", "/plain")
        #expect(values(other, "Access-Control-Allow-Origin") == [])
        #expect(values(other, "Vary") == ["Origin"])
    }

    /// WireMock sends both lines, which no browser accepts.
    @Test func theStubsOwnHeadersTakePrecedence() throws {
        let house = try house()
        let answer = try Exchange(house.port, "GET", "/own", headers: origin)
        #expect(values(answer, "Access-Control-Allow-Origin") == ["https://mine"])
        #expect(values(answer, "Access-Control-Allow-Credentials") == ["true"])
        #expect(Set(values(answer, "Vary")) == ["Accept", "Origin"])
    }

    @Test func aPreflightIsAnsweredAsInWireMockAndJournalledAsServed() throws {
        let house = try house()
        let asked = origin + [("Access-Control-Request-Method", "PUT"), ("Access-Control-Request-Headers", "X-A, X-B")]
        let answer = try Exchange(house.port, "OPTIONS", "/plain", headers: asked)
        #expect(answer.status == 200)
        #expect(values(answer, "Access-Control-Allow-Methods") == ["OPTIONS,GET,POST,PUT,PATCH,DELETE"])
        #expect(values(answer, "Access-Control-Allow-Headers") == ["X-A,X-B"])
        #expect(values(answer, "Access-Control-Max-Age") == ["1800"])
        #expect(values(answer, "Access-Control-Expose-Headers") == [])
        let events = try Exchange(house.port, "GET", "/__admin/requests").json?["requests"]
        #expect(events?.arrayValue?.count == 1)
        #expect(events?[0]?["request"]?["method"] == "OPTIONS")
        #expect(events?[0]?["wasMatched"] == true)
        #expect(house.session.counts.unmatched == 0)
        // Without the headers of a preflight it is an ordinary request.
        #expect(try Exchange(house.port, "OPTIONS", "/plain", headers: origin).status == 404)
    }
}
