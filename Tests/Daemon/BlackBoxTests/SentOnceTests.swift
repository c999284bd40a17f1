import Foundation
import SDJSON
import SDTestSupport
import Testing

/// What must not be sent twice reaches another server once, on whatever way, and whatever becomes of its connections. Counted there.
@Suite(.timeLimit(.minutes(30))) struct SentOnceTests {
    /// Answers the first request of a connection, and reads the second one whole before it closes.
    private static func dying() throws -> CountingTarget {
        try CountingTarget { client, _, count in
            if count == 1 { try client.send(CountingTarget.ok) }
            return count == 1
        }
    }

    @Test(arguments: CallWay.allCases, CallWay.Framing.allCases)
    func aPostArrivesOnce(way: CallWay, framing: CallWay.Framing) throws {
        let target = try Self.dying()
        let daemon = try CallingDaemon(way, target)
        let count = 6
        for index in 0..<count {
            if way != .webhook { #expect(try daemon.get("/kept\(index)").text == "ok") }
            let answer = try daemon.ask(daemon.post("/call\(index)", framing))
            #expect(answer.status == (way == .webhook ? 202 : 200), "\(answer.text)")
        }
        func calls() -> [String: Int] { target.counts().filter { $0.key.hasPrefix("POST") } }
        // Webhooks follow their answers.
        _ = eventually { calls().count == count ? true : nil }
        #expect(calls() == Dictionary(uniqueKeysWithValues: (0..<count).map { ("POST /call\($0)", 1) }))
        let bodies = Set(
            target.requests.filter { $0.call.hasPrefix("POST") }.map { $0.rest.hasPrefix("3\r\nabc") ? "abc" : $0.rest }
        )
        #expect(bodies.count == 1, "\(bodies)")
        #expect(!daemon.hasEnded, "\(daemon.errors)")
    }

    /// A target that reads the request and closes: one request, and an error that says so, for the client and in the journal.
    @Test(arguments: CallWay.allCases.filter { $0 != .webhook }, CallWay.Framing.allCases)
    func whoClosedIsTold(way: CallWay, framing: CallWay.Framing) throws {
        let target = try CountingTarget { _, _, _ in false }
        let daemon = try CallingDaemon(way, target)
        let answer = try daemon.ask(daemon.post("/call", framing))
        let said = "127.0.0.1:\(target.port) closed the connection without an answer"
        #expect(answer.status == 500)
        #expect(answer.text.hasPrefix("Network failure trying to make a proxied request from WireMock to "))
        #expect(answer.text.hasSuffix("\r\nThe target server failed to respond: \(said)"), "\(answer.text)")
        #expect(target.calls == ["POST /call"])
        guard let events = try daemon.journal() else { return }
        #expect(events.map { $0["response"]?["status"]?.intValue } == [500])
        #expect(events.first?["response"]?["body"]?.stringValue?.hasSuffix(said) == true)
    }

    /// The attempts of a webhook are those that its `retry` says, and no more.
    @Test(arguments: [0, 1, 3]) func theTargetCountsAWebhooksAttempts(times: Int) throws {
        let target = try CountingTarget { _, _, _ in false }
        let route = """
            POST /a:
              status: 202
              webhook: { url: "\(target.origin)/hook", json: { n: 1 }, retry: { times: \(times), backoff: 1ms } }
            """
        let daemon = try Daemon(files: ["a.yaml": route])
        #expect(try daemon.request("POST", "/a", body: "").status == 202)
        func attempts() throws -> [String] {
            let event = try daemon.admin("GET", "/requests").json?["requests"]?[0]
            return event?["subEvents"]?.arrayValue?.compactMap { $0["type"]?.stringValue } ?? []
        }
        let all = (0...times).flatMap { _ in ["WEBHOOK_REQUEST", "ERROR"] }
        _ = try eventually { try attempts() == all ? true : nil }
        #expect(try attempts() == all)
        #expect(target.calls.count == times + 1)
    }

    /// An attempt of a webhook is one request whatever its method: also one that could be repeated is not.
    @Test(arguments: ["GET", "HEAD", "OPTIONS", "DELETE", "POST"]) func aWebhookIsSentOnce(method: String) throws {
        let target = try Self.dying()
        let route = "POST /a: { status: 202, webhook: { method: \(method), url: \"\(target.origin)/hook\" } }"
        let daemon = try Daemon(files: ["a.yaml": route])
        for count in 1...5 {
            #expect(try daemon.request("POST", "/a", body: "").status == 202)
            _ = eventually { target.calls.count >= count ? true : nil }
        }
        _ = try daemon.admin("POST", "/requests/idle", #"{"quietMs": 50}"#)
        #expect(target.calls == Array(repeating: "\(method) /hook", count: 5))
        #expect(target.connections == 5)
        let events = try daemon.admin("GET", "/requests").json?["requests"]?.arrayValue ?? []
        let types = events.map { $0["subEvents"]?.arrayValue?.compactMap { $0["type"]?.stringValue } ?? [] }
        #expect(types == Array(repeating: ["WEBHOOK_REQUEST", "WEBHOOK_RESPONSE"], count: 5))
    }

    /// A late 408 on an idle connection is no answer to the next request.
    @Test(arguments: CallWay.allCases.filter { $0 != .webhook }) func nothingStaleBecomesAnAnswer(way: CallWay) throws {
        let sent = Events<Bool>()
        let target = try CountingTarget { client, request, _ in
            try client.send(CountingTarget.ok)
            guard request.call.hasSuffix("/late") else { return true }
            try client.send("HTTP/1.1 408 Request Timeout\r\nContent-Length: 4\r\nConnection: close\r\n\r\nlate")
            sent.tell(true)
            return true
        }
        let daemon = try CallingDaemon(way, target)
        for index in 0..<10 {
            #expect(try daemon.get("/late").text == "ok")
            #expect(sent.next() == true)
            #expect(try daemon.get("/next\(index)").status == 200)
            #expect(try daemon.ask(daemon.post("/call\(index)", .chunks)).status == 200)
        }
    }

    /// A server that closes idle connections after 0.5 to 3 ms, and POSTs in chunks on every way, some at a time. By default some
    /// thousand requests; `STUNTDOUBLE_STRESS_REQUESTS` says how many.
    @Test(arguments: CallWay.allCases) func connectionsThatDieSoon(way: CallWay) throws {
        let all = ProcessInfo.processInfo.environment["STUNTDOUBLE_STRESS_REQUESTS"].flatMap { Int($0) } ?? 600
        let answered = Locked(0)
        let target = try CountingTarget { client, _, _ in
            try client.send(CountingTarget.ok)
            // Whoever sends in this time is answered.
            let patience = answered.withLock { count in
                count += 1
                return 500 + count * 7_919 % 2_500
            }
            return client.waitUntilReadable(microseconds: patience)
        }
        let daemon = try CallingDaemon(way, target)
        let (threads, next) = (4, Locked(0))
        let failures = Locked<[String]>([])
        let done = Events<Bool>()
        for thread in 0..<threads {
            runOnThread {
                while let index = next.withLock({ next in
                    next += 1
                    return next <= all ? next : nil
                }) {
                    let framing = CallWay.Framing.allCases[index % 3]
                    do {
                        // In between a GET leaves a kept connection.
                        if way != .webhook, index % 2 == thread % 2 {
                            let answer = try daemon.get("/get\(index)")
                            if answer.text != "ok" { failures.withLock { $0.append(answer.text) } }
                        }
                        let answer = try daemon.ask(daemon.post("/call\(index)", framing))
                        if answer.status != (way == .webhook ? 202 : 200) {
                            failures.withLock { $0.append(answer.text) }
                        }
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                        if daemon.hasEnded { break }
                    }
                }
                done.tell(true)
            }
        }
        for _ in 0..<threads { #expect(done.next(within: 240_000) == true) }
        func posts() -> [String: Int] { target.counts().filter { $0.key.hasPrefix("POST") } }
        _ = eventually(within: 60_000) { posts().count == all || daemon.hasEnded ? true : nil }
        #expect(!daemon.hasEnded, "\(daemon.errors)")
        #expect(failures.withLock { $0 }.isEmpty, "\(failures.withLock { $0.prefix(5) })")
        #expect(posts().count == all && posts().values.allSatisfy { $0 == 1 }, "\(posts().filter { $0.value != 1 })")
    }
}
