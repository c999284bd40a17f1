import SDJSON
import SDMockEngine
import SDTestSupport
import Testing

/// What a session's report tells of requests that came without its identity, and of what was refused before any stub.
@Suite struct ParentTrafficTests {
    private func report(_ mock: TestMock, _ id: String, _ query: String = "") throws -> JSONValue {
        try #require(try Exchange(mock.port, "GET", "/__admin/sessions/\(id)/report" + query).json)
    }

    private func begin(_ mock: TestMock, at prefix: String = "") throws -> String {
        let answer = try Exchange(mock.port, "POST", prefix + "/__admin/sessions", body: #"{"name": "test"}"#)
        return try #require(answer.json?["id"]?.stringValue)
    }

    // MARK: Strays

    @Test func aRequestWithoutIdentityIsNamedInTheReportsOfOpenSessions() throws {
        let mock = try TestMock(routes: #"{"GET /greeting": {}, "GET /early": {}}"#)
        _ = try mock.call("GET", "/early")
        let id = try begin(mock)
        #expect(try report(mock, id)["withoutIdentity"] == nil)
        for path in ["/greeting", "/greeting", "/nothing", "/favicon.ico"] { _ = try mock.call("GET", path) }
        _ = try mock.call("GET", "/__session/\(id)/greeting")
        _ = try mock.call("GET", "/__admin/mappings")
        let found = try report(mock, id, "?ignore=/favicon.ico")
        #expect(found["withoutIdentityCount"] == 3)
        let strays = try #require(found["withoutIdentity"]?.arrayValue)
        #expect(strays.map { $0["url"] } == ["/greeting", "/nothing"])
        #expect(strays[0]["count"] == 2 && strays[0]["matched"] == true && strays[0]["stub"]?["key"] == "GET /greeting")
        #expect(strays[1]["count"] == 1 && strays[1]["matched"] == false && strays[1]["stub"] == nil)
        // They fail no verdict, and are no requests of the session.
        #expect(found["verdict"] == "passed" && found["served"] == 1)
        let later = try begin(mock)
        #expect(try report(mock, later)["withoutIdentity"] == nil)
        // The daemon's own report has them as its requests.
        #expect(try Exchange(mock.port, "GET", "/__admin/report").json?["withoutIdentity"] == nil)
    }

    /// As in `stuntdouble run`, whose session begins those of the tests: what has the identity of the run has none of a test.
    @Test func ofASessionWithinASessionTheOuterOnesRequestsCount() throws {
        let mock = try TestMock(routes: #"{"GET /greeting": {}}"#)
        let outer = try begin(mock)
        let inner = try begin(mock, at: "/__session/\(outer)")
        _ = try mock.call("GET", "/greeting")
        #expect(try report(mock, inner)["withoutIdentity"] == nil)
        _ = try mock.call("GET", "/__session/\(outer)/greeting")
        #expect(try report(mock, inner)["withoutIdentity"]?[0]?["url"] == "/greeting")
    }

    @Test func aReportBegunAnewForgetsThem() throws {
        let mock = try TestMock(routes: #"{"GET /greeting": {}}"#)
        for way in ["/__admin/sessions/ID/report", "/__session/ID/__admin/report"] {
            let id = try begin(mock)
            _ = try mock.call("GET", "/greeting")
            #expect(try report(mock, id)["withoutIdentityCount"] == 1)
            #expect(try Exchange(mock.port, "DELETE", way.replacing("ID", with: id)).status == 200)
            #expect(try report(mock, id)["withoutIdentityCount"] == nil)
            _ = try mock.call("GET", "/greeting")
            #expect(try report(mock, id)["withoutIdentityCount"] == 1)
        }
    }

    @Test(arguments: ["text", "markdown", "html", "junit"]) func everyFormNamesThem(format: String) throws {
        let mock = try TestMock(routes: #"{"GET /greeting": {}}"#)
        let id = try begin(mock)
        for _ in 0..<2 { _ = try mock.call("GET", "/greeting") }
        let text = try Exchange(mock.port, "GET", "/__admin/sessions/\(id)/report?format=\(format)").text
        #expect(text.lowercased().contains("came while this test ran, without the identity of a test"), "\(text)")
        #expect(text.contains("/greeting"), "\(text)")
        if format == "text" {
            #expect(text.contains("\n  GET /greeting: answered by GET /greeting (2 times)\n"), "\(text)")
        }
    }

    // MARK: Refusals

    private func preflight(_ mock: TestMock, _ path: String, _ method: String, _ origin: String) throws -> Exchange {
        try mock.call("OPTIONS", path, headers: [("Origin", origin), ("Access-Control-Request-Method", method)])
    }

    @Test(
        arguments: [
            (
                #"{"origins": ["http://localhost:*"]}"#, "PUT", "https://evil.example",
                "may not send PUT /a: `cors` allows http://localhost:*"
            ),
            ("true", "DELETE", "https://page", "may not send DELETE /a: the stubs with `cors` there have PUT"),
            ("false", "PUT", "https://page", "may not send PUT /a: nothing answers its preflight"),
            (nil, "PUT", "null", "may not send PUT /a: nothing answers its preflight"),
        ] as [(String?, String, String, String)])
    func aRefusedPreflightIsToldWithTheOriginOfItsPage(cors: String?, method: String, origin: String, reason: String)
        throws
    {
        let policy = cors.map { #""cors": "# + $0 } ?? ""
        let mock = try TestMock(routes: #"{"PUT /a": {\#(policy)}}"#)
        let id = try begin(mock)
        for _ in 0..<2 { _ = try preflight(mock, "/a", method, origin) }
        let expected: JSONValue = [
            "kind": "preflight", "origin": .string(origin), "reason": .string(reason),
            "text": .string("a page of \(origin) \(reason)"), "count": 2,
        ]
        let told = try #require(try Exchange(mock.port, "GET", "/__admin/refusals").json)
        #expect(told == ["refusals": [expected], "meta": ["total": 2]])
        let own = try #require(try Exchange(mock.port, "GET", "/__admin/report").json)
        #expect(own["refusals"] == [expected] && own["refusedCount"] == 2)
        // A preflight never says whose it is, so it is in the reports of all tests that ran.
        let ofTest = try report(mock, id)
        #expect(ofTest["refusals"] == [expected] && ofTest["withoutIdentity"] == nil)
        #expect(try report(mock, try begin(mock))["refusals"] == nil)
        // The journal has it as a request.
        #expect(try Exchange(mock.port, "GET", "/__admin/requests").json?["meta"]?["total"] == 2)
        let text = try Exchange(mock.port, "GET", "/__admin/report?format=text").text
        #expect(
            text.contains("\nRefused: 2 times\n  a page of \(origin) \(reason) (2 times)\n"), "\(text)")
        _ = try Exchange(mock.port, "DELETE", "/__admin/report")
        #expect(try Exchange(mock.port, "GET", "/__admin/refusals").json?["meta"]?["total"] == 0)
    }

    @Test func aPreflightThatIsAnsweredIsNoRefusal() throws {
        let mock = try TestMock(
            routes: #"""
                {"cors": {"origins": "http://localhost:*"}, "PUT /a": {},
                 "OPTIONS /b": {"headers": {"Access-Control-Allow-Origin": "*"}}}
                """#)
        for method in ["PUT", "GET", "POST"] {
            #expect(try preflight(mock, "/a", method, "http://localhost:5173").status == 200)
        }
        #expect(try preflight(mock, "/b", "PUT", "http://evil").status == 200)
        #expect(try Exchange(mock.port, "GET", "/__admin/refusals").json?["meta"]?["total"] == 0)
    }

    /// Clients choose the texts: what is kept of them is bounded.
    @Test func ofManyKindsTheFirstAreKeptAndAllAreCounted() throws {
        let mock = try TestMock(routes: #"{"PUT /a": {"cors": "http://localhost:*"}}"#)
        for number in 0..<120 { _ = try preflight(mock, "/a", "PUT", "http://evil\(number)") }
        _ = try preflight(mock, "/a", "PUT", "http://" + String(repeating: "e", count: 5_000))
        let told = try #require(try Exchange(mock.port, "GET", "/__admin/refusals").json)
        #expect(told["refusals"]?.arrayValue?.count == 100 && told["meta"]?["total"] == 121)
    }
}
