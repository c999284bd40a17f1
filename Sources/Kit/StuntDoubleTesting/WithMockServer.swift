internal import Testing

/// Runs `body` with a mock server of its own, and looks at what was left open when it returns.
///
/// ```swift
/// try await withMockServer { mock in
///     try await mock.stub(.get("/dogs"), .json(["rex"]))
///     #expect(try await DogClient(baseURL: mock.url).dogs() == ["rex"])
/// }
/// ```
///
/// It does what the trait ``MockServerTrait`` does for a whole test, and takes the same parameters. In a test of Swift
/// Testing failures are told to it, at this call's place; elsewhere they are thrown, which fails a test of any
/// framework. In a method of an `XCTestCase` this name stands for the method that tells XCTest.
/// - Returns: what `body` returns.
/// - Throws: what `body` throws; the failures where there is no framework to tell; `MockServerError` if the server
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
