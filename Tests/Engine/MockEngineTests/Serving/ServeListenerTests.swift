import Foundation
import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDPlatform
import SDStubModel
import SDTemplating
import SDTestSupport
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// What is done beside the answers of a stub, phase by phase, and the whole bodies that listeners read.
@Suite struct ServeListenerTests {
    /// Tells the test of each phase.
    private final class Listener: ServeListener {
        let phases: ServePhases
        let readsBodies: Bool
        let problem: String?
        let task = "listening"
        let told = Events<Told>()

        init(_ phases: ServePhases, readsBodies: Bool = false, problem: String? = nil) {
            self.phases = phases
            self.readsBodies = readsBodies
            self.problem = problem
        }

        func beforeResponse(_ session: any AnsweringSession, _ environment: RenderEnvironment) throws(ListenerProblem) {
            told.tell(Told(phase: .beforeResponse))
            if let problem { throw ListenerProblem(problem) }
        }

        func responseSent(_ exchange: ServedExchange) { told.tell(Told(phase: .responseSent, exchange)) }
        func exchangeEnded(_ exchange: ServedExchange) { told.tell(Told(phase: .exchangeEnded, exchange)) }
    }

    private struct Told: Sendable {
        let phase: ServePhases
        var hasEnded = false
        var isOnLoop = true
        var event: ServeEvent?
        var request: [UInt8] = []
        var response: SentBody?

        init(phase: ServePhases, _ exchange: ServedExchange? = nil) {
            self.phase = phase
            guard let exchange else { return }
            event = exchange.event
            hasEnded = exchange.event.end != nil
            isOnLoop = exchange.loop.isCurrent
            request = Array(exchange.request.body)
            response = exchange.responseBody
        }
    }

    private static let journalLimit = 64
    private static let text = String(repeating: "0123456789", count: 30_000)

