import SDHTTPTransport
import SDJSON
import SDReports
import SDStubModel
import SDTestSupport
import Testing

@testable import SDAdminAPI
@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine

/// Events as another replica reads them.
@Suite struct HandedEventTests {
    private static let files = ["page.html": "<p>page</p>", "body.txt": "from a file"]

    private static let stubs = [
        #""request": {"urlPath": "/constant"}, "response": {"status": 203, "body": "constant"}"#,
        #""request": {"urlPath": "/template"}, "response": {"body": "{{request.path}}", "transformers": ["response-template"]}"#,
        #""request": {"urlPath": "/file"}, "response": {"bodyFileName": "body.txt"}"#,
        #""request": {"urlPath": "/nofile"}, "response": {"bodyFileName": "none.txt"}"#,
        #""request": {"urlPath": "/empty"}, "response": {"fault": "EMPTY_RESPONSE"}"#,
        #""request": {"urlPath": "/chunks"}, "response": {"body": "chunks", "chunkedDribbleDelay": {"numberOfChunks": 2, "totalDuration": 2}}"#,
        #""request": {"urlPath": "/delayed"}, "response": {"body": "x", "fixedDelayMilliseconds": 1}"#,
        #""request": {"urlPath": "/json", "bodyPatterns": [{"matchesJsonSchema": "{\"type\": \"object\"}"}]}, "response": {}"#,
        #""request": {"urlPath": "/proxied"}, "response": {"proxyBaseUrl": "http://127.0.0.1:1"}"#,
        #""request": {"urlPath": "/turns"}, "responses": [{"body": "first"}, {"status": 202, "body": "second"}]"#,
        #""request": {"urlPath": "/cut"}, "response": {"body": "0123456789", "fault": {"cutAfter": 4}}"#,
        #""request": {"urlPath": "/edited"}, "response": {"body": "old"}"#,
        #""request": {"urlPath": "/removed"}, "name": "removed", "response": {"body": "gone"}"#,
    ]

