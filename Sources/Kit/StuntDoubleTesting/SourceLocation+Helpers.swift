public import Foundation
public import Testing

// Variants for a test's own helpers, which pass on their caller's location:
// `sourceLocation: SourceLocation = #_sourceLocation`.

extension MockServer {
    /// `verify` for a helper, with its caller's location.
    /// - Throws: like `verify`.
    public func verify(
        _ pattern: Stub.Request, _ count: MockServer.Count = .atLeast(1), within: Duration? = nil,
        sourceLocation: SourceLocation
    ) async throws {
        let place = CallSite(sourceLocation)
        try await verify(
            pattern, count, within: within, fileID: place.fileID, filePath: place.filePath, line: place.line,
            column: place.column)
    }

    /// `verifyInOrder` for a helper, with its caller's location.
    /// - Throws: like `verifyInOrder`.
    public func verifyInOrder(
        _ patterns: Stub.Request..., within: Duration? = nil, sourceLocation: SourceLocation
    ) async throws {
        try await verifyInOrder(patterns, within: within, at: CallSite(sourceLocation))
    }

    /// `verifyNoUnmatched` for a helper, with its caller's location.
    /// - Throws: like `verifyNoUnmatched`.
    public func verifyNoUnmatched(sourceLocation: SourceLocation) async throws {
        let place = CallSite(sourceLocation)
        try await verifyNoUnmatched(
            fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column)
    }

    /// `expect` for a helper, with its caller's location.
    /// - Throws: like `expect`.
    public func expect(
        _ pattern: Stub.Request, _ count: MockServer.Count = .atLeast(1), within: Duration? = nil,
        sourceLocation: SourceLocation
    ) throws {
        let place = CallSite(sourceLocation)
        try expect(
            pattern, count, within: within, fileID: place.fileID, filePath: place.filePath, line: place.line,
            column: place.column)
    }

    /// `handle` for a helper, with its caller's location.
    /// - Throws: like `handle`.
    @discardableResult
    public func handle(
        _ pattern: Stub.Request, priority: Int? = nil, sourceLocation: SourceLocation,
        _ handler: @escaping @Sendable (MockServer.ReceivedRequest) async throws -> Stub.Answer
    ) async throws -> Stub.ID {
        let place = CallSite(sourceLocation)
        return try await handle(
            pattern, priority: priority, fileID: place.fileID, filePath: place.filePath, line: place.line,
            column: place.column, handler)
    }
}

extension MockServer.Gate {
    /// `waitForRequests` for a helper, with its caller's location.
    /// - Throws: like `waitForRequests`.
    public func waitForRequests(
        _ count: Int = 1, within: Duration = .seconds(5), sourceLocation: SourceLocation
    ) async throws {
        let place = CallSite(sourceLocation)
        try await waitForRequests(
            count, within: within, fileID: place.fileID, filePath: place.filePath, line: place.line,
            column: place.column)
    }

    /// `release` for a helper, with its caller's location.
    /// - Throws: like `release`.
    @discardableResult
    public func release(
        _ count: Int? = nil, with response: Stub.Answer? = nil, within: Duration = .seconds(5),
        sourceLocation: SourceLocation
    ) async throws -> Int {
        let place = CallSite(sourceLocation)
        return try await release(
            count, with: response, within: within, fileID: place.fileID, filePath: place.filePath, line: place.line,
            column: place.column)
    }

    /// `fail` for a helper, with its caller's location.
    /// - Throws: like `fail`.
    @discardableResult
    public func fail(
        _ count: Int? = nil, with fault: Stub.Fault.Kind = .connectionReset, within: Duration = .seconds(5),
        sourceLocation: SourceLocation
    ) async throws -> Int {
        let place = CallSite(sourceLocation)
        return try await fail(
            count, with: fault, within: within, fileID: place.fileID, filePath: place.filePath, line: place.line,
            column: place.column)
    }
}

extension MockServer.EventStream {
    /// `push` for a helper, with its caller's location.
    /// - Throws: like `push`.
    @discardableResult
    public func push(
        _ items: Stub.Piece..., within: Duration = .seconds(5), sourceLocation: SourceLocation
    ) async throws -> Int {
        try await push(items, within: within, at: CallSite(sourceLocation))
    }

    /// `waitForReaders` for a helper, with its caller's location.
    /// - Throws: like `waitForReaders`.
    public func waitForReaders(
        _ count: Int = 1, within: Duration = .seconds(5), sourceLocation: SourceLocation
    ) async throws {
        let place = CallSite(sourceLocation)
        try await waitForReaders(
            count, within: within, fileID: place.fileID, filePath: place.filePath, line: place.line,
            column: place.column)
    }
}

extension MockRouting {
    /// A routing made by a helper, with its caller's location.
    /// - Throws: like the initializer without a location.
    public convenience init(
        _ hosts: String..., to mock: MockServer? = nil, others: OtherHosts = .refused, sourceLocation: SourceLocation
    ) throws {
        try self.init(hosts, to: mock, others: others, at: CallSite(sourceLocation))
    }
}

/// `withMockServer` for a helper, with its caller's location.
/// - Returns: what `body` returns.
/// - Throws: like `withMockServer`.
public func withMockServer<Result>(
    mocks: String? = nil, arguments: [String] = [], seed: UInt64? = nil, unmatched: MockServer.Tolerance? = nil,
    unused: MockServer.Tolerance? = nil, sourceLocation: SourceLocation, isolation: isolated (any Actor)? = #isolation,
    server: MakeMockServer? = nil, _ body: (MockServer) async throws -> Result
) async throws -> Result {
    let place = CallSite(sourceLocation)
    return try await withMockServer(
        mocks: mocks, arguments: arguments, seed: seed, unmatched: unmatched, unused: unused, fileID: place.fileID,
        filePath: place.filePath, line: place.line, column: place.column, server: server, body)
}

/// `completion` for a helper, with its caller's location.
/// - Returns: the handler's arguments.
/// - Throws: like `completion`.
@discardableResult
public func completion<each Value: Sendable>(
    within: Duration = .seconds(10), sourceLocation: SourceLocation, isolation: isolated (any Actor)? = #isolation,
    _ start: (@escaping @Sendable (repeat each Value) -> Void) throws -> Void
) async throws -> (repeat each Value) {
    let place = CallSite(sourceLocation)
    return try await completion(
        within: within, fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column, start)
}

/// `expectURLError` for a helper, with its caller's location.
/// - Returns: the error; nil if none was thrown or another one, which fails the test.
/// - Throws: like `expectURLError`.
@discardableResult
public func expectURLError<Result>(
    _ code: URLError.Code, sourceLocation: SourceLocation, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
) async throws -> URLError? {
    let place = CallSite(sourceLocation)
    return try await expectURLError(
        code, fileID: place.fileID, filePath: place.filePath, line: place.line, column: place.column, body)
}
