import StuntDoubleClient
import Testing

/// Answers and requests that no server can send or get are told where the test wrote them, with the nearest that can.
@Suite struct ImpossibleAnswerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let answer: Stub.Answer
        /// What the problem says.
        let words: [String]

        init(_ name: String, _ answer: Stub.Answer, _ words: String...) {
            (self.name, self.answer, self.words) = (name, answer, words)
        }

        var testDescription: String { name }
    }

    static let statuses: [Case] = [
        Case("199", .status(199), ".status(199)", "200 to 999", ".early(199)"),
        Case("100", .json([1], status: 100), ".status(100)", ".early(100)"),
        Case("101", .status(101), "switches protocols", "200 to 999"),
        Case("0", .status(0), ".status(0)", ".fault(.emptyResponse)"),
        Case("-1", .text("x", status: -1), ".status(-1)", "200 to 999"),
        Case("-404", .status(-404), "did you mean 404?"),
        Case("1000", .status(1000), ".status(1000)", "200 to 999"),
        Case("2001", .status(2001), "did you mean 200?"),
        Case("fault 99", .fault(.status(99)), ".fault(.status)(99)"),
        Case("early 200", .status(200).early(200), ".early(200)", "did you mean .status(200)?"),
        Case("early 101", .status(200).early(101), "other than 101"),
        Case("time-out 100", .hold("g", timeout: .seconds(1), then: .status(100)), "200 to 999"),
    ]

    static let headers: [Case] = [
        Case(
            "value of lines", .status(200).header("X-A", "a\r\nB: c"), #""X-A""#, "a line end", #"values: "a", "B: c""#),
        Case("value with LF", .status(200).header("X-A", "a\n"), "a line end"),
        Case("value with NUL", .status(200).header("X-A", "a\0"), "a control character"),
        Case("second value", .status(200).header("X-A", "a", "b\nc"), "a line end"),
        Case("redirect", .redirect(to: "/a\r\n"), #""Location""#, "a line end"),
        Case("type", .text("x", type: "text/html\n"), #""Content-Type""#),
        Case("message", .status(200, message: "a\nb"), "the message of a status"),
        Case("no name", .status(200).header("", "a"), "no name of a header"),
        Case("name with a colon", .status(200).header("Accept:", "a"), #"did you mean "Accept"?"#),
        Case("name of words", .status(200).header("X Trace Id", "a"), #"did you mean "X-Trace-Id"?"#),
        Case("name of lines", .status(200).header("X\r\nY", "a"), "no name of a header"),
        Case("name in umlauts", .status(200).header("Größe", "a"), "no name of a header"),
        Case("no value", .status(200).header("X-A"), "at least one value"),
        Case("trailer", .text("x").trailer("a b", "c"), #"did you mean "a-b"?"#),
        Case("early", .status(200).early(headers: ["Link": "a\nb"]), #""Link""#),
        Case("second header", .text("x").fault(.duplicateHeader("X A")), "no name of a header"),
    ]

    static let servers: [Case] = [
        Case(
            "no scheme", .proxy(to: "staging.example.com"), #".proxy(to: "staging.example.com")"#,
            #"did you mean "https://staging.example.com"?"#),
        Case("another scheme", .proxy(to: "ftp://a"), "http:// or https://"),
        Case("no host", .proxy(to: "https://"), "http:// or https://"),
        Case("no server", .status(200).proxyHeader("A", "b"), ".proxyHeader", ".proxy(to: …)"),
        Case("no server for a prefix", .status(200).removingPathPrefix("/a"), ".removingPathPrefix", ".proxy(to: …)"),
        Case("no server in HTTP/2", .status(200).overHTTP2(), ".overHTTP2", ".proxy(to: …)"),
        Case("header of lines", .proxy(to: "https://a").proxyHeader("A", "b\nc"), "a line end"),
        Case("no header", .proxy(to: "https://a").removingProxyHeaders("a b"), "no name of a header"),
    ]

    static let times: [Case] = [
        Case("delay", .status(200).delay(.milliseconds(-80)), ".delay", "did you mean .milliseconds(80)?"),
        Case("fixed", .status(200).delay(.fixed(.seconds(-1))), ".delay", "1000"),
        Case("uniform", .status(200).delay(.uniform(.seconds(-1) ... .seconds(1))), ".uniform"),
        Case("lognormal", .status(200).delay(.lognormal(median: .seconds(-1), sigma: 1)), "median"),
        Case("sigma", .status(200).delay(.lognormal(median: .seconds(1), sigma: -1)), "sigma"),
        Case("gaussian", .status(200).delay(.gaussian(mean: .seconds(1), deviation: .seconds(-1))), "deviation"),
        Case("exponential", .status(200).delay(.exponential(mean: .seconds(-1))), "mean"),
        Case("first byte", .status(200).delays(firstByte: .fixed(.seconds(-1))), ".delays(firstByte:)"),
        Case("chunk", .status(200).delays(perChunk: .fixed(.seconds(-1))), ".delays(perChunk:)"),
        Case("no chunks", .text("x").dribble(chunks: 0, over: .seconds(1)), ".dribble(chunks: 0)"),
        Case("dribble", .text("x").dribble(chunks: 2, over: .seconds(-1)), ".dribble(over:)"),
        Case("hold", .hold("g", timeout: .seconds(-1)), ".hold(timeout:)"),
        Case("gate without a name", .hold(""), "gate"),
        Case("gap", .stream(.data("x").after(.seconds(-1))), ".after"),
        Case("retry", .stream(.event(data: "x", retry: .seconds(-1))), ".event(retry:)"),
        Case("ttl", .status(200).ttl(.seconds(0)), ".ttl"),
        Case("negative ttl", .status(200).ttl(.seconds(-3)), ".ttl"),
        Case("no rounds", .stream(.data("x"), repeat: .times(0)), "rounds"),
    ]

    static let faults: [Case] = [
        Case("bandwidth", .text("x").bandwidth(.bytes(0)), ".bandwidth", ".bytes(1)"),
        Case("negative bandwidth", .text("x").bandwidth(.kilobytes(-3)), ".bandwidth"),
        Case("cut", .text("x").cut(after: -1), ".cut(after: -1)"),
        Case("cut beyond", .text("0123456789").cut(after: 11), ".cut(after: 11)", "10 bytes"),
        Case("cut of nothing", .status(200).cut(after: 4), "0 bytes"),
        Case("stall beyond", .json(["a": 1]).fault(.stall(after: 8)), ".stall(after: 8)", "7 bytes"),
        Case("byte beyond", .data([1, 2]).fault(.corrupt(byte: 2)), ".corrupt(byte: 2)", "2 bytes"),
        Case("header of first", .text("x").fault(.neverAnswer.first(1, perHeader: "X A")), "no name of a header"),
        Case("share", .text("x").cut(after: .share(50)), ".share(50.0)", "did you mean .share(0.5)?"),
        Case("chunks", .text("x").cut(after: .chunk(-1)), ".chunk(-1)"),
        Case("length", .text("x").fault(.wrongLength(by: 0)), ".wrongLength(by: 0)"),
        Case("byte", .text("x").fault(.corrupt(byte: -1)), "corrupt"),
        Case("rate", .text("x").fault(.corrupt(rate: 2)), "corrupt"),
        Case("slice", .text("x").fault(.slice(size: 0, gap: .seconds(1))), "slice"),
        Case("gap", .text("x").fault(.slice(size: 1, gap: .seconds(-1))), ".slice(gap:)"),
        Case("stall", .text("x").fault(.stall(after: 0, for: .seconds(-1))), ".stall(for:)"),
        Case("close", .text("x").fault(.slowClose(.seconds(-1))), ".slowClose"),
        Case("delay", .text("x").fault(.delay(.seconds(-1))), ".fault(.delay)"),
        Case("garbage", .text("x").fault(.garbagePrefix(bytes: 0)), "garbagePrefix"),
        Case("first", .text("x").fault(.neverAnswer.first(0)), ".first(0)"),
        Case("probability", .text("x").fault(.neverAnswer.probability(30)), "did you mean 0.3?"),
        Case("between", .text("x").fault(.neverAnswer.between(.seconds(9), and: .seconds(3))), "reversed"),
        Case("quota", .text("x").fault(.quota(3, per: .seconds(0))), "period"),
        Case("upload", .text("x").fault(.readSlowly(.bytes(9))), "readSlowly"),
    ]

    @Test(arguments: statuses + headers + servers + times + faults) func anImpossibleAnswerIsTold(_ example: Case) {
        let problem = #expect(throws: Stub.Problem.self) { try Stub(.any, example.answer) }
        for words in example.words {
            #expect(problem?.description.contains(words) == true, "\(problem?.description ?? "none")")
        }
    }

    @Test(arguments: [
        Stub.Answer.status(200), .status(999), .status(200).early(102), .status(200).header("X-A", "", "ä\t€"),
        .status(200).header("Set-Cookie", "a=1", "b=2"), .template("x").header("X-A", "{{#if a}}\n{{/if}}"),
        .status(200).delay(.zero), .text("x").cut(after: 0), .text("x").cut(after: 1), .file("a.txt").cut(after: 99),
        .template("x").cut(after: 99), .stream(.chunk("x")).cut(after: 99), .data([1, 2]).fault(.corrupt(byte: 1)),
        .text("x").fault(.wrongLength(by: -5)),
        .fault(.concurrency(0)), .text("x").bandwidth(.bytes(1)), .fault(.neverAnswer.probability(0)),
    ])
    func whatCanBeSentIsNotRefused(_ answer: Stub.Answer) throws {
        _ = try Stub(.any, answer)
    }

    @Test(arguments: [0, -1, 1_000_001]) func aWeightIsAtLeastOne(weight: Int) {
        let problem = #expect(throws: Stub.Problem.self) {
            try Stub(.any, .status(200).weight(weight), .status(201).weight(1))
        }
        #expect(problem?.description.contains(".weight(\(weight))") == true)
    }

    @Test func aStubHasAnAnswer() {
        let problem = #expect(throws: Stub.Problem.self) { try Stub(.any, []) }
        #expect(problem?.description.contains(".status(200)") == true)
    }

    @Test(arguments: [
        (Stub.Request.method("", "/a"), "not a method"), (.method(" ", "/a"), "not a method"),
        (.method("GE T", "/a"), "GE T"), (.method("get", "/a"), "did you mean \"GET /a\"?"),
        (.method("G\r\nET", "/a"), "method"), (.method("GET|", "/a"), "not a method"),
        (.any.method(noneOf: ""), "no method"), (.any.method(noneOf: "GET", "P T"), "no method"),
        (.method(""), "not a method"),
        (.get("/a").header("Accept:", "x"), "did you mean \"Accept\"?"), (.get("/a").header("", .absent), "no name"),
        (.get("/a").port(0), ".port(0)"), (.get("/a").port(70_000), ".port(70000)"),
        (.get("/a").scheme("htp"), ".scheme(\"htp\")"),
    ])
    func anImpossibleRequestIsTold(_ request: Stub.Request, words: String) {
        let problem = #expect(throws: Stub.Problem.self) { try Stub(request, .status(200)) }
        #expect(problem?.description.contains(words) == true, "\(problem?.description ?? "none")")
    }

    @Test func impossibleFaultsAndRequestsOfASessionAreTold() async throws {
        try await withSession { mock in
            await #expect(throws: Stub.Problem.self) { try await mock.addFault(.bandwidth(.bytes(0))) }
            await #expect(throws: Stub.Problem.self) { try await mock.addFault(.readSlowly(.bytes(0))) }
            await #expect(throws: Stub.Problem.self) { try await mock.verify(.method("", "/a"), .never) }
            await #expect(throws: Stub.Problem.self) { try await mock.stub(.get("/a"), .status(199)) }
            let stubs = try await mock.stubs
            #expect(stubs.isEmpty)
        }
    }
}
