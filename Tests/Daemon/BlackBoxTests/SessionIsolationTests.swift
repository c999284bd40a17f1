import Dispatch
import Foundation
import SDJSON
import SDTestSupport
import Testing

/// Many sessions of the real daemon with contradictory stubs: each is answered only by its own stubs, in the order of
/// its requests, and its journal and counters contain its own requests and nothing else.
///
/// `STUNTDOUBLE_ISOLATION_SESSIONS` and `STUNTDOUBLE_ISOLATION_REQUESTS` set more than the suite has time for.
@Suite(.serialized) struct SessionIsolationTests {
    private static func setting(_ name: String, _ usual: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
    }

    private static let sessions = setting("STUNTDOUBLE_ISOLATION_SESSIONS", 24)
    private static let requests = setting("STUNTDOUBLE_ISOLATION_REQUESTS", 40)

    @Test(arguments: [1, 3]) func sessionsAreIsolated(workers: Int) throws {
        let seed = TestGenerator.newSeed
        print("session isolation seed \(seed), \(Self.sessions) sessions of \(Self.requests) requests")
        _ = ProcessFacts.allowDescriptors(Self.sessions * 4 + 100)
        let daemon = try Daemon(files: ["base.json": SessionUser.baseStubs], ["--workers", String(workers)])
        let ids = Locked<[String]>([])
        let group = DispatchGroup()
        for number in 0..<Self.sessions {
            group.enter()
            let port = daemon.port
            Thread.detachNewThread {
                defer { group.leave() }
                do {
                    let user = try SessionUser(number: number, seed: seed &+ UInt64(number), port: port)
                    ids.withLock { $0.append(user.id) }
                    try user.ask(Self.requests)
                    try user.checkAll()
                    try user.end()
                } catch {
                    Issue.record("session \(number), seed \(seed): \(error)")
                }
            }
        }
        // Meanwhile the base gets the same requests and is changed: all sessions see the change, and the base sees
        // nothing else.
        let base = try PersistentConnection(port: daemon.port)
        var asked = 0
        while group.wait(timeout: .now() + 0.001) != .success {
            // The journal must hold all of it.
            if asked == 5_000 { continue }
            asked += 1
            #expect(try base.request("GET", "/turns?from=base").text == "base \((asked - 1) % 3)")
            let stub = SessionUser.sharedStub(version: asked)
            let edit = try base.request("PUT", "/__admin/mappings/" + SessionUser.sharedID, body: stub)
            #expect(edit.status == 200, "\(edit.text)")
        }
        let journal = try base.request("GET", "/__admin/requests").json
        #expect(journal?["meta"]?["total"]?.intValue == asked)
        let listed = try base.request("GET", "/__admin/sessions").json
        #expect(listed?["meta"]?["total"]?.intValue == 0)
        #expect(Set(ids.withLock { $0 }).count == Self.sessions)
    }
}

private struct Surprise: Error, CustomStringConvertible {
    let description: String
}

/// A client with its own session, which knows the expected answers.
private final class SessionUser {
    let id: String
    private let number: Int
    private let port: UInt16
    private let shared: PersistentConnection
    private let own: PersistentConnection
    private let ownPort: UInt16
    private var random: TestGenerator

    /// The number of resets: stubs added before the last one are gone.
    private var generation = 0
    /// The number of requests for each path since then.
    private var asked: [String: Int] = [:]
    private var sequence = 0
    private var versionSeen = 0

    static let sharedID = "00000000-0000-4000-8000-000000000077"

    static func sharedStub(version: Int) -> String {
        #"{"id": "\#(sharedID)", "request": {"urlPath": "/shared"}, "response": {"body": "\#(version)"}}"#
    }

    static let baseStubs = """
        {"mappings": [
          {"request": {"urlPath": "/plain"}, "response": {"body": "base"}},
          {"request": {"urlPath": "/turns"}, "responses": [{"body": "base 0"}, {"body": "base 1"}, {"body": "base 2"}],
           "onEnd": "loop"},
          {"request": {"urlPath": "/states"}, "response": {"body": "base"}},
          \(sharedStub(version: 0))
        ]}
        """

