import Dispatch
import SDHTTPTransport
import SDJSON
import SDPlatform
import SDTestSupport
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// Bodies that take long to compress are compressed beside the loop.
@Suite struct CompressionTests {
    /// 200 KB that compress to more than a socket's buffer takes at once.
    private static let text = (0..<20_000).map { "line \($0 &* 2_654_435_761 % 1_000_003)\n" }.joined()

    /// Keeps all threads for dear work busy until they are released.
    private final class BusyThreads: Sendable {
        /// As many threads as there may be.
        private static let most = 8
        private let released = DispatchSemaphore(value: 0)

        init(of session: Session) {
            for _ in 0..<Self.most {
                session.shared.matching.add { [released] in _ = released.wait(timeout: .now() + .seconds(60)) }
            }
        }

        func release() {
            for _ in 0..<Self.most { released.signal() }
        }
    }

    /// What responses with the text are made of.
    private static let responses: [String] = {
        let text = JSONValue.string(Self.text).compactText
        return [
            #""body": \#(text)"#, #""bodyFileName": "large.txt""#,
            #""body": \#(text), "hold": "open""#,
            #""body": "{{parameters.text}}", "transformers": ["response-template"], "#
                + #""transformerParameters": {"text": \#(text)}"#,
            #""body": "{{parameters.text}}", "transformers": ["response-template"], "#
                + #""transformerParameters": {"text": \#(text)}, "hold": "open""#,
        ]
    }()

    private func mock(_ response: String) throws -> ServedSession {
        let mock = try ServedSession(files: ["large.txt": Self.text])
        try mock.add(#"{"request": {"url": "/large"}, "response": {\#(response)}}"#)
        let short = String(repeating: "x", count: 60_000)
        try mock.add(#"{"request": {"url": "/short"}, "response": {"body": "\#(short)"}}"#)
        _ = mock.session.openGate("open")
        return mock
    }

    /// A client that has asked for the text, which is being compressed.
    private func asking(_ mock: ServedSession) throws -> RawClient {
        let client = try mock.server.client()
        try client.send("GET /large HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n")
        #expect(eventually { mock.session.events.isEmpty ? nil : true } == true)
        return client
    }

    private func expectText(_ received: RawClient.Received) throws {
        let answer = try #require(HTTPAnswer(received.bytes))
        #expect(answer.status == 200 && answer["Content-Encoding"] == "gzip")
        let isText = try decompressed(answer.body[...], limit: 1 << 20) == Array(Self.text.utf8)
        #expect(isText)
    }

    @Test(arguments: responses.indices)
    func aLargeBodyIsCompressedBesideTheLoop(index: Int) throws {
        let mock = try mock(Self.responses[index])
        let threads = BusyThreads(of: mock.session)
        let client = try asking(mock)
        // The only loop serves others, and what is short at once.
        #expect(try mock.ask("GET", "/short", headers: ["Accept-Encoding: gzip"])["Content-Encoding"] == "gzip")
        let event = try #require(mock.session.events.last)
        #expect(event.response == nil && event.end == nil)
        threads.release()
        try expectText(client.receive(until: "\r\n0\r\n\r\n"))
        #expect(event.response.map { $0.body == Array(Self.text.utf8) } == true)
        let counts = mock.session.counts
        #expect(counts.failed == 0 && counts.served == 2)
        // The connection goes on.
        try client.send("GET /large HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n")
        try expectText(client.receive(until: "\r\n0\r\n\r\n"))
    }

    /// Once it is compressed, a constant body needs no thread.
    @Test(arguments: [0, 1])
    func aConstantBodyIsCompressedOnce(index: Int) throws {
        let mock = try mock(Self.responses[index])
        try expectText(try asking(mock).receive(until: "\r\n0\r\n\r\n"))
        let threads = BusyThreads(of: mock.session)
        try expectText(try asking(mock).receive(until: "\r\n0\r\n\r\n"))
        threads.release()
    }

    @Test(arguments: responses.indices)
    func aClientMayLeaveWhileItsBodyIsCompressed(index: Int) throws {
        let mock = try mock(Self.responses[index])
        let threads = BusyThreads(of: mock.session)
        let client = try asking(mock)
        client.reset()
        #expect(try mock.ask("GET", "/short").status == 200)
        threads.release()
        let event = try #require(mock.session.events.last)
        #expect(eventually { event.end }?.outcome == .clientDisconnected)
        #expect(eventually { mock.session.inFlightCount == 0 ? true : nil } == true)
        #expect(mock.session.counts.failed == 0)
    }

    @Test(arguments: [0, 1, 3])
    func aDrainingServerWaitsForABodyThatIsCompressed(index: Int) throws {
        let mock = try mock(Self.responses[index])
        let threads = BusyThreads(of: mock.session)
        let idle = try mock.server.client()
        let client = try asking(mock)
        mock.server.server.drain(milliseconds: 60_000)
        #expect(idle.receiveAll().ending == .fin)
        threads.release()
        let received = client.receiveAll()
        try expectText(received)
        #expect(received.ending == .fin)
    }
}
