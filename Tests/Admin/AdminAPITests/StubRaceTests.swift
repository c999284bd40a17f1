import Dispatch
import Foundation
import SDJSON
import SDMockEngine
import SDStubModel
import SDStubs
import SDTestSupport
import Testing

/// Many clients at the same time receive each of a stub's successive responses exactly once.
///
/// `STUNTDOUBLE_RACE_REQUESTS` and `STUNTDOUBLE_RACE_ROUNDS` set more than the suite has time for.
@Suite(.serialized) struct StubRaceTests {
    private static let clients = 64

    private static func setting(_ name: String, _ usual: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
    }

    private static let requests = setting("STUNTDOUBLE_RACE_REQUESTS", 6_400)
    private static let rounds = setting("STUNTDOUBLE_RACE_ROUNDS", 1)

    private func mock(_ workers: Int) throws -> TestMock {
        var options = SessionOptions()
        options.workers = workers
        return try TestMock(session: options)
    }

    /// Every client sends its share on one connection, partly pipelined. Answers are one letter long.
    private func answers(_ mock: TestMock, _ path: String, _ count: Int) -> [String: Int] {
        let counts = Locked<[String: Int]>([:])
        let group = DispatchGroup()
        for number in 0..<Self.clients {
            let share = count / Self.clients + (number < count % Self.clients ? 1 : 0)
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                var own: [String: Int] = [:]
                do {
                    let client = try RawClient(port: mock.port)
                    var left = share
                    while left > 0 {
                        let burst = min(left, 1 + number % 5)
                        let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: identity\r\n\r\n"
                        try client.send(String(repeating: request, count: burst))
                        for _ in 0..<burst {
                            let head = client.receive(until: "\r\n\r\n", within: 60_000).text
                            let body = client.receive(until: "\r\n0\r\n\r\n", within: 60_000).text
                            let status = head.split(separator: " ").dropFirst().first.map(String.init) ?? "none"
                            let text = body.split(separator: "\r\n").dropFirst().first.map(String.init) ?? ""
                            own["\(status) \(text)", default: 0] += 1
                        }
                        left -= burst
                    }
                } catch {
                    Issue.record("\(error)")
                }
                counts.withLock { $0.merge(own) { $0 + $1 } }
            }
        }
        #expect(group.wait(timeout: .now() + 300) == .success)
        return counts.withLock { $0 }
    }

    @Test(arguments: [1, 3])
    func everyStateAnswersItsExactShare(workers: Int) throws {
        for _ in 0..<Self.rounds {
            let mock = try mock(workers)
            for state in 0..<10 {
                let name = state == 0 ? "Started" : "s\(state)"
                let next = state == 9 ? "Started" : "s\(state + 1)"
                try mock.add(
                    """
                    {"request": {"url": "/x"}, "response": {"body": "\(state)"}, "scenarioName": "round",
                     "requiredScenarioState": "\(name)", "newScenarioState": "\(next)"}
                    """)
            }
            let counts = answers(mock, "/x", Self.requests)
            let share = Self.requests / 10
            #expect(counts == Dictionary(uniqueKeysWithValues: (0..<10).map { ("200 \($0)", share) }))
            #expect(mock.session.scenarios.map(\.state) == ["Started"])
        }
    }

    @Test(arguments: [1, 3])
    func aStubAnswersExactlyTimesRequests(workers: Int) throws {
        for _ in 0..<Self.rounds {
            let mock = try mock(workers)
            try mock.add(#"{"request": {"url": "/x"}, "response": {"body": "b"}}"#)
            let times = Self.requests / 2
            try mock.add(#"{"request": {"url": "/x"}, "response": {"body": "a"}, "times": \#(times)}"#)
            #expect(answers(mock, "/x", Self.requests) == ["200 a": times, "200 b": Self.requests - times])
            #expect(mock.session.stubs.compactMap(\.timesLeft) == [0])
        }
    }

    @Test(arguments: [1, 3])
    func everyResponseOfALoopAnswersItsShare(workers: Int) throws {
        let mock = try mock(workers)
        let responses = (0..<8).map { #"{"body": "\#($0)"}"# }.joined(separator: ", ")
        try mock.add(#"{"request": {"url": "/x"}, "responses": [\#(responses)], "onEnd": "loop"}"#)
        let counts = answers(mock, "/x", Self.requests)
        #expect(counts == Dictionary(uniqueKeysWithValues: (0..<8).map { ("200 \($0)", Self.requests / 8) }))
    }

    /// A request that takes long to match is answered even if others change the scenario meanwhile.
    @Test func aSlowMatchFinishesDespiteConstantChanges() throws {
        let mock = try mock(3)
        for (from, to) in [("Started", "b"), ("b", "Started")] {
            try mock.add(
                #"{"request": {"url": "/x"}, "response": {"body": "x"}, "scenarioName": "s", "#
                    + #""requiredScenarioState": "\#(from)", "newScenarioState": "\#(to)"}"#)
        }
        try mock.add(
            #"{"request": {"urlPath": "/slow", "bodyPatterns": [{"matchesJsonPath": "$..[?(@.a == 1)]"}]}, "#
                + #""response": {"body": "y"}, "scenarioName": "s"}"#)
        let body = "[" + Array(repeating: #"{"a": 0}"#, count: 3_000).joined(separator: ",") + #",{"a": 1}]"#
        let others = DispatchGroup()
        others.enter()
        Thread.detachNewThread {
            defer { others.leave() }
            _ = answers(mock, "/x", 6_400)
        }
        for _ in 0..<5 { #expect(try Exchange(mock.port, "POST", "/slow", body: body).text == "y") }
        #expect(others.wait(timeout: .now() + 300) == .success)
    }
}
