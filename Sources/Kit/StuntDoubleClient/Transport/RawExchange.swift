/// One raw request on its own connection, and its answer or the way it failed: what a client sees of a stub's faults.
package struct RawExchange: Sendable {
    /// An answer; fields in order, names as sent.
    package struct Answer: Sendable {
        package var status: Int
        package var headers: [(name: String, value: String)]
        package var body: [UInt8]
    }

    /// How an exchange ended without an answer.
    package enum Failure: Error, Hashable {
        case cannotConnect
        /// The server closed the connection without a byte.
        case noAnswer
        case reset
        /// The answer is not HTTP.
        case noHTTP
        /// The head is valid, but the body violates its framing.
        case malformedBody
        /// The connection ended in the middle of the answer.
        case truncated
        case timedOut
    }

    private let host: String
    private let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Sends a request and returns its answer.
    /// - Parameters:
    ///   - request: head and body.
    ///   - isHead: whether it is a `HEAD` request, whose answer has no body.
    /// - Throws: `Failure`, or `CancellationError`.
    package func send(_ request: [UInt8], isHead: Bool, timeout: Duration) async throws -> Answer {
        guard let addresses = try? await SocketAddress.resolve(host, port: port) else { throw Failure.cannotConnect }
        for address in addresses {
            do {
                let connection = try ServerConnection(to: address)
                defer { connection.end(CancellationError()) }
                let answer = try await connection.exchange(request, deadline: .now + timeout, hasNoBody: isHead)
                return Answer(status: answer.status, headers: answer.headers, body: answer.body)
            } catch let failure as ServerConnection.Failure {
                let failure = Failure(failure)
                if failure != .cannotConnect { throw failure }
            }
        }
        throw Failure.cannotConnect
    }
}

extension RawExchange.Failure {
    fileprivate init(_ failure: ServerConnection.Failure) {
        self =
            switch failure {
            case .ended: .noAnswer
            case .reset: .reset
            case .truncated: .truncated
            case .malformed(_, isHead: true): .noHTTP
            case .malformed(_, isHead: false): .malformedBody
            case .timedOut: .timedOut
            case .cannotConnect: .cannotConnect
            }
    }
}