    private func replica(_ number: UInt64) throws -> ReplicaFixture {
        var options = SessionOptions()
        options.journalBodyLimit = 2_000
        options.stubCORS = true
        let replica = try ReplicaFixture(number, options, files: Self.files)
        for (place, stub) in Self.stubs.enumerated() {
            do {
                try replica.add(#"{"id": "\#(Self.id(place))", \#(stub)}"#)
            } catch {
                Issue.record("stub \(place): \(error)")
            }
        }
        return replica
    }

    private static func id(_ place: Int) -> String {
        "bbbbbbbb-0000-4000-8000-0000000000\(place < 10 ? "0" : "")\(place)"
    }

    /// Asks for all kinds of answers.
    private func askAll(_ one: ReplicaFixture) throws {
        let paths = [
            "constant", "template", "file", "nofile", "empty", "chunks", "delayed", "proxied", "turns", "turns", "cut",
            "edited", "removed", "page.html", "none?a=b",
        ]
        for path in paths { try one.ask("GET", "/\(path)", headers: ["X-Path: \(path)", "Cookie: a=1; b=2"]) }
        try one.ask("HEAD", "/constant")
        try one.ask("POST", "/json", headers: ["Content-Type: application/json"], body: "{not json")
        try one.ask("POST", "/constant", body: String(repeating: "long ", count: 1_000))
        try one.ask(
            "OPTIONS", "/constant", headers: ["Origin: http://a.example", "Access-Control-Request-Method: GET"])
        let client = try one.server.client()
        try client.send(
            "POST /constant HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + "3\r\nabc\r\n0\r\nX-Trailer: 1\r\n\r\n")
        _ = client.receiveAll()
        _ = one.log.ended.next()
    }

    @Test func everyKindIsTheSameInAnother() throws {
        let (one, two) = (try replica(1), try replica(2))
        try askAll(one)
        // What was done for a request later.
        let event = try #require(one.session.events.first { $0.isUnmatched })
        one.session.append("WEBHOOK_RESPONSE", ["status": 200], to: event)
        let edited = try StubMapping(
            json: JSONValue(
                parsing: #"{"id": "\#(Self.id(11))", "request": {"urlPath": "/edited"}, "response": {"body": "new"}}"#))
        _ = try one.session.replace(edited)
        _ = try one.session.remove(#require(StubMapping.id(text: Self.id(12))))
        try one.handIn(to: two)
        let (asked, told) = (one.lines, two.lines)
        #expect(asked.count == told.count)
        for (asked, told) in zip(asked, told) where asked != told {
            Issue.record("asked: \(asked)\ntold:  \(told)")
        }
        #expect(one.session.counts == two.session.counts)
        let kept = one.session.stubHits.filter { $0.hits.matches > 0 }.count
        #expect(two.session.stubHits.filter { $0.hits.matches > 0 }.count >= kept)
        #expect(one.session.report().report.unmatchedCount == two.session.report().report.unmatchedCount)
        #expect(one.session.report().report.failed.map(\.reason) == two.session.report().report.failed.map(\.reason))

        // What comes later, comes as well, and counts nothing.
        one.session.append("WEBHOOK_RESPONSE", ["status": 201], to: event)
        try one.handIn(to: two)
        #expect(one.lines == two.lines)
        #expect(one.session.counts == two.session.counts)
    }

    @Test func randomRequestsAreTheSameInAnother() throws {
        let seed = TestGenerator.newSeed
        var random = TestGenerator(seed: seed)
        let (one, two) = (try replica(1), try replica(2))
        let letters = Array("abcdefghijklmnopqrstuvwxyz0123456789-_~éß")
        func word(_ most: Int) -> String {
            String(
                (0..<Int.random(in: 1...most, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" }
            )
        }
        for _ in 0..<60 {
            let method = ["GET", "POST", "PUT", "DELETE", "BREW"].randomElement(using: &random) ?? "GET"
            let path = "/" + word(30).filter(\.isASCII) + "?" + word(20).filter(\.isASCII)
            let headers = (0..<Int.random(in: 0...8, using: &random)).map { "X-\($0): \(word(40))" }
            try one.ask(method, path, headers: headers, body: Bool.random(using: &random) ? word(4_000) : nil)
            if Int.random(in: 0..<10, using: &random) == 0 { try one.handIn(to: two, all: true) }
        }
        try one.handIn(to: two, all: true)
        #expect(one.lines == two.lines, "seed \(seed)")
    }

    // MARK: Hostile batches

    private func batch() throws -> [UInt8] {
        let one = try replica(1)
        try askAll(one)
        return try #require(one.shared.takeBatch(all: true, maxBytes: .max))
    }

    @Test func noPartOfABatchIsTakenForOne() throws {
        let (batch, two) = (try batch(), try replica(2))
        for count in 0..<batch.count {
            #expect(throws: BatchProblem.self) { try two.registry.ingest(Array(batch.prefix(count))) }
        }
        for place in batch.indices {
            var bad = batch
            bad[place] ^= UInt8(1 << (place % 8))
            #expect(throws: BatchProblem.self, "\(place)") { try two.registry.ingest(bad) }
        }
        #expect(two.session.counts == (0, 0, 0))
        #expect(two.session.events.isEmpty)
    }

    /// A batch whose check sum is right all the same is an error, or another batch, and never more.
    @Test func aBatchThatWasForgedDoesNoHarm() throws {
        let batch = Array(try batch().dropLast(8))
        let seed = TestGenerator.newSeed
        var random = TestGenerator(seed: seed)
        let two = try replica(2)
        for _ in 0..<1_500 {
            var bad = batch
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 4..<bad.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bad[place] = 0xFF
                case 1: bad.removeSubrange(place..<min(place + 3, bad.count))
                case 2: bad.replaceSubrange(place..<place, with: Array(repeating: 0xFF, count: 9) + [1])
                default: bad[place] = UInt8.random(in: 0...255, using: &random)
                }
                if bad.count < 10 { break }
            }
            _ = try? two.registry.ingest(Self.sealed(bad))
        }
        // All that got in can be shown.
        #expect(two.lines.count == two.session.events.count, "seed \(seed)")
        #expect(two.session.counts.served >= UInt64(two.session.events.count))
    }

    @Test func problemsSayWhatIsWrong() throws {
        let two = try replica(2)
        func problem(_ bytes: [UInt8]) -> String {
            do throws(BatchProblem) {
                try two.registry.ingest(bytes)
                return "none"
            } catch {
                return error.message
            }
        }
        #expect(
            problem(Array("hello".utf8))
                == "expected a batch of the journal, which begins with SDJ, found something else")
        #expect(problem(Array("SDJ".utf8) + [9]).hasPrefix("a batch of the journal has version 9, and this replica"))
        #expect(
            problem(Array("SDJ".utf8) + [1])
                == "a batch of the journal cannot be read: it ends in the middle of a value")
        #expect(
            problem(Array("SDJ".utf8) + [1] + Array(repeating: 0, count: 8))
                == "a batch of the journal cannot be read: its check sum is wrong")
        // A section that counts 2⁶³ stubs.
        let many = Array("SDJ".utf8) + [1, 1, 0, 0] + Array(repeating: 0x80, count: 9) + [1]
        #expect(problem(Self.sealed(many)).hasSuffix("it counts 9223372036854775808 where 0 bytes are left"))
        let replica = Array("SDJ".utf8) + [1, 0x80, 2]
        #expect(problem(Self.sealed(replica)).hasSuffix("replica 256 is above 255"))
    }

    private static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        var writer = PackedWriter()
        for byte in bytes { writer.add(byte: byte) }
        writer.seal()
        return writer.bytes
    }
}

extension ReplicaFixture {
    /// Each event as the admin API shows it, the newest first.
    fileprivate var lines: [String] {
        let view = ServeEventView(of: session, isDetailed: true)
        return session.events.map { String(decoding: view.json($0).compactBytes, as: UTF8.self) }
    }
}
