import SDJSON
import SDStubModel

extension MockServer {
    /// Expects that requests were received.
    ///
    /// ```swift
    /// try await mock.verify(.post("/orders"), .exactly(1), within: .seconds(2))
    /// ```
    /// The failure lists the nearest requests and how they differ. It is thrown, or passed to the reporter of
    /// `reporting(to:)`.
    /// - Parameters:
    ///   - pattern: the requests to count.
    ///   - count: how many; by default at least one.
    ///   - within: how long to wait, without polling: the call returns as soon as the number is right. With only an
    ///     upper bound (`.never`, `.atMost(2)`) it returns as soon as there are too many, or at the end of the time.
    ///   - fileID: the call site for failures; omit it and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Throws: `VerificationFailure`; `Stub.Problem` for an invalid path; `MockServerError` if the server cannot be
    ///   reached.
    public func verify(
        _ pattern: Stub.Request, _ count: MockServer.Count = .atLeast(1), within: Duration? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        try await report(unmet(pattern, count, within: within, at: callSite))
    }

    /// Expects requests in this order; others may come in between.
    /// - Parameters:
    ///   - patterns: the expected requests, in order.
    ///   - within: how long to wait for them, without polling.
    ///   - fileID: the call site for failures; omit it and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Throws: `VerificationFailure`; `MockServerError` if the server cannot be reached.
    public func verifyInOrder(
        _ patterns: Stub.Request..., within: Duration? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        try await verifyInOrder(patterns, within: within, at: callSite)
    }

    /// `verifyInOrder` with a call site.
    /// - Throws: `VerificationFailure`; `MockServerError` if the server cannot be reached.
    package func verifyInOrder(_ patterns: [Stub.Request], within: Duration?, at callSite: CallSite) async throws {
        let expectations = patterns.map { SentExpectation(pattern: $0) }
        let verdict = try await at(callSite) { try await $0.verdict(on: expectations, inOrder: true, within: within) }
        if let message = verdict.orderFailure { try report(VerificationFailure(message, at: callSite)) }
    }

    /// Expects that every request was answered by a stub or a file.
    ///
    /// The failure lists each unmatched request with the nearest stub and its differences, or why a matching stub did
    /// not answer. It includes the errors of handlers.
    /// - Throws: `VerificationFailure`; `MockServerError` if the server cannot be reached.
    public func verifyNoUnmatched(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        if reporter == nil, let failure = handlerFailures.first { throw failure }
        try report(try await unmatchedFailure(at: callSite))
    }

    /// The failure of an expectation; nil if it is met.
    /// - Throws: `Stub.Problem` for an invalid path; `MockServerError` if the server cannot be reached or keeps no
    ///   journal.
    package func unmet(
        _ pattern: Stub.Request, _ count: MockServer.Count, within: Duration?, at callSite: CallSite
    ) async throws -> VerificationFailure? {
        let expectation = SentExpectation(pattern: pattern, count: count)
        let verdict = try await at(callSite) { mock in
            guard let within, count.least ?? 0 == 0, let most = count.most else {
                return try await mock.verdict(on: [expectation], within: within)
            }
            return try await KitThreads.run {
                try await mock.waitForRequests(pattern, .atLeast(most + 1), within: within)
                return try await mock.verdict(on: [expectation], within: nil)
            }
        }
        return verdict.countFailure.map { VerificationFailure($0, at: callSite) }
    }

    /// Throws a failure, or passes it to the reporter; nil does nothing.
    /// - Throws: the failure, unless a reporter receives it.
    package func report(_ failure: VerificationFailure?) throws {
        guard let failure else { return }
        guard let reporter else { throw failure }
        reporter.report(failure)
    }
}

/// A pattern and the expected number of its requests.
struct SentExpectation {
    var pattern: Stub.Request
    var count = MockServer.Count.atLeast(1)

    /// The expectation in the admin API's JSON.
    /// - Throws: `Stub.Problem` for an invalid path; it would match nothing and hide a missing request.
    func json() throws(Stub.Problem) -> JSONValue {
        ["name": .string(pattern.summary), "pattern": try pattern.checked().json, "count": count.json]
    }
}

extension MockServer {
    private func verdict(
        on expectations: [SentExpectation], inOrder: Bool = false, within: Duration?
    ) async throws -> Verdict {
        var body: JSONObject = ["expectations": .array(try expectations.map { try $0.json() })]
        if inOrder { body["inOrder"] = true }
        let milliseconds = within?.waitMilliseconds ?? 0
        body["timeoutMs"] = .number(JSONNumber(milliseconds))
        let result = try await call(
            "POST", "/requests/verify", body: JSONValue.object(body).compactBytes,
            timeout: ServerHost.patience + .milliseconds(milliseconds), isLong: milliseconds > 0)
        let json = try result.json
        guard json["requestJournalDisabled"] != true else {
            throw MockServerError("the server keeps no journal, so nothing can be verified", call: result.call)
        }
        return Verdict(expectations: expectations, json: json, within: within)
    }

    /// Waits until there are enough requests, or for the given time. The server's warnings are suppressed here: the
    /// verification that follows repeats them.
    /// - Parameter since: counts only requests with a higher sequence number.
    /// - Returns: the sequence number of the last request that was examined; nil if the server keeps no journal.
    /// - Throws: `Stub.Problem` for an invalid path; `MockServerError` if the server cannot be reached.
    @discardableResult
    func waitForRequests(
        _ pattern: Stub.Request, _ count: MockServer.Count, since: Int = 0, within: Duration
    ) async throws -> Int? {
        let milliseconds = within.waitMilliseconds
        let body: JSONValue = [
            "pattern": try pattern.checked().json, "count": count.json, "since": .number(JSONNumber(since)),
            "timeoutMs": .number(JSONNumber(milliseconds)),
        ]
        let result = try await call(
            "POST", "/requests/wait", body: body.compactBytes,
            timeout: ServerHost.patience + .milliseconds(milliseconds), isLong: milliseconds > 0, isQuiet: true)
        return try result.json["lastSequence"]?.intValue
    }
}

extension Duration {
    /// Milliseconds, rounded up, at most the server's maximum of one hour.
    var waitMilliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 3_600 else { return 3_600_000 }
        return max(0, Int(seconds) * 1_000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
