extension MockServer {
    /// Waits for a condition that only a request can change; fails if it does not hold in time.
    /// - Parameters:
    ///   - isThere: the condition, checked first and after each request.
    ///   - failureText: makes the failure's message.
    /// - Throws: `VerificationFailure`, unless a reporter receives it.
    func wait(
        within: Duration, at callSite: CallSite, until isThere: @Sendable () async throws -> Bool,
        orFail failureText: @Sendable () async throws -> String
    ) async throws {
        if try await waitUntil(within: within, isThere) { return }
        try report(VerificationFailure(try await failureText(), at: callSite))
    }

    /// Waits until a condition holds that only a request can change. Checks it again after each request.
    /// - Returns: whether it held in time.
    /// - Throws: what `condition` throws; `MockServerError` if the server cannot be reached.
    private func waitUntil(
        within: Duration, _ condition: @Sendable () async throws -> Bool
    ) async throws -> Bool {
        if try await condition() { return true }
        let deadline = ContinuousClock.now + within
        var last = try await waitForRequests(.any, .atLeast(0), within: .zero)
        while true {
            // A request appears in the journal shortly before it waits at its gate.
            for pause in [0, 1, 2, 4, 8] {
                if pause > 0 { await KitThreads.pause(milliseconds: pause) }
                try Task.checkCancellation()
                if try await condition() { return true }
            }
            let left = deadline - .now
            guard left > .zero else { return false }
            guard let known = last else {
                // Without a journal, polls.
                await KitThreads.pause(milliseconds: 20)
                continue
            }
            last = try await waitForRequests(.any, .atLeast(1), since: known, within: left)
        }
    }
}
