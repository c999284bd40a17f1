extension TestScope {
    /// Runs `body` with its own session as `MockServer.current`, then reports unmatched requests and unmet
    /// expectations.
    /// - Throws: what `body` throws, and failures if there is no framework to report to.
    func run<Result>(
        name: String, isolation: isolated (any Actor)? = #isolation,
        _ body: (MockServer) async throws -> Result
    ) async throws -> Result {
        let mock = try await begin(name: name)
        let result: Result
        do {
            result = try await Self.$current.withValue(self) {
                // A closure that captures the caller's isolation runs on its actor.
                _ = isolation
                return try await MockServer.$current.withValue(mock) {
                    _ = isolation
                    return try await body(mock)
                }
            }
        } catch {
            let untold = await end(mock, isFinished: false)
            throw untold.isEmpty ? error : UnreportedFailures(failures: untold, error: error)
        }
        let untold = await end(mock, isFinished: true)
        if !untold.isEmpty { throw UnreportedFailures(failures: untold, error: nil) }
        return result
    }

    /// Ends the session, even if the test was cancelled.
    private func end(_ mock: MockServer, isFinished: Bool) async -> [VerificationFailure] {
        let untold = Promise<[VerificationFailure]>()
        _ = KitThreads.task { untold.fulfil(await self.finish(mock, isFinished: isFinished)) }
        return await untold.value
    }
}

/// Failures of a `withMockServer` outside of any test framework.
struct UnreportedFailures: Error, CustomStringConvertible {
    let failures: [VerificationFailure]
    /// The error that the body threw.
    let error: (any Error)?

    var description: String {
        let texts = failures.map(\.description) + (error.map { ["and it threw: \($0)"] } ?? [])
        return texts.joined(separator: "\n")
    }
}
