import SDBasics

/// Keep-alive connections to one server, shared by all of its sessions.
final class ConnectionPool: Sendable {
    private struct State {
        var addresses: [SocketAddress] = []
        var idle: [ServerConnection] = []
        /// The number of short calls that may still start.
        var places = ConnectionPool.maxAtOnce
        var waiting: [@Sendable () -> Void] = []
    }

    /// The maximum number of concurrent short calls: more would only wait in the server, and cost a descriptor each.
    private static let maxAtOnce = 32

    private let host: String
    private let port: Int
    private let state = Lock(State())

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    deinit {
        close()
    }

    /// Sends a request and returns its answer.
    /// - Throws: `MockServerError` for an unknown host; `ServerConnection.Failure` if the call fails;
    ///   `CancellationError`.
    func call(_ request: PooledCall.Request) async throws -> ServerAnswer {
        let call = PooledCall(request, in: self)
        return try await KitThreads.wait {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    call.begin { continuation.resume(with: $0) }
                }
            } onCancel: {
                KitThreads.shared.run { call.cancel() }
            }
        }
    }

    func close() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for connection in idle { connection.end(CancellationError()) }
    }

    // MARK: For calls

    /// Takes an idle connection; nil if there is none.
    func takeIdle() -> ServerConnection? {
        state.withLock { state in
            while let connection = state.idle.popLast() {
                if connection.isUsable { return connection }
            }
            return nil
        }
    }

    /// Keeps a connection for the next call, if it is usable.
    func keep(_ connection: ServerConnection) {
        if connection.isUsable { state.withLock { $0.idle.append(connection) } }
    }

    /// Calls `then` with the server's addresses in order of preference; they are looked up once.
    func resolve(_ then: @escaping @Sendable (Result<[SocketAddress], MockServerError>) -> Void) {
        let known = state.withLock { $0.addresses }
        guard known.isEmpty else { return then(.success(known)) }
        SocketAddress.resolve(host, port: port) { [self] result in
            if case .success(let addresses) = result { state.withLock { $0.addresses = addresses } }
            then(result)
        }
    }

    /// Calls `then` as soon as a short call may start. `leave` ends the call.
    func enter(_ then: @escaping @Sendable () -> Void) {
        let mayEnter = state.withLock { state in
            guard state.places == 0 else {
                state.places -= 1
                return true
            }
            state.waiting.append(then)
            return false
        }
        if mayEnter { then() }
    }

    func leave() {
        let next = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.places += 1
            return nil
        }
        next?()
    }
}
