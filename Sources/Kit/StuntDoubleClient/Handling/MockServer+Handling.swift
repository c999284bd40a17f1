#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension MockServer {
    /// What handlers of this session threw, or returned although it cannot be sent.
    public var handlerFailures: [VerificationFailure] { declarations.failures.all }

    /// Has requests answered by code; many at once.
    func handle(
        _ pattern: RequestPattern, at callSite: CallSite, _ respond: @escaping RequestHandler.Respond
    ) async throws -> StubMapping.ID {
        let handler = RequestHandler(
            server: withoutDeclarations, stub: UUID(), pattern: pattern, callSite: callSite,
            failures: declarations.failures, respond: respond)
        let feed = declarations.feed(of: self)
        try await feed.waitForBeginning()
        // Of the task that declares it, so that expectations in the handler belong to that test.
        let requests = feed.requests(of: handler.stub)
        declarations.add(Task { await handler.answerAll(requests) }, of: handler.stub)
        do {
            return try await stub(handler.mapping)
        } catch {
            declarations.remove(handler.stub)
            throw error
        }
    }

    /// The same session for tasks that must not keep its declarations alive.
    var withoutDeclarations: MockServer {
        MockServer(host: host, url: url, sessionID: sessionID, callPrefix: callPrefix, reporter: reporter)
    }
}
