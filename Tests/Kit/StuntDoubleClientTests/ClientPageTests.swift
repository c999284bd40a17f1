import Foundation
import StuntDoubleClient
import Testing

/// The examples of the page `docs/swift/client.md`.
@Suite struct ClientPageTests {
    private struct Order: Codable, Equatable {
        let id: Int
    }

    @Test func launchedAndConnected() async throws {
        let launched = try await {
            let mock = try await MockServer.launch()
            try await mock.stub(.get("/greeting"), .text("hello"))
            return mock
        }()
        let running = launched.url
        let mock = MockServer(url: running)
        #expect(try await get("/greeting", of: mock).text == "hello")

        let session = try await mock.makeSession(name: "login", seed: 7)
        try await session.stub(.post("/login"), .status(204))
        try await session.end()
        try await launched.end()
    }

    @Test func requestsAndVerification() async throws {
        try await withSession { mock in
            try await mock.stub(.post("/orders"), .status(201))
            try await mock.stub(.get("/orders/{id}"), .json(Order(id: 7)))
            _ = try await send(
                "POST", "/orders", body: #"{"id": 7}"#, headers: [("Content-Type", "application/json")], to: mock)
            _ = try await get("/orders/7", of: mock)

            let request = try #require(try await mock.lastRequest(.post("/orders")))
            #expect(request.header("Content-Type") == "application/json")
            #expect(try request.body(as: Order.self) == Order(id: 7))

            try await mock.verify(.post("/orders"), .exactly(1))
            let failure = try await failure {
                try await mock.verify(.post("/orders").header("Authorization", .contains("Bearer")), .exactly(1))
            }
            #expect(
                failure.message == """
                    expected POST /orders with header Authorization contains "Bearer" exactly once, received none
                    nearest: #1 POST /orders
                        header Authorization: expected contains "Bearer", received nothing
                    then: #2 GET /orders/7
                        method: expected POST, received GET
                        path: expected /orders, received /orders/7
                        header Authorization: expected contains "Bearer", received nothing
                    """)
        }
    }

    @Test func requestsAreVerifiedAsThePageShows() async throws {
        try await withSession { mock in
            try await mock.stub(.post("/orders"), .status(201))
            try await mock.stub(.get("/orders/{id}"), .json(Order(id: 7)))
            _ = try await send("POST", "/orders", headers: [("Authorization", "Bearer x")], to: mock)
            _ = try await get("/orders/7", of: mock)

            try await mock.verify(.post("/orders"), .exactly(1))
            try await mock.verify(.post("/orders").header("Authorization", .absent), .never)
            try await mock.verify(.get("/orders/{id}"), .atLeast(1), within: .seconds(2))
            try await mock.verifyInOrder(.post("/orders"), .get("/orders/7"))
            try await mock.verifyNoUnmatched()
        }
    }

    @Test func aHandlerAnswersInCode() async throws {
        try await withSession { mock in
            try await mock.handle(.post("/echo")) { request in
                let order = try request.body(as: Order.self)
                return .json(order, status: 201)
            }
            let answer = try await send("POST", "/echo", body: #"{"id": 7}"#, to: mock)
            #expect(answer.status == 201)
            #expect(answer.text == #"{"id":7}"#)
        }
    }

    @Test func gatesHoldAndStreamsAreDriven() async throws {
        try await withSession { mock in
            @Sendable func fetch(_ path: String) async throws -> String { try await get(path, of: mock).text }

            // What the code under test asks is on its way at once, whatever other tests do.
            try await KitThreads.run {
                try await mock.stub(.get("/orders"), .json([7]).hold("orders"))
                async let orders = fetch("/orders")
                try await mock.gate("orders").waitForRequests()
                try await mock.gate("orders").release()
                #expect(try await orders == "[7]")

                try await mock.stub(.get("/events"), .stream(name: "orders"))
                async let events = fetch("/events")
                try await mock.stream("orders").push(.event("created", data: ["id": 7]))
                try await mock.stream("orders").close()
                #expect(try await events == "event: created\ndata: {\"id\":7}\n\n")
            }
        }
    }

    @Test func aFolderOfStubsIsLoaded() async throws {
        try await withSession { mock in
            try await mock.load(folder: "mocks")
            #expect(try await get("/api/books/2", of: mock).text.contains("A Door into the Sea"))
        }
    }
}
