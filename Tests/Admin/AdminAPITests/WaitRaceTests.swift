import Dispatch
import Foundation
import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel
import SDTestSupport
import Testing

/// Waiting calls count each request exactly once while many clients send.
@Suite(.serialized) struct WaitRaceTests {
    private static let clients = 8

    /// Sends `count` requests, one thread per client, each to the path of its own number modulo three.
    private func flood(_ mock: TestMock, _ count: Int) -> DispatchGroup {
        let group = DispatchGroup()
        for client in 0..<Self.clients {
            let share = count / Self.clients + (client < count % Self.clients ? 1 : 0)
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                do {
                    let connection = try RawClient(port: mock.port)
                    for number in 0..<share {
                        try connection.send("GET /\((client + number) % 3) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                        let head = connection.receive(until: "\r\n\r\n").text
                        let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
                        _ = connection.receive(length.flatMap { Int($0.dropFirst(16)) } ?? 0)
                    }
                } catch {
                    Issue.record("\(error)")
                }
            }
        }
        return group
    }

    private func mock(_ workers: Int, journal: Int = 10_000) throws -> TestMock {
        var options = SessionOptions()
        options.workers = workers
        options.journalEvents = journal
        return try TestMock(session: options)
    }

    /// Calls that begin when some of the requests are in the journal count like all others.
    @Test(arguments: [1, 4]) func aWaitCountsEachRequestOnce(workers: Int) throws {
        let mock = try mock(workers)
        let total = 800
        let flood = flood(mock, total)
        let calls = try (0..<60).map { number in
            let name = number % 2 == 0 ? "wait" : "verify"
            let expectation = #""pattern": {"urlPattern": "/[0-9]"}, "count": {"exactly": \#(total)}"#
            let body = name == "wait" ? expectation : #""expectations": [{\#(expectation)}], "nothingElse": true"#
            return try PendingCall(mock.port, "/requests/\(name)", #"{\#(body), "timeoutMs": 60000}"#)
        }
        #expect(flood.wait(timeout: .now() + 120) == .success)
        for (number, call) in calls.enumerated() {
            let answer = try call.json()
            #expect(answer[number % 2 == 0 ? "satisfied" : "verified"] == true, "\(answer)")
            #expect((answer["count"] ?? answer["expectations"]?[0]?["count"])?.intValue == total)
        }
        try mock.waitUntil(listeners: 0)
    }

    /// The journal keeps a tenth of the requests; a call that waits from the beginning misses none.
    @Test func evictedRequestsAreCounted() throws {
        let mock = try mock(3, journal: 40)
        let call = try PendingCall(
            mock.port, "/requests/wait", #"{"pattern": {}, "count": {"exactly": 400}, "timeoutMs": 60000}"#)
        try mock.waitUntil(listeners: 1)
        #expect(flood(mock, 400).wait(timeout: .now() + 120) == .success)
        let answer = try call.json()
        #expect(answer["count"] == 400)
        #expect(answer["evicted"] == nil)
    }

    /// Every sequence number occurs once and in order, each response after its request, whatever the threads do.
    @Test func aStreamMissesNothingAndRepeatsNothing() throws {
        let mock = try mock(4)
        let stream = try EventStreamClient(mock.port)
        let flood = flood(mock, 400)
        var requests: [Int] = []
        var responses: Set<Int> = []
        for _ in 0..<800 {
            guard let event = stream.next(within: 20_000), let sequence = event.data?["sequence"]?.intValue else {
                Issue.record("the stream has ended after \(requests.count) requests")
                break
            }
            if event.type == "request" {
                requests.append(sequence)
            } else {
                #expect(sequence <= requests.last ?? 0)
                #expect(responses.insert(sequence).inserted)
            }
        }
        #expect(requests == Array(1...400))
        #expect(responses == Set(1...400))
        #expect(flood.wait(timeout: .now() + 60) == .success)
    }

    /// A reader that loses its connection again and again has read everything in the end.
    @Test func aReaderThatReconnectsMissesNothing() throws {
        let mock = try mock(2)
        let flood = flood(mock, 400)
        var requests: Set<Int> = []
        var responses: Set<Int> = []
        var position = "0"
        while requests.count < 400 || responses.count < 400 {
            let stream = try EventStreamClient(mock.port, lastEventID: position)
            let before = (requests.count, responses.count)
            for _ in 0..<50 {
                guard let event = stream.next(within: 60_000) else { break }
                #expect(event.type == "request" || event.type == "response", "\(event)")
                guard let sequence = event.data?["sequence"]?.intValue else { continue }
                if event.type == "request" {
                    // No request is repeated.
                    #expect(requests.insert(sequence).inserted, "\(event)")
                } else {
                    responses.insert(sequence)
                }
                if requests.count == 400, responses.count == 400 { break }
            }
            position = stream.lastID ?? position
            stream.client.reset()
            guard before != (requests.count, responses.count) else { break }
        }
        #expect(requests.count == 400)
        #expect(responses.count == 400)
        #expect(flood.wait(timeout: .now() + 60) == .success)
    }

    /// The reset removes the stub, so a request that it had matched was decided earlier and is ended; all others are
    /// answered.
    @Test func aResetEndsEveryEarlierAnswer() throws {
        let mock = try mock(4)
        for _ in 0..<20 {
            try mock.add(#"{"request": {"url": "/x"}, "response": {"fixedDelayMilliseconds": 3600000}}"#)
            let clients = try (0..<24).map { _ in try RawClient(port: mock.port) }
            let request = "GET /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            for (number, client) in clients.enumerated() {
                try client.send(request)
                if number == 12 { mock.session.dropAllButFiles() }
            }
            let received = clients.map { $0.receiveAll() }
            #expect(received.allSatisfy { $0.ending == .fin && ($0.bytes.isEmpty || $0.text.contains(" 404 ")) })
            try mock.waitUntil(inFlight: 0)
        }
    }

    /// A waiting call and a counting call have the same verdict, whatever happens in between.
    @Test(arguments: 0..<20) func waitAndCountAgree(seed: UInt64) throws {
        var random = TestGenerator(seed: seed)
        var options = SessionOptions()
        options.workers = Int.random(in: 1...3, using: &random)
        let mock = try TestMock(session: options)
        let patterns = [
            #"{"url": "/0"}"#, #"{"method": "POST"}"#, #"{"urlPattern": "/[01]", "method": "GET"}"#, "{}",
            #"{"bodyPatterns": [{"contains": "a"}]}"#,
        ]
        var waiting: [(call: PendingCall, pattern: String, count: Int)] = []
        for step in 0..<40 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: _ = try mock.admin("DELETE", "/requests")
            case 1:
                let events = mock.session.events
                guard let event = events.randomElement(using: &random) else { break }
                let list = try mock.admin("GET", "/requests?after=\(event.sequence - 1)&limit=1")
                let id = try #require(list["requests"]?[0]?["id"]?.stringValue)
                _ = try mock.admin("DELETE", "/requests/\(id)")
            case 2:
                let url = Int.random(in: 0..<3, using: &random)
                _ = try mock.admin("POST", "/requests/remove", #"{"url": "/\#(url)", "method": "GET"}"#)
            case 3, 4:
                guard waiting.count < 8 else { break }
                let pattern = patterns[Int.random(in: 0..<patterns.count, using: &random)]
                let now = try mock.admin("POST", "/requests/count", pattern)["count"]?.intValue ?? 0
                // A count that has not been reached: the call waits.
                let count = now + Int.random(in: 1...5, using: &random)
                let body = #"{"pattern": \#(pattern), "count": {"exactly": \#(count)}, "timeoutMs": 60000}"#
                waiting.append((try PendingCall(mock.port, "/requests/wait", body), pattern, count))
                try mock.waitUntil(listeners: waiting.count)
            default:
                let method = Bool.random(using: &random) ? "GET" : "POST"
                let path = "/\(Int.random(in: 0..<3, using: &random))"
                _ = try Exchange(mock.port, method, path, body: Bool.random(using: &random) ? "a" : "b")
            }
            // Exactly the calls whose condition holds are answered.
            let still = try waiting.filter { one in
                let count = try mock.admin("POST", "/requests/count", one.pattern)["count"]?.intValue
                guard count == one.count else { return true }
                let answer = try one.call.json()
                #expect(answer["satisfied"] == true, "seed \(seed), step \(step): \(answer)")
                #expect(answer["count"]?.intValue == one.count)
                return false
            }
            waiting = still
            #expect(mock.session.listenerCount == waiting.count, "seed \(seed), step \(step)")
        }
    }
}
