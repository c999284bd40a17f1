import Foundation
import SDHTTPTransport
import SDJSON
import SDPlatform
import SDStubModel
import SDTestSupport
import SDUpstream
import Synchronization
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDOutgoingCalls

/// Webhooks beyond WireMock's: retries, signatures, the order, many of them, and targets that stall.
@Suite struct WebhookTests {
    private func mock(
        _ webhooks: String, response: String = #"{"body": "r"}"#, files: [String: String] = [:],
        _ change: (inout SessionOptions) -> Void = { _ in }
    ) throws -> ServedSession {
        var options = SessionOptions()
        change(&options)
        let mock = try ServedSession(options, files: files)
        let listeners = try JSONValue(parsing: "[\(webhooks)]").arrayValue ?? []
        let all = listeners.map { #"{"name": "webhook", "parameters": \#($0.compactText)}"# }.joined(separator: ",")
        try mock.add(
            #"{"request": {"urlPathTemplate": "/{name}"}, "response": \#(response), "serveEventListeners": [\#(all)]}"#)
        return mock
    }

    private func types(_ mock: ServedSession) throws -> [String] {
        try mock.settledSubEvents().map { $0["type"]?.stringValue ?? "" }
    }

    // MARK: - Delivery

    @Test func aThousandWebhooksAreDeliveredOnce() throws {
        let target = try WebhookTarget()
        let mock = try mock(#"{"url": "\#(target.url)/{{path.name}}"}"#)
        let client = try PersistentConnection(port: mock.server.port)
        for number in 1...1_000 { #expect(try client.request("GET", "/n\(number)").status == 200) }
        #expect(mock.waitsForWebhooks())
        #expect(target.lines.sorted() == (1...1_000).map { "GET /n\($0)" }.sorted())
        #expect(mock.session.webhooks.pending == 0 && mock.session.webhooks.lost == 0)
    }

    /// Those that call another server are not held up, and nothing is lost.
    @Test func aTargetThatStallsLosesNothing() throws {
        let slow = try WebhookTarget { _, _ in .stall }
        let good = try WebhookTarget()
        let mock = try mock(#"{"url": "{{originalRequest.query.to}}/{{path.name}}"}"#)
        let client = try PersistentConnection(port: mock.server.port)
        let count = 3 * WebhookQueue.widest
        for number in 1...count { _ = try client.request("GET", "/n\(number)?to=\(slow.url)") }
        for number in 1...count { _ = try client.request("GET", "/n\(number)?to=\(good.url)") }
        #expect(eventually { good.lines.count == count ? true : nil } == true)
        #expect(eventually { slow.lines.count == WebhookQueue.widest ? true : nil } == true)
        // The target has seen a call before its end is noted.
        #expect(
            eventually {
                mock.session.activity.following == count && mock.session.webhooks.pending == count ? true : nil
            } == true)
        #expect(
            eventually {
                slow.letGo()
                return mock.session.activity.following == 0 ? true : nil
            } == true)
        #expect(slow.lines.sorted() == (1...count).map { "GET /n\($0)" }.sorted())
    }

    @Test func webhooksOfAStubComeInTheirOrder() throws {
        let target = try WebhookTarget()
        let all = (1...20).map { #"{"url": "\#(target.url)/\#($0)"}"# }.joined(separator: ",")
        let mock = try mock(all)
        _ = try mock.ask("GET", "/x")
        #expect(mock.waitsForWebhooks())
        #expect(target.lines == (1...20).map { "GET /\($0)" })
    }

    @Test func aWebhookWaitsForTheOneBeforeIt() throws {
        let (slow, quick) = (try WebhookTarget { _, _ in .stall }, try WebhookTarget())
        let mock = try mock(#"{"url": "\#(slow.url)/1"}, {"url": "\#(quick.url)/2"}"#)
        _ = try mock.ask("GET", "/x")
        #expect(eventually { slow.lines == ["GET /1"] ? true : nil } == true)
        // One that does not wait is there by then.
        SystemCalls.pause(milliseconds: 50)
        #expect(quick.lines.isEmpty)
        slow.letGo()
        #expect(mock.waitsForWebhooks())
        #expect(quick.lines == ["GET /2"])
    }

    @Test func tooManyWebhooksAreTold() throws {
        let queue = WebhookQueue(limit: 2, width: 1)
        #expect(queue.admit() && queue.admit() && !queue.admit())
        let ran = Locked<[Int]>([])
        for number in 1...3 { queue.enter("a") { ran.withLock { $0.append(number) } } }
        queue.enter("b") { ran.withLock { $0.append(4) } }
        #expect(ran.withLock { $0 } == [1, 4])
        queue.done("a")
        queue.done("a")
        #expect(ran.withLock { $0 } == [1, 4, 2, 3])
        #expect(queue.hold(30, limit: 20) && !queue.hold(1, limit: 20))
        queue.leave(bytes: 30, isLost: false)
        #expect(queue.admit() && queue.pending == 2)
        #expect(queue.hold(15, limit: 20) && !queue.hold(6, limit: 20) && queue.hold(5, limit: 20))
    }

    // MARK: - Retries

    @Test(arguments: [
        (retry: "2", statuses: [503, 429, 200], expected: 3), ("5", [500, 200], 2), ("2", [500, 500, 500, 500], 3),
        ("0", [500], 1), ("3", [404], 1), (#"{"times": 1, "backoff": "1ms"}"#, [502, 502], 2),
        (#"{"backoff": 1}"#, [408, 425, 500, 500], 4),
    ]) func failuresAreTriedAgain(retry: String, statuses: [Int], expected: Int) throws {
        let target = try WebhookTarget { _, before in .status(statuses[min(before, statuses.count - 1)]) }
        let mock = try mock(#"{"method": "POST", "url": "\#(target.url)/h", "body": "b", "retry": \#(retry)}"#) {
            $0.timeScale = 0.001
        }
        _ = try mock.ask("GET", "/x")
        let events = try mock.settledSubEvents()
        #expect(target.lines == Array(repeating: "POST /h", count: expected))
        #expect(
            events.map { $0["type"] }
                == (1...expected).flatMap { _ -> [JSONValue?] in ["WEBHOOK_REQUEST", "WEBHOOK_RESPONSE"] })
        #expect(
            events.compactMap { $0["data"]?["status"]?.intValue }
                == (0..<expected).map { statuses[min($0, statuses.count - 1)] })
    }

    @Test func aServerThatIsNotThereIsTriedAgain() throws {
        let mock = try mock(#"{"url": "http://127.0.0.1:1/h", "retry": {"times": 2, "backoff": "1ms"}}"#)
        _ = try mock.ask("GET", "/x")
        #expect(
            try types(mock) == [
                "WEBHOOK_REQUEST", "ERROR", "WEBHOOK_REQUEST", "ERROR", "WEBHOOK_REQUEST", "ERROR",
            ])
    }

    @Test func waitsDouble() {
        var retry = WebhookParameters.Retry(times: 9)
        #expect((1...4).map { retry.wait(before: $0) } == [1_000, 2_000, 4_000, 8_000])
        retry.backoff = 0
        #expect(retry.wait(before: 50) == 0)
        retry.backoff = Int(Int32.max)
        #expect(retry.wait(before: 90) == WebhookParameters.Retry.longestWait)
    }

    // MARK: - Contents

    @Test func aSignatureIsThatOfTheBody() throws {
        let target = try WebhookTarget()
        let hmac = #"{"secret": "{{parameters.key}}", "header": "X-Hub-Signature-256", "prefix": "sha256="}"#
        let mock = try mock(
            #"{"method": "POST", "url": "\#(target.url)/h", "body": "{{path.name}}", "key": "It's a Secret to Everybody", "hmac": \#(hmac)}"#
        )
        _ = try mock.ask("GET", "/Hello,%20World!")
        let events = try mock.settledSubEvents()
        let seen = try #require(target.received.withLock { $0 }.first)
        let expected =
            seen.text == "Hello, World!"
            ? "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17" : nil
        #expect(seen.header("X-Hub-Signature-256") == expected ?? seen.header("X-Hub-Signature-256"))
        #expect(seen.header("X-Hub-Signature-256")?.count == 71)
        #expect(
            events.first?["data"]?["headers"]?["X-Hub-Signature-256"]?.stringValue == seen.header("X-Hub-Signature-256")
        )
    }

    @Test func templatesSeeTheResponse() throws {
        let target = try WebhookTarget()
        let body =
            "{{response.status}} {{response.headers.X-B}} {{response.body}} {{originalRequest.method}} {{path.name}} "
            + "{{originalResponse.status}} {{originalResponse.body}}"
        let mock = try mock(
            #"{"method": "POST", "url": "\#(target.url)/h", "body": "\#(body)"}"#,
            response:
                #"{"status": 201, "headers": {"X-B": "c"}, "body": "{{request.path}}", "transformers": ["response-template"]}"#
        )
        _ = try mock.ask("GET", "/x", headers: ["Accept-Encoding: gzip"])
        #expect(mock.waitsForWebhooks())
        #expect(target.received.withLock { $0.map(\.text) } == ["201 c /x GET x 201 /x"])
    }

    @Test func bodiesAreMadeOfJSONFilesAndParts() throws {
        let target = try WebhookTarget()
        let parts =
            #"[{"name": "a", "body": "{{path.name}}"}, {"name": "f", "fileName": "f.bin", "contentType": "image/png", "base64Body": "AP8="}, {"name": "j", "jsonBody": {"b": 1}}]"#
        let mock = try mock(
            #"""
            {"method": "POST", "url": "\#(target.url)/1", "jsonBody": {"name": "{{path.name}}", "n": 1}},
            {"method": "POST", "url": "\#(target.url)/2", "bodyFileName": "{{path.name}}.txt"},
            {"method": "PUT", "url": "\#(target.url)/3", "multipart": \#(parts)}
            """#, files: ["x.txt": "of a file"])
        _ = try mock.ask("GET", "/x")
        #expect(mock.waitsForWebhooks())
        let seen = target.received.withLock { $0 }
        try #require(seen.map(\.line) == ["POST /1", "POST /2", "PUT /3"])
        #expect(seen[0].text == #"{"name":"x","n":1}"# && seen[0].header("Content-Type") == "application/json")
        #expect(seen[1].text == "of a file")
        let type = try #require(seen[2].header("Content-Type"))
        let boundary = type.replacingOccurrences(of: "multipart/form-data; boundary=", with: "")
        let expected =
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n"
            + "--\(boundary)\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f.bin\"\r\n"
            + "Content-Type: image/png\r\n\r\n"
        #expect(seen[2].body.starts(with: Array(expected.utf8) + [0, 0xFF, 13, 10]))
        #expect(seen[2].text.hasSuffix("Content-Type: application/json\r\n\r\n{\"b\":1}\r\n--\(boundary)--\r\n"))
    }

    @Test func aLongRequestIsWholeInAWebhook() throws {
        let target = try WebhookTarget()
        let mock = try mock(#"{"method": "POST", "url": "\#(target.url)/h", "body": "{{originalRequest.body}}"}"#) {
            $0.journalBodyLimit = 100
        }
        let long = String(repeating: "0123456789", count: 30_000)
        _ = try PersistentConnection(port: mock.server.port).request("POST", "/x", body: long)
        let events = try mock.settledSubEvents()
        #expect(target.received.withLock { $0.map(\.text) } == [long])
        let sent = events.first { $0["type"] == "WEBHOOK_REQUEST" }?["data"]
        #expect(sent?["body"]?.stringValue?.count == 100 && sent?["bodyTruncatedFrom"]?.intValue == long.utf8.count)
    }

    /// An answer may have no end: the journal has its beginning, and memory no more.
    @Test func theBeginningOfALongAnswerIsKept() throws {
        let long = String(repeating: "0123456789", count: 30_000)
        let target = try WebhookTarget { _, _ in
            .bytes("HTTP/1.1 200 OK\r\nContent-Length: \(long.utf8.count)\r\n\r\n\(long)")
        }
        let mock = try mock(#"{"method": "POST", "url": "\#(target.url)/h"}"#) { $0.journalBodyLimit = 100 }
        _ = try mock.ask("GET", "/x")
        let events = try mock.settledSubEvents()
        let answer = events.first { $0["type"] == "WEBHOOK_RESPONSE" }?["data"]
        #expect(answer?["body"]?.stringValue == String(long.prefix(100)))
    }

    /// Without an end it is read for as long as a call may take, or 64 MiB of it; then the server is left.
    @Test(arguments: [(bytes: 1, timeout: 5_000, limit: "5000 ms (--proxy-timeout)"), (1 << 20, 300_000, "64 MiB")])
    func anAnswerWithoutEndIsCut(bytes: Int, timeout: Int, limit: String) throws {
        let left = Events<Bool>()
        let target = try RawServer { client, _ in
            _ = client.receive(until: "\r\n\r\n")
            try client.send("HTTP/1.1 202 OK\r\n\r\n")
            let piece = [UInt8](repeating: 0x61, count: bytes)
            do {
                while true {
                    try client.send(piece)
                    // One that drips is never silent for as long as a call may be.
                    if bytes == 1 { _ = client.receive(1, within: 20) }
                }
            } catch {
                left.tell(true)
            }
        }
        let mock = try mock(
            #"{"method": "GET", "url": "http://127.0.0.1:\#(target.port)/h", "retry": {"times": 2, "backoff": "1ms"}}"#
        ) {
            $0.upstream.timeout = timeout
            $0.journalBodyLimit = 100
        }
        _ = try mock.ask("GET", "/x")
        let events = try mock.settledSubEvents()
        #expect(events.map { $0["type"] } == ["WEBHOOK_REQUEST", "WEBHOOK_RESPONSE"])
        let answer = events.last?["data"]
        let body = answer?["body"]?.stringValue ?? ""
        #expect(answer?["status"] == 202 && (1...100).contains(body.count) && body.allSatisfy { $0 == "a" })
        #expect(left.next() == true)
        #expect(target.connections == 1)
        let told = "the answer 202 to the webhook GET http://127.0.0.1:\(target.port)/h has no end within \(limit)"
        let warnings = mock.log.warnings.withLock { $0 }
        #expect(warnings.count { $0.contains(told) } == 1, "\(warnings)")
    }

    @Test func whoWaitsForIdlenessWaitsForWebhooks() throws {
        let target = try WebhookTarget { _, _ in .stall }
        let mock = try mock(#"{"url": "\#(target.url)/h"}"#)
        _ = try mock.ask("GET", "/x")
        #expect(eventually { target.lines.count == 1 ? true : nil } == true)
        let idle = Events<Bool>()
        let loop = mock.server.server.loop()
        let watch = mock.session.idleWatch(quietMilliseconds: 0) { loop.after(nanoseconds: $0, $1) }
        watch.whenIdle { idle.tell(true) }
        #expect(!watch.isIdle && idle.next(within: 50) == nil)
        target.letGo()
        #expect(idle.next() == true)
    }

    @Test func journalsCountWhatWebhooksAdd() throws {
        let target = try WebhookTarget()
        let mock = try mock(
            #"{"method": "POST", "url": "\#(target.url)/h", "body": "\#(String(repeating: "a", count: 9_000))"}"#)
        _ = try mock.ask("GET", "/x")
        #expect(mock.waitsForWebhooks())
        #expect(mock.journalBytes > 9_000)
        mock.session.clearJournal()
        #expect(mock.journalBytes == 0)
    }
}
