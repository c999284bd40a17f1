import SDHTTPTransport
import SDJSON
import SDMockEngine
import SDTestSupport
import Testing

/// What clients did not get is told by the reports of the session that it concerns and of those through which that was begun.
@Suite struct RefusedTests {
    private func begin(_ mock: TestMock, _ name: String = "test", at prefix: String = "") throws -> String {
        let answer = try Exchange(
            mock.port, "POST", prefix + "/__admin/sessions", body: #"{"name": "\#(name)"}"#)
        return try #require(answer.json?["id"]?.stringValue)
    }

    private func end(_ mock: TestMock, _ id: String) throws {
        #expect(try Exchange(mock.port, "DELETE", "/__admin/sessions/\(id)").status == 200)
    }

    private func report(_ mock: TestMock, _ prefix: String = "", _ query: String = "") throws -> JSONValue {
        try #require(try Exchange(mock.port, "GET", prefix + "/__admin/report" + query).json)
    }

    private func refusals(_ mock: TestMock, _ prefix: String = "") throws -> [JSONValue] {
        try #require(try Exchange(mock.port, "GET", prefix + "/__admin/refusals").json?["refusals"]?.arrayValue)
    }

    // MARK: Sessions that are none

    enum Way: CaseIterable {
        case header, cookie, baggage, path

        var words: String {
            switch self {
            case .header: "its header X-StuntDouble-Session"
            case .cookie: "its cookie stuntdouble-session"
            case .baggage: "its header baggage"
            case .path: "its address"
            }
        }

        func ask(_ mock: TestMock, _ id: String, _ path: String) throws -> Exchange {
            switch self {
            case .header: try mock.call("GET", path, headers: [("X-StuntDouble-Session", id)])
            case .cookie: try mock.call("GET", path, headers: [("Cookie", "stuntdouble-session=\(id)")])
            case .baggage: try mock.call("GET", path, headers: [("baggage", "stuntdouble-session=\(id)")])
            case .path: try mock.call("GET", "/__session/\(id)\(path)")
            }
        }
    }

    @Test(arguments: Way.allCases) func aRequestForASessionThatHasEndedIsTold(way: Way) throws {
        let mock = try TestMock(routes: #"{"GET /a": {}}"#)
        let id = try begin(mock)
        try end(mock, id)
        for _ in 0..<2 { #expect(try way.ask(mock, id, "/a").status == 410) }
        let reason = "it has ended (test); GET /a names it by \(way.words)"
        let expected: JSONValue = [
            "kind": "session", "session": .string(id), "reason": .string(reason),
            "text": .string("a request for the session \(id): \(reason)"), "count": 2,
        ]
        #expect(try refusals(mock) == [expected])
        let told = try report(mock)
        #expect(told["refusals"] == [expected] && told["refusedCount"] == 2)
        #expect(told["counts"]?["unmatched"] == 2 && told["reasons"] == ["unmatched"] && told["served"] == 0)
        #expect(try Exchange(mock.port, "GET", "/__admin/report?fail=unmatched").status == 422)
        #expect(try Exchange(mock.port, "GET", "/__admin/report?fail=error").status == 200)
        #expect(try Exchange(mock.port, "GET", "/__admin/report?fail=unmatched&ignore=/a").status == 200)
        #expect(try report(mock, "", "?ignore=/a")["refusals"] == nil)
        // It is nothing of another test's.
        let other = try begin(mock)
        #expect(try Exchange(mock.port, "GET", "/__admin/sessions/\(other)/report?fail=unmatched").status == 200)
        _ = try Exchange(mock.port, "DELETE", "/__admin/report")
        #expect(try report(mock)["verdict"] == "passed")
    }

    @Test(arguments: Way.allCases) func aRequestForASessionThatNeverWasIsTold(way: Way) throws {
        let mock = try TestMock(routes: #"{"GET /a": {}}"#)
        #expect(try way.ask(mock, "s0-nobody", "/a?b=1").status == 404)
        let text = "a request for the session s0-nobody: there never was one; GET /a?b=1 names it by \(way.words)"
        #expect(try refusals(mock).map { $0["text"] } == [.string(text)])
        for (format, line) in [
            ("text", "  \(text)\n"), ("text", "\nFailed: 1 request that nothing answered"),
            ("github", "::error title=Refused::\(text)"), ("junit", "<failure type=\"refused\""),
        ] {
            let body = try Exchange(mock.port, "GET", "/__admin/report?format=\(format)").text
            #expect(body.contains(line), "\(body)")
        }
    }

    /// Calls that steer a session are answered to whoever made them, and are requests of no application.
    @Test func anAdminCallIsNoSuchRequest() throws {
        let mock = try TestMock(routes: #"{"GET /a": {}}"#)
        let id = try begin(mock)
        try end(mock, id)
        #expect(try mock.call("GET", "/__session/\(id)/__admin/requests").status == 410)
        #expect(try refusals(mock).isEmpty)
    }

    /// As in a run in a daemon of others: what comes for a test of the run that is over concerns the run.
    @Test func itIsOfTheSessionThroughWhichTheEndedOneWasBegun() throws {
        let mock = try TestMock(routes: #"{"GET /a": {}}"#)
        let run = try begin(mock, "run")
        let test = try begin(mock, at: "/__session/\(run)")
        try end(mock, test)
        _ = try Way.header.ask(mock, test, "/a")
        #expect(try report(mock, "/__session/\(run)")["counts"]?["unmatched"] == 1)
        let all = try report(mock)
        #expect(all["counts"]?["unmatched"] == 1 && all["refusals"]?[0]?["test"] == "run")
        #expect(try report(mock, "", "?sessions=own")["counts"]?["unmatched"] == 0)
        try end(mock, run)
        _ = try Way.header.ask(mock, test, "/a")
        #expect(try report(mock, "", "?sessions=own")["counts"]?["unmatched"] == 1)
    }

    // MARK: Sessions of tests

    @Test func whatIsRefusedInASessionIsInTheReportOfTheOneThroughWhichItWasBegun() throws {
        let mock = try TestMock(routes: #"{"PUT /a": {"cors": "http://localhost:*"}}"#)
        let outer = try begin(mock, "outer")
        let inner = try begin(mock, "inner", at: "/__session/\(outer)")
        let asked = [("Origin", "http://evil"), ("Access-Control-Request-Method", "PUT")]
        for hasEnded in [false, true] {
            if !hasEnded { _ = try mock.call("OPTIONS", "/__session/\(inner)/a", headers: asked) }
            if hasEnded { try end(mock, inner) }
            for prefix in ["", "/__session/\(outer)"] {
                let told = try report(mock, prefix)
                #expect(told["refusedCount"] == 1 && told["refusals"]?[0]?["origin"] == "http://evil")
                #expect(told["refusals"]?[0]?["test"] == "inner" && told["refusals"]?[0]?["session"] == .string(inner))
                #expect(try refusals(mock, prefix) == told["refusals"]?.arrayValue)
                #expect(try report(mock, prefix, "?sessions=own")["refusals"] == nil)
            }
        }
        #expect(try Exchange(mock.port, "GET", "/__admin/report?format=text").text.contains("\n    test: inner\n"))
    }

    // MARK: Answers that pages do not see

    @Test(
        arguments: [
            (#""cors": "http://localhost:*""#, [("Origin", "http://evil")], "`cors` allows http://localhost:*"),
            (#""cors": false"#, [("Origin", "http://evil")], "`cors: false` allows none"),
            (
                #""cors": "http://localhost:*""#, [("Origin", "null"), ("Sec-Fetch-Mode", "cors")],
                "`cors` allows http://localhost:*"
            ),
            (#""cors": "http://localhost:*""#, [("Origin", "http://localhost:1")], nil),
            (#""cors": "http://localhost:*""#, [], nil),
            (#""cors": "http://x""#, [("Origin", "http://HOST")], nil),
            (#""cors": "http://x""#, [("Origin", "http://evil"), ("Sec-Fetch-Mode", "navigate")], nil),
            (#""cors": "http://x", "headers": {"access-control-allow-origin": "*"}"#, [("Origin", "http://evil")], nil),
            (#""cors": true"#, [("Origin", "http://evil")], nil), ("", [("Origin", "http://evil")], nil),
        ] as [(String, [(String, String)], String?)])
    func anAnswerThatABrowserDoesNotShowIsToldAndSent(
        members: String, headers: [(String, String)], reason: String?
    ) throws {
        let mock = try TestMock(routes: #"{"GET /a": {\#(members)}, "GET /other": {"cors": "http://localhost:*"}}"#)
        let headers = headers.map { ($0, $1.replacing("HOST", with: "localhost")) }
        for _ in 0..<2 {
            let answer = try mock.call("GET", "/a", headers: headers)
            #expect(answer.status == 200)
        }
        let told = try refusals(mock)
        #expect(told.count == (reason == nil ? 0 : 1), "\(told)")
        guard let reason else { return }
        let text =
            "the browser will not show this answer to a page of \(headers[0].1): GET /a, where \(reason)"
        #expect(told[0]["text"] == .string(text) && told[0]["kind"] == "answer" && told[0]["count"] == 2)
        #expect(try report(mock)["verdict"] == "passed")
    }

    // MARK: What answers in place of stubs

    @Test func thePreflightsOfAReportAreAnsweredByWhatAnsweredThem() throws {
        let mock = try TestMock(routes: #"{"PUT /a": {"cors": "http://localhost:*"}, "GET /b": {}}"#)
        for (path, origin) in [("/a", "http://localhost:1"), ("/a", "http://evil"), ("/b", "http://evil")] {
            let asked = [("Origin", origin), ("Access-Control-Request-Method", "PUT")]
            _ = try mock.call("OPTIONS", path, headers: asked)
        }
        let text = try Exchange(mock.port, "GET", "/__admin/report?format=text").text
        #expect(text.contains("\n  OPTIONS /a: 200, answered by `cors`\n"), "\(text)")
        #expect(text.contains("\n  OPTIONS /a: 403, refused by `cors`\n"), "\(text)")
        #expect(text.contains("\n  OPTIONS /b: 404, nothing answered\n"), "\(text)")
        // What is advised is what the answer says.
        let advice = "It is a CORS preflight, in which a page of http://evil asks whether it may send PUT: "
        #expect(text.contains("\n    \(advice)"), "\(text)")
        let json = try report(mock)
        for list in ["unmatchedRequests", "unmatched"] {
            #expect(json[list]?[0]?["smallestChange"]?.stringValue?.hasPrefix(advice) == true, "\(list)")
        }
        let github = try Exchange(mock.port, "GET", "/__admin/report?format=github").text
        #expect(github.contains(advice) && !github.contains("change the stub's method"))
        #expect(github.contains("::warning title=Refused::a page of http://evil may not send PUT /a"), "\(github)")
    }

    @Test func aTunnelToADaemonThatIsNoProxyIsToldWithItsHost() throws {
        let mock = try TestMock(routes: #"{"GET /a": {}}"#)
        let answer = try mock.raw(
            "CONNECT shop.example:443 HTTP/1.1\r\nHost: shop.example:443\r\nConnection: close\r\n\r\n")
        #expect(answer.text.contains("start with --forward-proxy"), "\(answer.text)")
        #expect(try refusals(mock).map { $0["text"] } == ["a tunnel to shop.example:443: start with --forward-proxy"])
        let text = try Exchange(mock.port, "GET", "/__admin/report?format=text").text
        #expect(text.contains("\n  CONNECT shop.example:443\n"), "\(text)")
        #expect(text.contains("It asks for a tunnel to shop.example:443: start with --forward-proxy"), "\(text)")
        #expect(!text.contains("add one for it"), "\(text)")
    }

    @Test(
        arguments: [
            (#"{"PUT /a": {"cors": "http://localhost:*"}}"#, "http://localhost:1", true, "may send PUT /a"),
            (
                #"{"PUT /a": {"cors": "http://localhost:*"}}"#, "http://evil", false,
                "may not send PUT /a: `cors` allows http://localhost:*"
            ),
            (
                #"{"GET /a": {"cors": true}}"#, "http://p", false,
                "may not send PUT /a: the stubs with `cors` there have GET"
            ),
            (#"{"GET /a": {}}"#, "http://p", nil, "It is a CORS preflight, in which a page of http://p"),
            (#"{"OPTIONS /a": {}}"#, "http://p", nil, "It is the only matching stub"),
        ] as [(String, String, Bool?, String)])
    func thePreflightIsExplained(routes: String, origin: String, isAllowed: Bool?, reason: String) throws {
        let mock = try TestMock(routes: routes)
        let question: JSONValue = [
            "method": "OPTIONS", "url": "/a",
            "headers": ["origin": .string(origin), "Access-Control-Request-Method": "PUT"],
        ]
        let answer = try #require(
            try Exchange(mock.port, "POST", "/__admin/explain", body: question.compactText).json)
        #expect(answer["preflight"]?["allowed"] == isAllowed.map(JSONValue.bool))
        #expect(answer["reason"]?.stringValue?.contains(reason) == true, "\(answer)")
        // What is asked about is not refused to anybody.
        #expect(try refusals(mock).isEmpty)
    }
}
