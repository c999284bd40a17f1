/// Calls over our own sockets: on Linux and macOS, where Foundation's URLSession costs more than the whole call.
struct SocketTransport: ServerTransport {
    private let pool: ConnectionPool
    private let hostField: String

    init(host: String, port: Int, hostField: String) {
        pool = ConnectionPool(host: host, port: port)
        self.hostField = hostField
    }

    func send(_ request: ServerRequest) async throws -> ServerAnswer {
        var head = "\(request.method) \(request.target) HTTP/1.1\r\nHost: \(hostField)\r\n"
        for header in request.headers { head += "\(header.name): \(header.value)\r\n" }
        if let body = request.body { head += "Content-Length: \(body.count)\r\n" }
        head += "\r\n"
        do {
            return try await pool.call(
                PooledCall.Request(
                    bytes: Array(head.utf8) + (request.body ?? []), isLong: request.isLong, timeout: request.timeout,
                    onBody: request.onBody))
        } catch let failure as ServerConnection.Failure {
            throw MockServerError(Self.words(failure, of: request, at: hostField))
        }
    }

    func close() {
        pool.close()
    }

    private static func words(
        _ failure: ServerConnection.Failure, of request: ServerRequest, at place: String
    ) -> String {
        switch failure {
        case .ended: "\(place) closed the connection without an answer; has the server ended?"
        case .reset: "\(place) reset the connection; has the server ended?"
        case .truncated: "\(place): the connection ended in the middle of the answer"
        case .malformed(let reason, _): "\(place) answers, but is no HTTP server: \(reason)"
        case .timedOut: "\(place) gave no answer within \(request.timeout.map { "\($0)" } ?? "the time")"
        case .cannotConnect(let error): "nothing answers at \(place) (\(error)); is the server running?"
        }
    }
}
