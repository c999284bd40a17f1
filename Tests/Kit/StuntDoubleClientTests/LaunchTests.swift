import Foundation
import Testing

@testable import StuntDoubleClient

#if canImport(Glibc)
    import Glibc
#endif

@Suite struct LaunchTests {
    @Test func aLaunchedServerAnswersWithItsStubs() async throws {
        let mock = try await MockServer.launch()
        let stub = try Stub(.get().url("/greeting"), .text("hello"))
        try await mock.stub(stub)

        let answer = try await get("/greeting", of: mock)

        #expect(answer.text == "hello")
        #expect(try await mock.requests.map(\.target) == ["/greeting"])
        #expect(try await mock.stubs == [stub])
        try await mock.end()
        await #expect(throws: (any Error).self) { try await mock.requests }
    }

    @Test func sessionsHaveStubsAndRequestsOfTheirOwn() async throws {
        let mock = try await MockServer.launch()
        let one = try await mock.makeSession(name: "one")
        let two = try await mock.makeSession(name: "two", ownPort: false)
        for (session, text) in [(one, "1"), (two, "2")] {
            try await session.stub(.any.url("/same"), .text(text))
        }

        #expect(try await get("/same", of: one).text == "1")
        #expect(try await get("/same", of: two).text == "2")
        #expect(try await get("/same", of: mock).status == 404)

        #expect(try await one.requests.count == 1)
        #expect(try await two.requests.map(\.wasMatched) == [true])
        #expect(one.environment["STUNTDOUBLE_SESSION"] == one.sessionID)
        try await one.end()
        try await one.end()
        try await mock.end()
    }

    #if canImport(Glibc)
        /// Whoever waits for the end of a pipe or a socket, as Foundation's `Process` does, must not wait for a daemon.
        @Test func aDaemonInheritsNoDescriptor() async throws {
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            defer { for end in ends { close(end) } }
            let mock = try await MockServer.launch()
            // Children of other tests hold it, too, for as long as they run: only the daemon's own descriptors tell.
            let daemon = try #require(mock.host.owner as? LaunchedDaemon).child.identifier
            let files = FileManager.default
            let pipe = try files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(ends[1])")
            let folder = "/proc/\(daemon)/fd"
            let held = try files.contentsOfDirectory(atPath: folder)
                .compactMap { try? files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
            #expect(pipe.hasPrefix("pipe:") && held.count > 3)
            #expect(!held.contains(pipe), "\(held)")
            try await mock.end()
        }
    #endif

    /// A child that had inherited the first one's standard input would keep it alive.
    @Test func aDaemonEndsThoughAnotherWasLaunchedAfterIt() async throws {
        let first = try await MockServer.launch()
        let second = try await MockServer.launch()
        try await first.end()
        #expect(first.serverLog.contains("--exit-with-parent ends the daemon"))
        #expect(try await second.requests.isEmpty)
        try await second.end()
        try await second.end()
    }

    @Test func aDaemonEndsWithTheLastValueThatStandsForIt() async throws {
        var session: MockServer? = try await MockServer.launch().makeSession()
        let url = try #require(session?.url)
        let other = MockServer(url: url)
        // A daemon of another test may get the port as soon as it is free.
        let mark = try await other.stub(.any, .status(200).named("of this daemon"))
        func isThere() async -> Bool { (try? await other.stubs)?.contains { $0.id == mark } ?? false }
        #expect(await isThere())
        session = nil
        let deadline = ContinuousClock.now + .seconds(300)
        while await isThere(), .now < deadline { await Task.yield() }
        do {
            #expect(try await !other.stubs.contains { $0.id == mark })
        } catch {
            #expect(error is MockServerError, "\(error)")
        }
    }

    @Test func aDaemonThatHasEndedIsToldWithItsLog() async throws {
        let mock = try await MockServer.launch()
        try await mock.callAdmin("POST", "/shutdown")
        // While it ends it may refuse a call, and its last words may still be on their way.
        var message = ""
        let deadline = ContinuousClock.now + .seconds(300)
        while !message.contains("its log:"), .now < deadline {
            do {
                _ = try await mock.requests
            } catch let failure as MockServerError {
                message = failure.message
            }
        }
        #expect(message.contains("its log:"))
        try await mock.end()
    }

    @Test(arguments: [
        ["--admin-token", "s3cret"], ["--admin-token=s3cret"], ["--admin-api-basic-auth", "ann:s3cret"],
    ])
    func aLaunchedServerIsGivenTheCredentialsThatItAsksFor(arguments: [String]) async throws {
        let mock = try await MockServer.launch(arguments: arguments)
        #expect(try await mock.makeSession().requests.isEmpty)
        let stranger = MockServer(url: mock.url)
        let error = await #expect(throws: MockServerError.self) { try await stranger.requests }
        #expect(error?.status == 401)
        #expect(error?.message.contains("credentials") == true)
        if arguments[0] == "--admin-token" {
            #expect(try await MockServer(url: mock.url, adminToken: "s3cret").requests.isEmpty)
        }
        try await mock.end()
    }

    @Test func aDaemonThatDoesNotGetReadyIsToldWithItsOwnLog() async throws {
        let error = await #expect(throws: MockServerError.self) {
            try await MockServer.launch(arguments: ["--prot", "1"])
        }
        #expect(error?.message.contains("ended at once: exit status 2") == true)
        #expect(error?.message.contains("--port") == true)
    }

    @Test func aRefusedStubIsToldWithTheServersOwnWords() async throws {
        let mock = try await MockServer.launch()
        let error = await #expect(throws: MockServerError.self) {
            try await mock.callAdmin("POST", "/mappings", ["response": ["stauts": 200]])
        }
        #expect(error?.status == 422)
        #expect(error?.description.contains(": POST /__admin/mappings was refused with 422") == true)
        #expect(error?.message.contains("did you mean \"status\"?") == true)
    }

    @Test func aMissingFolderIsToldWithThePlacesThatWereSearched() async throws {
        let error = await #expect(throws: MockServerError.self) {
            try await MockServer.launch(mocks: "no such folder")
        }
        #expect(error?.message.contains("Kit/StuntDoubleClientTests/no such folder") == true)
    }
}