    private func mock(
        _ stub: String, _ listener: Listener, files: [String: String] = [:], memory: MemoryLedger = MemoryLedger()
    ) throws -> ServedSession {
        var options = SessionOptions()
        options.journalBodyLimit = Self.journalLimit
        options.matchBudget *= 40
        let mock = try ServedSession(options, files: files, memory: memory)
        let mapping = try StubMapping(json: JSONValue(parsing: #"{"request": {"url": "/x"}, "response": \#(stub)}"#))
        try mock.session.add(mapping, toldTo: [listener])
        return mock
    }

    // MARK: Phases

    @Test(arguments: 0..<UInt8(8)) func aListenerIsToldInItsPhasesAlone(phases: UInt8) throws {
        let listener = Listener(ServePhases(rawValue: phases))
        let mock = try mock(#"{"body": "a"}"#, listener)
        for _ in 1...2 {
            #expect(try mock.ask("GET", "/x").text == "a")
            for phase in [ServePhases.beforeResponse, .responseSent, .exchangeEnded]
            where listener.phases.contains(phase) {
                let told = try #require(listener.told.next())
                #expect(told.phase == phase && told.isOnLoop && told.response == nil)
                #expect(told.hasEnded == (phase == .exchangeEnded))
            }
        }
        #expect(listener.told.next(within: 0) == nil)
    }

    @Test(arguments: [
        (listeners: "", before: false, follow: false),
        (#"{"name": "recordState", "parameters": {"context": "a"}}"#, true, false),
        // It is not called before the response, and so does nothing.
        (
            #"{"name": "recordState", "requestPhases": ["AFTER_COMPLETE"], "parameters": {"context": "a"}}"#, false,
            false
        ),
    ]) func aStubWithoutWorkInAPhasePaysNothing(listeners: String, before: Bool, follow: Bool) throws {
        let mock = try ServedSession()
        try mock.add(#"{"request": {"url": "/x"}, "serveEventListeners": [\#(listeners)]}"#)
        #expect(try mock.ask("GET", "/x").status == 200)
        let event = try #require(mock.session.events.first)
        let stub = try #require(event.matched)
        #expect(stub.tellsBefore == before && stub.listeners?.follow ?? false == follow)
        #expect((stub.listeners == nil) == (!before && !follow))
        #expect(ServedExchange.of(event, in: mock.session, mock.server.server.loop()) == nil)
        // What is rendered once stays so.
        #expect((stub.plainScript([]) == nil) == before)
    }

    @Test func aListenerThatCannotWorkFailsTheResponse() throws {
        let listener = Listener([.beforeResponse, .exchangeEnded], problem: "it is tired")
        let mock = try mock(#"{"body": "a"}"#, listener)
        let answer = try mock.ask("GET", "/x")
        #expect(answer.status == 500 && answer.text == "The stub cannot be served: it is tired\n")
        #expect(listener.told.next()?.phase == .beforeResponse)
        #expect(listener.told.next()?.event?.failure == "it is tired")
    }

    // MARK: Bodies

    private static let plain = #"{"body": "\#(text)"}"#
    private static let streamed = #"{"chunk": "\#(text)"}, {"chunk": "{{request.body}}"}"#

    private static let answers: [(stub: String, expected: String)] = [
        (stub: plain, expected: text),
        (#"{"body": "\#(text)", "fixedDelayMilliseconds": 1}"#, text),
        (#"{"body": "\#(text)", "chunkedDribbleDelay": {"numberOfChunks": 7, "totalDuration": 7}}"#, text),
        (#"{"body": "\#(text)", "ranges": true}"#, text),
        (#"{"body": "{{request.body}}|{{request.body}}", "transformers": ["response-template"]}"#, sent + "|" + sent),
        (#"{"bodyFileName": "a.txt"}"#, text),
        (#"{"bodyFileName": "large.bin"}"#, text + text),
        (#"{"stream": [{"chunk": "\#(text)"}, {"chunk": "b", "after": "1ms"}]}"#, text + "b"),
        (#"{"transformers": ["response-template"], "stream": [\#(streamed)]}"#, text + sent),
        (
            #"{"transformers": ["response-template"], "stream": {"events": [\#(streamed)], "repeat": 2}}"#,
            text + sent + text + sent
        ),
    ]

    @Test(arguments: answers) func aListenerReadsBothWholeBodies(stub: String, expected: String) throws {
        let listener = Listener(.exchangeEnded, readsBodies: true)
        let memory = MemoryLedger()
        let mock = try mock(stub, listener, files: ["a.txt": Self.text], memory: memory)
        let folder = try TemporaryFolder()
        let path = folder.path + "/large"
        try Data((Self.text + Self.text).utf8).write(to: URL(fileURLWithPath: path))
        let file = SDPlatform.OpenFile(try SystemCalls.open(path, .read), size: 2 * Self.text.utf8.count)
        mock.files.large.withLock {
            $0["large.bin"] = BodyFile(.file(file, 0..<file.size), version: 1, modified: 0)
        }
        let answer = try PersistentConnection(port: mock.server.port).request("POST", "/x", body: Self.sent)
        #expect(answer.text == expected)
        let told = try #require(listener.told.next())
        #expect(told.hasEnded && told.isOnLoop)
        #expect(told.event?.end?.outcome == .sent)
        #expect(told.request == Array(Self.sent.utf8))
        let body = try #require(told.response)
        #expect(body.isWhole && body.count == expected.utf8.count)
        #expect(body.bytes == Array(expected.utf8))
        let middle = (expected.utf8.count / 2 - 1)..<(expected.utf8.count / 2 + 100)
        #expect(body.bytes(middle) == Array(Array(expected.utf8)[middle]))
        #expect(body.header("Matched-Stub-Id") != nil && body.header("X-None") == nil)
        // The journal keeps its beginning.
        #expect(told.event?.request.bodyCount == Self.journalLimit)
        #expect(told.event?.wholeBody == Self.sent.utf8.count)
    }

    private static let sent = String(repeating: "abcdefg", count: 10_000)

    @Test func whatIsReadIsWhatWasSent() throws {
        let listener = Listener(.exchangeEnded, readsBodies: true)
        let mock = try mock(Self.plain, listener)
        let head = try mock.server.client()
        try head.send("HEAD /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(head.receiveAll().text.hasPrefix("HTTP/1.1 200 "))
        #expect(listener.told.next()?.response?.count == 0)
        let client = try mock.server.client()
        try client.send("GET /x HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n")
        #expect(client.receiveAll().ending == .fin)
        let body = try #require(listener.told.next()?.response)
        #expect(body.header("Content-Encoding") == "gzip")
        #expect(body.isWhole && body.bytes.starts(with: [0x1F, 0x8B]) && body.count < Self.text.utf8.count)
    }

    /// A client that takes a part of the answer, and leaves.
    @Test(arguments: ["static", "templated", "held", "streamed"])
    func aClientThatLeavesInTheMiddleHasABody(kind: String) throws {
        let long = String(repeating: Self.text, count: 40)
        let stub =
            switch kind {
            case "static": #"{"body": "\#(Self.text)\#(long)"}"#
            case "templated": #"{"body": "{{request.body}}\#(long)", "transformers": ["response-template"]}"#
            case "held": #"{"stream": [{"chunk": "\#(Self.text)"}, {"hold": "never"}, {"chunk": "b"}]}"#
            default: #"{"stream": [{"chunk": "\#(Self.text)"}, {"chunk": "\#(long)", "after": "1ms"}]}"#
            }
        let listener = Listener([.responseSent, .exchangeEnded], readsBodies: true)
        let mock = try mock(stub, listener)
        let client = try mock.server.client()
        client.shrinkReceiveBuffer(to: 4096)
        try client.send("POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: \(Self.sent.utf8.count)\r\n\r\n\(Self.sent)")
        #expect(client.receive(Self.text.utf8.count).bytes.count == Self.text.utf8.count)
        client.reset()
        let told = try #require(listener.told.next())
        #expect(told.phase == .exchangeEnded)
        let end = try #require(told.event?.end)
        #expect(end.outcome == .clientDisconnected)
        #expect(told.request == Array(Self.sent.utf8))
        let body = try #require(told.response)
        #expect(body.isWhole && body.count > Self.text.utf8.count / 2)
        #expect(UInt64(body.count) == end.bodyBytesSent)
        let whole = (kind == "templated" ? Self.sent : Self.text) + long
        #expect(body.bytes.elementsEqual(whole.utf8.prefix(body.count)))
    }

    @Test func whatDoesNotFitIsTold() throws {
        let listener = Listener(.exchangeEnded, readsBodies: true)
        let memory = MemoryLedger(limit: 4 << 20)
        let chunks = #"{"chunk": "\#(Self.text)"}, {"chunk": "{{request.method}}"}"#
        let stub = #"{"transformers": ["response-template"], "stream": {"events": [\#(chunks)], "repeat": 10}}"#
        let mock = try mock(stub, listener, memory: memory)
        let expected = String(repeating: Self.text + "GET", count: 10)
        #expect(try mock.ask("GET", "/x").text == expected)
        var body = listener.told.next()?.response
        #expect(body?.count == expected.utf8.count && body?.isWhole == false)
        // A quarter of the memory has three times the text.
        let kept = 3 * (Self.text.utf8.count + 3)
        #expect(body?.keptCount == kept && memory.bytes(of: .recordings) >= kept)
        #expect(body?.bytes == Array(expected.utf8.prefix(kept)))
        body = nil
        #expect(eventually { memory.bytes(of: .recordings) == 0 ? true : nil } == true)
    }
}
