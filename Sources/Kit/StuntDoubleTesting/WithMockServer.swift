internal import Testing

/// Runs `body` with its own mock server, and checks unmatched requests and expectations when it returns.
///
/// ```swift
/// try await withMockServer { mock in
///     try await mock.stub(.get("/dogs"), .json(["rex"]))
///     #expect(try await DogClient(baseURL: mock.url).dogs() == ["rex"])
/// }
/// ```
///
/// It does for a block what ``MockServerTrait`` does for a whole test, with the same parameters. In a Swift Testing
/// test, failures are recorded at this call site; elsewhere they are thrown, which fails a test of any framework. In an
/// `XCTestCase`, this name is the method that reports to XCTest.
/// - Returns: what `body` returns.
/// - Throws: what `body` throws; the failures if there is no framework to report to; `MockServerError` if the server
///   cannot be started or reached.
public func withMockServer<Result>(
    mocks: String? = nil, arguments: [String] = [], https: Bool = false, seed: UInt64? = nil,
    unmatched: MockServer.Tolerance? = nil, unused: MockServer.Tolerance? = nil, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line,
    column: Int = #column, isolation: isolated (any Actor)? = #isolation, server: MakeMockServer? = nil,
    _ body: (MockServer) async throws -> Result
) async throws -> Result {
    let settings = ScopeSettings(
        mocks: mocks, arguments: arguments, https: https, seed: seed, unmatched: unmatched, unused: unused,
        make: server,
        at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    let name = Test.current?.sessionName ?? settings.callSite.description
    return try await TestScope(settings, .current).run(name: name, body)
}
