import SDJSON
import SDStubModel
import StuntDoubleClient
import Testing

/// Bodies that are larger than what a journal keeps, and those that are as large as that usually is.
@Suite struct LargeBodyTests {
    private let orders = Stub.Request.post("/orders")
    private var asking: Stub.Request { orders.body(.jsonPath("$.items[0]")) }

    /// An order whose text in JSON has somewhat more than `size` bytes.
    private func order(_ size: Int) -> String {
        #"{"pad": "\#(String(repeating: "0123456789abcdef", count: size / 16))", "items": [1]}"#
    }

    private func withServer(_ arguments: [String], _ body: (MockServer) async throws -> Void) async throws {
        let mock = try await MockServer.launch(arguments: ["--match-budget", "60000"] + arguments)
        do { try await body(mock) } catch {
            try await mock.end()
            throw error
        }
        try await mock.end()
    }

    // MARK: Whole

    @Test func aBodyOfSomeMebibytesIsVerifiedByItsEnd() async throws {
        try await withServer([]) { mock in
            let body = order(3 << 20)
            _ = try await send("POST", "/orders", body: body, to: mock)

            try await mock.verify(asking, .exactly(1))
            #expect(try await failure { try await mock.verify(asking, .never) }.message.contains("received 1"))
            let request = try #require(try await mock.lastRequest(asking))
            #expect(request.text == body)
            #expect(request.wholeBodySize == nil)
            #expect(try request.json["items"] == [1])
        }
    }

    @Test func aHandlerEchoesALargeBody() async throws {
        try await withServer([]) { mock in
            let body = order(2 << 20)
            try await mock.handle(orders) { .data($0.body) }
            #expect(try await send("POST", "/orders", body: body, to: mock).text == body)
        }
    }

    // MARK: Cut

    private static let cut = ["--journal-body-limit", "1000"]
    private static let reason =
        "cannot tell of #1: the journal keeps only the first 1000 bytes of a body, see "
        + "--journal-body-limit"

    @Test(arguments: [MockServer.Count.never, .exactly(1), .atLeast(1), .atMost(0), .between(1...2)])
    func aBodyThatWasCutIsNeverVerified(count: MockServer.Count) async throws {
        try await withServer(Self.cut) { mock in
            _ = try await send("POST", "/orders", body: order(5_000), to: mock)
            let failure = try await failure { try await mock.verify(asking, count) }
            #expect(failure.message.hasPrefix("expected POST /orders with body matchesJsonPath"))
            #expect(failure.message.hasSuffix(Self.reason), "\(failure.message)")
        }
    }

    @Test func whatDoesNotDependOnTheBodyIsVerifiedThoughItWasCut() async throws {
        try await withServer(Self.cut) { mock in
            _ = try await send("POST", "/orders", body: order(5_000), headers: [("X-Kind", "a")], to: mock)
            try await mock.verify(orders, .exactly(1))
            try await mock.verify(.post("/carts").body(.jsonPath("$.items[0]")), .never)
            try await mock.verify(.put("/orders").body(.jsonPath("$.items[0]")), .never)
            try await mock.verify(asking.header("X-Kind", .equal("b")), .never)
            try await mock.verify(asking, .atMost(1))
            _ = try await send("POST", "/orders", body: #"{"items": [1]}"#, to: mock)
            try await mock.verify(asking)
            try await mock.verify(asking, .between(1...2))
            await #expect(throws: VerificationFailure.self) { try await mock.verify(asking, .exactly(1)) }
        }
    }

    @Test func anOrderOfBodiesThatWereCutIsNotVerified() async throws {
        try await withServer(Self.cut) { mock in
            _ = try await send("POST", "/orders", body: order(5_000), to: mock)
            _ = try await send("POST", "/pay", to: mock)
            let failure = try await failure { try await mock.verifyInOrder(asking, .post("/pay")) }
            #expect(failure.message.contains(Self.reason), "\(failure.message)")
        }
    }

    @Test func requestsWhoseBodiesWereCutAreNotTakenForWhole() async throws {
        try await withServer(Self.cut) { mock in
            let body = order(5_000)
            _ = try await send("POST", "/orders", body: body, to: mock)
            let error = await #expect(throws: MockServerError.self) { try await mock.lastRequest(asking) }
            #expect(error?.message == Self.reason)
            await #expect(throws: MockServerError.self) { try await mock.requests(matching: asking) }

            let request = try #require(try await mock.lastRequest(orders))
            #expect(request.wholeBodySize == body.utf8.count)
            let problem = #expect(throws: MockServerError.self) { try request.json }
            #expect(
                problem?.message == """
                    the body of POST /orders is not whole: the server's journal kept the first 1000 of its \
                    \(body.utf8.count) bytes, see --journal-body-limit
                    """)
        }
    }

    @Test(arguments: [100, 5_000, 300_000]) func aHandlerIsGivenTheWholeBodyWhateverTheJournalKeeps(
        size: Int
    ) async throws {
        try await withServer(Self.cut) { mock in
            try await mock.handle(orders) { request in
                #expect(request.wholeBodySize == nil)
                return .text("\(request.form("name") ?? "") \(request.text)")
            }
            let body = "pad=" + String(repeating: "x", count: size) + "&name=ann"
            let type = (name: "Content-Type", value: "application/x-www-form-urlencoded")
            #expect(try await send("POST", "/orders", body: body, headers: [type], to: mock).text == "ann " + body)
        }
    }

    // MARK: Gone

    @Test func anUpperBoundIsNotVerifiedWhereRequestsAreGone() async throws {
        try await withServer(["--max-request-journal-entries", "2"]) { mock in
            for path in ["/orders", "/a", "/b"] { _ = try await send("POST", path, to: mock) }
            let failure = try await failure { try await mock.verify(orders, .never) }
            #expect(failure.message.contains("cannot tell: older requests are no longer in the journal"))
            try await mock.verify(.post("/a"))
        }
    }

    // MARK: Answers

    /// Neither is looked at byte by byte in a test's own build, which is not optimized.
    @Test func twentyMegabytesOfBytesAreWrittenDownLikeText() throws {
        let text = String(repeating: "0123456789", count: 2_000_000)
        let bytes = Array(text.utf8)
        let clock = ContinuousClock()
        func time(_ answer: () -> Stub.Answer) throws -> Duration {
            var count = 0
            let time = try clock.measure {
                count = try Stub(.get("/large"), [answer()]).model.json().compactBytes.count
            }
            #expect(count > 20_000_000)
            return time
        }
        let (forText, forBytes) = (try time { .text(text) }, try time { .data(bytes) })
        #expect(forBytes < forText * 3 + .seconds(10))
    }

    @Test(arguments: [0, 1, 2, 3, 100, 4_000_000]) func bytesOfAnySizeAreAnswered(size: Int) async throws {
        try await withServer([]) { mock in
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
            try await mock.stub(.get("/bytes"), .data(bytes))
            #expect(try await get("/bytes", of: mock).body == bytes)
        }
    }
}
