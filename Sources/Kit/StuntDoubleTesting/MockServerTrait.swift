public import Testing

/// Gives each test of a suite, or one test, a mock server of its own, and looks at what was left open when the test
/// ends.
///
/// ```swift
/// @Test(.mockServer) func dogsAreListed() async throws {
///     try await mock.stub(.get("/dogs"), .json(["rex"]))
///     #expect(try await DogClient(baseURL: mock.url).dogs() == ["rex"])
/// }
/// ```
///
/// One server serves all tests of the process; each test, and each case of a parameterized one, has a session in it, so
/// tests run in parallel without knowing of each other. When a test ends, its unmatched requests, requests whose stub
/// could not answer, and unmet expectations fail it, and its requests are attached.
public struct MockServerTrait: TestTrait, SuiteTrait, TestScoping {
    private let settings: ScopeSettings

    public var isRecursive: Bool { true }

    init(_ settings: ScopeSettings) {
        self.settings = settings
    }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        // The outermost trait begins the session, by what all traits of the test say together.
        if TestScope.current != nil { return try await function() }
        let settings = test.traits.compactMap { ($0 as? MockServerTrait)?.settings }
            .reduce(nil) { (outer: ScopeSettings?, inner) in outer?.refined(by: inner) ?? inner }
        let scope = TestScope(settings ?? self.settings, .swiftTesting, at: CallSite(test.sourceLocation))
        do {
            try await scope.run(name: test.sessionName) { _ in try await function() }
        } catch let error as any PlacedError {
            // Swift Testing would tell it at the test's own line.
            guard let place = error.place else { throw error }
            Issue.record(error, sourceLocation: SourceLocation(place))
        }
    }
}

extension Trait where Self == MockServerTrait {
    /// A mock server of its own for each test: `mock`.
    public static var mockServer: Self { mockServer() }

    /// A mock server of its own for each test: `mock`.
    ///
    /// The server is launched when the first test needs it, and ends with the process. With the environment variable
    /// `STUNTDOUBLE_URL` the running server there is used instead. On a test of a suite that has this trait, too, what
    /// is given here changes what the suite says.
    /// - Parameters:
    ///   - mocks: a folder of stub files that each test inherits: a path from the folder of this file, or from one
    ///     above it up to the package's.
    ///   - arguments: more arguments of a launched daemon, such as `--verbose`.
    ///   - https: whether a launched daemon serves HTTPS, too, at `mock.httpsURL`.
    ///   - seed: the seed of random delays and choices. By default it is made of the test's name, so that each run
    ///     draws the same.
    ///   - unmatched: whether requests that no stub matches are fine; by default they fail the test.
    ///   - unused: whether stubs of the test that answered nothing are fine; by default they are.
    ///   - fileID: the place of the call, to which a failure points; leave it out, and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    ///   - server: makes the server in place of a launched one: `{ try await MockServer.embedded() }`. It is called
    ///     once for all tests that name this place of the source.
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
