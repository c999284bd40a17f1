#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension MockServer {
    /// The failures of this session's handlers: what they threw, or returned although it cannot be sent.
    public var handlerFailures: [VerificationFailure] { declarations.failures.all }

    /// Answers requests with the test's own code.
    ///
    /// ```swift
    /// try await mock.handle(.post("/echo")) { request in .json(try request.body(as: Order.self)) }
    /// ```
    /// Each request is answered on a task of its own, many at once, on threads of the kit: the code under test may block
    /// those of Swift's concurrency while it waits for the answer. What the handler throws is answered with 500 and
    /// told: to the reporter at the place of this call, in `handlerFailures`, and by `verifyNoUnmatched`. Expectations
    /// within the handler belong to the test that calls this. The handler goes with its stub, with a reset and with the
    /// session's end; those that are under way then are cancelled.
    /// - Parameters:
    ///   - pattern: which requests it answers.
    ///   - priority: that of its stub; lower numbers win, 5 is that of stubs without one.
    ///   - fileID: the place of the call, to which a failure points; leave it out, and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    ///   - handler: makes the answer, of which all acts as in a stub: delays, faults, streams. What cannot is a failure,
    ///     answered with 500: what an answer says about its stub, such as `times`, and what counts several answers.
    /// - Returns: the id of its stub.
    /// - Throws: `Stub.Problem` for a path that is none or a value that cannot be encoded; `MockServerError` if the
    ///   server cannot be reached or refuses the call.
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
        // Of the task that declares it, so that expectations in the handler belong to that test.
        let requests = feed.requests(of: handler.stub)
        declarations.add(KitThreads.task { await handler.answerAll(requests) }, of: handler.stub)
        do {
            return try await add(Stub(handler.mapping))
        } catch {
            declarations.remove(handler.stub)
            throw error
        }
    }

    /// A value of the same session for tasks that must not keep its declarations alive.
    var withoutDeclarations: MockServer {
        MockServer(
            host: host, url: url, httpsURL: httpsURL, sessionID: sessionID, callPrefix: callPrefix, reporter: reporter,
            callSite: callSite)
    }
}
