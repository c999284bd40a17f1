import Foundation
import StuntDoubleTesting
import Testing

#if os(Linux)
    /// Code under test that waits with semaphores takes threads from Swift's pool, and many tests at once take all of them.
    /// What a test says to its mock server goes on.
    @Suite struct BlockedPoolTests {
        @Test func callsEndWhileEveryThreadOfThePoolIsBlocked() async throws {
            let run = try await ChildRun([
                "--testing-library", "swift-testing", "--filter", "StuntDoubleTestingTests.CallsBesideABlockedPool",
            ])
            #expect(run.status == 0, "\(run.output)")
            #expect(run.output.contains("Suite CallsBesideABlockedPool passed"), "\(run.output)")
        }

        /// As many at once as there are, whatever width this run has.
        @Test func theClientsTestsPassBesideTestsThatBlockTheirThreads() async throws {
            let run = try await ChildRun([
                "--testing-library", "swift-testing", "--experimental-maximum-parallelization-width", "100000",
                "--filter", "StuntDoubleClientTests", "--filter", "StuntDoubleTestingTests.ThreadsInUse",
            ])
            #expect(run.status == 0, "\(run.output)")
            #expect(run.output.contains("Suite ThreadsInUse passed"), "\(run.output)")
        }
    }
#endif

/// Tests that block their threads all the time, in a process that the suite above starts.
@Suite(.enabled(if: ChildRun.isChild, "another test runs it")) struct ThreadsInUse {
    @Test(arguments: 0..<400) func blocksItsThread(number: Int) { Thread.sleep(forTimeInterval: 0.05) }
}

/// Calls from the main actor, whose thread is free, in a process that the suite above starts.
@MainActor @Suite(.serialized, .enabled(if: ChildRun.isChild, "another test runs it"))
struct CallsBesideABlockedPool {
    private let patience = Duration.seconds(300)

    @Test func stubsAnswerAndRequestsAreVerified() async throws {
        try await withBlockedPool { mock in
            let stub = try await mock.stub(.get("/a"), .text("a"))
            #expect(await Asking("a", of: mock).answer() == "200 a")
            try await mock.verify(.get("/a"), .exactly(1))
            try await mock.verify(.get("/a"), .atLeast(1), within: patience)
            try await mock.verify(.get("/b"), .never, within: .milliseconds(50))
            try await mock.verifyInOrder(.get("/a"))
            await expectFailure { try await mock.verify(.get("/b")) }
            #expect(await Asking("b", of: mock).answer().hasPrefix("404"))
            await expectFailure { try await mock.verifyNoUnmatched() }
            #expect(try await mock.requests(matching: .get("/a")).count == 1)
            #expect(try await mock.lastRequest(.get("/b"))?.target == "/b")
            #expect(try await mock.waitUntilIdle(within: patience))
            try await mock.removeStub(stub)
            #expect(try await mock.stubs.isEmpty)
            try await mock.reset()
        }
    }

    @Test func handlersAnswer() async throws {
        try await withBlockedPool { mock in
            try await mock.handle(.any.url("/echo")) { request in
                await Task.yield()
                try await mock.verify(.any.url("/echo"), .atLeast(1))
                return .text("\(request.method) \(request.body.count)", status: 201)
            }
            let all = (0..<10).map { Asking("echo", of: mock, body: $0 * 50_000) }
            for (number, one) in all.enumerated() { #expect(await one.answer() == "201 POST \(number * 50_000)") }
            try await mock.removeAllStubs()
        }
    }

    @Test func gatesReleaseAndFail() async throws {
        try await withBlockedPool { mock in
            let gate = mock.gate("g")
            try await mock.stub(.get("/held"), .text("held").hold("g"))
            let first = Asking("held", of: mock)
            try await gate.waitForRequests(within: patience)
            #expect(try await gate.waiting.count == 1)
            try await gate.release()
            #expect(await first.answer() == "200 held")
            let second = Asking("held", of: mock)
            try await gate.release(with: .text("other", status: 402), within: patience)
            #expect(await second.answer() == "402 other")
            let third = Asking("held", of: mock)
            try await gate.fail(within: patience)
            #expect(await third.answer().hasPrefix("none"))
            await expectFailure { try await gate.release(within: .milliseconds(30)) }
        }
    }

    @Test func streamsArePushed() async throws {
        try await withBlockedPool { mock in
            try await mock.stub(.get("/events"), .stream(name: "orders"))
            let reader = Asking("events", of: mock)
            try await mock.stream("orders").push(.event("created", data: ["id": 7]), within: patience)
            try await mock.stream("orders").close()
            #expect(await reader.answer().contains("created"))
        }
    }

    @Test func settingsStateAndFilesAreChanged() async throws {
        try await withBlockedPool { mock in
            try await mock.changeSettings { $0.fixedDelay = .milliseconds(1) }
            #expect(try await mock.settings.fixedDelay == .milliseconds(1))
            try await mock.passThrough(to: URL(string: "http://127.0.0.1:1"))
            try await mock.passThrough(to: nil)
            try await mock.state().set(["a": 1])
            #expect(try await mock.state().property("a") == 1)
            try await mock.load(folder: "Mocks")
            #expect(await Asking("greeting", of: mock).answer() == "200 hello")
            let session = try await mock.makeSession()
            try await session.end()
        }
    }

    @Test func aTestsOwnServerBeginsAndEnds() async throws {
        try await withBlockedPool { _ in
            try await withMockServer { mock in
                try mock.expect(.get("/late"), .exactly(1), within: patience)
                try await mock.stub(.get("/late"), .text("late"))
                #expect(await Asking("late", of: mock).answer() == "200 late")
            }
        }
    }

    @Test func completionHandlersAreWaitedFor() async throws {
        try await withBlockedPool { _ in
            let number = try await completion { (handler: @escaping @Sendable (Int) -> Void) in
                Thread.detachNewThread { handler(7) }
            }
            #expect(number == 7)
        }
    }

    /// The macro for it calls its closure on the pool.
    private func expectFailure(
        sourceLocation: SourceLocation = #_sourceLocation, _ body: @MainActor () async throws -> Void
    ) async {
        do {
            try await body()
            Issue.record("nothing was thrown", sourceLocation: sourceLocation)
        } catch {
            #expect(error is VerificationFailure, sourceLocation: sourceLocation)
        }
    }
}
