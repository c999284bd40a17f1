import Foundation
import SDJSON
import SDPlatform
import SDTestSupport
import Testing

/// Calls of the admin API that read, examine or change everything: they keep nobody waiting.
@Suite(.serialized) struct ExpensiveCallTests {
    private static let runawayText = String(repeating: "a", count: 40) + "b"

    private static let describedRequest =
        #"{"method": "POST", "url": "/s0", "bodyAsBase64": "\#(Data(runawayText.utf8).base64EncodedString())"}"#
    private static let runawayPattern = #"{"bodyPatterns": [{"matches": "(a+)+$"}]}"#

    private func file(_ count: Int, _ members: String = "") -> [String: String] {
        let stubs = (0..<count).map { #"{"request": {"urlPath": "/s\#($0)"}\#(members)}"# }
        return ["mappings/a.json": #"{"mappings": [\#(stubs.joined(separator: ","))]}"#]
    }

    /// Stubs of the admin API, added in one call.
    private func importStubs(_ count: Int, _ daemon: Daemon) throws {
        let stubs = (0..<count).map { #"{"request": {"urlPath": "/i\#($0)"}}"# }
        let answer = try daemon.admin(
            "POST", "/mappings/import", #"{"mappings": [\#(stubs.joined(separator: ","))]}"#)
        #expect(answer.status == 200, "\(answer.text.prefix(500))")
    }

    @Test(arguments: ["find-by-metadata", "remove-by-metadata"])
    func metadataOfThousandsOfStubsIsExaminedWithinTheBudget(call: String) throws {
        let daemon = try Daemon(files: file(3_000, #", "metadata": {"a": "\#(Self.runawayText)"}"#))
        let wait = try ProbeClient.longestWait(at: daemon.port, call) { () throws in
            let matcher = #"{"matchesJsonPath": "$..[?(@.a =~ /(a+)+$/)]"}"#
            let answer = try daemon.admin("POST", "/mappings/" + call, matcher)
            #expect(answer.status == 500 && answer.text.contains("--match-budget"), "\(answer.text.prefix(500))")
        }
        ProbeClient.expectShort(wait)
    }

    /// A body of forty bytes is enough to spend the whole budget.
    @Test(arguments: [
        ("near-misses/request", describedRequest),
        ("explain", describedRequest),
        ("near-misses/request-pattern", runawayPattern), ("requests/count", runawayPattern),
        ("requests/find", runawayPattern), ("requests/remove", runawayPattern),
        ("requests/wait", #"{"pattern": \#(runawayPattern), "timeoutMs": 100}"#),
        ("requests/verify", #"{"expectations": [{"pattern": \#(runawayPattern)}]}"#),
    ])
    func aCallThatMatchesSpendsItsBudgetBesideTheLoop(path: String, document: String) throws {
        let pattern = #", "response": {"status": 202}"#
        let daemon = try Daemon(files: file(1, pattern), ["--match-budget", "300"])
        let stub = #"{"request": {"urlPath": "/s0", "bodyPatterns": [{"matches": "(a+)+$"}]}}"#
        #expect(
            try PersistentConnection(port: daemon.port).request("POST", "/s0", body: Self.runawayText).status == 202)
        #expect(try daemon.admin("POST", "/mappings", stub).status == 201)
        let wait = try ProbeClient.longestWait(at: daemon.port, path) { () throws in
            let answer = try daemon.admin("POST", "/" + path, document)
            #expect(answer.status == 500 && answer.text.contains("--match-budget"), "\(answer.text.prefix(500))")
        }
        ProbeClient.expectShort(wait)
    }

    @Test func aDocumentOfNinetyMegabytesIsRefusedBeforeItFillsTheMemory() throws {
        let daemon = try Daemon(files: file(1))
        let name = "a document of 90 MB"
        let body = Array((#"{"mappings": [1"# + String(repeating: ",1", count: 45_000_000) + "]}").utf8)
        let wait = try ProbeClient.longestWait(at: daemon.port, name) { () throws in
            let client = try RawClient(port: daemon.port)
            let head = "POST /__admin/mappings/import HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            try client.send(Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body)
            let answer = HTTPAnswer(client.receiveAll(within: 120_000).bytes)
            #expect(answer?.status == 413, "\(answer?.text.prefix(500) ?? "none")")
        }
        ProbeClient.expectShort(wait, below: .seconds(8))
        daemon.expectPeakMemory(below: 400 << 20, name)
    }

    @Test func aDribbleOfTwoBillionChunksIsAsLongAsItsBody() throws {
        let daemon = try Daemon(files: file(1))
        let name = "a dribble of two billion chunks"
        let wait = try ProbeClient.longestWait(at: daemon.port, name) { () throws in
            let dribble = #""chunkedDribbleDelay": {"numberOfChunks": 2147483647, "totalDuration": 100}"#
            let stub = #"{"request": {"urlPath": "/dribble"}, "response": {"body": "abc", \#(dribble)}}"#
            #expect(try daemon.admin("POST", "/mappings", stub).status == 201)
            for _ in 0..<3 { #expect(try daemon.get("/dribble").text == "abc") }
        }
        ProbeClient.expectShort(wait)
        daemon.expectPeakMemory(below: 200 << 20, name)
    }

    // MARK: Many stubs

    @Test func thousandsOfStubsAreImportedAndRemovedBesideRequests() throws {
        let daemon = try Daemon(files: file(1))
        let before = ProcessFacts.residentBytes(of: daemon.process.identifier) ?? 0
        let wait = try ProbeClient.longestWait(at: daemon.port, "20,000 stubs imported and removed") { () throws in
            try importStubs(20_000, daemon)
            #expect(try daemon.get("/i19999").status == 200)
            #expect(try daemon.admin("DELETE", "/mappings").status == 200)
            #expect(try daemon.get("/i19999").status == 404)
        }
        ProbeClient.expectShort(wait)
        guard ProcessFacts.measuresMemory else { return }
        // What they took goes back to the system.
        let left = eventually(within: 30_000) {
            ProcessFacts.residentBytes(of: daemon.process.identifier).flatMap { $0 - before < 16 << 20 ? $0 : nil }
        }
        #expect(left != nil, "20,000 stubs that are gone still take memory")
    }

    @Test func thousandsOfStubsAreSavedBesideRequests() throws {
        let daemon = try Daemon(files: file(1))
        try importStubs(4_000, daemon)
        let wait = try ProbeClient.longestWait(at: daemon.port, "4,000 stubs saved, reset and removed") { () throws in
            #expect(try daemon.admin("POST", "/mappings/save").status == 200)
            #expect(try daemon.admin("POST", "/mappings/reset").status == 200)
            #expect(try daemon.get("/i3999").status == 200)
            #expect(try daemon.admin("DELETE", "/mappings").status == 200)
        }
        ProbeClient.expectShort(wait)
    }

    // MARK: A full journal

    /// A daemon whose journal holds 600 requests of 30 KB.
    private func daemonWithJournal() throws -> Daemon {
        let daemon = try Daemon(files: ["a.yaml": "POST /a: {}"])
        let client = try PersistentConnection(port: daemon.port)
        let body = String(repeating: "x", count: 30_000)
        for _ in 0..<600 { #expect(try client.request("POST", "/a", body: body).status == 200) }
        return daemon
    }

    @Test func aFullJournalIsListedBesideRequests() throws {
        let daemon = try daemonWithJournal()
        for path in ["/__admin/requests", "/__admin/requests?format=har"] {
            let name = "the journal by \(path)"
            let wait = try ProbeClient.longestWait(at: daemon.port, name) { () throws in
                let client = try RawClient(port: daemon.port)
                try client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                let received = client.receiveAll(within: 120_000).bytes
                #expect(received.count > 18_000_000 && received.suffix(5) == Array("0\r\n\r\n".utf8)[...])
            }
            ProbeClient.expectShort(wait)
            daemon.expectPeakMemory(below: 400 << 20, name)
        }
    }

    @Test func gzipBodiesAreShownByTheirBeginnings() throws {
        let daemon = try Daemon(files: ["a.yaml": "POST /a: {}"])
        let name = "four gzip bodies of 99 MiB"
        let body = try #require(gzipped([UInt8](repeating: UInt8(ascii: "a"), count: 99 << 20)[...]))
        let head = "Host: localhost\r\nConnection: close\r\nContent-Length:"
        for target in ["/a", "/a", "/a", "/b"] {
            let client = try RawClient(port: daemon.port)
            try client.send(Array("POST \(target) HTTP/1.1\r\n\(head) \(body.count)\r\n\r\n".utf8) + body)
            #expect(HTTPAnswer(client.receiveAll(within: 60_000).bytes)?.status == (target == "/a" ? 200 : 404))
        }
        let wait = try ProbeClient.longestWait(at: daemon.port, name) { () throws in
            let list = try daemon.admin("GET", "/requests")
            let newest = try #require(JSONValue(parsing: list.body)["requests"]?[0])
            #expect(newest["request"]?["bodyTruncatedFrom"] == .number(JSONNumber(99 << 20)))
            #expect(newest["request"]?["body"]?.stringValue?.utf8.count == 1 << 20)
            let id = try #require(newest["id"]?.stringValue)
            for path in ["/requests/\(id)", "/requests?format=har", "/requests/unmatched/near-misses"] {
                #expect(try daemon.admin("GET", path).status == 200)
            }
            #expect(try daemon.admin("POST", "/requests/find", #"{"url": "/a"}"#).status == 200)
        }
        ProbeClient.expectShort(wait)
        daemon.expectPeakMemory(below: 400 << 20, name)
    }

    @Test func missedEventsAreReplayedBesideRequests() throws {
        let daemon = try daemonWithJournal()
        let name = "missed events for twenty readers"
        let wait = try ProbeClient.longestWait(at: daemon.port, name) { () throws in
            let readers = try (0..<20).map { _ in
                let reader = try RawClient(port: daemon.port)
                try reader.send("GET /__admin/events?after=0 HTTP/1.1\r\nHost: localhost\r\n\r\n")
                return reader
            }
            for reader in readers {
                // The first of them at least; each of the events is larger than 8 KiB.
                #expect(reader.receive(1 << 20, within: 60_000).bytes.count == 1 << 20)
            }
        }
        ProbeClient.expectShort(wait)
        daemon.expectPeakMemory(below: 400 << 20, name)
    }
}
