public import Testing

/// Gives a test, or each test of a suite, its own mock server, and checks unmatched requests and expectations at the
/// end of the test.
///
/// ```swift
/// @Test(.mockServer) func dogsAreListed() async throws {
///     try await mock.stub(.get("/dogs"), .json(["rex"]))
///     #expect(try await DogClient(baseURL: mock.url).dogs() == ["rex"])
/// }
/// ```
///
/// All tests of the process share one server. Each test, and each case of a parameterized one, has a session in it, so
/// tests run in parallel without affecting each other. A test fails at its end on unmatched requests, on requests whose
/// stub could not answer, and on unmet expectations; its requests are attached.
public struct MockServerTrait: TestTrait, SuiteTrait, TestScoping {
    private let settings: ScopeSettings

    public var isRecursive: Bool { true }

    init(_ settings: ScopeSettings) {
        self.settings = settings
    }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // The outermost trait opens the session, with the combined settings of all traits of the test.
        if TestScope.current != nil { return try await function() }
        let settings = test.traits.compactMap { ($0 as? MockServerTrait)?.settings }
            .reduce(nil) { (outer: ScopeSettings?, inner) in outer?.refined(by: inner) ?? inner }
        let scope = TestScope(settings ?? self.settings, .swiftTesting, at: CallSite(test.sourceLocation))
        do {
            try await scope.run(name: test.sessionName) { _ in try await function() }
        } catch let error as any CallSiteError {
            // Swift Testing would report it at the test's own line.
            guard let place = error.place else { throw error }
            Issue.record(error, sourceLocation: SourceLocation(place))
        }
    }
}

extension Trait where Self == MockServerTrait {
    /// Gives each test its own mock server: `mock`.
    public static var mockServer: Self { mockServer() }

    /// Gives each test its own mock server: `mock`.
    ///
    /// The server is launched on first use, and ends with the process. With the environment variable `STUNTDOUBLE_URL`,
    /// the running server there is used instead. On a test in a suite that also has this trait, these settings override
    /// the suite's.
    /// - Parameters:
    ///   - mocks: a folder of stub files that each test inherits: a path relative to the folder of this file, or to one
    ///     above it up to the package's.
    ///   - arguments: more options for a launched daemon, such as `--verbose`.
    ///   - https: whether a launched daemon serves HTTPS as well, at `mock.httpsURL`.
    ///   - seed: the seed of random delays and choices. By default it is derived from the test's name, so that every
    ///     run behaves the same.
    ///   - unmatched: whether unmatched requests are allowed; by default they fail the test.
    ///   - unused: whether unused stubs of the test are allowed; by default they are.
    ///   - fileID: the call site for failures; omit it and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    ///   - server: makes the server instead of launching one: `{ try await MockServer.embedded() }`. It is called once
    ///     for all tests with this call site.
    public static func mockServer(
        mocks: String? = nil, arguments: [String] = [], https: Bool = false, seed: UInt64? = nil,
        unmatched: MockServer.Tolerance? = nil, unused: MockServer.Tolerance? = nil, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line,
        column: Int = #column, server: MakeMockServer? = nil
    ) -> Self {
        MockServerTrait(
            ScopeSettings(
                mocks: mocks, arguments: arguments, https: https, seed: seed, unmatched: unmatched, unused: unused,
                make: server,
                at: CallSite(fileID: fileID, filePath: filePath, line: line, column: column)))
    }
}
