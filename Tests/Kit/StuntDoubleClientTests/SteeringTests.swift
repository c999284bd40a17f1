import StuntDoubleClient
import Testing

/// What a test steers beside stubs, each with a client's view of it.
@Suite struct SteeringTests {
    @Test func eventsArePushedToTheReadersOfAStream() async throws {
        try await withSession { mock in
            try await mock.stub(.get("/events"), .stream(name: "orders", .comment("hello")))
            async let read = get("/events", of: mock)
            let stream = mock.stream("orders")
            #expect(
                try await stream.push(.event("created", data: ["id": 7]), .data("plain"), within: .seconds(300)) == 1)
            #expect(try await stream.readers == 1)
            try await stream.close()
            #expect(try await read.text == ": hello\n\nevent: created\ndata: {\"id\":7}\n\ndata: plain\n\n")
            let failure = try await failure { try await stream.waitForReaders(within: .milliseconds(20)) }
            #expect(
                failure.message == "expected a reader of the stream \"orders\" within 0.02 seconds, there is none")
        }
    }

    @Test func scenariosAreReadAndSet() async throws {
        try await withSession { mock in
            try await mock.stub(.get("/cart"), .text("filled").inScenario("my cart", from: "filled"))
            #expect(try await get("/cart", of: mock).status == 404)
            try await mock.setState("filled", ofScenario: "my cart")
            #expect(try await get("/cart", of: mock).text == "filled")
            #expect(try await mock.state(ofScenario: "my cart") == "filled")
            try await mock.resetScenarios()
            #expect(try await mock.scenarios.map(\.state) == ["Started"])
            await #expect(throws: MockServerError.self) { try await mock.setState("x", ofScenario: "no cart") }
        }
    }

    @Test func settingsAreChanged() async throws {
        try await withSession { mock in
            try await mock.changeSettings { $0.fixedDelay = .milliseconds(7) }
            #expect(try await mock.settings.fixedDelay == .milliseconds(7))
            try await mock.changeSettings { try $0.set("clock", to: ["offset": "-3 days"]) }
            #expect(try await mock.settings.json["clock"]?["offset"] == "-3 days")
            await #expect(throws: MockServerError.self) {
                try await mock.changeSettings { try $0.set("clokc", to: ["offset": "-3 days"]) }
            }
        }
    }

    @Test func recordsAreReadAndWritten() async throws {
        try await withSession { mock in
            try await mock.stub(Stub.records("/books", data: [["id": 1, "title": "A Door into the Sea"]]))
            struct Book: Decodable, Equatable {
                let id: Int
                let title: String
            }
            let books = mock.collection("books")
            #expect(try await books.all(as: Book.self) == [Book(id: 1, title: "A Door into the Sea")])
            #expect(try await books.add(["title": "New"])["id"] == 2)
            try await books.set("1", to: ["id": 1, "title": "Other"])
            #expect(try await get("/books/1", of: mock).text == #"{"id":1,"title":"Other"}"#)
            try await books.remove("2")
            #expect(try await books.record("2") == nil)
            #expect(try await books.all.count == 1)
            try await books.replaceAll(with: [])
            #expect(try await books.all.isEmpty)
            try await books.reset()
            #expect(try await books.record("1")?["title"] == "A Door into the Sea")
        }
    }

    @Test func stateIsReadAndWritten() async throws {
        try await withSession { mock in
            try await mock.stub(.get("/me"), .template("I am {{state 'user'}}"))
            try await mock.state().set(["user": "Ann"])
            #expect(try await get("/me", of: mock).text == "I am Ann")
            try await mock.state().merge(["age": "7"])
            #expect(try await mock.state().properties == ["user": "Ann", "age": "7"])
            #expect(try await mock.state("none").property("x") == nil)
            try await mock.state("none").remove()
            try await mock.removeState()
            #expect(try await mock.state().properties.isEmpty)
        }
    }

    @Test func faultsActOnTheWholeSession() async throws {
        try await withSession { mock in
            try await mock.stub(.any("/**"), .text("0123456789"))
            let id = try await mock.addFault(.status(503), on: .get("/api/**"), name: "down")
            #expect(try await get("/api/x", of: mock).status == 503)
            #expect(try await get("/other", of: mock).status == 200)
            try await mock.removeFault(id)
            #expect(try await get("/api/x", of: mock).status == 200)
            try await mock.addFault(.connectionReset)
            await #expect(throws: MockServerError.self) { try await get("/api/x", of: mock) }
            try await mock.removeAllFaults()
            for fault in MockServer.TLSFault.allCases {
                try await mock.addFault(tls: fault, serverName: "*.pay.example", first: 1)
            }
            for fault in MockServer.HTTP2Fault.allCases { try await mock.addFault(http2: fault, first: 1) }
            let faults = try await mock.callAdmin("GET", "/faults")["faults"]
            #expect(faults?[0] != nil && faults?[12]?["http2"] == "garbage")
            try await mock.removeAllFaults()
            try await mock.addFault(port: .down)
            await #expect(throws: MockServerError.self) { try await get("/new", of: mock) }
        }
    }

    @Test func aResetTakesTheSessionBackToItsBeginning() async throws {
        try await withSession { mock in
            try await mock.stub(.get("/a"), .text("a"))
            _ = try await get("/a", of: mock)
            try await mock.reset()
            #expect(try await mock.requests.isEmpty)
            #expect(try await mock.stubs.isEmpty)
        }
    }
}