    init(number: Int, seed: UInt64, port: UInt16) throws {
        self.number = number
        self.port = port
        random = TestGenerator(seed: seed)
        shared = try PersistentConnection(port: port)
        let answer = try shared.request("POST", "/__admin/sessions", body: #"{"name": "user \#(number)", "port": 0}"#)
        guard answer.status == 201, let id = answer.json?["id"]?.stringValue,
            let ownPort = answer.json?["port"]?.intValue
        else { throw Surprise(description: "no session: \(answer.status) \(answer.text)") }
        self.id = id
        self.ownPort = UInt16(ownPort)
        own = try PersistentConnection(port: self.ownPort)
        try addStubs()
    }

    // MARK: Asking

    /// Names the session in each of the possible ways in turn.
    private func send(_ method: String, _ path: String, _ body: String? = nil) throws -> HTTPAnswer {
        sequence += 1
        switch sequence % 4 {
        case 0: return try shared.request(method, "/__session/\(id)" + path, body: body)
        case 1: return try shared.request(method, path, headers: ["X-StuntDouble-Session: \(id)"], body: body)
        case 2: return try shared.request(method, path, headers: ["Host: \(id).localhost:\(port)"], body: body)
        default: return try own.request(method, path, body: body)
        }
    }

    private func expect(_ isSo: Bool, _ what: @autoclosure () -> String) throws {
        if !isSo { throw Surprise(description: "\(id), request \(sequence): \(what())") }
    }

    private func addStubs() throws {
        let mine = "\(id) \(generation)"
        let turns = (0..<3).map { #"{"body": "\#(mine) \#($0)"}"# }.joined(separator: ", ")
        var stubs = [
            #"{"request": {"urlPath": "/plain"}, "response": {"body": "\#(mine)"}}"#,
            #"{"request": {"urlPath": "/times"}, "response": {"body": "rest of \#(mine)"}}"#,
            #"{"request": {"urlPath": "/times"}, "response": {"body": "\#(mine)"}, "times": 5}"#,
            #"{"request": {"urlPath": "/mine"}, "responses": [\#(turns)], "onEnd": "loop"}"#,
        ]
        for (from, to) in [("Started", "two"), ("two", "Started")] {
            stubs.append(
                #"{"request": {"urlPath": "/states"}, "response": {"body": "\#(mine) \#(from)"}, "#
                    + #""scenarioName": "s", "requiredScenarioState": "\#(from)", "newScenarioState": "\#(to)"}"#)
        }
        for stub in stubs {
            let answer = try send("POST", "/__admin/mappings", stub)
            try expect(answer.status == 201, "\(answer.status) \(answer.text)")
        }
    }

    private static let paths = ["/plain", "/times", "/mine", "/states", "/turns", "/shared", "/none"]

    func ask(_ count: Int) throws {
        for _ in 0..<count {
            let path = Self.paths.randomElement(using: &random) ?? "/plain"
            let answer = try send("GET", path + "?from=\(number)")
            let before = asked[path, default: 0]
            asked[path] = before + 1
            try check(answer, path, before)
            switch Int.random(in: 0..<60, using: &random) {
            case 0: try reset()
            case 1..<4: try checkJournal()
            default: break
            }
        }
    }

    /// Checks an answer.
    /// - Parameter before: the number of earlier requests for the path.
    private func check(_ answer: HTTPAnswer, _ path: String, _ before: Int) throws {
        let mine = "\(id) \(generation)"
        let expected: String
        switch path {
        case "/plain": expected = mine
        case "/times": expected = before < 5 ? mine : "rest of \(mine)"
        case "/mine": expected = "\(mine) \(before % 3)"
        case "/states": expected = mine + (before % 2 == 0 ? " Started" : " two")
        case "/turns": expected = "base \(before % 3)"
        case "/shared":
            // The base's version only increases.
            let version = Int(answer.text) ?? -1
            try expect(version >= versionSeen, "the base was at \(versionSeen), and is at \(answer.text)")
            versionSeen = version
            return
        default:
            try expect(answer.status == 404, "\(path) was answered: \(answer.text)")
            return
        }
        try expect(answer.status == 200 && answer.text == expected, "expected \(expected), found \(answer.text)")
    }

    // MARK: Looking

    private var total: Int { asked.values.reduce(0, +) }

    /// The journal lists its own requests, all of them and no others, the newest first.
    private func checkJournal() throws {
        let answer = try send("GET", "/__admin/requests")
        let urls = answer.json?["requests"]?.arrayValue?.map { $0["request"]?["url"]?.stringValue ?? "" } ?? []
        try expect(urls.count == total, "the journal has \(urls.count) requests of \(total)")
        try expect(urls.allSatisfy { $0.hasSuffix("?from=\(number)") }, "strangers in the journal: \(urls)")
        for (path, count) in asked {
            let counted = try send("POST", "/__admin/requests/count", #"{"urlPath": "\#(path)"}"#)
            try expect(counted.json?["count"]?.intValue == count, "\(path) \(count) times, not \(counted.text)")
        }
    }

    private func reset() throws {
        let path = Bool.random(using: &random) ? "/__admin/reset" : "/__admin/mappings/reset"
        let answer = try send("POST", path)
        try expect(answer.status == 200, "\(answer.status) \(answer.text)")
        generation += 1
        asked = [:]
        // An inherited stub is visible again.
        let plain = try send("GET", "/plain?from=\(number)")
        try expect(plain.text == "base", "after a reset: \(plain.text)")
        try expect(try send("GET", "/mine?from=\(number)").status == 404, "a stub has outlived a reset")
        try expect(try send("DELETE", "/__admin/requests").status == 200, "the journal was not emptied")
        try addStubs()
    }

    func checkAll() throws {
        try checkJournal()
        let counters = try send("GET", "/__admin/requests/counters").json?["stubs"]?.arrayValue ?? []
        let matched = counters.reduce(0) { $0 + ($1["matches"]?.intValue ?? 0) }
        // A reset makes one more request before its stubs are back.
        let expected = total - asked["/none", default: 0] + (generation > 0 ? 1 : 0)
        try expect(matched == expected, "its stubs have answered \(matched) requests, not \(expected)")
        let scenarios = try send("GET", "/__admin/scenarios").json?["scenarios"]?.arrayValue
        let state = asked["/states", default: 0] % 2 == 0 ? "Started" : "two"
        try expect(scenarios?.map { $0["state"]?.stringValue } == [state], "scenarios: \(scenarios ?? [])")
        let unmatched = try send("GET", "/__admin/requests/unmatched").json?["requests"]?.arrayValue?.count
        try expect(unmatched == asked["/none", default: 0], "unmatched requests: \(unmatched ?? -1)")
    }

    /// Ends the session; whichever way it is named, it is gone.
    func end() throws {
        let answer = try shared.request("DELETE", "/__admin/sessions/\(id)")
        try expect(answer.status == 200, "\(answer.status) \(answer.text)")
        for way in 0..<3 {
            sequence = way - 1
            let answer = try send("GET", "/plain")
            let isTold = answer.status == 410 && answer.text.contains("user \(number)")
            try expect(isTold, "\(answer.status) \(answer.text)")
        }
        // A connection to its port has ended or says so; the next owner of the port is another session.
        let late = try? own.request("GET", "/plain")
        try expect(late == nil || late?.status == 410, "its port still answers: \(late?.text ?? "")")
        let next = try? PersistentConnection(port: ownPort).request("GET", "/plain")
        try expect(next?.text.contains(id) != true, "its port is still open: \(next?.text ?? "")")
    }
}
