import StuntDoubleClient
import Testing

@Suite struct HandlerTests {
    private let echo = Stub.Request.post("/echo")

    @Test func aRequestIsAnsweredByCode() async throws {
        try await withSession { mock in
            try await mock.handle(echo) { request in
                .text("\(request.sequence): \(request.text)", status: 201)
            }
            let answer = try await send("POST", "/echo", body: "hello", to: mock)
            #expect(answer.status == 201)
            #expect(answer.text == "1: hello")
            #expect(try await mock.requests.map(\.status) == [201])
        }
    }

    @Test func aLargeBodyArrivesWhole() async throws {
        try await withSession { mock in
            let body = String(repeating: "0123456789", count: 30_000)
            try await mock.handle(echo) { request in
                .text("\(request.body.count)")
            }
            #expect(try await send("POST", "/echo", body: body, to: mock).text == "300000")
        }
    }

    @Test func manyAreAnsweredAtOnce() async throws {
        try await withSession { mock in
            let meeting = Meeting(size: 20)
            try await mock.handle(echo) { request in
                await meeting.arrive()
                return .text(request.text)
            }
            try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for number in 1...20 {
                    group.addTask { (number, try await send("POST", "/echo", body: "\(number)", to: mock).text) }
                }
                for try await (number, text) in group { #expect(text == "\(number)") }
            }
        }
    }

    @Test func anErrorOfTheHandlerIsToldWithTheRequest() async throws {
        try await withSession { mock in
            struct Refusal: Error, CustomStringConvertible { let description = "no such order" }
            let line = #line + 1
            try await mock.handle(echo) { _ in throw Refusal() }

            let answer = try await send("POST", "/echo", body: "7", to: mock)

            #expect(answer.status == 500)
            #expect(answer.text.contains("threw: no such order"))
            let failure = try #require(mock.handlerFailures.first)
            #expect(failure.message == "the handler of POST /echo threw: no such order\nfor #1 POST /echo")
            #expect(failure.callSite.line == line)
            await #expect(throws: VerificationFailure.self) { try await mock.verifyNoUnmatched() }
        }
    }

    @Test func aRemovedHandlerAnswersNoMore() async throws {
        try await withSession { mock in
            let id = try await mock.handle(echo) { _ in .text("handled") }
            #expect(try await send("POST", "/echo", body: "", to: mock).text == "handled")
            try await mock.removeStub(id)
            #expect(try await send("POST", "/echo", body: "", to: mock).status == 404)
            try await mock.reset()
            try await mock.handle(echo) { _ in .text("again") }
            #expect(try await send("POST", "/echo", body: "", to: mock).text == "again")
        }
    }

    @Test func theHandlerOfASessionThatHasEndedIsCancelled() async throws {
        let cancelled = AsyncStream<Bool>.makeStream()
        try await withSession { mock in
            try await mock.handle(echo) { _ in
                try? await Task.sleep(for: .seconds(600))
                cancelled.continuation.yield(Task.isCancelled)
                return .text("late")
            }
            let sent = Task { try await send("POST", "/echo", body: "", to: mock) }
            try await mock.verify(echo, within: .seconds(300))
            try await mock.waitUntilAsked()
            try await mock.end()
            _ = await sent.result
        }
        for await isCancelled in cancelled.stream {
            #expect(isCancelled)
            break
        }
    }
}

extension MockServer {
    /// The handler has been asked by then, as it is asked for one request after the other.
    fileprivate func waitUntilAsked() async throws {
        let other = Stub.Request.any("/other")
        try await handle(other) { _ in Stub.Answer() }
        _ = try await get("/other", of: self)
    }
}

/// Lets nobody go until all have arrived.
private actor Meeting {
    private let size: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(size: Int) { self.size = size }

    func arrive() async {
        await withCheckedContinuation { continuation in
            waiting.append(continuation)
            guard waiting.count == size else { return }
            for continuation in waiting { continuation.resume() }
        }
    }
}
