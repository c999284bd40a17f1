extension MockServer {
    /// Waits for what only a request can bring about, and tells of it if it does not come in time.
    /// - Parameters:
    ///   - isThere: asked at first, and again after each request.
    ///   - complaint: makes the failure's text.
    /// - Throws: `VerificationFailure`, unless a reporter is told of it.
    func wait(
        within: Duration, at callSite: CallSite, until isThere: @Sendable () async throws -> Bool,
        orFail complaint: @Sendable () async throws -> String
    ) async throws {
        if try await waitUntil(within: within, isThere) { return }
        try tell(VerificationFailure(try await complaint(), at: callSite))
    }

    /// Waits until a condition holds that only a request can bring about; it is asked again after each request.
    /// - Returns: whether it held in time.
    /// - Throws: what `condition` throws; `MockServerError` if the server cannot be asked.
    private func waitUntil(
        within: Duration, _ condition: @Sendable () async throws -> Bool
    ) async throws -> Bool {
        if try await condition() { return true }
        let deadline = ContinuousClock.now + within
        var last = try await waitForRequests(.any, .atLeast(0), within: .zero)
        while true {
            // A request is in the journal a moment before it waits.
            for pause in [0, 1, 2, 4, 8] {
                if pause > 0 { await KitThreads.pause(milliseconds: pause) }
                try Task.checkCancellation()
                if try await condition() { return true }
            }
            let left = deadline - .now
            guard left > .zero else { return false }
            guard let known = last else {
                // Without a journal, requests cannot be waited for.
                await KitThreads.pause(milliseconds: 20)
                continue
            }
            last = try await waitForRequests(.any, .atLeast(1), since: known, within: left)
        }
    }
}
