import Foundation
import StuntDoubleClient
import Testing

@Suite struct VerifyTests {
    private let orders = Stub.Request.post("/orders")

    @Test func whatWasReceivedIsVerified() async throws {
        try await withSession { mock in
            _ = try await send("POST", "/orders", body: "{}", to: mock)

            try await mock.verify(orders)
            try await mock.verify(orders, .exactly(1))
            try await mock.verify(orders, .between(1...2))
            try await mock.verify(.any("/carts"), .never)
        }
    }

    @Test func aFailureShowsTheNearestRequestAndTheCallersPlace() async throws {
        try await withSession { mock in
            _ = try await send("POST", "/order", body: "{}", to: mock)

            let line = #line + 1
            let failure = try await failure { try await mock.verify(orders, .exactly(1)) }

            #expect(
                failure.message == """
                    expected POST /orders exactly once, received none
                    nearest: #1 POST /order
                        path: expected /orders, received /order
                    """)
            #expect(failure.callSite.line == line)
            #expect(failure.callSite.fileID == "StuntDoubleClientTests/VerifyTests.swift")
        }
    }

    @Test func aFailureAboutAHeaderShowsItsMatcher() async throws {
        try await withSession { mock in
            let pattern = orders.header("X-Kind", .contains("json"))
            _ = try await send("POST", "/orders", headers: [("X-Kind", "text")], to: mock)
            _ = try await send("POST", "/orders", to: mock)

            let failure = try await failure { try await mock.verify(pattern) }

            #expect(failure.message.contains("header X-Kind: expected contains \"json\", received text"))
            #expect(failure.message.contains("header X-Kind: expected contains \"json\", received nothing"))
        }
    }

    @Test func aFailureAboutADocumentShowsEachDifference() async throws {
        try await withSession { mock in
            _ = try await send("POST", "/orders", body: #"{"a": [1, 3], "b": "y"}"#, to: mock)

            let failure = try await failure {
                try await mock.verify(orders.body(.json(["a": [1, 2], "b": "x"] as Stub.JSON)))
            }

            #expect(
                failure.message.hasSuffix(
                    """
                    nearest: #1 POST /orders
                        body $.a[1]: expected 2, was 3
                        body $.b: expected "x", was "y"
                    """), "\(failure.message)")
        }
    }

    @Test(arguments: [
        (Stub.Request.any, "ANY any URL"), (.get("~/v[12]/.*"), "GET matching /v[12]/.*"),
        (.method("GET|HEAD", "/a/{id}"), "GET|HEAD /a/{id}"),
        (
            Stub.Request.post("/a").query("q", "x").cookie("c", .absent).body(.jsonPath("$.a")),
            #"POST /a with query q equalTo "x", cookie c absent, body matchesJsonPath "$.a""#
        ), (.get("https://example.com/"), #"GET / with scheme "https", host equalTo "example.com""#),
    ])
    func aPatternIsToldInWords(pattern: Stub.Request, words: String) async throws {
        try await withSession { mock in
            let failure = try await failure { try await mock.verify(pattern) }
            #expect(failure.message == "expected \(words) at least once, received none\nno other request was received")
        }
    }

    /// It would match nothing, and so never be there too often.
    @Test func aPathThatIsNoneIsToldAndNotLookedFor() async throws {
        try await withSession { mock in
            await #expect(throws: Stub.Problem.self) { try await mock.verify(.get("orders"), .never) }
            await #expect(throws: Stub.Problem.self) { try await mock.verifyInOrder(.get("/a"), .get("orders")) }
            await #expect(throws: Stub.Problem.self) { try await mock.lastRequest(.get("orders")) }
            await #expect(throws: Stub.Problem.self) { try await mock.handle(.get("orders")) { _ in .status(200) } }
        }
    }

    @Test func tooManyRequestsAreListed() async throws {
        try await withSession { mock in
            for _ in 1...3 { _ = try await get("/a", of: mock) }
            let failure = try await failure { try await mock.verify(.any("/a"), .atMost(1)) }
            #expect(failure.message == "expected ANY /a at most once, received 3 (#1, #2, #3)")
        }
    }

    @Test func aVerificationWaitsForARequestThatComesLater() async throws {
        try await withSession { mock in
            async let verified: Void = mock.verify(orders, .exactly(1), within: .seconds(300))
            _ = try await get("/other", of: mock)
            _ = try await send("POST", "/orders", body: "{}", to: mock)
            try await verified
        }
    }

    @Test(.timeLimit(.minutes(30))) func neverWithinATimeFailsAsSoonAsThereIsOne() async throws {
        try await withSession { mock in
            async let sent = get("/a", of: mock)
            let failure = try await failure {
                try await mock.verify(.any("/a"), .never, within: .seconds(3_600))
            }
            _ = try await sent
            #expect(failure.message == "expected ANY /a never, received 1 (#1)")
            try await mock.verify(.any("/b"), .never, within: .milliseconds(20))
        }
    }

    @Test func theOrderOfRequestsIsVerified() async throws {
        try await withSession { mock in
            for path in ["/login", "/cart", "/pay"] { _ = try await get(path, of: mock) }
            let patterns = ["/login", "/cart", "/pay"].map { Stub.Request.any($0) }

            try await mock.verifyInOrder(patterns[0], patterns[2])
            let failure = try await failure { try await mock.verifyInOrder(patterns[0], patterns[2], patterns[1]) }

            #expect(
                failure.message == """
                    the requests did not come in this order:
                        1. ANY /login: #1
                        2. ANY /pay: #3
                        3. ANY /cart: not received after #3, only #2
                    """)
        }
    }

    @Test func unmatchedRequestsAreToldWithTheNearestStub() async throws {
        try await withSession { mock in
            try await mock.verifyNoUnmatched()
            try await mock.stub(.get("/orders"), .status(200).named("orders"))
            _ = try await get("/orders", of: mock)
            try await mock.verifyNoUnmatched()
            _ = try await send("POST", "/orders", body: "{}", to: mock)

            let failure = try await failure { try await mock.verifyNoUnmatched() }

            #expect(
                failure.message == """
                    a request was not matched by any stub:
                        #2 POST /orders
                            nearest stub: "orders", GET /orders
                                method: expected GET, received POST
                    """)
            #expect(try await mock.unmatchedRequests.map(\.method) == ["POST"])
        }
    }

    @Test func aReporterIsToldAndTheTestGoesOn() async throws {
        try await withSession { mock in
            let reporter = Reporter()
            let reporting = mock.reporting(to: reporter)
            let line = #line + 1
            try await reporting.verify(orders)
            #expect(await reporter.failures().map(\.callSite.line) == [line])
        }
    }

    @Test func requestsComeBackWithAllThatWasSent() async throws {
        try await withSession { mock in
            _ = try await get("/first", of: mock)
            _ = try await send(
                "POST", "/orders?page=2&q=a%20b", body: #"{"id": 7}"#,
                headers: [("X-Token", "secret"), ("Cookie", "session=abc")], to: mock)

            let request = try #require(try await mock.lastRequest(.post()))
            struct Order: Decodable, Equatable { let id: Int }

            #expect(request.method == "POST")
            #expect(request.target == "/orders?page=2&q=a%20b")
            #expect(request.path == "/orders")
            #expect(request.url.absoluteString == mock.url.absoluteString + "/orders?page=2&q=a%20b")
            #expect(request.query("q") == "a b")
            #expect(request.header("x-token") == "secret")
            #expect(request.cookie("session") == "abc")
            #expect(try request.body(as: Order.self) == Order(id: 7))
            #expect(try request.json["id"] == 7)
            #expect(request.sequence == 2)
            #expect(request.status == 404)
            #expect(!request.wasMatched)
            #expect(try await mock.lastRequest()?.sequence == 2)
            #expect(try await mock.requests(matching: .any("/first")).map(\.sequence) == [1])
            #expect(try await mock.lastRequest(.any("/none")) == nil)
            let error = #expect(throws: MockServerError.self) { try request.body(as: [String].self) }
            #expect(error?.message.contains("{\"id\": 7}") == true)
        }
    }
}

private final class Reporter: FailureReporter {
    private let list = AsyncStream<VerificationFailure>.makeStream()

    func report(_ failure: VerificationFailure) { list.continuation.yield(failure) }

    /// All failures until now; nothing can be reported afterwards.
    func failures() async -> [VerificationFailure] {
        list.continuation.finish()
        var all: [VerificationFailure] = []
        for await failure in list.stream { all.append(failure) }
        return all
    }
}
