import Foundation
import Testing

@testable import StuntDoubleTesting

/// What a test leaves open fails it, at its own place.
@Suite struct EndOfTestTests {
    @Test(.fails(with: "/nothing"), .mockServer)
    func anUnmatchedRequestFailsTheTest() async throws {
        try await mock.stub(.get("/something"), .text("x"))
        #expect(try await mock.url.get("nothing").status == 404)
    }

    @Test(.fails(with: "/nothing", "body threw"), .mockServer)
    func anUnmatchedRequestIsToldOfATestThatThrowsToo() async throws {
        _ = try await mock.url.get("nothing")
        throw MockServerError("body threw")
    }

    @Test(.mockServer(unmatched: .allowed))
    func anUnmatchedRequestMayBeAllowed() async throws {
        #expect(try await mock.url.get("nothing").status == 404)
    }

    @Test(.fails(with: "1 request:\n✗ GET /file (GET /file): the body file missing.json cannot be served"), .mockServer)
    func aStubThatCouldNotAnswerFailsTheTest() async throws {
        try await mock.stub(.get("/file"), .file("missing.json"))
        #expect(try await mock.url.get("file").status == 500)
    }

    @Test(.fails(with: "no request was answered by 1 stub:\n✗ POST /orders"), .mockServer(unused: .forbidden))
    func anUnusedStubFailsATestThatForbidsIt() async throws {
        try await mock.stub(.post("/orders"), .status(201))
    }

    @Test(.mockServer) func anUnusedStubIsFineOtherwise() async throws {
        try await mock.stub(.post("/orders"), .status(201))
    }

    @Test func expectationsFailAtTheirOwnPlace() async throws {
        let line = #line + 3
        try await withKnownIssue {
            try await withMockServer { mock in
                try mock.expect(.post("/orders"), .exactly(2))
            }
        } matching: { issue in
            issue.sourceLocation?.line == line && issue.comments.contains { $0.rawValue.contains("received none") }
        }
    }

    @Test(.mockServer) func anExpectationMayBeMetLater() async throws {
        try await mock.stub(.get("/late"), .text("x"))
        try mock.expect(.get("/late"), .exactly(1), within: .seconds(300))
        let url = try mock.url
        Task.detached {
            try await Task.sleep(for: .milliseconds(50))
            _ = try await url.get("late")
        }
    }

