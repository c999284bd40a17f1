import SDJSON
import SDMockEngine
import SDStubModel
import SDTestSupport
import Synchronization
import Testing

/// Sessions behave like separate servers within the server.
@Suite struct SessionTests {
    private let clock = TestClock()

    private func mock(_ change: (inout SessionOptions) -> Void = { _ in }) throws -> TestMock {
        var options = SessionOptions()
        let clock = clock
        options.clock = { clock.milliseconds.load(ordering: .relaxed) }
        change(&options)
        return try TestMock(session: options, files: ["a.txt": "from the folder"])
    }

    /// A session of the test server, named by its header.
    private struct Client {
        let port: UInt16
        let id: String
        let json: JSONValue

        init(_ mock: TestMock, _ body: String = "") throws {
            port = mock.port
            let answer = try Exchange(mock.port, "POST", "/__admin/sessions", body: body)
            try #require(answer.status == 201, "\(answer.text)")
            json = try #require(answer.json)
            id = try #require(json["id"]?.stringValue)
        }

        func ask(_ method: String, _ path: String, _ body: String = "") throws -> Exchange {
            try Exchange(port, method, path, headers: [("X-StuntDouble-Session", id)], body: body)
        }

        func get(_ path: String) throws -> String {
            let answer = try ask("GET", path)
            return answer.status == 200 ? answer.text : String(answer.status)
        }

        func add(_ json: String) throws {
            let answer = try ask("POST", "/__admin/mappings", json)
            #expect(answer.status == 201, "\(answer.text)")
        }

        /// The URLs of its stubs in the order in which they are tried.
        func urls() throws -> [String] {
            let json = try #require(try ask("GET", "/__admin/mappings").json)
            return (json["mappings"]?.arrayValue ?? []).compactMap { $0["request"]?["url"]?.stringValue }
        }

        func count(_ pattern: String) throws -> Int? {
            try ask("POST", "/__admin/requests/count", pattern).json?["count"]?.intValue
        }
    }

    private let id = "11111111-1111-4111-8111-111111111111"

    // MARK: Naming

