import SDJSON
import SDTestSupport
import Testing

/// Webhooks of the real daemon: from a file, at its end, and in its log.
@Suite struct WebhookDaemonTests {
    private static func route(_ port: UInt16, _ more: String = "") -> [String: String] {
        [
            "a.yaml":
                "POST /a: { status: 202, webhook: { url: \"http://127.0.0.1:\(port)/hook\", json: { n: 1 }\(more) } }"
        ]
    }

    /// A target that answers, and tells what came.
    private static func target(_ heard: Events<String>) throws -> RawServer {
        try RawServer { client, _ in
            var text = ""
            while !text.contains("\r\n\r\n{\"n\":1}") {
                let piece = client.receive(1)
                guard !piece.bytes.isEmpty else { break }
                text += piece.text
            }
            heard.tell(text)
            try client.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        }
    }

    @Test func aDaemonThatEndsDeliversWhatIsUnderWay() throws {
        let heard = Events<String>()
        let target = try Self.target(heard)
        let daemon = try Daemon(files: Self.route(target.port, ", delay: 5s"), ["--drain-timeout", "50s"])
        #expect(try daemon.request("POST", "/a", body: "").status == 202)
        daemon.process.signal(15)
        #expect(daemon.says("ending: waiting up to 50 s for a webhook in flight; a second signal ends at once"))
        #expect(heard.next()?.hasPrefix("POST /hook HTTP/1.1\r\n") == true)
        #expect(daemon.process.wait(milliseconds: 20_000) == .exited(0))
        #expect(!daemon.process.errors.contains("not delivered"))
    }

    @Test func whatIsLostAtTheEndIsTold() throws {
        let stalled = try RawServer { client, _ in _ = client.receiveAll(within: 30_000) }
        let daemon = try Daemon(files: Self.route(stalled.port), ["--drain-timeout", "200ms"])
        #expect(try daemon.request("POST", "/a", body: "").status == 202)
        #expect(eventually { stalled.connections == 1 ? true : nil } == true)
        daemon.process.signal(15)
        #expect(daemon.process.wait(milliseconds: 20_000) == .exited(0))
        #expect(daemon.process.errors.contains("a webhook was not delivered before the end"))
    }

    @Test func whatFailsStandsInTheLogAndTheJournal() throws {
        let daemon = try Daemon(files: Self.route(1))
        #expect(try daemon.request("POST", "/a", body: "").status == 202)
        #expect(
            daemon.says(
                "Failed to fire webhook POST http://127.0.0.1:1/hook: Connect to http://127.0.0.1:1 failed: Connection refused"
            ))
        let event = try daemon.admin("GET", "/requests").json?["requests"]?[0]
        #expect(event?["subEvents"]?.arrayValue?.map { $0["type"]?.stringValue } == ["WEBHOOK_REQUEST", "ERROR"])
    }

    /// An answer that is none of success, attempt by attempt, and a URL that its template did not make.
    @Test(arguments: [
        (404, "", [" got 404"]),
        (
            503, ", retry: { times: 1, backoff: 1ms }",
            [
                " got 503 in attempt 1 of 2, and is tried again after 1 ms", " got 503 in attempt 2 of 2",
            ]
        ),
    ]) func whatIsAnsweredBadlyStandsInTheLog(status: Int, more: String, lines: [String]) throws {
        let target = try RawServer { client, _ in
            _ = client.receive(until: "{\"n\":1}")
            try client.send("HTTP/1.1 \(status) No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        }
        let daemon = try Daemon(files: Self.route(target.port, more))
        #expect(try daemon.request("POST", "/a", body: "").status == 202)
        for line in lines {
            let text = "the webhook POST http://127.0.0.1:\(target.port)/hook\(line)"
            #expect(daemon.says(text), "\(daemon.process.errors)")
        }
    }

    @Test func whatIsStillToBeTriedKeepsItsReason() throws {
        let daemon = try Daemon(files: Self.route(1, ", retry: { times: 3, backoff: 1h }"))
        #expect(try daemon.request("POST", "/a", body: "").status == 202)
        #expect(daemon.says("in attempt 1 of 4, and is tried again after 3600000 ms"))
        let refused = "Connect to http://127.0.0.1:1 failed: Connection refused"
        let reason = "attempt 2 is still to come; the one before: \(refused)"
        let text = try daemon.admin("GET", "/report").text
        #expect(text.contains(reason), "\(text)")
    }

    @Test func aTemplateThatMadeNoURLIsNamed() throws {
        let stub = "POST /a: { webhook: { url: \"{{jsonPath originalRequest.body '$.no'}}\" } }"
        let daemon = try Daemon(files: ["a.yaml": stub])
        #expect(try daemon.request("POST", "/a", body: "{}").status == 200)
        #expect(daemon.says("originalRequest.body '$.no'}}, has come to nothing"), "\(daemon.process.errors)")
    }

    @Test func aSecretInAURLIsNotInTheLog() throws {
        let daemon = try Daemon(files: [
            "a.yaml": "GET /a: { webhook: \"http://ada:secret@127.0.0.1:1/hook;id=secret?key=secret\" }"
        ])
        #expect(try daemon.get("/a").status == 200)
        #expect(daemon.says("Failed to fire webhook GET http://127.0.0.1:1/hook: "))
        #expect(!daemon.process.errors.contains("secret"))
    }
}
