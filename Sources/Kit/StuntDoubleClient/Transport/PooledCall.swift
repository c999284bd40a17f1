import SDBasics

/// A call to the server: from a slot in the pool over one connection, or the next if an idle one has died, to the
/// answer.
///
/// Each step runs on the thread that makes it possible: the caller, the socket thread, a host look-up. So calls make
/// progress, and make room for others, even while no thread of Swift's pool is free.
final class PooledCall: Sendable {
    struct Request: Sendable {
        var bytes: [UInt8]
        /// Whether the server answers only when an event happens; such a call takes no slot.
        var isLong = false
        /// The timeout, from when the request is sent: a busy test process may send it late. Nil waits forever.
        var timeout: Duration?
        /// Receives the body of a 200 in chunks as it arrives.
        var onBody: (@Sendable (ArraySlice<UInt8>) -> Void)?
    }

    private struct State {
        /// The completion handler; nil once it was called.
        var end: (@Sendable (Result<ServerAnswer, any Error>) -> Void)?
        var isCancelled = false
        var hasPlace = false
        var connection: ServerConnection?
    }

    private let request: Request
    private let pool: ConnectionPool
    private let state = Lock(State())

    init(_ request: Request, in pool: ConnectionPool) {
        self.request = request
        self.pool = pool
    }

    /// Starts the call; `end` is called once.
    func begin(_ end: @escaping @Sendable (Result<ServerAnswer, any Error>) -> Void) {
        let isCancelled = state.withLock { state in
            state.end = end
            return state.isCancelled
        }
        if isCancelled { return finish(.failure(CancellationError())) }
        guard !request.isLong else { return tryIdle() }
        pool.enter { [self] in
            let isWanted = state.withLock { state in
                state.hasPlace = state.end != nil
                return state.hasPlace
            }
            isWanted ? tryIdle() : pool.leave()
        }
    }

    /// Cancels the call, started or not.
    func cancel() {
        let connection = state.withLock { state in
            state.isCancelled = true
            return state.connection
        }
        connection?.end(CancellationError())
        finish(.failure(CancellationError()))
    }

    // MARK: Steps

    private func tryIdle() {
        guard let connection = pool.takeIdle() else { return connect() }
        use(connection) { [self] failure in
            switch failure {
            // The server closed it while it was idle.
            case ServerConnection.Failure.ended, ServerConnection.Failure.reset(isAnswering: false): tryIdle()
            default: finish(.failure(failure))
            }
        }
    }

    private func connect() {
        pool.resolve { [self] result in
            switch result {
            case .success(let addresses): connect(to: addresses[...])
            case .failure(let error): finish(.failure(error))
            }
        }
    }

    private func connect(to addresses: ArraySlice<SocketAddress>) {
        guard let address = addresses.first else { return }
        let rest = addresses.dropFirst()
        let fail: @Sendable (any Error) -> Void = { [self] error in
            if case ServerConnection.Failure.cannotConnect = error, !rest.isEmpty { return connect(to: rest) }
            finish(.failure(error))
        }
        do {
            use(try ServerConnection(to: address), orFail: fail)
        } catch {
            fail(error)
        }
    }

    private func use(_ connection: ServerConnection, orFail fail: @escaping @Sendable (any Error) -> Void) {
        let isWanted = state.withLock { state in
            state.connection = connection
            return !state.isCancelled
        }
        guard isWanted else { return connection.end(CancellationError()) }
        connection.exchange(
            request.bytes, deadline: request.timeout.map { .now + $0 }, onBody: request.onBody
        ) { [self] result in
            switch result {
            case .success(let answer):
                pool.keep(connection)
                finish(.success(answer))
            case .failure(let error): fail(error)
            }
        }
    }

    private func finish(_ result: Result<ServerAnswer, any Error>) {
        let (end, hadPlace) = state.withLock { state in
            defer {
                state.end = nil
                state.hasPlace = false
                state.connection = nil
            }
            return (state.end, state.hasPlace)
        }
        if hadPlace { pool.leave() }
        end?(result)
    }
}
