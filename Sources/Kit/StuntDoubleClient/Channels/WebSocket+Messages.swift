import SDJSON
import SDStubModel

extension MockServer.WebSocket {
    /// The messages sent by clients, oldest first. A message is listed before its answer begins.
    /// - Throws: `MockServerError` if the server cannot be reached or keeps no journal.
    public var received: [Message] {
        get async throws { try await events().filter { $0.direction == .received } }
    }

    /// The messages sent by the server, oldest first.
    /// - Throws: `MockServerError` if the server cannot be reached or keeps no journal.
    public var sent: [Message] {
        get async throws { try await events().filter { $0.direction == .sent } }
    }

    /// The messages of both directions, oldest first. A stub's answer is listed before the message that it answers.
    /// - Throws: `MockServerError` if the server cannot be reached or keeps no journal.
    public var messages: [Message] {
        get async throws { try await events() }
    }

    /// Waits until clients have sent a message that matches.
    /// - Returns: the newest match; nil if none came in time and a reporter received the failure.
    /// - Throws: `VerificationFailure` if none comes in time, unless a reporter receives it; `MockServerError` if the
    ///   server cannot be reached or keeps no journal.
    @discardableResult
    public func waitForMessage(
        _ matcher: Stub.Match = .anything, within: Duration = .seconds(5),
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> Message? {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        return try await waited(1, matcher, within, at: callSite).last
    }

    /// Waits until clients have sent `count` messages that match.
    /// - Returns: all matches, oldest first; fewer than `count` if a reporter received the failure.
    /// - Throws: `VerificationFailure` if they do not come in time, unless a reporter receives it; `MockServerError` if
    ///   the server cannot be reached or keeps no journal.
    @discardableResult
    public func waitForMessages(
        _ count: Int, _ matcher: Stub.Match = .anything, within: Duration = .seconds(5),
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws -> [Message] {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        return try await waited(count, matcher, within, at: callSite)
    }

    /// Expects messages from clients.
    ///
    /// ```swift
    /// try await mock.webSocket("/chat").verify(.jsonPath("$.type", "ping"), .exactly(1), within: .seconds(2))
    /// ```
    /// The failure lists the messages that were sent. It is thrown, or passed to the reporter of `reporting(to:)`.
    /// - Parameters:
    ///   - matcher: the messages to count.
    ///   - count: how many; by default at least one.
    ///   - within: how long to wait, without polling: the call returns as soon as there are enough. With only an upper
    ///     bound (`.never`, `.atMost(2)`) it returns as soon as there are too many, or at the end of the time.
    ///   - fileID: the call site for failures; omit it and the next three.
    ///   - filePath: see `fileID`.
    ///   - line: see `fileID`.
    ///   - column: see `fileID`.
    /// - Throws: `VerificationFailure`; `Stub.Problem` for an invalid path; `MockServerError` if the server cannot be
    ///   reached or keeps no journal.
    public func verify(
        _ matcher: Stub.Match = .anything, _ count: MockServer.Count = .atLeast(1), within: Duration? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) async throws {
        let callSite = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
        let failure = try await placed(at: callSite) { socket -> VerificationFailure? in
            let least = count.least ?? 0
            let wanted = least > 0 ? least : (count.most ?? 0) + 1
            let found = try await socket.received(wanted, matcher, within: within ?? .zero)
            guard found.count < least || found.count > count.most ?? .max else { return nil }
            let isLate = found.count < least && within != nil
            return try await socket.failure(found, "\(count.times)", matcher, isLate ? within : nil, at: callSite)
        }
        try server.report(failure)
    }
}

extension MockServer.WebSocket {
    /// A limit above the capacity of the journal.
    private static var all: Int { 1_000_000 }

    private func waited(
        _ count: Int, _ matcher: Stub.Match, _ within: Duration, at callSite: CallSite
    ) async throws -> [Message] {
        let (found, failure) = try await placed(at: callSite) { socket -> ([Message], VerificationFailure?) in
            let found = try await socket.received(count, matcher, within: within)
            if found.count >= count { return (found, nil) }
            let times = count == 1 ? "" : "\(count) times"
            return (found, try await socket.failure(found, times, matcher, within, at: callSite))
        }
        try server.report(failure)
        return found
    }

    /// The clients' messages that match, once there are `count`, or at the end of the time.
    private func received(_ count: Int, _ matcher: Stub.Match, within: Duration) async throws -> [Message] {
        let deadline = ContinuousClock.now + within
        var events = try await events(matcher)
        while true {
            let found = events.filter { $0.direction == .received }
            let left = deadline - .now
            if found.count >= count || left <= .zero { return found }
            // The server's messages count, too.
            let wanted = events.count + count - found.count
            events = try await self.events(matcher, count: wanted, within: left)
            if events.count >= wanted { events = try await self.events(matcher) }
        }
    }

    /// The failure of an expectation, with the messages that were sent.
    private func failure(
        _ found: [Message], _ times: String, _ matcher: Stub.Match, _ within: Duration?, at callSite: CallSite
    ) async throws -> VerificationFailure {
        var first = "expected a message at \(place)"
        if matcher != .anything { first += " that \(FailureText.matcher(matcher.jsonValue))" }
        if !times.isEmpty { first += " \(times)" }
        if let within { first += " within \(within)" }
        first += ", received \(found.isEmpty ? "none" : "\(found.count)")"
        var lines = [first]
        let all = try await events()
        if all.isEmpty {
            let open = try await channels.count
            lines.append(
                "nothing was said there, "
                    + (open == 0 ? "and no WebSocket is open" : open == 1 ? "1 WebSocket is open" : "\(open) are open"))
        } else {
            lines.append(all.count > 10 ? "the last messages there:" : "the messages there:")
            lines += all.suffix(10).map { "    \($0)" }
        }
        return VerificationFailure(lines.joined(separator: "\n"), at: callSite)
    }

    /// The newest messages that match, oldest first, once there are `count` or at the end of the time.
    /// - Parameter limit: the maximum number to return.
    func events(
        _ matcher: Stub.Match = .anything, count: Int = Self.all, limit: Int? = nil, within: Duration = .zero
    ) async throws -> [Message] {
        let milliseconds = within.waitMilliseconds
        let body: JSONValue = [
            "pattern": try messagePattern(matcher), "count": .number(JSONNumber(count)),
            "timeoutMillis": .number(JSONNumber(milliseconds)),
        ]
        let query = "?details=true" + (limit.map { "&limit=\($0)" } ?? "")
        let result = try await server.call(
            "POST", "/messages/wait-for-count" + query, body: body.compactBytes,
            timeout: ServerHost.patience + .milliseconds(milliseconds), isLong: milliseconds > 0)
        let json = try result.json
        guard json["messageJournalDisabled"] != true else {
            throw MockServerError("the server keeps no journal, so nothing is known of messages", call: result.call)
        }
        return (json["messageServeEvents"]?.arrayValue ?? []).reversed().map(Message.init(event:))
    }

    /// The number of messages in the journal.
    func messageCount() async throws -> Int {
        try await server.admin("POST", "/messages/count", try messagePattern(.anything))["count"]?.intValue ?? 0
    }

    /// - Throws: `Stub.Problem` for an invalid path or a value that cannot be encoded.
    private func messagePattern(_ matcher: Stub.Match) throws(Stub.Problem) -> JSONValue {
        var json: JSONObject = ["channel": try pattern.checked().json]
        if matcher != .anything { json["body"] = matcher.jsonValue }
        if let failure = JSONValue.object(json).encodingFailure { throw failure }
        return .object(json)
    }
}
