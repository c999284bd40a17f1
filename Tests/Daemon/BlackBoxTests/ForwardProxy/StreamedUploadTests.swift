import SDHTTPTransport
import SDJSON
import SDTestSupport
import Testing

/// Bodies of requests that go on to another server: passed on while they come, if nobody here looks at them. The limit of a
/// body shows which: it does not count for those.
@Suite(.timeLimit(.minutes(30))) struct StreamedUploadTests {
    private static let size = 200_000

    /// The status of a large upload to a daemon with these stubs, of which `TARGET` is another server.
    private static func upload(
        _ stubs: String, _ options: [String] = [], path: String = "/up", chunked: Bool = false
    ) throws -> (HTTPAnswer, Daemon) {
        let target = try TestServer(limits: .ample) { request, reply in
            let text = "\(request.body.count) \(request.trailers.map { String(decoding: $0.value, as: UTF8.self) })"
            reply.send(WireScript([.raw(WireBytes(plainAnswer(wire(text)))), .end(.keepAlive)]))
        }
        let text = stubs.split(separator: "TARGET", omittingEmptySubsequences: false)
            .joined(separator: "http://127.0.0.1:\(target.port)")
        let daemon = try Daemon(
            files: ["stubs.json": #"{"mappings": [\#(text)]}"#],
            ["--max-body-size", "100000"]
                + options.map { $0 == "TARGET" ? "http://127.0.0.1:\(target.port)" : $0 })
        let client = try RawClient(port: daemon.port)
        let body = [UInt8](repeating: 0x62, count: size)
        let head = "POST \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
        if chunked {
            try client.send(
                wire(head + "Transfer-Encoding: chunked\r\n\r\n30d40\r\n") + body + wire("\r\n0\r\nA: last\r\n\r\n"))
        } else {
            try client.send(wire(head + "Content-Length: \(size)\r\n\r\n") + body)
        }
        let answer = try #require(HTTPAnswer(client.receiveAll(within: 30_000).bytes))
        return (answer, daemon)
    }

    private static let proxied =
        #"{"priority": 5, "request": {"method": "POST"}, "response": {"proxyBaseUrl": "TARGET"}}"#

    @Test(
        arguments: [
            ("a proxied stub", [proxied], [], true),
            (
                "a stub for another path before it",
                [proxied, #"{"request": {"url": "/x", "bodyPatterns": [{"contains": "b"}]}}"#], [], true
            ),
            (
                "a stub for another method before it",
                [proxied, #"{"request": {"method": "PUT", "bodyPatterns": [{"contains": "b"}]}}"#], [], true
            ),
            (
                "a stub behind it that reads bodies",
                [proxied, #"{"priority": 9, "request": {"bodyPatterns": [{"contains": "b"}]}}"#], [], true
            ),
            ("passing through", [], ["--pass-through", "TARGET"], true),
            ("all", [], ["--proxy-all", "TARGET"], true),
            (
                "a stub before it that reads bodies",
                [proxied, #"{"request": {"bodyPatterns": [{"contains": "b"}]}}"#], [], false
            ),
            ("a form before it", [proxied, #"{"request": {"formParameters": {"a": {"equalTo": "b"}}}}"#], [], false),
            (
                "a proxied stub that reads bodies",
                [#"{"request": {"bodyPatterns": [{"contains": "b"}]}, "response": {"proxyBaseUrl": "TARGET"}}"#], [],
                false
            ),
            (
                "a scenario", [proxied.replacing("\"priority\": 5", with: #""priority": 5, "scenarioName": "s""#)], [],
                false
            ),
            (
                "a template",
                [
                    #"{"request": {}, "response": {"proxyBaseUrl": "TARGET/{{request.body}}", "transformers": ["response-template"]}}"#
                ], [], false
            ),
            ("a stub of its own", [#"{"request": {}, "response": {"status": 204}}"#], [], false),
            ("nothing", [], [], false),
        ] as [(String, [String], [String], Bool)])
    func bodiesThatNobodyLooksAtArePassedOn(_: String, stubs: [String], options: [String], passes: Bool) throws {
        let (answer, daemon) = try Self.upload(stubs.joined(separator: ","), options)
        #expect(answer.status == (passes ? 200 : 413))
        guard passes else { return }
        #expect(answer.text == "200000 []")
        let event = try JSONValue(parsing: daemon.get("/__admin/requests").text)["requests"]?.arrayValue?.first
        #expect(event?["request"]?["body"]?.stringValue?.utf8.count == 200_000)
        #expect(event?["request"]?["bodyTruncatedFrom"] == nil)
    }

    @Test func chunksAndTrailersArePassedOn() throws {
        #expect(try Self.upload(Self.proxied, chunked: true).0.text == #"200000 ["last"]"#)
    }

    @Test func theJournalKeepsTheBeginning() throws {
        let (answer, daemon) = try Self.upload(Self.proxied, ["--journal-body-limit", "1000"])
        #expect(answer.text == "200000 []")
        let event = try JSONValue(parsing: daemon.get("/__admin/requests").text)["requests"]?.arrayValue?.first
        #expect(event?["request"]?["body"]?.stringValue?.utf8.count == 1000)
        #expect(event?["request"]?["bodyTruncatedFrom"] == 200_000)
    }

    @Test func sessionsDecideForThemselves() throws {
        let (answer, _) = try Self.upload(Self.proxied, path: "/__session/none/up")
        #expect(answer.status == 413)
    }
}

extension ServerLimits {
    fileprivate static var ample: ServerLimits {
        var limits = ServerLimits()
        limits.body = 1 << 30
        return limits
    }
}
