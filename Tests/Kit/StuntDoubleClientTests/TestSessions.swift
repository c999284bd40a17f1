import StuntDoubleClient
import Testing

/// One launched daemon for all tests of the process.
private actor TestDaemon {
    static let shared = TestDaemon()

    private var server: Task<MockServer, any Error>?

    func makeSession() async throws -> MockServer {
        if server == nil { server = Task { try await MockServer.launch() } }
        guard let server else { throw MockServerError("no daemon") }
        return try await server.value.makeSession()
    }
}

/// Runs `body` with a session of its own.
func withSession<Result>(_ body: (MockServer) async throws -> Result) async throws -> Result {
    let mock = try await TestDaemon.shared.makeSession()
    let result: Result
    do {
        result = try await body(mock)
    } catch {
        try? await mock.end()
        throw error
    }
    try await mock.end()
    return result
}

/// The failure that `body` ends with.
func failure(
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async throws -> VerificationFailure {
    try #require(
        await #expect(throws: VerificationFailure.self, sourceLocation: sourceLocation) { try await body() },
        sourceLocation: sourceLocation)
}
