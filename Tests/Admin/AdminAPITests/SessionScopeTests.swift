import SDJSON
import SDTestSupport
import Testing

/// What calls to one session may see and end of others, as runs that share a daemon have a session each.
@Suite struct SessionScopeTests {
    /// A run's session with that of a test of it, and another run's.
    private struct Runs {
        let mock: TestMock
        let run, test, other: String

        init() throws {
            mock = try TestMock()
            run = try Self.begin(mock, "", "run a")
            test = try Self.begin(mock, "/__session/\(run)", "a test")
            other = try Self.begin(mock, "", "run b")
        }

        private static func begin(_ mock: TestMock, _ prefix: String, _ name: String) throws -> String {
            let answer = try Exchange(mock.port, "POST", prefix + "/__admin/sessions", body: #"{"name": "\#(name)"}"#)
            return try #require(answer.json?["id"]?.stringValue)
        }

        /// Calls the run's session, by its path or its header.
        func ask(_ way: Way, _ method: String, _ path: String) throws -> Exchange {
            switch way {
            case .path: try Exchange(mock.port, method, "/__session/\(run)/__admin\(path)")
            case .header:
                try Exchange(mock.port, method, "/__admin\(path)", headers: [("X-StuntDouble-Session", run)])
            }
        }
    }

    enum Way: CaseIterable { case path, header }

    private func ids(_ list: JSONValue?) -> [String] {
        (list?["sessions"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
    }

    @Test(arguments: Way.allCases)
    func aRunListsAndEndsItsOwn(way: Way) throws {
        let runs = try Runs()
        let list = try runs.ask(way, "GET", "/sessions")
        #expect(ids(list.json) == [runs.test] && list.json?["meta"]?["total"] == 1)
        #expect(!list.text.contains("run b"))
        let memory = try runs.ask(way, "GET", "/memory")
        let journals = (memory.json?["journals"]?.arrayValue ?? []).compactMap { $0["session"]?.stringValue }
        #expect(journals == [runs.run, runs.test] && !memory.text.contains("run b"))
        #expect(try runs.ask(way, "DELETE", "/sessions").json == ["ended": 1])
        let left = try Exchange(runs.mock.port, "GET", "/__admin/sessions")
        #expect(ids(left.json) == [runs.run, runs.other])
    }

    @Test(arguments: Way.allCases)
    func anotherRunsSessionIsNoneToIt(way: Way) throws {
        let runs = try Runs()
        for (method, path) in [("GET", ""), ("DELETE", ""), ("GET", "/report"), ("DELETE", "/report")] {
            let answer = try runs.ask(way, method, "/sessions/\(runs.other)\(path)")
            #expect(answer.status == 404, "\(method) \(path): \(answer.text)")
            #expect(!answer.text.contains("run b"))
        }
        for id in [runs.run, runs.test] {
            #expect(try runs.ask(way, "GET", "/sessions/\(id)").json?["id"]?.stringValue == id)
            #expect(try runs.ask(way, "GET", "/sessions/\(id)/report").status == 200)
        }
        #expect(try runs.ask(way, "DELETE", "/sessions/\(runs.test)").status == 200)
        #expect(try Exchange(runs.mock.port, "GET", "/__admin/sessions/\(runs.other)").status == 200)
    }

    @Test(arguments: Way.allCases)
    func aRunCannotShutDownTheDaemon(way: Way) throws {
        let runs = try Runs()
        let answer = try runs.ask(way, "POST", "/shutdown")
        #expect(answer.status == 403)
        let error = answer.json?["errors"]?[0]
        #expect(error?["title"] == "A session cannot shut down the daemon, which serves others, too")
        #expect(error?["detail"]?.stringValue?.contains("the daemon's own address") == true)
        #expect(try Exchange(runs.mock.port, "GET", "/__admin/health").status == 200)
    }

    /// What one run changes, resets and removes is its own; the daemon and others keep theirs.
    @Test(arguments: [
        ("PUT", "/settings", #"{"fixedDelay": 1}"#), ("POST", "/reset", ""), ("POST", "/mappings/reset", ""),
        ("DELETE", "/mappings", ""), ("POST", "/mappings/save", ""), ("DELETE", "/requests", ""),
        ("POST", "/scenarios/reset", ""), ("PUT", "/data/things", "[]"), ("PUT", "/state/a", "{}"),
        ("DELETE", "/state", ""), ("PUT", "/files/a.txt", "x"), ("DELETE", "/files/a.txt", ""),
        ("DELETE", "/faults", ""),
        ("DELETE", "/in-flight", ""), ("DELETE", "/report", ""), ("POST", "/gates/a/open", ""),
        ("POST", "/recordings/start", #"{"targetBaseUrl": "http://127.0.0.1:1"}"#),
        ("POST", "/mappings", #"{"request": {"url": "/x"}, "persistent": true}"#),
    ])
    func whatARunChangesIsItsOwn(method: String, path: String, body: String) throws {
        let runs = try Runs()
        _ = try Exchange(runs.mock.port, "POST", "/__admin/mappings", body: #"{"request": {"url": "/a"}}"#)
        _ = try Exchange(runs.mock.port, "GET", "/a")
        _ = try Exchange(runs.mock.port, "GET", "/__session/\(runs.other)/a")
        let seen = [
            "/mappings", "/requests", "/settings", "/files", "/state", "/scenarios", "/faults", "/recordings/status",
            "/gates", "/data",
        ]
        func others() throws -> [String] {
            try ["", "/__session/\(runs.other)"].flatMap { prefix in
                try seen.map { try Exchange(runs.mock.port, "GET", prefix + "/__admin" + $0).text }
            }
        }
        let before = try others()
        let answer = try Exchange(runs.mock.port, method, "/__session/\(runs.run)/__admin" + path, body: body)
        #expect(answer.status < 500, "\(answer.text)")
        #expect(try others() == before)
    }
}
