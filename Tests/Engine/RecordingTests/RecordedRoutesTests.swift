import SDJSON
import SDRecording
import SDStubModel
import Testing

/// What is recorded becomes stubs that people read.
@Suite struct RecordedRoutesTests {
    private func exchange(_ target: String, type: String?, _ body: String) -> RecordedExchange {
        var exchange = RecordedExchange(method: "GET", url: "http://a\(target)", target: target, status: 200)
        exchange.responseHeaders = [("Date", "now")]
        if let type { exchange.responseHeaders.insert(("content-type", type), at: 0) }
        exchange.responseBody = Array(body.utf8)
        return exchange
    }

    private func routes(_ exchanges: [RecordedExchange], keepsTiming: Bool = false) -> RecordedRoutes {
        var options = RecordedRoutes.Options()
        options.keepsTiming = keepsTiming
        return RecordedRoutes(of: exchanges, SecretNames(), options)
    }

    @Test(
        arguments: [
            ("application/json", #"{"b": 1, "a": [1.50, null]}"#, #"{"b":1,"a":[1.50,null]}"#),
            ("application/problem+json", "[]", "[]"), ("text/plain", "{}", nil), ("application/json", "{", nil),
            ("application/json", #"{"a": 1, "a": 2}"#, nil), ("application/json", "null", nil),
        ]) func jsonStaysJSON(_ type: String, _ body: String, _ expected: String?)
    {
        let stub = routes([exchange("/a", type: type, body)]).stubs[0]
        #expect(stub.response.jsonBody?.compactText == expected)
        #expect((stub.response.body == nil) == (expected != nil))
        #expect(stub.response.headers == [ResponseHeader("Content-Type", [type])])
    }

    @Test func repeatsBecomeASequenceUnlessTheyAreEqual() {
        let made = routes(
            ["1", "2", "3"].map { exchange("/n", type: "text/plain", $0) }
                + ["x", "x"].map { exchange("/same", type: "text/plain", $0) }
        ).stubs
        #expect(made.map { $0.responses?.entries.map(\.response.body) } == [["1", "2", "3"], nil])
        #expect(made[1].response.body == "x")
    }

    @Test func whatHasMoreConditionsStandsFirst() {
        let targets = ["/b", "/a", "/a?x=1", "/a?x=1&y=2&y=3", "/a?"]
        let urls = routes(targets.map { exchange($0, type: nil, "") }).stubs
        #expect(urls.map { $0.request.queryParameters.count } == [2, 1, 0, 0])
        #expect(urls.map(\.request.url) == [.urlPath("/a"), .urlPath("/a"), .urlPath("/a"), .urlPath("/b")])
        #expect(urls[0].request.queryParameters[1].matcher.operator == .includes)
    }

    @Test func bytesAndLongTextsGoIntoFiles() {
        var image = exchange("/i/photo.png", type: "image/png", "")
        image.responseBody = [0x89, 0xFF]
        let made = routes([
            image, exchange("/long", type: "application/json", "[\"" + String(repeating: "x", count: 9_000) + "\"]"),
        ])
        let names = made.bodyFiles.map(\.name)
        #expect(names[0].hasPrefix("recorded/i_photo-") && names[0].hasSuffix(".png"))
        #expect(names[1].hasPrefix("recorded/long-") && names[1].hasSuffix(".json"))
        #expect(Set(made.stubs.map(\.response.bodyFileName)) == Set(names))
        #expect(routes([image]).bodyFiles == [made.bodyFiles[0]], "names stay the same")
    }

    @Test func brokenExchangesAreLeftOut() {
        var broken = exchange("/a", type: nil, "x")
        broken.isBroken = true
        #expect(routes([broken]).stubs.isEmpty)
    }

    // MARK: Event streams

    private func stream(_ body: String, gaps: [(gap: UInt64, count: Int)] = [], keepsTiming: Bool = true)
        -> StreamDefinition?
    {
        var exchange = exchange("/events", type: "text/event-stream", body)
        exchange.responseHeaders.append(("Cache-Control", "no-cache"))
        exchange.chunks = gaps.map { .init(gap: $0.gap * 1_000_000, count: $0.count) }
        exchange.latency = 5_000_000
        let stub = routes([exchange], keepsTiming: keepsTiming).stubs[0]
        #expect(stub.response.headers.isEmpty && stub.response.body == nil)
        #expect(stub.response.fixedDelayMilliseconds == (keepsTiming ? 5 : nil))
        return stub.response.stream
    }

    @Test func eventsAreEventsWithTheGapsBeforeThem() {
        let (one, two) = ("event: a\nid: 1\ndata: {\"n\":1}\n\n", ": c\n\ndata: x\ndata: y\n\n")
        let made = stream(one + two, gaps: [(0, 5), (10, one.utf8.count - 5), (20, 5), (30, two.utf8.count - 5)])
        #expect(made?.items.map(\.after) == [10, 20, 30])
        var comment = StreamEvent()
        comment.comment = "c"
        #expect(
            made?.items.map(\.content) == [
                .event(StreamEvent(event: "a", id: "1", data: ["n": 1])), .event(comment),
                .event(StreamEvent(data: "x\ny")),
            ])
        #expect(stream(one, gaps: [(10, one.utf8.count)], keepsTiming: false)?.items.map(\.after) == [nil])
    }

    @Test(arguments: [
        "data:x\n\n", "data: x\r\n\r\n", "data: x\n", "foo: x\n\n", "data: {\"n\": 1}\n\n", "\n\ndata: x\n\n",
        "retry: 5\n\n",
    ])
    func whatIsSentComesBackByteForByte(_ body: String) {
        #expect(stream(body)?.items.flatMap(\.bytes) == Array(body.utf8))
    }
}

extension StreamDefinition.Item {
    fileprivate var bytes: [UInt8] {
        switch content {
        case .event(let event): event.bytes
        case .chunk(let text): Array(text.utf8)
        case .base64(let text): (try? Base64.decode(text)) ?? []
        case .hold: []
        }
    }
}

/// `--record-mappings` names files as WireMock does.
@Suite struct RecordedMappingTests {
    @Test(
        arguments: [
            ("/", "mapping-(root)-", "body-(root)-", ".txt"),
            ("/things/1?a=b", "mapping-things-1-", "body-things-1-", ".json"),
            ("/a,b/c.png", "mapping-a_b-c.png-", "body-a_b-c.png-", ".png"),
        ]) func filesAreNamedByThePath(_ target: String, _ mapping: String, _ body: String, _ end: String)
    {
        var exchange = RecordedExchange(method: "POST", url: "http://a\(target)", target: target, status: 201)
        exchange.requestHeaders = [("Accept", "x"), ("accept", "y"), ("Content-Type", "text/plain")]
        exchange.requestBody = Array("sent".utf8)
        exchange.responseHeaders = [("Content-Length", "1"), ("X", "1")]
        exchange.responseBody = Array((end == ".json" ? "1" : "text").utf8)
        let recorded = RecordedMapping(exchange, matching: ["ACCEPT"])
        let name = mapping.replacing("(root)", with: "_root_")
        #expect(recorded.fileName.hasPrefix(name) && recorded.fileName.hasSuffix(".json"), "\(recorded.fileName)")
        let file = recorded.bodyFile.name
        #expect(file.hasPrefix(body.replacing("(root)", with: "_root_")) && file.hasSuffix(end), "\(file)")
        #expect(recorded.stub.request.url == .url(target))
        #expect(recorded.stub.request.headers.map(\.matcher.operand) == ["x"])
        #expect(recorded.stub.request.bodyPatterns.map(\.json) == [["equalTo": "sent"]])
        #expect(recorded.stub.response.bodyFileName == file && recorded.stub.response.status == 201)
        #expect(recorded.stub.response.headers == [ResponseHeader("X", ["1"])])
    }
}
