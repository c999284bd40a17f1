extension TestScope {
    /// Runs `body` with a session of its own as `MockServer.current`, and tells what it leaves open.
    /// - Throws: what `body` throws, and, if there is no framework to tell, failures.
    func run<Result>(
        name: String, isolation: isolated (any Actor)? = #isolation,
        _ body: (MockServer) async throws -> Result
    ) async throws -> Result {
        let mock = try await begin(name: name)
        let result: Result
        do {
            result = try await Self.$current.withValue(self) {
                // A closure that names the caller's actor stays on it.
                _ = isolation
                return try await MockServer.$current.withValue(mock) {
                    _ = isolation
                    return try await body(mock)
                }
            }
        } catch {
            let untold = await end(mock, isFinished: false)
            throw untold.isEmpty ? error : UntoldFailures(failures: untold, error: error)
        }
        let untold = await end(mock, isFinished: true)
        if !untold.isEmpty { throw UntoldFailures(failures: untold, error: nil) }
        return result
    }

    /// `end`, which goes its way even if the test has been cancelled.
    private func end(_ mock: MockServer, isFinished: Bool) async -> [VerificationFailure] {
        let untold = Promise<[VerificationFailure]>()
        _ = KitThreads.task { untold.fulfil(await self.finish(mock, isFinished: isFinished)) }
        return await untold.value
    }
}

/// The failures of a `withMockServer` for which there was no framework to tell.
struct UntoldFailures: Error, CustomStringConvertible {
    let failures: [VerificationFailure]
    /// The error that the body threw.
    let error: (any Error)?

    var description: String {
        let texts = failures.map(\.description) + (error.map { ["and it threw: \($0)"] } ?? [])
        return texts.joined(separator: "\n")
    }
}
