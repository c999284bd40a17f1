#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension MockServer {
    /// The failures of this session's handlers: errors thrown, and answers that cannot be sent.
    public var handlerFailures: [VerificationFailure] { declarations.failures.all }

    /// Answers requests with code of the test.
    ///
    /// ```swift
    /// try await mock.handle(.post("/echo")) { request in .json(try request.body(as: Order.self)) }
    /// ```
    /// Each request is answered on its own task, on the kit's threads: the code under test may block Swift's
    /// concurrency threads while it waits. An error thrown by the handler is answered with 500; it goes to the reporter
    /// at this call site, to `handlerFailures` and to `verifyNoUnmatched`. Expectations in the handler belong to the
    /// test that calls this. The handler ends with its stub, with a reset and with the session; running calls are
    /// cancelled then.
    /// - Parameters:
    ///   - pattern: the requests to answer.
    ///   - priority: the priority of the stub; lower numbers win, the default is 5.
    ///   - fileID: the call site for failures; omit it and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    ///   - handler: makes the answer. Delays, faults and streams act as in a stub. Properties of a stub, such as
    ///     `times`, and sequences of answers are failures, answered with 500.
    /// - Returns: the id of the handler's stub.
    /// - Throws: `Stub.Problem` for an invalid path or a value that cannot be encoded; `MockServerError` if the server
    ///   cannot be reached or rejects the call.
    @discardableResult
    public func handle(
        _ pattern: Stub.Request, priority: Int? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column,
        _ handler: @escaping @Sendable (MockServer.ReceivedRequest) async throws -> Stub.Answer
    ) async throws -> Stub.ID {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        return try await at(callSite) { mock in
            let handler = StubHandler(
                server: mock.withoutDeclarations, stub: UUID(), pattern: try pattern.checked(), priority: priority,
                callSite: callSite, failures: declarations.failures
            ) { try await handler($0).resolvedOnce(by: "a handler") }
            return try await KitThreads.run { try await mock.begin(handler) }
        }
    }

    private func begin(_ handler: StubHandler) async throws -> Stub.ID {
        let feed = declarations.feed(of: self)
        try await feed.waitForBeginning()
        // Inherits the task of the caller, so that expectations in the handler belong to that test.
        let requests = feed.requests(of: handler.stub)
        declarations.add(KitThreads.task { await handler.answerAll(requests) }, of: handler.stub)
        do {
            return try await add(Stub(handler.mapping))
        } catch {
            declarations.remove(handler.stub)
            throw error
        }
    }

    /// The same session without its declarations, for tasks that must not keep them alive.
    var withoutDeclarations: MockServer {
        MockServer(
            host: host, url: url, httpsURL: httpsURL, sessionID: sessionID, callPrefix: callPrefix, reporter: reporter,
            callSite: callSite)
    }
}
