/// Carries calls to a server.
protocol ServerTransport: Sendable {
    /// Sends a request and returns the answer, whatever its status.
    /// - Throws: `MockServerError` if there is no answer; `CancellationError` if the task is cancelled.
    func send(_ request: ServerRequest) async throws -> ServerAnswer
    /// Closes connections that are idle.
    func close()
}

/// A call of the admin API as it is sent.
struct ServerRequest: Sendable {
    var method: String
    /// The path and the query, escaped.
    var target: String
    var headers: [(name: String, value: String)] = []
    var body: [UInt8]?
    /// The time until the answer must be there; nil for any.
    var timeout: Duration?
    /// Whether the server answers when something has happened.
    var isLong = false
    /// Is given the body of a 200 in pieces as it arrives.
    var onBody: (@Sendable (ArraySlice<UInt8>) -> Void)?
}
