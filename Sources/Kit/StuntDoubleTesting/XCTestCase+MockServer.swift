public import XCTest

extension XCTestCase {
    /// Gives this test its own mock server. Unmatched requests and unmet expectations fail the test at this call site
    /// when it ends.
    ///
    /// ```swift
    /// func testDogsAreListed() async throws {
    ///     let mock = try await mockServer()
    ///     try await mock.stub(.get("/dogs"), .json(["rex"]))
    ///     …
    /// }
    /// ```
    ///
    /// Call it in the test or in `setUp() async throws`. The parameters are those of the trait ``MockServerTrait``.
    /// - Throws: `MockServerError` if the server cannot be started or reached, or with the location in an invalid stub
    ///   file; what `server` throws.
    public func mockServer(
        mocks: String? = nil, arguments: [String] = [], https: Bool = false, seed: UInt64? = nil,
        unmatched: MockServer.Tolerance? = nil, unused: MockServer.Tolerance? = nil, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line,
        column: Int = #column, isolation: isolated (any Actor)? = #isolation, server: MakeMockServer? = nil
    ) async throws -> MockServer {
        let settings = ScopeSettings(
            mocks: mocks, arguments: arguments, https: https, seed: seed, unmatched: unmatched, unused: unused,
            make: server,
            at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
        let scope = TestScope(settings, .xcTest(RunningTestCase(self)))
        let mock = try await scope.begin(name: name)
        addTeardownBlock { _ = await scope.finish(mock, isFinished: true) }
        return mock
    }

    /// Runs `body` with its own mock server, and checks unmatched requests and expectations when it returns. Failures
    /// are reported to this test at this call site. The parameters are those of ``MockServerTrait``.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; like `mockServer` if there is no server for it.
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
        let scope = TestScope(settings, .xcTest(RunningTestCase(self)))
        return try await scope.run(name: name, body)
    }
}
