import Foundation
import SDHTTPTransport
import SDJSON
import SDPlatform
import SDStubModel
import SDTestSupport
import Testing

@testable import SDAdminAPI
@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDOutgoingCalls

/// What webhooks may hold while they wait, and where a chain of them ends.
@Suite struct WebhookBoundsTests {
    private static let size = 256 << 10

    /// A session whose stub for `POST /x` sends its body on.
    private func mock(
        to url: String, _ parameters: String = "", memory: MemoryLedger = MemoryLedger(),
        _ change: (inout SessionOptions) -> Void = { _ in }
    ) throws -> ServedSession {
        var options = SessionOptions()
        change(&options)
        let mock = try ServedSession(options, memory: memory)
        try mock.add(
            """
            {"request": {"urlPath": "/x"}, "serveEventListeners": [{"name": "webhook", "parameters":
              {"method": "POST", "url": "\(url)/h", "body": "{{originalRequest.body}}"\(parameters)}}]}
            """)
        return mock
    }

    private static func body(_ number: Int) -> String {
        String(repeating: String(UnicodeScalar(UInt8(97 + number % 26))), count: size)
    }

    /// Waits until no more than the webhooks themselves, and what journals keep of them, is held.
    private func holdsOnlyItsWebhooks(_ count: Int, _ mock: ServedSession) -> Bool {
        let memory = mock.session.memory
        return eventually {
            // The test's log has the events, too.
            while mock.log.ended.next(within: 0) != nil {}
            let others = memory.total - memory.bytes(of: .journals) - memory.bytes(of: .webhooks)
            let each = memory.bytes(of: .webhooks) / count
            return others == 0 && (Self.size..<(Self.size + 8_192)).contains(each) ? true : nil
        } == true
    }

    // MARK: - Memory

    /// Neither the request nor its event lives as long as the webhook, and the body is there once.
    @Test func aWaitingWebhookHoldsItsBodyOnce() throws {
        let target = try WebhookTarget { _, _ in .stall }
        let memory = MemoryLedger(limit: 512 << 20)
        let mock = try mock(to: target.url, memory: memory) { $0.journalBytes = 2 << 20 }
        let client = try PersistentConnection(port: mock.server.port)
        for number in 0..<60 { #expect(try client.request("POST", "/x", body: Self.body(number)).status == 200) }
        #expect(holdsOnlyItsWebhooks(60, mock))
        // The events that the journal has dropped are gone, whatever waits for them.
        #expect(memory.bytes(of: .journals) <= 3 << 20)
        target.letGo()
        #expect(
            eventually {
                target.letGo()
                return mock.session.webhooks.pending == 0 ? true : nil
            } == true)
        #expect(memory.bytes(of: .webhooks) == 0)
        #expect(target.received.withLock { $0.map(\.text).sorted() } == (0..<60).map(Self.body).sorted())
    }

    @Test func whatTheyHoldTogetherIsBounded() throws {
        let target = try WebhookTarget { _, _ in .stall }
        let memory = MemoryLedger(limit: 4 << 20)
        let mock = try mock(to: target.url, memory: memory) { $0.journalBytes = 1 << 20 }
        let client = try PersistentConnection(port: mock.server.port)
        func ask() throws { #expect(try client.request("POST", "/x", body: Self.body(0)).status == 200) }
        // A quarter of the memory has three of them, and their heads.
        for _ in 0..<3 { try ask() }
        #expect(holdsOnlyItsWebhooks(3, mock))
        try ask()
        let refused = eventually { mock.newest?["subEvents"]?[0] }
        #expect(refused?["type"] == "ERROR")
        let reason = "the webhooks that have not ended hold 1 MiB, 1/4 of --max-memory"
        let message = "Failed to fire webhook POST \(target.url)/h: \(reason)"
        #expect(refused?["data"]?["message"] == .string(message))
        #expect(eventually { mock.session.webhooks.pending == 3 ? true : nil } == true)
        #expect(eventually { target.lines.count == 3 ? true : nil } == true)
        target.letGo()
        #expect(eventually { mock.session.webhooks.pending == 0 ? true : nil } == true)
        try ask()
        #expect(eventually { target.lines.count == 4 ? true : nil } == true)
        target.letGo()
        #expect(mock.waitsForWebhooks())
    }

    @Test func aSingleOneMayBeLargerThanTheBound() throws {
        let target = try WebhookTarget()
        let mock = try mock(to: target.url, memory: MemoryLedger(limit: 1 << 20)) { $0.journalBytes = 1 << 18 }
        #expect(
            try PersistentConnection(port: mock.server.port).request("POST", "/x", body: Self.body(1)).status == 200)
        #expect(mock.waitsForWebhooks())
        #expect(target.received.withLock { $0.map(\.text) } == [Self.body(1)])
    }