    @Test func aSessionIsReachedInFourWays() throws {
        let mock = try mock()
        try mock.add(#"{"request": {"url": "/x"}, "response": {"body": "base"}}"#)
        let session = try Client(mock, #"{"name": "one", "port": 0}"#)
        try session.add(#"{"request": {"url": "/x"}, "response": {"body": "mine"}}"#)
        let port = try #require(session.json["port"]?.intValue.map { UInt16($0) })
        let host = try #require(session.json["host"]?.stringValue)
        #expect(session.json["url"]?.stringValue == "http://localhost:\(port)")
        #expect(try Exchange(mock.port, "GET", "/x").text == "base")
        #expect(try session.get("/x") == "mine")
        #expect(try Exchange(port, "GET", "/x").text == "mine")
        #expect(try Exchange(mock.port, "GET", "/__session/\(session.id)/x").text == "mine")
        #expect(try Exchange(mock.port, "GET", "/x", headers: [("Host", host)]).text == "mine")
        #expect(try Exchange(mock.port, "GET", "/x", headers: [("Host", host.uppercased())]).text == "mine")
        // The admin API is reached in the same ways: four requests for the session, and one for the base.
        for answer in [
            try session.ask("GET", "/__admin/requests"),
            try Exchange(port, "GET", "/__admin/requests"),
            try Exchange(mock.port, "GET", "/__session/\(session.id)/__admin/requests"),
            try Exchange(mock.port, "GET", "/__admin/requests", headers: [("Host", host)]),
        ] {
            #expect(answer.json?["meta"]?["total"]?.intValue == 5, "\(answer.text)")
        }
        #expect(try Exchange(mock.port, "GET", "/__admin/requests").json?["meta"]?["total"]?.intValue == 1)
    }

    @Test func theFirstOfSeveralNamesCounts() throws {
        let mock = try mock()
        let sessions = try (0..<4).map { _ in try Client(mock, #"{"port": 0}"#) }
        for (number, session) in sessions.enumerated() {
            try session.add(#"{"request": {"url": "/x"}, "response": {"body": "\#(number)"}}"#)
        }
        let port = try #require(sessions[3].json["port"]?.intValue.map { UInt16($0) })
        let host = ("Host", "\(sessions[2].id).localhost")
        let header = ("X-StuntDouble-Session", sessions[1].id)
        let path = "/__session/\(sessions[0].id)/x"
        #expect(try Exchange(port, "GET", path, headers: [header, host]).text == "0")
        #expect(try Exchange(port, "GET", "/x", headers: [header, host]).text == "1")
        #expect(try Exchange(port, "GET", "/x", headers: [host]).text == "2")
        #expect(try Exchange(port, "GET", "/x").text == "3")
    }

    @Test func thePathPrefixIsNotSeenByStubsNorInTheJournal() throws {
        let mock = try mock()
        let session = try Client(mock)
        try session.add(#"{"request": {"urlPathTemplate": "/a/{b}"}, "response": {"body": "t"}}"#)
        try session.add(#"{"request": {"urlPath": "/"}, "response": {"body": "root"}}"#)
        let prefix = "/__session/\(session.id)"
        #expect(try Exchange(mock.port, "GET", prefix + "/a/1?q=2").text == "t")
        #expect(try Exchange(mock.port, "GET", prefix).text == "root")
        #expect(try Exchange(mock.port, "GET", prefix + "/").text == "root")
        #expect(try Exchange(mock.port, "GET", prefix + "?q=2").text == "root")
        let events = try #require(try session.ask("GET", "/__admin/requests").json?["requests"]?.arrayValue)
        #expect(events.map { $0["request"]?["url"]?.stringValue } == ["/?q=2", "/", "/", "/a/1?q=2"])
    }

    @Test func theNameOfASessionIsNotItsIDAndLeadsToIt() throws {
        let mock = try mock()
        let id = try #require(try mock.admin("POST", "/sessions", #"{"name": "mine"}"#, status: 201)["id"]?.stringValue)
        let answers = [
            try Exchange(mock.port, "GET", "/x", headers: [("X-StuntDouble-Session", "mine")]),
            try Exchange(mock.port, "GET", "/__session/mine/x"),
            try Exchange(mock.port, "GET", "/__admin/sessions/mine"),
        ]
        for answer in answers {
            #expect(answer.status == 404 && answer.text.contains("has the id \(id)"), "\(answer.text)")
        }
        #expect(!(try Exchange(mock.port, "GET", "/__session/yours/x").text.contains("has the id")))
    }

    @Test(arguments: ["x", "s1", "s1-", "s-abcdef", "s1-aaaaaa", "s99999999999999999999-aaaaaa", "s0-000000", "é"])
    func anUnknownSessionIsNotServedByTheBase(_ name: String) throws {
        let mock = try mock()
        _ = try Client(mock)
        try mock.add(#"{"request": {"urlPath": "/x"}, "response": {"body": "base"}}"#)
        let answer = try Exchange(mock.port, "GET", "/x", headers: [("X-StuntDouble-Session", name)])
        #expect(answer.status == 404)
        #expect(answer.text.contains("There is no session"))
        // A host of that name belongs to no session.
        let byHost = try Exchange(mock.port, "GET", "/x", headers: [("Host", "\(name).localhost")])
        // One that no host has is refused as such.
        #expect(name == "é" ? byHost.status == 400 : byHost.text == "base")
    }

    /// An id that this process may assign later belongs to no session yet.
    @Test func aHostNameThatOnlyLooksLikeASessionBelongsToTheBase() throws {
        let mock = try mock()
        _ = try Client(mock)
        try mock.add(#"{"request": {"urlPath": "/x"}, "response": {"body": "base"}}"#)
        let host = SessionID(number: 999).text + ".localhost"
        #expect(try Exchange(mock.port, "GET", "/x", headers: [("Host", host)]).text == "base")
    }

    /// At a session's own port the port decides, whatever the host name.
    @Test func aHostNameOfNoSessionLeavesAPortToItsSession() throws {
        let mock = try mock()
        let session = try Client(mock, #"{"port": 0}"#)
        try session.add(#"{"request": {"url": "/x"}, "response": {"body": "own"}}"#)
        let port = try #require(session.json["port"]?.intValue.map { UInt16($0) })
        for host in [SessionID(number: 999).text + ".localhost", "api.localhost"] {
            #expect(try Exchange(port, "GET", "/x", headers: [("Host", host)]).text == "own", "\(host)")
        }
    }

    @Test func anEndedSessionIsAnError() throws {
        let mock = try mock()
        try mock.add(#"{"request": {"urlPath": "/x"}, "response": {"body": "base"}}"#)
        let session = try Client(mock, #"{"name": "checkout", "port": 0}"#)
        let port = try #require(session.json["port"]?.intValue.map { UInt16($0) })
        #expect(try Exchange(mock.port, "DELETE", "/__admin/sessions/\(session.id)").status == 200)
        for answer in [
            try session.ask("GET", "/x"), try session.ask("GET", "/__admin/mappings"),
            try Exchange(mock.port, "GET", "/__session/\(session.id)/x"),
            try Exchange(mock.port, "GET", "/x", headers: [("Host", "\(session.id).localhost")]),
            try Exchange(mock.port, "GET", "/__admin/sessions/\(session.id)"),
            try Exchange(mock.port, "DELETE", "/__admin/sessions/\(session.id)/report"),
            try Exchange(mock.port, "DELETE", "/__admin/sessions/\(session.id)"),
        ] {
            #expect(answer.status == 410)
            #expect(answer.text.contains("The session \(session.id) (checkout) has ended"), "\(answer.text)")
        }
        // A server of another test may have taken the port.
        let late = try? Exchange(port, "GET", "/x")
        #expect(late == nil || late?.status != 410 && late?.text != "base")
    }

    @Test func aConnectionToAnEndedSessionsPortGetsAnError() throws {
        let mock = try mock()
        let session = try Client(mock, #"{"port": 0}"#)
        let port = try #require(session.json["port"]?.intValue.map { UInt16($0) })
        let client = try RawClient(port: port)
        try client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.receive(until: "instance.").text.contains("404"))
        #expect(try Exchange(mock.port, "DELETE", "/__admin/sessions").json?["ended"]?.intValue == 1)
        try client.send("GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(client.receive(until: "has ended").text.contains("410 Gone"))
    }

    // MARK: Beginning

    @Test(
        arguments: [
            (#"[]"#, "/", "object"), (#"{"nam": "x"}"#, "/nam", "did you mean"), (#"{"port": -1}"#, "/port", "port"),
            (#"{"port": 65536}"#, "/port", "port"), (#"{"ttl": "x"}"#, "/ttl", "duration"),
            (#"{"ttl": 5}"#, "/ttl", "duration"), (#"{"inherit": "x"}"#, "/inherit", ""),
            (#"{"settings": {"fixedDelay": "x"}}"#, "/settings/fixedDelay", ""), (#"{"#, "", ""),
        ])
    func malformedSessionsAreRefused(_ body: String, _ pointer: String, _ word: String) throws {
        let mock = try mock()
        let answer = try Exchange(mock.port, "POST", "/__admin/sessions", body: body)
        #expect(answer.status == 422)
        let error = answer.json?["errors"]?.arrayValue?.first
        #expect(error?["source"]?["pointer"]?.stringValue ?? "" == pointer, "\(answer.text)")
        #expect(answer.text.contains(word), "\(answer.text)")
        #expect(mock.sessions.all.isEmpty)
    }

    @Test func aPortThatIsTakenIsAConflict() throws {
        let mock = try mock()
        let answer = try Exchange(mock.port, "POST", "/__admin/sessions", body: #"{"port": \#(mock.port)}"#)
        #expect(answer.status == 409)
        #expect(answer.text.contains("\(mock.port)"), "\(answer.text)")
        #expect(mock.sessions.all.isEmpty)
    }

    @Test func theListShowsOpenSessions() throws {
        let mock = try mock()
        let first = try Client(mock, #"{"name": "one", "seed": 7, "ttl": "30s", "inherit": false}"#)
        let second = try Client(mock)
        _ = try first.get("/x")
        let json = try #require(try Exchange(mock.port, "GET", "/__admin/sessions").json)
        #expect(json["meta"]?["total"]?.intValue == 2)
        let shown = try #require(json["sessions"]?.arrayValue)
        #expect(shown.map { $0["id"]?.stringValue } == [first.id, second.id])
        #expect(shown[0]["seed"]?.intValue == 7)
        #expect(shown[0]["ttl"]?.stringValue == "30s")
        #expect(shown[0]["inherit"]?.boolValue == false)
        #expect(shown[0]["served"]?.intValue == 1)
        #expect(shown[0]["unmatched"]?.intValue == 1)
        #expect(shown[1]["name"] == .null)
        #expect(shown[1]["port"] == .null)
        #expect(shown[1]["ttl"]?.stringValue == "1h")
        #expect(try Exchange(mock.port, "GET", "/__admin/sessions/\(second.id)").json?["id"]?.stringValue == second.id)
    }

    @Test func anUnusedSessionEnds() throws {
        let mock = try mock()
        let session = try Client(mock, #"{"ttl": "10s"}"#)
        clock.milliseconds.add(9_000, ordering: .relaxed)
        #expect(try session.ask("GET", "/x").status == 404)
        clock.milliseconds.add(9_000, ordering: .relaxed)
        #expect(try session.ask("POST", "/__admin/requests/count", "{}").status == 200)
        clock.milliseconds.add(10_000, ordering: .relaxed)
        #expect(try session.ask("GET", "/x").status == 410)
        #expect(mock.sessions.all.isEmpty)
    }

    @Test func whoWatchesASessionDoesNotUseIt() throws {
        let mock = try mock()
        let session = try Client(mock, #"{"ttl": "10s"}"#)
        clock.milliseconds.add(6_000, ordering: .relaxed)
        for path in ["health", "gates", "requests/counters", "requests?view=row", "status", "sessions"] {
            #expect(try session.ask("GET", "/__admin/\(path)").status == 200, "\(path)")
        }
        let shown = try mock.admin("GET", "/sessions")["sessions"]?[0]
        #expect(shown?["idleMs"] == 6_000, "\(shown ?? .null)")
        clock.milliseconds.add(4_000, ordering: .relaxed)
        #expect(try session.ask("GET", "/__admin/health").status == 410)
    }

    /// The tools for agents mostly look, and work with a session nevertheless.
    @Test func whoSaysSoUsesASession() throws {
        let mock = try mock()
        let session = try Client(mock, #"{"ttl": "10s"}"#)
        let target = "/__session/\(session.id)/__admin/status"
        for _ in 0..<3 {
            clock.milliseconds.add(6_000, ordering: .relaxed)
            let answer = try Exchange(mock.port, "GET", target, headers: [("X-StuntDouble-Use", "true")])
            #expect(answer.status == 200)
        }
        #expect(try mock.admin("GET", "/sessions")["sessions"]?[0]?["idleMs"] == 0)
    }

    // MARK: Inheriting

    @Test func itsStubsPrecedeInheritedOnes() throws {
        let mock = try mock()
        try mock.add(#"{"request": {"url": "/x"}, "response": {"body": "base"}}"#)
        try mock.add(#"{"request": {"url": "/first"}, "priority": 1, "response": {"body": "base"}}"#)
        let session = try Client(mock)
        #expect(try session.get("/x") == "base")
        try session.add(#"{"request": {"url": "/x"}, "response": {"body": "mine"}}"#)
        try session.add(#"{"request": {"url": "/first"}, "response": {"body": "mine"}}"#)
        #expect(try session.get("/x") == "mine")
        // The order applies to own and inherited stubs: the lower priority number wins.
        #expect(try session.get("/first") == "base")
        // It also wins over stubs added to the base later.
        try mock.add(#"{"request": {"url": "/x"}, "response": {"body": "later"}}"#)
        #expect(try session.get("/x") == "mine")
        #expect(try Exchange(mock.port, "GET", "/x").text == "later")
        #expect(try session.urls() == ["/first", "/first", "/x", "/x", "/x"])
    }

    @Test func changesOfTheBaseApplyAtOnce() throws {
        let mock = try mock()
        let session = try Client(mock)
        #expect(try session.get("/x") == "404")
        try mock.add(#"{"id": "\#(id)", "request": {"url": "/x"}, "response": {"body": "a"}}"#)
        #expect(try session.get("/x") == "a")
        let edited = #"{"request": {"url": "/x"}, "response": {"body": "b"}}"#
        #expect(try Exchange(mock.port, "PUT", "/__admin/mappings/\(id)", body: edited).status == 200)
        #expect(try session.get("/x") == "b")
        #expect(try Exchange(mock.port, "DELETE", "/__admin/mappings/\(id)").status == 200)
        #expect(try session.get("/x") == "404")
    }

    @Test(arguments: ["", #", "times": 5"#])
    func itsEditsAndRemovalsDoNotAffectTheBase(_ more: String) throws {
        let mock = try mock()
        let others = "22222222-2222-4222-8222-222222222222"
        try mock.add(#"{"id": "\#(id)", "request": {"url": "/x"}, "response": {"body": "a"}\#(more)}"#)
        try mock.add(#"{"id": "\#(others)", "request": {"url": "/y"}, "response": {"body": "y"}\#(more)}"#)
        let session = try Client(mock)
        let edited = #"{"request": {"url": "/x"}, "response": {"body": "mine"}}"#
        #expect(try session.ask("PUT", "/__admin/mappings/\(id)", edited).status == 200)
        #expect(try session.ask("DELETE", "/__admin/mappings/\(others)").status == 200)
        #expect(try session.get("/x") == "mine")
        #expect(try session.get("/y") == "404")
        #expect(try session.ask("GET", "/__admin/mappings/\(others)").status == 404)
        #expect(try session.urls() == ["/x"])
        #expect(try Exchange(mock.port, "GET", "/x").text == "a")
        #expect(try Exchange(mock.port, "GET", "/y").text == "y")
        // The base's edit of an overridden stub has no effect here.
        let base = #"{"request": {"url": "/x"}, "response": {"body": "b"}\#(more)}"#
        #expect(try Exchange(mock.port, "PUT", "/__admin/mappings/\(id)", body: base).status == 200)
        #expect(try session.get("/x") == "mine")
        #expect(try Exchange(mock.port, "GET", "/x").text == "b")
        #expect(try session.ask("POST", "/__admin/mappings/reset").status == 200)
        #expect(try session.get("/x") == "b")
        #expect(try session.get("/y") == "y")
    }

    @Test func anEditKeepsThePlaceOfTheInheritedStub() throws {
        let mock = try mock()
        try mock.add(#"{"id": "\#(id)", "request": {"urlPattern": ".*"}, "response": {"body": "any"}}"#)
        try mock.add(#"{"request": {"url": "/x"}, "response": {"body": "x"}}"#)
        let session = try Client(mock)
        let edited = #"{"request": {"urlPattern": ".*"}, "response": {"body": "mine"}}"#
        #expect(try session.ask("PUT", "/__admin/mappings/\(id)", edited).status == 200)
        #expect(try session.get("/x") == "x")
        #expect(try session.get("/y") == "mine")
    }

    @Test func removingAllStubsLeavesNoneUntilAReset() throws {
        let mock = try mock()
        try mock.add(#"{"request": {"url": "/x"}, "response": {"body": "a"}, "times": 9}"#)
        try mock.add(#"{"request": {"url": "/y"}, "response": {"body": "y"}}"#)
        let session = try Client(mock)
        #expect(try session.get("/x") == "a")
        #expect(try session.ask("DELETE", "/__admin/mappings").status == 200)
        #expect(try session.urls() == [])
        try mock.add(#"{"request": {"url": "/z"}, "response": {"body": "z"}}"#)
        #expect(try ["/x", "/y", "/z"].map(session.get) == ["404", "404", "404"])
        #expect(try ["/x", "/y", "/z"].map { try Exchange(mock.port, "GET", $0).text } == ["a", "y", "z"])
        #expect(try session.ask("POST", "/__admin/reset").status == 200)
        #expect(try ["/x", "/y", "/z"].map(session.get) == ["a", "y", "z"])
        #expect(mock.control.reloads.load(ordering: .relaxed) == 0)
    }

    @Test func aSessionWithoutInheritanceIsEmpty() throws {
        let mock = try mock()
        try mock.add(#"{"request": {"url": "/x"}, "response": {"body": "a"}}"#)
        let session = try Client(mock, #"{"inherit": false}"#)
        #expect(try session.get("/x") == "404")
        #expect(try session.urls() == [])
        #expect(try session.ask("GET", "/x").text.contains("no stub mappings"))
    }

    @Test func aStubOfTheBaseCannotBeAddedAgain() throws {
        let mock = try mock()
        try mock.add(#"{"id": "\#(id)", "request": {"url": "/x"}}"#)
        let session = try Client(mock)
        let again = try session.ask("POST", "/__admin/mappings", #"{"id": "\#(id)", "request": {"url": "/y"}}"#)
        #expect(again.status == 422)
        #expect(again.text.contains("Duplicate"))
    }

    // MARK: What is its own

    @Test func countersAndJournalAreItsOwn() throws {
        let mock = try mock()
        try mock.add(#"{"id": "\#(id)", "request": {"url": "/x"}, "response": {"body": "a"}}"#)
        let one = try Client(mock)
        let two = try Client(mock)
        for _ in 0..<3 { _ = try one.get("/x") }
        _ = try two.get("/x")
        #expect(try one.count(#"{"url": "/x"}"#) == 3)
        #expect(try two.count(#"{"url": "/x"}"#) == 1)
        let counters = try #require(try one.ask("GET", "/__admin/requests/counters").json)
        #expect(counters["stubs"]?.arrayValue?.first?["matches"]?.intValue == 3)
        #expect(counters["requests"]?.intValue == 3)
        let base = try #require(try Exchange(mock.port, "GET", "/__admin/requests/counters").json)
        #expect(base["stubs"]?.arrayValue?.first?["matches"]?.intValue == 0)
        #expect(try one.ask("GET", "/__admin/mappings/unmatched").json?["mappings"]?.arrayValue?.count == 0)
        let unused = try Exchange(mock.port, "GET", "/__admin/mappings/unmatched").json
        #expect(unused?["mappings"]?.arrayValue?.count == 1)
        #expect(try one.ask("POST", "/__admin/requests/reset").status < 500)
        #expect(try one.ask("DELETE", "/__admin/requests").status == 200)
        #expect(try one.count(#"{"url": "/x"}"#) == 0)
        #expect(try two.count(#"{"url": "/x"}"#) == 1)
        // An edit continues the count of the inherited stub.
        #expect(try one.ask("PUT", "/__admin/mappings/\(id)", #"{"request": {"url": "/x"}}"#).status == 200)
        let after = try #require(try one.ask("GET", "/__admin/requests/counters").json)
        #expect(after["stubs"]?.arrayValue?.first?["matches"]?.intValue == 3)
    }

    @Test func scenariosTimesAndPositionsAreItsOwn() throws {
        let mock = try mock()
        let step = #""request": {"url": "/s"}, "scenarioName": "c""#
        try mock.add(
            #"{\#(step), "requiredScenarioState": "Started", "newScenarioState": "two", "response": {"body": "1"}}"#)
        try mock.add(#"{\#(step), "requiredScenarioState": "two", "response": {"body": "2"}}"#)
        try mock.add(#"{"request": {"url": "/t"}, "times": 1, "response": {"body": "once"}}"#)
        try mock.add(#"{"request": {"url": "/r"}, "responses": [{"body": "a"}, {"body": "b"}]}"#)
        let one = try Client(mock)
        let two = try Client(mock)
        func walk(_ get: (String) throws -> String) rethrows -> [String] {
            try ["/s", "/s", "/t", "/t", "/r", "/r", "/r"].map(get)
        }
        let expected = ["1", "2", "once", "404", "a", "b", "b"]
        #expect(try walk(one.get) == expected)
        #expect(try walk(two.get) == expected)
        let base = try walk { path in
            let answer = try Exchange(mock.port, "GET", path)
            return answer.status == 200 ? answer.text : "404"
        }
        #expect(base == expected)
        #expect(try one.ask("POST", "/__admin/scenarios/reset").status == 200)
        #expect(try one.get("/s") == "1")
        #expect(try two.get("/s") == "2")
        let scenarios = try two.ask("GET", "/__admin/scenarios").json?["scenarios"]?.arrayValue
        #expect(scenarios?.first?["state"]?.stringValue == "two")
        // A change elsewhere in the base does not affect the session's states.
        try mock.add(#"{"request": {"url": "/other"}, "times": 3}"#)
        #expect(try two.get("/s") == "2")
        #expect(try two.get("/t") == "404")
        #expect(try two.ask("POST", "/__admin/reset").status == 200)
        #expect(try walk(two.get) == expected)
        // A session's own stub joins the inherited scenario.
        try one.add(
            #"{"request": {"url": "/b"}, "scenarioName": "c", "newScenarioState": "Started", "response": {"body": "b"}}"#
        )
        #expect(try ["/s", "/b", "/s"].map(one.get) == ["2", "b", "1"])
    }

    @Test func theTimeToLiveOfAnInheritedStubIsShared() throws {
        let mock = try mock()
        try mock.add(#"{"request": {"url": "/x"}, "ttl": "10s", "response": {"body": "a"}}"#)
        clock.milliseconds.add(6_000, ordering: .relaxed)
        let session = try Client(mock)
        #expect(try session.get("/x") == "a")
        clock.milliseconds.add(5_000, ordering: .relaxed)
        #expect(try session.get("/x") == "404")
        #expect(try session.urls() == [])
    }

    @Test func settingsAreInheritedUntilItHasItsOwn() throws {
        let mock = try mock()
        let inheriting = try Client(mock)
        let own = try Client(mock, #"{"settings": {"fixedDelay": 3}}"#)
        let change = #"{"fixedDelay": 1}"#
        #expect(try Exchange(mock.port, "POST", "/__admin/settings", body: change).status == 200)
        func delay(_ client: Client) throws -> Int? {
            try client.ask("GET", "/__admin/settings").json?["settings"]?["fixedDelay"]?.intValue
        }
        #expect(try delay(inheriting) == 1)
        #expect(try delay(own) == 3)
        #expect(try inheriting.ask("POST", "/__admin/settings", #"{"fixedDelay": 2}"#).status == 200)
        #expect(try delay(inheriting) == 2)
        #expect(mock.session.settings.fixedDelay == 1)
    }

    @Test func filesThatItWritesAreVisibleOnlyToIt() throws {
        let mock = try mock()
        try mock.add(#"{"request": {"url": "/x"}, "response": {"bodyFileName": "a.txt"}}"#)
        let one = try Client(mock)
        let two = try Client(mock)
        #expect(try one.ask("PUT", "/__admin/files/a.txt", "mine").status == 200)
        #expect(try one.ask("PUT", "/__admin/files/sub/b.txt", "b").status == 200)
        #expect(try two.ask("DELETE", "/__admin/files/a.txt").status == 200)
        for _ in 0..<2 {
            #expect(try one.get("/x") == "mine")
            #expect(try Exchange(mock.port, "GET", "/x").text == "from the folder")
            #expect(try two.ask("GET", "/x").status == 500)
        }
        #expect(try one.ask("GET", "/__admin/files").text.filter { !$0.isWhitespace } == #"["a.txt","sub/b.txt"]"#)
        #expect(try two.ask("GET", "/__admin/files").text.filter { !$0.isWhitespace } == "[]")
        #expect(try one.ask("GET", "/__admin/files/sub/b.txt").text == "b")
        #expect(try two.ask("GET", "/__admin/files/a.txt").status == 404)
        #expect(try one.ask("PUT", "/__admin/files/%2e%2e/b.txt", "b").status == 403)
    }

    @Test func theSameSeedDrawsTheSame() throws {
        let mock = try mock()
        let responses = (0..<8).map { #"{"body": "\#($0)"}"# }.joined(separator: ", ")
        try mock.add(#"{"request": {"url": "/x"}, "responses": [\#(responses)], "select": "random"}"#)
        func draws(_ client: Client) throws -> [String] { try (0..<20).map { _ in try client.get("/x") } }
        let one = try draws(try Client(mock, #"{"seed": 5}"#))
        let two = try draws(try Client(mock, #"{"seed": 5}"#))
        let three = try draws(try Client(mock, #"{"seed": 6}"#))
        #expect(one == two)
        #expect(one != three)
    }

    // MARK: The report

    @Test func theReportHasVerdictAndDetails() throws {
        let mock = try mock()
        try mock.add(#"{"request": {"url": "/base"}}"#)
        let session = try Client(mock, #"{"name": "cart"}"#)
        try session.add(#"{"name": "used", "request": {"url": "/used"}}"#)
        func report(_ query: String = "") throws -> JSONValue? {
            try Exchange(mock.port, "GET", "/__admin/sessions/\(session.id)/report\(query)").json
        }
        _ = try session.get("/used")
        #expect(try report()?["verdict"]?.stringValue == "passed")
        try session.add(#"{"name": "unused", "request": {"url": "/unused"}}"#)
        let unused = try #require(try report())
        #expect(unused["verdict"]?.stringValue == "passed")
        #expect(unused["unusedStubs"]?.arrayValue?.map { $0["name"]?.stringValue } == ["unused"])
        #expect(try report("?strict=true")?["verdict"]?.stringValue == "failed")
        _ = try session.get("/usd")
        let failed = try #require(try report())
        #expect(failed["name"]?.stringValue == "cart")
        #expect(failed["verdict"]?.stringValue == "failed")
        #expect(failed["served"]?.intValue == 2)
        #expect(failed["unmatchedCount"]?.intValue == 1)
        let unmatched = failed["unmatched"]?.arrayValue?.first
        #expect(unmatched?["request"]?["url"]?.stringValue == "/usd")
        #expect(unmatched?["nearestStub"]?["stubMapping"]?["name"]?.stringValue == "used")
    }

    @Test func nearMissesAndExplanationsIncludeInheritedStubs() throws {
        let mock = try mock()
        try mock.add(#"{"request": {"url": "/things/base"}}"#)
        let session = try Client(mock)
        try session.add(#"{"request": {"url": "/stuff/mine"}}"#)
        #expect(try session.ask("GET", "/things/bass").text.contains("/things/base"))
        #expect(try session.ask("GET", "/stuff/main").text.contains("/stuff/mine"))
        let explained = try session.ask("POST", "/__admin/explain", #"{"url": "/things/base", "method": "GET"}"#).json
        #expect(explained?["stubMapping"]?["request"]?["url"]?.stringValue == "/things/base")
    }
}
