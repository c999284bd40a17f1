import SDAnswering
import SDJSON
import SDMockEngine
import SDPlatform
import SDStubModel
import SDTestSupport
import Testing

/// Streams with names, to whose readers a test pushes events: `/__admin/streams`.
@Suite struct PushedStreamTests {
    private func mock(_ stream: String = #"{"name": "s"}"#, workers: Int = 1) throws -> TestMock {
        var options = SessionOptions()
        options.workers = workers
        let mock = try TestMock(session: options)
        try mock.add(#"{"request": {"urlPath": "/s"}, "response": {"stream": \#(stream)}}"#)
        return mock
    }

    private func read(_ mock: TestMock, _ path: String = "/s") throws -> RawClient {
        let client = try RawClient(port: mock.port)
        try client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let head = client.receive(until: "\r\n\r\n").text
        #expect(head.contains("Content-Type: text/event-stream\r\n"))
        return client
    }

    private func chunk(_ text: String) -> String {
        String(text.utf8.count, radix: 16, uppercase: true) + "\r\n\(text)\r\n"
    }

    @Test func whatIsPushedIsReadByAll() throws {
        let mock = try mock()
        #expect(try mock.admin("POST", "/streams/s", #"{"data": "early"}"#) == ["readers": 0, "events": 1])
        let clients = try (0..<3).map { _ in try read(mock) }
        let shown = try mock.admin("GET", "/streams")["streams"]?[0]
        #expect(shown?["name"] == "s")
        #expect(shown?["readers"] == 3)
        #expect(shown?["sent"] == 0)
        #expect(shown?["requests"]?[0]?["url"] == "/s")
        #expect(
            try mock.admin("POST", "/streams/s", #"{"event": "e", "id": "7", "data": {"a": 1}}"#)
                == ["readers": 3, "events": 1])
        let list = #"[{"data": "x\ny"}, {"comment": "c"}, {"chunk": "raw\n\n"}, {"base64": "Yg=="}]"#
        #expect(try mock.admin("POST", "/streams/s", list) == ["readers": 3, "events": 4])
        let expected =
            chunk("event: e\nid: 7\ndata: {\"a\":1}\n\n") + chunk("data: x\ndata: y\n\n: c\n\nraw\n\nb")
        for client in clients { expectWire(client.receive(expected.utf8.count), expected, .open) }
        #expect(try mock.admin("GET", "/streams/s")["sent"] == 5)
        #expect(try mock.admin("POST", "/streams/other", #"{"data": "x"}"#) == ["readers": 0, "events": 1])
        clients[0].reset()
        let isGone = eventually { mock.session.stream("s").readers.count == 2 ? true : nil }
        #expect(isGone == true)
        #expect(try mock.admin("POST", "/streams/s", #"{"data": "z"}"#)["readers"] == 2)
        #expect(try mock.admin("POST", "/streams/s/close") == ["closed": 2])
        for client in clients.dropFirst() {
            let rest = chunk("data: z\n\n") + "0\r\n\r\n"
            expectWire(client.receive(rest.utf8.count), rest, .open)
            // The connection is kept.
            try client.send("GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(client.receive(12).text == "HTTP/1.1 404")
        }
        #expect(try mock.admin("GET", "/streams") == ["streams": [], "meta": ["total": 0]])
    }

    @Test func theStreamsOwnEventsComeFirst() throws {
        let mock = try mock(#"{"name": "s", "events": [{"data": "1"}, {"data": "2"}], "repeat": 2}"#)
        let client = try read(mock)
        _ = try mock.admin("POST", "/streams/s", #"{"data": "3"}"#)
        let text = ["1", "2", "1", "2", "3"].map { chunk("data: \($0)\n\n") }.joined()
        expectWire(client.receive(text.utf8.count), text, .open)
    }

    // MARK: Coming back

    private func comeBack(_ mock: TestMock, _ last: String, _ prefix: String = "") throws -> RawClient {
        let client = try RawClient(port: mock.port)
        try client.send("GET \(prefix)/s HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: \(last)\r\n\r\n")
        _ = client.receive(until: "\r\n\r\n")
        return client
    }

    /// The data of all events that a client gets until its stream is closed.
    private func data(_ mock: TestMock, _ client: RawClient) throws -> [String] {
        let isThere = eventually { mock.session.stream("s").readers.isEmpty ? nil : true }
        #expect(isThere == true)
        _ = try mock.admin("POST", "/streams/s/close")
        let lines = client.receive(until: "0\r\n\r\n").text.split(whereSeparator: \.isNewline)
        return lines.filter { $0.hasPrefix("data: ") }.map { String($0.dropFirst(6)) }
    }

    @Test func aReaderThatComesBackGetsWhatItMissed() throws {
        let mock = try mock(#"{"name": "s", "events": [{"id": "own", "data": "o"}], "repeat": 2}"#)
        _ = try mock.admin("POST", "/streams/s", #"{"data": "before all ids"}"#)
        let client = try read(mock)
        let isThere = eventually { mock.session.stream("s").readers.count == 1 ? true : nil }
        #expect(isThere == true)
        _ = try mock.admin("POST", "/streams/s", #"[{"id": "1", "data": "a"}, {"id": "2", "data": "b"}]"#)
        #expect(client.receive(until: "data: b\n\n\r\n").text.contains("data: a"))
        client.reset()
        let isGone = eventually { mock.session.stream("s").readers.isEmpty ? true : nil }
        #expect(isGone == true)
        _ = try mock.admin("POST", "/streams/s", #"{"data": "no id"}"#)
        #expect(
            try mock.admin("POST", "/streams/s", #"{"id": "3", "data": "c"}"#) == ["readers": 0, "events": 1])
        #expect(try mock.admin("GET", "/streams")["meta"]?["total"] == 0)
        #expect(try data(mock, comeBack(mock, "1")) == ["b", "no id", "c"])
        #expect(try data(mock, comeBack(mock, "2")) == ["no id", "c"])
        #expect(try data(mock, comeBack(mock, "3")) == [])
        // Whoever knows none of the ids gets what comes.
        #expect(try data(mock, comeBack(mock, "4")) == ["o", "o"])
        #expect(try data(mock, read(mock)) == ["o", "o"])
        let session = try #require(try mock.admin("POST", "/sessions", status: 201)["id"]?.stringValue)
        let other = try comeBack(mock, "1", "/__session/\(session)")
        #expect(other.receive(until: "data: o\n\n\r\n").text.hasSuffix("data: o\n\n\r\n"))
        // What comes back reads on.
        let back = try comeBack(mock, "3")
        let isBack = eventually { mock.session.stream("s").readers.count == 1 ? true : nil }
        #expect(isBack == true)
        _ = try mock.admin("POST", "/streams/s", #"{"id": "4", "data": "d"}"#)
        #expect(try data(mock, back) == ["d"])
        _ = try mock.admin("POST", "/reset")
        try mock.add(
            #"{"request": {"urlPath": "/s"}, "response": {"stream": {"name": "s", "events": [{"data": "o"}]}}}"#)
        #expect(try data(mock, comeBack(mock, "1")) == ["o"])
    }

    @Test func littleIsKeptForThoseWhoComeBack() throws {
        let mock = try mock()
        for number in 0..<1_100 {
            let event = StreamEvent(id: String(number), data: .string("\(number)"))
            _ = mock.session.push([.event(event)], to: "s")
        }
        #expect(try data(mock, comeBack(mock, "99")) == [])
        #expect(try data(mock, comeBack(mock, "100")).count == 999)
        let account = mock.session.memory.account(.events)
        let before = account.bytes
        func push(_ count: Int, to name: String) {
            let event = StreamEvent(id: "1", data: .string(String(repeating: "x", count: count)))
            _ = mock.session.push([.event(event)], to: name)
        }
        for _ in 0..<20 { push(100_000, to: "large") }
        #expect(account.bytes - before > 300_000 && account.bytes - before <= 512 << 10)
        // Of the names that were sent to least lately, nothing is kept.
        for number in 0..<150 { push(1_000, to: "s\(number)") }
        #expect(account.bytes > 100_000 && account.bytes < 110_000, "\(account.bytes)")
        _ = try mock.admin("POST", "/reset")
        #expect(mock.session.memory.bytes(of: .events) == 0)
    }

    @Test(arguments: [
        ("", "", RawClient.Ending.rst), (#"{"fault": "EMPTY_RESPONSE"}"#, "", .fin),
        (#"{"fault": "RANDOM_DATA_THEN_CLOSE"}"#, "lskdu018973t09sylgasjkfg1][]'./.sdlv", .fin),
    ])
    func readersAreBroken(body: String, bytes: String, ending: RawClient.Ending) throws {
        let mock = try mock()
        let client = try read(mock)
        #expect(try mock.admin("POST", "/streams/s/fail", body) == ["failed": 1])
        #expect(client.receiveAll() == RawClient.Received(wire(bytes), ending))
        #expect(try mock.admin("POST", "/streams/s/fail", body) == ["failed": 0])
    }

    @Test func sessionsHaveTheirOwnReaders() throws {
        let mock = try mock()
        let id = try #require(try mock.admin("POST", "/sessions", status: 201)["id"]?.stringValue)
        let base = try read(mock)
        let own = try read(mock, "/__session/\(id)/s")
        let push = try Exchange(
            mock.port, "POST", "/__session/\(id)/__admin/streams/s", body: #"{"data": "x"}"#)
        #expect(push.json == ["readers": 1, "events": 1])
        #expect(own.receive(until: "data: x\n\n\r\n").text == chunk("data: x\n\n"))
        #expect(base.receiveUntilQuiet(milliseconds: 20).bytes.isEmpty)
        _ = try mock.admin("DELETE", "/sessions/\(id)")
        #expect(own.receiveAll().ending == .rst)
        #expect(mock.session.stream("s").readers.count == 1)
        _ = try Exchange(mock.port, "POST", "/__admin/reset")
        #expect(base.receiveAll().ending == .rst)
        try mock.waitUntil(inFlight: 0)
        #expect(mock.session.streams.isEmpty)
    }

    @Test func allReadersGetTheSameOrder() throws {
        let mock = try mock(workers: 3)
        let clients = try (0..<30).map { _ in try read(mock) }
        let joined = eventually { mock.session.stream("s").readers.count == 30 ? true : nil }
        #expect(joined == true)
        try withBackgroundWork {
            for number in 0..<300 { _ = mock.session.push([.chunk("a\(number)\n")], to: "s") }
        } during: {
            for number in 0..<300 { _ = mock.session.push([.chunk("b\(number)\n")], to: "s") }
        }
        _ = try mock.admin("POST", "/streams/s/close")
        let texts = clients.map { $0.receive(until: "0\r\n\r\n").text }
        for text in texts { #expect(text == texts[0]) }
        #expect(texts[0].ranges(of: "\n\r\n").count == 600)
    }

    @Test func aReaderThatTakesNothingIsCutOff() throws {
        let mock = try mock()
        let client = try RawClient(port: mock.port)
        client.shrinkReceiveBuffer(to: 4096)
        try client.send("GET /s HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let other = try read(mock)
        let joined = eventually { mock.session.stream("s").readers.count == 2 ? true : nil }
        try #require(joined == true)
        let big = StreamDefinition.Content.chunk(String(repeating: "x", count: 100_000))
        var pushed = 0
        // The system's buffers take some megabytes.
        while mock.session.stream("s").readers.count == 2, pushed < 400 {
            _ = mock.session.push([big], to: "s")
            pushed += 1
            #expect(other.receive(100_009).bytes.count == 100_009)
        }
        #expect(pushed < 400)
        #expect(mock.session.push([.chunk("end")], to: "s") == 1)
        expectWire(other.receive(8), "3\r\nend\r\n", .open)
    }

    @Test(arguments: [
        (#"{"dta": "x"}"#, "/dta"), ("{}", "/"), ("[]", "/"), ("1", "/"),
        (#"[{"data": "x"}, {"id": "a\nb"}]"#, "/1/id"),
        (#"{"after": "1s", "data": "x"}"#, "/after"), (#"{"chunk": "x", "data": "y"}"#, "/data"),
        (#"{"base64": "%"}"#, "/"), (#"{"retry": "soon"}"#, "/retry"), (#"{"hold": "g"}"#, "/hold"),
    ])
    func aMistakePushesNothing(body: String, pointer: String) throws {
        let mock = try mock()
        let client = try read(mock)
        let answer = try mock.admin("POST", "/streams/s", body, status: 422)
        #expect(answer["errors"]?[0]?["source"]?["pointer"]?.stringValue == pointer, "\(answer)")
        #expect(client.receiveUntilQuiet(milliseconds: 10).bytes.isEmpty)
    }
}
