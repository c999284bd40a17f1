import StuntDoubleClient
import Testing

@Suite struct GatedResponseTests {
    @Test func aReleaseWaitsForTheRequestThatItLetsGo() async throws {
        try await withSession { mock in
            try await mock.stub(.get("/slow"), .text("done").hold("slow gate/1"))
            async let released = mock.gate("slow gate/1").release(within: .seconds(300))
            let answer = try await get("/slow", of: mock)
            #expect(answer.text == "done")
            #expect(try await released == 1)
        }
    }

    @Test func aRequestIsSeenWhileItWaits() async throws {
        try await withSession { mock in
            try await mock.stub(.get("/slow"), .text("done").hold("g"))
            let gate = mock.gate("g")
            async let answer = get("/slow", of: mock)
            try await gate.waitForRequests(1, within: .seconds(300))
            #expect(try await gate.waiting.map(\.target) == ["/slow"])
            try await gate.release(1, with: .text("no money", status: 402), within: .seconds(300))
            #expect(try await answer.status == 402)
            #expect(try await answer.text == "no money")
        }
    }

    @Test func aRequestThatDoesNotComeIsToldWithThoseThatDid() async throws {
        try await withSession { mock in
            try await mock.stub(.get("/slow"), .text("done").hold("g"))
            _ = try await get("/fast", of: mock)
            let failure = try await failure { try await mock.gate("g").release(within: .milliseconds(30)) }
            #expect(
                failure.message == """
                    expected a request waiting at the gate "g" within 0.03 seconds, none does
                    the last requests:
                        #1 GET /fast was answered with 404
                    """)
        }
    }

    @Test func aGateFailsAndOpens() async throws {
        try await withSession { mock in
            try await mock.stub(.get("/slow"), .text("done").hold("g"))
            let gate = mock.gate("g")
            let broken = Task { try await get("/slow", of: mock) }
            try await gate.fail(with: .emptyResponse, within: .seconds(300))
            await #expect(throws: MockServerError.self) { try await broken.value }
            try await gate.open()
            #expect(try await get("/slow", of: mock).text == "done")
            try await gate.close()
            async let held = get("/slow", of: mock)
            try await gate.waitForRequests(within: .seconds(300))
            try await gate.release()
            #expect(try await held.text == "done")
        }
    }
}
