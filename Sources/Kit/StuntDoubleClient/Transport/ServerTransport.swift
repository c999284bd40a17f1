/// Carries calls to a server.
protocol ServerTransport: Sendable {
    /// Sends a request and returns the answer of any status.
    /// - Throws: `MockServerError` if there is no answer; `CancellationError` if the task is cancelled.
    func send(_ request: ServerRequest) async throws -> ServerAnswer
    /// Closes connections that are idle.
    func close()
}

/// An admin API request.
struct ServerRequest: Sendable {
    var method: String
    /// The path and the query, percent-encoded.
    var target: String
    var headers: [(name: String, value: String)] = []
    var body: [UInt8]?
    /// The timeout for the whole answer; nil for none.
    var timeout: Duration?
    /// Whether the server answers only when an event happens.
    var isLong = false
    /// Receives the body of a 200 in chunks as it arrives.
    var onBody: (@Sendable (ArraySlice<UInt8>) -> Void)?
}
