extension MockServer {
    /// The requests that the session received, the oldest first. A request is among them before its answer has begun.
    public var requests: [ReceivedRequest] {
        get async throws {
            let result = try await call("GET", "/requests?after=0&details=true")
            return try (result.json["requests"]?.arrayValue ?? []).map { event in
                do throws(ModelProblems) {
                    return try ReceivedRequest(event: event)
                } catch {
                    throw MockServerError("a request cannot be read: \(error)", call: result.call)
                }
            }
        }
    }

    /// Forgets all requests; stubs stay as they are.
    public func removeAllRequests() async throws {
        _ = try await call("DELETE", "/requests")
    }
}