    /// A body that is given in pieces comes whole, in each attempt, with a length or in chunks.
    @Test(arguments: ["", #", "headers": {"Transfer-Encoding": "chunked"}"#])
    func aLongBodyIsWholeInEachAttempt(header: String) throws {
        let target = try WebhookTarget { _, before in .status(before < 2 ? 503 : 200) }
        let mock = try mock(to: target.url, #", "retry": {"times": 3, "backoff": "1ms"}"# + header)
        let body = Self.body(0) + Self.body(1) + Self.body(2)
        #expect(try PersistentConnection(port: mock.server.port).request("POST", "/x", body: body).status == 200)
        #expect(mock.waitsForWebhooks())
        #expect(target.received.withLock { $0.map(\.text) } == [body, body, body])
        let isChunked = target.received.withLock { $0[0].header("Transfer-Encoding") } == "chunked"
        #expect(isChunked == !header.isEmpty)
    }

    // MARK: - Chains

    /// A session with stubs of which each calls the next, and the last the first; all at their own server.
    private func ring(
        _ count: Int, times: Int = 1, status: Int = 200, _ parameters: String = ""
    ) throws -> ServedSession {
        let mock = try ServedSession()
        for number in 0..<count {
            let url = "http://127.0.0.1:\(mock.server.port)/\((number + 1) % count)"
            let hook = #"{"name": "webhook", "parameters": {"url": "\#(url)"\#(parameters)}}"#
            let hooks = Array(repeating: hook, count: times).joined(separator: ",")
            let answer = #""response": {"status": \#(status)}, "serveEventListeners": [\#(hooks)]"#
            try mock.add(#"{"request": {"urlPath": "/\#(number)"}, \#(answer)}"#)
        }
        return mock
    }

    private func requests(_ mock: ServedSession) -> [(url: String, errors: [String])] {
        let all = RequestList.page(JournalQuery(), of: mock.session).json["requests"]?.arrayValue ?? []
        return all.reversed().map { event in
            let errors = (event["subEvents"]?.arrayValue ?? []).filter { $0["type"] == "ERROR" }
            return (
                event["request"]?["url"]?.stringValue ?? "", errors.compactMap { $0["data"]?["message"]?.stringValue }
            )
        }
    }

    @Test(arguments: [(1, ["/0", "/0"]), (2, ["/0", "/1", "/0"]), (3, ["/0", "/1", "/2", "/0"])])
    func aWebhookThatLeadsToItsOwnStubIsSentOnce(count: Int, expected: [String]) throws {
        let mock = try ring(count)
        try mock.ask("GET", "/0")
        #expect(mock.waitsForWebhooks())
        let seen = requests(mock)
        #expect(seen.map(\.url) == expected)
        #expect(seen.dropLast().allSatisfy { $0.errors.isEmpty })
        let next = "http://127.0.0.1:\(mock.server.port)/\(1 % count)"
        #expect(
            seen.last?.errors == [
                "Failed to fire webhook GET \(next): "
                    + "a webhook of this stub has led to the request, and it would go on without end"
            ])
    }

    @Test func severalWebhooksDoNotMultiplyWithoutEnd() throws {
        let mock = try ring(2, times: 3)
        try mock.ask("GET", "/0")
        #expect(mock.waitsForWebhooks())
        // Three of the first, three of each of these, and no more.
        #expect(requests(mock).count == 1 + 3 + 9)
    }

    /// However many webhooks each of them has, those that follow one request are bounded at each place of their chains.
    @Test func chainsThatFanOutEnd() throws {
        let mock = try ring(20, times: 4)
        try mock.ask("GET", "/0")
        #expect(mock.waitsForWebhooks())
        let seen = requests(mock)
        #expect(seen.count == 1 + 4 + 16 + 64 + 256 + 1024)
        let refused = seen.flatMap(\.errors)
        #expect(refused.count == 4 * 1024)
        #expect(
            refused.allSatisfy {
                $0.hasSuffix("the webhooks that have led to the request are followed by more than 1024")
            })
    }

    /// Of webhooks that are tried again each attempt counts.
    @Test func attemptsFanOutToo() throws {
        let mock = try ring(20, status: 503, #", "retry": {"times": 2, "backoff": "1ms"}"#)
        try mock.ask("GET", "/0")
        #expect(mock.waitsForWebhooks())
        // The attempts have a half, a quarter and an eighth of their request's share, and one of less than 1/512 sends
        // nothing: those that send are as many as the ways to write 0 to 9 as a sum of ones, twos and threes.
        let ways = [1, 1, 2, 4, 7, 13, 24, 44, 81, 149]
        #expect(requests(mock).count == 1 + 3 * ways.reduce(0, +))
    }

    /// A stub that was asked by a client has as many webhooks as it likes.
    @Test func theFirstRequestIsNotBounded() throws {
        let target = try WebhookTarget()
        let hook = #"{"name": "webhook", "parameters": {"url": "\#(target.url)/h"}}"#
        let hooks = Array(repeating: hook, count: WebhookChain.widest + 1).joined(separator: ",")
        let mock = try ServedSession()
        try mock.add(#"{"request": {"urlPath": "/x"}, "serveEventListeners": [\#(hooks)]}"#)
        try mock.ask("GET", "/x")
        #expect(mock.waitsForWebhooks())
        #expect(target.lines.count == WebhookChain.widest + 1)
    }

    /// What a client says of itself is no way around, and harms nobody.
    @Test(arguments: ["*0", "*-5", "*99999999999999999999", "*", "**", "*9223372036854775807", "*4*4", "*x"])
    func sharesThatAreNoneCount(suffix: String) throws {
        let target = try WebhookTarget()
        let mock = try mock(to: target.url)
        let earlier = "11111111-1111-1111-1111-111111111111"
        try mock.ask("GET", "/x", headers: ["Stunt-Double-Webhooks: \(earlier)\(suffix), \(earlier)*2"])
        #expect(mock.waitsForWebhooks())
        #expect(target.lines.count == (suffix == "*9223372036854775807" ? 0 : 1))
    }

    @Test func aChainIsOnlySoLong() throws {
        let mock = try ring(20)
        try mock.ask("GET", "/0")
        #expect(mock.waitsForWebhooks())
        let seen = requests(mock)
        #expect(seen.map(\.url) == (0...WebhookChain.longest).map { "/\($0)" })
        #expect(
            seen.last?.errors.first?.hasSuffix("10 webhooks, each followed by the next, have led to the request")
                == true)
    }

    /// A webhook cannot shed what led to it, and says what it is.
    @Test func theFieldIsNotTheWebhooksOwn() throws {
        let target = try WebhookTarget()
        let mock = try mock(to: target.url, #", "headers": {"stunt-double-webhooks": "mine", "X-A": "b"}"#)
        let earlier = "11111111-1111-1111-1111-111111111111"
        try mock.ask("GET", "/x", headers: ["Stunt-Double-Webhooks: \(earlier.uppercased())"])
        #expect(mock.waitsForWebhooks())
        let id = try #require(mock.session.allStubs.first?.mapping.id.lowercasedString)
        let sent = target.received.withLock { $0[0].headers.filter { $0.name.lowercased() == "stunt-double-webhooks" } }
        #expect(sent.map(\.value) == ["\(earlier), \(id)"])
    }
}
