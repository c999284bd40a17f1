import SDAnswering
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel
import SDTestSupport
import Testing

/// `stream` of a response: its bytes, its gaps, and how its connection ends.
@Suite struct StreamTests {
    private func mock(_ response: String, options: SessionOptions = SessionOptions()) throws -> TestMock {
        let mock = try TestMock(session: options)
        try mock.add(
            #"{"id": "\#(Self.id)", "name": "s", "request": {"urlPath": "/s"}, "response": \#(response)}"#)
        return mock
    }

    private static let id = "11111111-1111-4111-8111-111111111111"

    private func ask(
        _ mock: TestMock, _ lines: String = "", method: String = "GET", version: String = "HTTP/1.1"
    ) throws -> RawClient {
        let client = try RawClient(port: mock.port)
        try client.send("\(method) /s \(version)\r\nHost: localhost\r\n\(lines)\r\n")
        return client
    }

    /// The received text without the lines that name the stub.
    private func shown(_ received: RawClient.Received) -> String {
        received.text.replacing("Matched-Stub-Id: \(Self.id)\r\nMatched-Stub-Name: s\r\n", with: "")
    }

    /// The body of what was received, without its chunks.
    private func body(_ received: RawClient.Received) throws -> String {
        try Exchange(received, isHead: false).text
    }

    private static let events = "Content-Type: text/event-stream\r\nCache-Control: no-cache\r\n"
    private static let chunked = "Transfer-Encoding: chunked\r\n\r\n"
    private static let close = "Connection: close\r\n"

    struct Case: Sendable, CustomTestStringConvertible {
        let response: String
        var request = ("GET", "HTTP/1.1", StreamTests.close)
        let wire: String
        var ending = RawClient.Ending.fin

        var testDescription: String { "\(request.0) \(request.1) \(request.2)\(response)" }
    }

    private static let ok = "HTTP/1.1 200 OK\r\nConnection: close\r\n"

    static let cases: [Case] = [
        Case(
            response: #"{"stream": [{"event": "tick", "id": "1", "data": {"n": 1.50}}, {"data": "two\nlines"}]}"#,
            wire: ok + events + chunked
                + "24\r\nevent: tick\nid: 1\ndata: {\"n\":1.50}\n\n\r\n17\r\ndata: two\ndata: lines\n\n\r\n0\r\n\r\n"),
        Case(
            response: #"{"stream": [{"comment": "hi\r\nyou", "retry": 1500, "data": ""}]}"#,
            wire: ok + events + chunked + "1E\r\n: hi\n: you\nretry: 1500\ndata:\n\n\r\n0\r\n\r\n"),
        Case(
            response: #"{"stream": [{"data": null}, {"data": [true, 2]}, {"data": "a\r\rb\n"}]}"#,
            wire: ok + events + chunked
                + "C\r\ndata: null\n\n\r\n10\r\ndata: [true,2]\n\n\r\n1D\r\ndata: a\ndata:\ndata: b\ndata:\n\n\r\n0\r\n\r\n"
        ),
        // Raw pieces have no type.
        Case(
            response:
                #"{"status": 201, "headers": {"Content-Type": "text/plain"}, "stream": [{"chunk": "a\n"}, {"base64": "AP8="}]}"#,
            wire: "HTTP/1.1 201 Created\r\nConnection: close\r\nContent-Type: text/plain\r\n" + chunked
                + "2\r\na\n\r\n2\r\n\u{0}\u{ff}\r\n0\r\n\r\n"),
        Case(
            response: #"{"stream": [{"chunk": "a"}, {"chunk": ""}, {"chunk": "b"}], "trailers": {"X": "1"}}"#,
            wire: ok + "Trailer: X\r\n" + chunked + "1\r\na\r\n1\r\nb\r\n0\r\nX: 1\r\n\r\n"),
        // A stub's own headers stay.
        Case(
            response:
                #"{"headers": {"content-type": "text/x", "Cache-Control": "max-age=1"}, "stream": [{"data": "x"}]}"#,
            wire: ok + "content-type: text/x\r\nCache-Control: max-age=1\r\n" + chunked
                + "9\r\ndata: x\n\n\r\n0\r\n\r\n"),
        Case(
            response: #"{"stream": {"events": [{"chunk": "ab"}], "repeat": 3}}"#,
            wire: ok + chunked + "2\r\nab\r\n2\r\nab\r\n2\r\nab\r\n0\r\n\r\n"),
        Case(
            response: #"{"stream": [{"data": "x"}]}"#, request: ("HEAD", "HTTP/1.1", close), wire: ok + events + chunked
        ),
        // Without chunks the end of the connection is that of the stream.
        Case(
            response: #"{"stream": [{"data": "x"}], "trailers": {"X": "1"}, "early": [103]}"#,
            request: ("GET", "HTTP/1.0", "Connection: keep-alive\r\n"), wire: ok + events + "\r\ndata: x\n\n"),
        Case(
            response: #"{"stream": {"events": [{"chunk": "a"}, {"hold": "open"}, {"chunk": "b"}]}}"#,
            request: ("GET", "HTTP/1.0", ""), wire: ok + "\r\nab"),
        Case(
            response: #"{"headers": {"Content-Length": "9"}, "stream": [{"chunk": "abc"}]}"#,
            request: ("GET", "HTTP/1.1", ""),
            wire: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"),
        Case(
            response: #"{"early": [{"headers": {"Link": "</a>"}}], "stream": [{"chunk": "a"}]}"#,
            wire: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + ok + chunked + "1\r\na\r\n0\r\n\r\n"),
        Case(
            response: #"{"status": 204, "stream": [{"chunk": "a"}]}"#,
            wire: "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"),
    ]

    @Test(arguments: cases) func theBytesAreExact(_ example: Case) throws {
        let mock = try mock(example.response)
        _ = mock.session.openGate("open")
        let (method, version, lines) = example.request
        let received = try ask(mock, lines, method: method, version: version).receiveAll()
        let text = String(String.UnicodeScalarView(received.bytes.map { Unicode.Scalar($0) }))
            .replacing("Matched-Stub-Id: \(Self.id)\r\nMatched-Stub-Name: s\r\n", with: "")
        #expect(text == example.wire)
        #expect(received.ending == example.ending)
        try mock.waitUntil(inFlight: 0)
        #expect(mock.session.events.first?.end?.outcome == .sent)
    }

    /// A stream of a stub that no gate, template or number of rounds makes lazy, and the same made lazily.
    @Test func aLazyStreamHasTheSameBytes() throws {
        let list = #"{"data": "1"}, {"after": "1ms", "data": "2"}, {"chunk": "3"}"#
        let whole = try mock(#"{"stream": {"events": [\#(list)], "repeat": 2}}"#)
        let lazy = try mock(#"{"stream": {"events": [\#(list), {"hold": "g"}], "repeat": 2}}"#)
        _ = lazy.session.openGate("g")
        let texts = try [whole, lazy].map { shown(try ask($0, Self.close).receiveAll()) }
        #expect(texts[0] == texts[1])
        #expect(texts[0].contains("data: 2"))
    }

    @Test func theConnectionIsKeptAfterAStream() throws {
        let mock = try mock(#"{"stream": [{"chunk": "a"}, {"hold": "g"}, {"after": "1ms", "chunk": "b"}]}"#)
        _ = mock.session.openGate("g")
        let client = try ask(mock)
        for _ in 0..<2 {
            let received = client.receive(until: "0\r\n\r\n")
            #expect(received.text.hasSuffix("\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n"))
            #expect(received.ending == .open)
            try client.send("GET /s HTTP/1.1\r\nHost: localhost\r\n\r\n")
        }
    }

    // MARK: Time

    @Test func gapsAreKept() throws {
        let mock = try mock(
            #"{"stream": {"events": [{"after": "40ms", "data": "a"}, {"after": "80ms", "data": "b"}], "repeat": 2}}"#)
        let clock = ContinuousClock()
        let begin = clock.now
        let client = try ask(mock)
        _ = client.receive(until: "\r\n\r\n")
        // From the beginning, as the client may see an event late, and the one after it in time.
        for (least, letter) in [(40, "a"), (120, "b"), (160, "a"), (240, "b")] {
            #expect(client.receive(until: "data: \(letter)\n\n\r\n").text == "9\r\ndata: \(letter)\n\n\r\n")
            #expect(clock.now - begin >= .milliseconds(least), "\(letter)")
        }
        expectWire(client.receive(5), "0\r\n\r\n", .open)
    }

    @Test func noEventIsEarly() throws {
        let mock = try mock(#"{"stream": [{"after": "60ms", "data": "a"}, {"after": "60ms", "data": "b"}]}"#)
        let clock = ContinuousClock()
        let begin = clock.now
        let client = try ask(mock)
        _ = client.receive(until: "data: a\n\n\r\n")
        #expect(clock.now - begin >= .milliseconds(60))
        _ = client.receive(until: "data: b\n\n\r\n")
        #expect(clock.now - begin >= .milliseconds(120))
    }

    @Test func theStubsDelayComesBeforeTheHead() throws {
        let mock = try mock(
            #"{"fixedDelayMilliseconds": 50, "stream": {"events": [{"data": "a"}], "repeat": "forever"}}"#)
        let clock = ContinuousClock()
        let begin = clock.now
        let client = try ask(mock)
        #expect(client.receive(1).bytes.count == 1)
        #expect(clock.now - begin >= .milliseconds(50))
    }

    // MARK: Without an end

    @Test func aStreamWithoutAnEndGoesOn() throws {
        let mock = try mock(
            #"{"stream": {"events": [{"after": "1ms", "data": "a"}, {"data": "b"}], "repeat": "forever"}}"#)
        let client = try ask(mock)
        _ = client.receive(until: "\r\n\r\n")
        let round = "9\r\ndata: a\n\n\r\n9\r\ndata: b\n\n\r\n"
        #expect(client.receive(100 * round.utf8.count).text == String(repeating: round, count: 100))
        client.reset()
        try mock.waitUntil(inFlight: 0)
        #expect(mock.session.events.first?.end?.outcome == .clientDisconnected)
    }

    /// Neither a reader of an endless stream without gaps nor one that takes nothing keeps others waiting, or takes
    /// memory.
    @Test(.enabled(if: ProcessFacts.measuresMemory, "memory cannot be measured"))
    func aFloodHoldsUpNobody() async {
        await #expect(processExitsWith: .success) {
            let tests = StreamTests()
            let mock = try tests.mock(#"{"stream": {"events": [{"chunk": "0123456789"}], "repeat": "forever"}}"#)
            let dead = try (0..<20).map { _ in try tests.ask(mock) }
            let reader = try tests.ask(mock)
            #expect(reader.receive(4 << 20, within: 60_000).bytes.count == 4 << 20, "the first 4 MiB")
            let before = try #require(ProcessFacts.residentBytes)
            for _ in 0..<20 {
                #expect(reader.receive(1 << 20, within: 60_000).bytes.count == 1 << 20, "a MiB")
                #expect(try Exchange(mock.port, "GET", "/none").status == 404)
            }
            let growth = try #require(ProcessFacts.residentBytes) - before
            #expect(growth < 16 << 20, "\(growth) bytes")
            for client in dead { client.reset() }
            reader.reset()
            try mock.waitUntil(inFlight: 0)
        }
    }

    @Test(arguments: [("POST", "/reset"), ("DELETE", "/in-flight")])
    func aResetBreaksStreamsOff(method: String, path: String) throws {
        let mock = try mock(#"{"stream": {"events": [{"after": "1ms", "data": "a"}], "repeat": "forever"}}"#)
        let client = try ask(mock)
        _ = client.receive(until: "data: a\n")
        _ = try Exchange(mock.port, method, "/__admin" + path)
        #expect(client.receiveAll().ending == .rst)
        try mock.waitUntil(inFlight: 0)
    }

    // MARK: Coming back

    @Test(arguments: [("", ["a", "b", "c"]), ("1", ["b", "c"]), ("2", ["c"]), ("x", ["a", "b", "c"])])
    func aReaderComesBack(last: String, expected: [String]) throws {
        let mock = try mock(#"{"stream": [{"id": "1", "data": "a"}, {"id": "2", "data": "b"}, {"data": "c"}]}"#)
        let lines = last.isEmpty ? Self.close : Self.close + "Last-Event-ID: \(last)\r\n"
        let text = try body(try ask(mock, lines).receiveAll())
        let data = text.split(separator: "\n").filter { $0.hasPrefix("data: ") }.map { $0.dropFirst(6) }
        #expect(data.map(String.init) == expected)
    }

    @Test func whoHasSeenAllIsToldSo() throws {
        let mock = try mock(#"{"stream": [{"id": "1", "data": "a"}, {"id": "2", "data": "b"}]}"#)
        let answer = try Exchange(try ask(mock, Self.close + "Last-Event-ID: 2\r\n").receiveAll(), isHead: false)
        #expect(answer.status == 204)
        #expect(answer.text.isEmpty)
        // Not in a stream that goes on.
        let other = try self.mock(#"{"stream": {"events": [{"id": "1", "data": "a"}], "repeat": 2}}"#)
        let text = try body(try ask(other, Self.close + "Last-Event-ID: 1\r\n").receiveAll())
        #expect(text == "id: 1\ndata: a\n\n")
    }

    // MARK: Templates

    @Test func eventsAreTemplates() throws {
        let mock = try mock(
            #"{"transformers": ["response-template"], "stream": {"repeat": 2, "events": "#
                + #"[{"id": "{{stream.index}}", "event": "e{{stream.round}}", "data": {"path": "{{request.path}}"}}, {"chunk": "=\n"}]}}"#
        )
        let text = try body(try ask(mock, Self.close).receiveAll())
        let event = { (id: Int, round: Int) in "event: e\(round)\nid: \(id)\ndata: {\"path\":\"/s\"}\n\n=\n" }
        #expect(text == event(0, 0) + event(2, 1))
        let rest = try body(try ask(mock, Self.close + "Last-Event-ID: 0\r\n").receiveAll())
        #expect(rest == "=\n" + event(2, 1))
    }

    @Test func theSameRequestsDrawTheSameEvents() throws {
        let response =
            #"{"transformers": ["response-template"], "stream": {"repeat": 3, "events": [{"data": "{{randomInt}} {{randomValue length=8 type='ALPHANUMERIC'}}"}]}}"#
        var options = SessionOptions()
        options.seed = 7
        let mocks = try (0..<2).map { _ in try mock(response, options: options) }
        let texts = try mocks.map { try body(try ask($0, Self.close).receiveAll()) }
        #expect(texts[0] == texts[1])
        #expect(Set(texts[0].split(separator: "\n")).count == 3)
    }

    @Test func aTemplateThatFailsBreaksTheStreamOff() throws {
        let mock = try mock(
            #"{"transformers": ["response-template"], "stream": [{"data": "a"}, {"data": "{{#assign}}"}]}"#)
        let answer = try Exchange(try ask(mock, Self.close).receiveAll(), isHead: false)
        #expect(answer.status == 500)
        #expect(answer.text.contains("stream.1.data"))
    }

    // MARK: Gates

    private func waitUntil(_ mock: TestMock, waiting count: Int) throws {
        let isSo = eventually(within: 10_000) { mock.session.gate("g").waiting.count == count ? true : nil }
        try #require(isSo == true)
    }

    @Test func theRestOfAStreamWaitsAtAGate() throws {
        let mock = try mock(#"{"stream": [{"chunk": "a"}, {"hold": "g"}, {"chunk": "b"}]}"#)
        let client = try ask(mock)
        #expect(shown(client.receive(until: "1\r\na\r\n")).hasSuffix("\r\n\r\n1\r\na\r\n"))
        try waitUntil(mock, waiting: 1)
        #expect(try mock.admin("GET", "/gates/g")["requests"]?[0]?["inStream"] == true)
        #expect(client.receiveUntilQuiet(milliseconds: 30).bytes.isEmpty)
        // What was sent cannot be answered otherwise.
        #expect(try mock.admin("POST", "/gates/g/release", #"{"response": {}}"#)["released"] == 0)
        #expect(try mock.admin("POST", "/gates/g/release") == ["released": 1])
        expectWire(client.receive(11), "1\r\nb\r\n0\r\n\r\n", .open)
        #expect(mock.session.gates.isEmpty)
    }

    @Test func theGateIsReachedWhenTheWaitBeforeItIsOver() throws {
        let mock = try mock(#"{"stream": [{"chunk": "a"}, {"after": "1h", "hold": "g"}, {"chunk": "b"}]}"#)
        let client = try ask(mock)
        _ = client.receive(until: "1\r\na\r\n")
        #expect(try mock.admin("POST", "/gates/g/release")["released"] == 0)
        #expect(client.receiveUntilQuiet(milliseconds: 30).bytes.isEmpty)
        client.reset()
        try mock.waitUntil(inFlight: 0)
    }

    @Test(arguments: [
        ("{}", "", RawClient.Ending.rst), (#"{"fault": "EMPTY_RESPONSE"}"#, "", .fin),
        (#"{"fault": "MALFORMED_RESPONSE_CHUNK"}"#, "lskdu018973t09sylgasjkfg1][]'./.sdlv", .fin),
    ])
    func aGateBreaksAStreamOff(body: String, rest: String, ending: RawClient.Ending) throws {
        let mock = try mock(#"{"stream": [{"chunk": "a"}, {"hold": "g"}, {"chunk": "b"}]}"#)
        let client = try ask(mock)
        _ = client.receive(until: "1\r\na\r\n")
        try waitUntil(mock, waiting: 1)
        #expect(try mock.admin("POST", "/gates/g/fail", body) == ["failed": 1])
        #expect(client.receiveAll() == RawClient.Received(wire(rest), ending))
        try mock.waitUntil(inFlight: 0)
        #expect(mock.session.gates.isEmpty)
    }

    @Test(arguments: [("answer", "1\r\nb\r\n0\r\n\r\n", RawClient.Ending.fin), ("fail", "", .rst)])
    func aWaitInAStreamHasItsTime(then: String, rest: String, ending: RawClient.Ending) throws {
        let mock = try mock(
            #"{"stream": [{"chunk": "a"}, {"hold": {"gate": "g", "timeout": "20ms", "onTimeout": "\#(then)"}}, {"chunk": "b"}]}"#
        )
        let client = try ask(mock, Self.close)
        _ = client.receive(until: "1\r\na\r\n")
        #expect(client.receiveAll() == RawClient.Received(wire(rest), ending))
    }

    @Test func aReaderThatLeavesAGateWaitsNoLonger() throws {
        let mock = try mock(#"{"stream": {"events": [{"chunk": "a"}, {"hold": "g"}], "repeat": "forever"}}"#)
        let client = try ask(mock)
        for _ in 0..<50 {
            _ = client.receive(until: "1\r\na\r\n")
            try waitUntil(mock, waiting: 1)
            #expect(try mock.admin("POST", "/gates/g/release") == ["released": 1])
        }
        try waitUntil(mock, waiting: 1)
        client.reset()
        try waitUntil(mock, waiting: 0)
        try mock.waitUntil(inFlight: 0)
    }

    // MARK: The journal

    private func sent(_ mock: TestMock) throws -> String {
        String(decoding: try #require(mock.session.events.first?.response).body, as: UTF8.self)
    }

    @Test func theJournalHasWhatWasSentSoFar() throws {
        let mock = try mock(#"{"stream": {"events": [{"data": "a"}, {"hold": "g"}, {"data": "b"}]}}"#)
        let client = try ask(mock)
        _ = client.receive(until: "data: a\n\n\r\n")
        try waitUntil(mock, waiting: 1)
        #expect(mock.session.events.first?.status == 200)
        #expect(try sent(mock) == "data: a\n\n")
        client.reset()
        try mock.waitUntil(inFlight: 0)
        #expect(try #require(mock.session.events.first?.end?.bytesSent) > 100)
        #expect(try sent(mock) == "data: a\n\n")
    }

    @Test(arguments: [
        // Rendered pieces, rounds, and what callers sent.
        (#"{"stream": [{"data": "{{request.method}}"}], "transformers": ["response-template"]}"#, "data: GET\n\n"),
        (#"{"stream": {"events": [{"data": "a"}], "repeat": 3}}"#, "data: a\n\ndata: a\n\ndata: a\n\n"),
        (
            #"{"stream": {"events": [{"data": "a"}, {"after": "1ms", "data": "b"}], "repeat": 2}}"#,
            "data: a\n\ndata: b\n\ndata: a\n\ndata: b\n\n"
        ),
        (#"{"stream": {"name": "n", "events": [{"data": "a"}]}}"#, "data: a\n\ndata: pushed\n\n"),
    ])
    func theJournalHasAllThatWasSent(_ response: String, _ body: String) throws {
        let mock = try mock(response)
        let client = try ask(mock, "Connection: close\r\n")
        if response.contains("name") {
            _ = client.receive(until: "data: a\n\n\r\n")
            #expect(try mock.admin("POST", "/streams/n", #"{"data": "pushed"}"#)["readers"] == 1)
            _ = client.receive(until: "pushed\n\n\r\n")
            _ = try mock.admin("POST", "/streams/n/close")
        }
        _ = client.receiveAll(within: 20_000)
        try mock.waitUntil(inFlight: 0)
        #expect(try sent(mock) == body)
        #expect(mock.session.events.first?.response?.wholeBody == nil)
    }

    @Test func ofALongStreamTheJournalKeepsTheBeginningAndIsChargedForIt() throws {
        let mock = try mock(#"{"stream": {"events": [{"chunk": "0123456789abcdef"}], "repeat": "forever"}}"#)
        let before = mock.session.journalSize.bytes
        let client = try ask(mock)
        _ = client.receive(100_000)
        client.reset()
        try mock.waitUntil(inFlight: 0)
        let response = try #require(mock.session.events.first?.response)
        #expect(response.body.count == 16 << 10)
        #expect(response.body.starts(with: Array("0123456789abcdef0123".utf8)))
        #expect(try #require(response.wholeBody) >= 50_000)
        #expect(mock.session.journalSize.bytes - before > 16 << 10)
    }

    @Test func theJournalNamesTheFaultThatEndedAStream() throws {
        let mock = try mock(#"{"stream": [{"data": "a"}, {"hold": "g"}]}"#)
        let client = try ask(mock)
        try waitUntil(mock, waiting: 1)
        #expect(try mock.admin("POST", "/gates/g/fail") == ["failed": 1])
        _ = client.receiveAll(within: 20_000)
        try mock.waitUntil(inFlight: 0)
        #expect(mock.session.events.first?.response?.fault == .connectionResetByPeer)
        #expect(try sent(mock) == "data: a\n\n")
    }
}