    @Test func expectationsOfATestThatThrowsAreNotLookedAt() async throws {
        await #expect(throws: MockServerError("thrown")) {
            try await withMockServer { mock in
                try mock.expect(.get("/never"))
                throw MockServerError("thrown")
            }
        }
    }

    @Test func verifyFailsWhereItStandsAndTheTestGoesOn() async throws {
        let line = Locked(0)
        let goesOn = Locked(false)
        try await withKnownIssue {
            try await withMockServer { mock in
                line.withLock { $0 = #line + 1 }
                try await mock.verify(.get("/orders"))
                goesOn.withLock { $0 = true }
            }
        } matching: { issue in
            issue.sourceLocation?.line == line.value
        }
        #expect(goesOn.value)
    }

    @Test func aFailureFoundOnAnotherTaskFailsTheTestToo() async throws {
        try await withKnownIssue {
            try await withMockServer { mock in
                try await Task.detached { try await mock.verify(.get("/orders")) }.value
            }
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("/orders") }
        }
    }

    @Test func whatAHandlerThrowsFailsItsTestAtTheHandlersPlace() async throws {
        let line = Locked(0)
        try await withKnownIssue {
            try await withMockServer { mock in
                line.withLock { $0 = #line + 1 }
                try await mock.handle(.get("/x")) { _ in throw MockServerError("a handler's own error") }
                #expect(try await mock.url.get("x").status == 500)
            }
        } matching: { issue in
            issue.sourceLocation?.line == line.value
                && issue.comments.contains { $0.rawValue.contains("a handler's own error") }
        }
    }

    @Test func whatAHandlerRequiresIsToldOnceAtItsOwnPlace() async throws {
        let line = Locked(0)
        let count = Locked(0)
        try await withKnownIssue {
            try await withMockServer { mock in
                try await mock.handle(.get("/x")) { request in
                    line.withLock { $0 = #line + 1 }
                    let token = try #require(request.header("Authorization"))
                    return .text(token)
                }
                #expect(try await mock.url.get("x").status == 500)
                #expect(mock.handlerFailures.count == 1)
            }
        } matching: { issue in
            // A warning may tell what another test has asked of a session that had ended.
            guard issue.sourceLocation?.line == line.value else { return false }
            count.withLock { $0 += 1 }
            return true
        }
        #expect(count.value == 1)
    }

    @Test(.fails(with: "the session cannot be looked at after the test"), .mockServer)
    func aSessionThatIsGoneAtTheEndFailsTheTest() async throws {
        try await mock.end()
    }

    /// Outside of a test nobody is told: what is left open is thrown.
    @Test func withoutATestFailuresAreThrown() async throws {
        let error = await Task.detached {
            await #expect(throws: (any Error).self) {
                try await withMockServer { mock in _ = try await mock.url.get("nothing") }
            }
        }.value
        #expect("\(try #require(error))".contains("/nothing"))
    }

    @Test func withoutATestWhatAHandlerThrowsIsThrown() async throws {
        let error = await Task.detached {
            await #expect(throws: (any Error).self) {
                try await withMockServer { mock in
                    try await mock.handle(.get("/x")) { _ in throw MockServerError("a handler's own error") }
                    _ = try await mock.url.get("x")
                }
            }
        }.value
        #expect("\(try #require(error))".contains("a handler's own error"))
    }

    @Test func withoutATestWhatTheBodyThrewIsThrownWithWhatItLeftOpen() async throws {
        let error = await Task.detached {
            await #expect(throws: (any Error).self) {
                try await withMockServer { mock in
                    _ = try await mock.url.get("nothing")
                    throw MockServerError("body threw")
                }
            }
        }.value
        let text = "\(try #require(error))"
        #expect(text.contains("/nothing"))
        #expect(text.contains("body threw"))
    }

    @Test func withoutATestAFailedVerificationThrowsAtOnce() async throws {
        let goesOn = Locked(false)
        let error = await Task.detached {
            await #expect(throws: (any Error).self) {
                try await withMockServer { mock in
                    try await mock.verify(.get("/orders"))
                    goesOn.withLock { $0 = true }
                }
            }
        }.value
        #expect(error is VerificationFailure)
        #expect(!goesOn.value)
    }

    @Test func anExpectationOfAServerWithoutATestIsRefused() throws {
        let server = MockServer(url: try #require(URL(string: "http://127.0.0.1:9")))
        let error = #expect(throws: MockServerError.self) { try server.expect(.any) }
        #expect(error?.message.contains("belongs to no test") == true)
    }

    @Test func theSessionEndsWithItsTest() async throws {
        let (url, id) = try await withMockServer { mock in (mock.url, try #require(mock.sessionID)) }
        // The port is closed by the loop that has it, which may still take a request until then.
        let last = try? await url.get("x")
        #expect(last == nil || last?.status == 410)
        let (status, text) = try await withMockServer { mock in
            var parts = try #require(URLComponents(url: mock.url, resolvingAgainstBaseURL: false))
            parts.path = "/__session/\(id)"
            return try await #require(parts.url).get("x")
        }
        #expect(status == 410, "\(text)")
    }

    @Test func theSeedOfATestIsThatOfItsName() {
        #expect(TestScope.seed(of: "a") == TestScope.seed(of: "a"))
        #expect(TestScope.seed(of: "a") != TestScope.seed(of: "b"))
        #expect(TestScope.seed(of: "a") < 1 << 53)
    }
}
