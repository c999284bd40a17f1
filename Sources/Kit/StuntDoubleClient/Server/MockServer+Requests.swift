import SDJSON
import SDStubModel

extension MockServer {
    /// The requests that the session received, oldest first. A request is listed before its answer begins.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call, or if its answer cannot be
    ///   read.
    public var requests: [MockServer.ReceivedRequest] {
        get async throws {
            let result = try await call("GET", "/requests?after=0&details=true")
            return try (result.json["requests"]?.arrayValue ?? []).map { try result.request($0) }
        }
    }

    /// The requests that a pattern matches, oldest first.
    /// - Throws: `Stub.Problem` for an invalid path or a value that cannot be encoded; `MockServerError` if the server
    ///   cannot be reached, rejects the call, or cannot tell because it kept only the beginning of a body.
    public func requests(matching pattern: Stub.Request) async throws -> [MockServer.ReceivedRequest] {
        try await KitThreads.run {
            let sequences = Set(try await sequences(matching: pattern))
            return sequences.isEmpty ? [] : try await requests.filter { sequences.contains($0.sequence) }
        }
    }

    /// The last request that a pattern matches; nil if there is none.
    /// - Throws: `Stub.Problem` for an invalid path or a value that cannot be encoded; `MockServerError` if the server
    ///   cannot be reached, rejects the call, or cannot tell because it kept only the beginning of a body.
    public func lastRequest(_ pattern: Stub.Request = .any) async throws -> MockServer.ReceivedRequest? {
        try await KitThreads.run {
            guard let sequence = try await sequences(matching: pattern).last else { return nil }
            let result = try await call("GET", "/requests?after=\(sequence - 1)&limit=1&details=true")
            return try result.json["requests"]?[0].map { try result.request($0) }
        }
    }

    /// Removes all requests from the journal; stubs stay.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
    public func removeAllRequests() async throws {
        _ = try await call("DELETE", "/requests")
    }

    /// Waits until no request has been in flight for a while.
    /// - Returns: whether that happened in time.
    /// - Throws: `MockServerError` if the server cannot be reached or rejects the call.
    @discardableResult
    public func waitUntilIdle(
        for quiet: Duration = .milliseconds(100), within: Duration = .seconds(5)
    ) async throws -> Bool {
        let body: JSONValue = [
            "quietMs": .number(JSONNumber(quiet.waitMilliseconds)),
            "timeoutMs": .number(JSONNumber(within.waitMilliseconds)),
        ]
        let result = try await call(
            "POST", "/requests/idle", body: body.compactBytes, timeout: ServerHost.patience + within, isLong: true)
        return try result.json["idle"]?.boolValue ?? false
    }

    /// The sequence numbers of the requests that a pattern matches. The server lists a limited number at a time.
    /// - Throws: `Stub.Problem` for an invalid path or a value that cannot be encoded; `MockServerError` if the server
    ///   cannot be reached or rejects the call.
    private func sequences(matching pattern: Stub.Request) async throws -> [Int] {
        var sequences: [Int] = []
        while true {
            let body: JSONValue = [
                "expectations": [["pattern": try pattern.checked().json]],
                "since": .number(JSONNumber(sequences.last ?? 0)),
            ]
            let result = try await call("POST", "/requests/verify", body: body.compactBytes)
            let item = try result.json["expectations"]?[0]
            if let cannotTell = item?["cannotTell"]?.stringValue {
                throw MockServerError(cannotTell, call: result.call)
            }
            let found = (item?["sequences"]?.arrayValue ?? []).compactMap(\.intValue)
            sequences += found
            if found.isEmpty || found.count >= item?["count"]?.intValue ?? 0 { return sequences }
        }
    }
}

extension AdminResult {
    /// Reads an event of the journal.
    /// - Throws: `MockServerError` if the event cannot be read.
    func request(_ event: JSONValue) throws(MockServerError) -> MockServer.ReceivedRequest {
        try read("a request") { () throws(ModelProblems) in try MockServer.ReceivedRequest(event: event) }
    }
}
