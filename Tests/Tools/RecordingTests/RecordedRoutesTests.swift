import SDCapture
import SDJSON
import SDRecording
import SDSecrets
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

    /// Also where the stub is written in WireMock's form, which says nothing of its own of templates.
    @Test(
        arguments: [
            ("text/plain", "{{x}}"), ("application/json", "{\"a\": \"{{x}}\"}"), ("text/plain", "{{x}"),
            ("text/plain", "{x}"),
        ])
    func whatLooksLikeATemplateIsSentAsItStands(_ type: String, _ body: String) {
        #expect(
            routes([exchange("/a", type: type, body)]).stubs[0].response.template == (body.contains("{{") ? false : nil)
        )
    }

    @Test func brokenExchangesAreLeftOut() {
        var broken = exchange("/a", type: nil, "x")
        broken.isBroken = true
        #expect(routes([broken]).stubs.isEmpty)
    }

    /// Ten thousand answers of one URL: as much work for the last as for the first.
    @Test func manyRepeatsAreOneSequence() {
        let repeats = (0..<10_000).map { exchange("/n", type: "text/plain", String($0)) }
        #expect(routes(repeats).stubs.map { $0.responses?.entries.count } == [10_000])
        var spec = RecordSpec()
        spec.repeatsAsScenarios = false
        #expect(RecordedStubs(of: repeats, spec).mappings.map(\.response.body) == ["9999"])
        #expect(RecordedStubs(of: repeats, RecordSpec()).mappings.count == 10_000)
    }

    /// Tables of patterns are as good as their hashes: patterns that differ in one value have different ones.
    @Test func patternsDifferInTheirHashes() {
        let targets = (0..<1_000).map { "/search?q=\($0)" }
        let made = routes(targets.map { exchange($0, type: nil, "") }).stubs
        #expect(made.count == 1_000)
        #expect(Set(made.map(\.request.hashValue)).count > 990)
        var (one, other) = (RequestPattern(), RequestPattern())
        one.headers = [NamedMatcher("a", ValueMatcher(.equalTo, "1")), NamedMatcher("b", ValueMatcher(.equalTo, "2"))]
        other.headers = one.headers.reversed()
        #expect(one == other && one.hashValue == other.hashValue)
    }

    @Test func equalBodiesShareAFile() {
        let long = String(repeating: "x", count: 9_000)
        let made = routes(
            ["/a", "/a", "/b", "/a"].enumerated().map { exchange($1, type: "text/plain", $0 == 1 ? "y" : long) })
        #expect(made.bodyFiles.count == 2)
        let names = made.stubs[0].responses?.entries.map(\.response.bodyFileName)
        #expect(names?[0] == names?[2] && names?[1] == nil)
    }

    // MARK: Conditions

    private func answer(_ target: String, _ field: (String, String)?, _ status: Int) -> RecordedExchange {
        var exchange = RecordedExchange(method: "GET", url: "http://a\(target)", target: target, status: status)
        exchange.requestHeaders = [("Host", "a")] + (field.map { [$0] } ?? [])
        return exchange
    }

    @Test func whatAConditionMadeAsksForIt() {
        let made = routes([
            answer("/a", nil, 200), answer("/a", ("if-none-match", "\"1\""), 304),
            answer("/a", ("Range", "bytes=0-1"), 206),
            answer("/a", ("If-None-Match", "\"0\""), 200), answer("/b", nil, 304),
        ])
        #expect(made.stubs.map(\.response.status) == [304, 206, 200, 304])
        #expect(made.stubs[0].request.headers == [NamedMatcher("If-None-Match", ValueMatcher(.equalTo, "\"1\""))])
        #expect(made.stubs[1].request.headers.map(\.name) == ["Range"])
        #expect(made.stubs[2].request.headers.isEmpty && made.stubs[2].responses == nil)
        #expect(made.warnings.count == 1)
    }

    @Test func serversAreToldApartByTheirHostsIfTheyMustBe() {
        func exchange(_ server: String, _ path: String, _ body: String) -> RecordedExchange {
            var exchange = RecordedExchange(method: "GET", url: "http://\(server)\(path)", target: path, status: 200)
            exchange.requestHeaders = [("Host", server)]
            exchange.responseBody = Array(body.utf8)
            return exchange
        }
        let made = routes([
            exchange("a", "/x", "1"), exchange("b", "/x", "2"), exchange("b:81", "/x", "3"), exchange("b", "/y", "4"),
            exchange("a", "/x", "1"),
        ]).stubs
        #expect(made.map { $0.request.host?.operand } == ["b", "b", nil, nil])
        #expect(made.map(\.request.port) == [81, nil, nil, nil])
        // One name for two servers: nothing could tell them apart.
        var moved = exchange("b", "/x", "2")
        moved.requestHeaders = [("Host", "a")]
        #expect(routes([exchange("a", "/x", "1"), moved]).stubs.map { $0.responses?.entries.count } == [2])
    }

    @Test(
        arguments: [
            ("http://a/login?x=1", "/login?x=1"), ("HTTP://A:80/", "/"), ("//a/x", "/x"), ("http://a", "/"),
            ("http://a?x", "/?x"),
            ("http://a//x", "http://a//x"), ("https://a/x", "https://a/x"), ("http://a.b/x", "http://a.b/x"),
            ("/x", "/x"), ("x", "x"),
        ]) func placesOnTheServerBecomePaths(_ place: String, _ expected: String)
    {
        var exchange = answer("/a", nil, 302)
        exchange.responseHeaders = [("Location", place)]
        #expect(routes([exchange]).stubs[0].response.headers.first?.values == [expected])
    }

    @Test func trailersAreKeptAndNotAnnounced() {
        var exchange = exchange("/a", type: nil, "x")
        exchange.responseHeaders.append(("Trailer", "X-Sum, X-None"))
        exchange.trailers = [("X-Sum", "1"), ("x-sum", "2")]
        let response = routes([exchange]).stubs[0].response
        #expect(response.headers.isEmpty && response.trailers == [ResponseHeader("X-Sum", ["1", "2"])])
    }

    @Test func uploadsOfManyBytesGoIntoFiles() {
        var exchange = exchange("/up", type: nil, "")
        exchange.method = "POST"
        exchange.requestHeaders = [("Content-Type", "image/png")]
        exchange.requestBody = [UInt8](repeating: 0xFF, count: 9_000)
        let made = routes([exchange, exchange])
        #expect(made.stubs.count == 1 && made.bodyFiles.map(\.bytes) == [exchange.requestBody])
        #expect(made.stubs[0].request.bodyPatterns.map(\.fileName) == [made.bodyFiles[0].name])
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
        let isEvents = stub.response.stream?.items.allSatisfy { if case .event = $0.content { true } else { false } }
        // Pieces bring no type by themselves.
        let names = isEvents == true ? [] : ["Cache-Control", "Content-Type"]
        #expect(stub.response.headers.map(\.name) == names && stub.response.body == nil)
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
    /// The names that WireMock 3.13.2 gives, but for the five letters and digits, which are random there.
    @Test(
        arguments: [
            ("/", "(root)", ".txt"), ("/?q=1", "(root)", ".txt"), ("/things/1?a=b", "things-1", ".json"),
            ("/a,b/c.png", "a_b-c.png", ".png"), ("/a%20b/c%2Fd", "a b-c-d", ".txt"), ("/a//b/", "a-b", ".txt"),
            ("/%C3%A4/x", "ä-x", ".txt"), ("/a~b:c@d!$&(e)*+;=f", "a_b_c_d____e_____f", ".txt"),
            ("/A/B.C/d-e_f", "A-B.C-d-e_f", ".txt"), ("/x?", "x", ".txt"),
            ("/" + String(repeating: "x", count: 300), String(repeating: "x", count: 150), ".txt"),
        ]) func filesAreNamedByThePath(_ target: String, _ name: String, _ end: String) throws
    {
        var exchange = RecordedExchange(method: "POST", url: "http://a\(target)", target: target, status: 201)
        exchange.requestHeaders = [("Accept", "x"), ("accept", "y"), ("Content-Type", "text/plain")]
        exchange.requestBody = Array("sent".utf8)
        exchange.responseHeaders = [("Content-Length", "1"), ("X", "1")]
        exchange.responseBody = Array((end == ".json" ? "1" : "text").utf8)
        var (variants, names) = (RecordedVariants(), Set<String>())
        let pattern = RecordedMapping.pattern(of: exchange, matching: ["ACCEPT"], &variants)
        let recorded = RecordedMapping(exchange, pattern, &names)
        func isNamed(_ file: String, _ kind: String, _ end: String) -> Bool {
            guard file.hasPrefix("\(kind)-\(name)-"), file.hasSuffix(end) else { return false }
            let id = file.dropFirst(kind.count + name.count + 2).dropLast(end.count)
            return id.count == 5 && id.utf8.allSatisfy { "0123456789abcdefghijklmnopqrstuvwxyz".utf8.contains($0) }
        }
        #expect(isNamed(recorded.fileName, "mapping", ".json"), "\(recorded.fileName)")
        let file = recorded.bodyFile?.name ?? ""
        #expect(isNamed(file, "body", end), "\(file)")
        #expect(recorded.stub.request.url == .url(target == "/x?" ? "/x" : target))
        #expect(recorded.stub.request.headers.map(\.matcher.operand) == ["x"])
        #expect(recorded.stub.request.bodyPatterns.map(\.json) == [["equalTo": "sent"]])
        #expect(recorded.stub.response.bodyFileName == file && recorded.stub.response.status == 201)
        #expect(recorded.stub.response.headers == [ResponseHeader("X", ["1"])])
    }
    /// Thousands of requests to one path do not share a name, and have the same ones when they are recorded again.
    @Test func noTwoFilesHaveOneName() {
        func names() -> [String] {
            var (variants, names) = (RecordedVariants(), Set<String>())
            return (0..<20_000).map { number in
                let target = "/a?n=\(number)"
                let exchange = RecordedExchange(method: "GET", url: "http://a\(target)", target: target, status: 200)
                let pattern = RecordedMapping.pattern(of: exchange, matching: [], &variants)
                return RecordedMapping(exchange, pattern, &names).fileName
            }
        }
        let made = names()
        #expect(Set(made).count == made.count && made == names())
    }
}
