import SDJSON
import SDStubModel

extension MockServer {
    /// Expects that requests were received.
    ///
    /// ```swift
    /// try await mock.verify(.post("/orders"), .exactly(1), within: .seconds(2))
    /// ```
    /// A failure shows the nearest requests and how they differ. It is thrown, or told to the reporter of
    /// `reporting(to:)`.
    /// - Parameters:
    ///   - pattern: which requests are meant.
    ///   - count: how many; at least one if it is not given.
    ///   - within: how long to wait for them, without polling: the call returns as soon as their number is right. With
    ///     an upper bound alone (`.never`, `.atMost(2)`) it returns as soon as there are too many, or when the time is
    ///     over.
    ///   - fileID: the place of the call, to which a failure points; leave it out, and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Throws: `VerificationFailure`; `Stub.Problem` for a path that is none; `MockServerError` if the server cannot
    ///   be asked.
    public func verify(
        _ pattern: Stub.Request, _ count: MockServer.Count = .atLeast(1), within: Duration? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        try await tell(unmet(pattern, count, within: within, at: callSite))
    }

    /// Expects that requests were received one after the other; others may have come in between.
    /// - Parameters:
    ///   - patterns: which requests are meant, the first to come first.
    ///   - within: how long to wait for them, without polling.
    ///   - fileID: the place of the call, to which a failure points; leave it out, and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Throws: `VerificationFailure`; `MockServerError` if the server cannot be asked.
    public func verifyInOrder(
        _ patterns: Stub.Request..., within: Duration? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        try await verifyInOrder(patterns, within: within, at: callSite)
    }

    /// `verifyInOrder` at a place.
    /// - Throws: `VerificationFailure`; `MockServerError` if the server cannot be asked.
    package func verifyInOrder(_ patterns: [Stub.Request], within: Duration?, at callSite: CallSite) async throws {
        let expectations = patterns.map { SentExpectation(pattern: $0) }
        let verdict = try await at(callSite) { try await $0.verdict(on: expectations, inOrder: true, within: within) }
        if let message = verdict.orderFailure { try tell(VerificationFailure(message, at: callSite)) }
    }

    /// Expects that a stub, or a file, was there for every request.
    ///
    /// A failure shows each request with the nearest stub and how they differ, and why a stub that matches did not
    /// answer. What a handler threw counts, too.
    /// - Throws: `VerificationFailure`; `MockServerError` if the server cannot be asked.
    public func verifyNoUnmatched(
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        if reporter == nil, let failure = handlerFailures.first { throw failure }
        try tell(try await unmatchedFailure(at: callSite))
    }

    /// The failure of an expectation; nil if it is met.
    /// - Throws: `Stub.Problem` for a path that is none; `MockServerError` if the server cannot be asked or keeps no
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

    /// Throws a failure, or tells the reporter; does nothing without a failure.
    /// - Throws: the failure, unless a reporter is told of it.
    package func tell(_ failure: VerificationFailure?) throws {
        guard let failure else { return }
        guard let reporter else { throw failure }
        reporter.report(failure)
    }
}

/// A pattern and the number of its requests.
struct SentExpectation {
    var pattern: Stub.Request
    var count = MockServer.Count.atLeast(1)

    /// The expectation as the server reads it.
    /// - Throws: what is wrong with a path, which would match nothing and so never be found missing.
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

    /// Waits until there are enough requests or the time is over. What the server warns of it says of the verification, too,
    /// that follows.
    /// - Parameter since: only requests with a higher sequence count.
    /// - Returns: the sequence of the last request that was looked at; nil if the server keeps no journal.
    /// - Throws: `Stub.Problem` for a path that is none; `MockServerError` if the server cannot be asked.
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
    /// The milliseconds, rounded up, within the hour that the server waits at most.
    var waitMilliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 3_600 else { return 3_600_000 }
        return max(0, Int(seconds) * 1_000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
