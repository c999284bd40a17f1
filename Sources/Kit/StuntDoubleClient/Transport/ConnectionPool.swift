import SDBasics

/// The connections to one server: kept alive, and shared by all of its sessions.
final class ConnectionPool: Sendable {
    private struct State {
        var addresses: [SocketAddress] = []
        var idle: [ServerConnection] = []
        /// The number of short calls that may begin now.
        var places = ConnectionPool.maxAtOnce
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// The most short calls at once: more would only wait in the server, and cost a descriptor each.
    private static let maxAtOnce = 32

    let host: String
    let port: Int
    private let state = Lock(State())

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    deinit {
        close()
    }

    /// Sends a request and returns its answer.
    /// - Parameters:
    ///   - isLong: whether the server answers when something has happened, so that the call must not keep others away.
    ///   - timeout: the time for the answer, from when the request is sent: a test process may be too busy to send it
    ///     at once. Nil waits for ever.
    ///   - onBody: is given the body of a 200 in pieces as it arrives.
    /// - Throws: `MockServerError` if there is no such host; `ServerConnection.Failure` if the call fails;
    ///   `CancellationError`.
    func call(
        _ request: [UInt8], isLong: Bool, timeout: Duration?,
        onBody: (@Sendable (ArraySlice<UInt8>) -> Void)?
    ) async throws -> ServerAnswer {
        // Those that have a place may wait for a thread of Swift's until a handler has answered.
        let needsPlace = !isLong && !KitThreads.isCurrent
        if needsPlace { await enter() }
        defer { if needsPlace { leave() } }
        try Task.checkCancellation()
        while let connection = takeIdle() {
            do {
                return try await use(connection, request, timeout, onBody)
            } catch ServerConnection.Failure.ended {
                // The server closed it while it was idle.
                continue
            } catch ServerConnection.Failure.reset(isAnswering: false) {
                continue
            }
        }
        let addresses = try await resolve()
        for (index, address) in addresses.enumerated() {
            do {
                return try await use(ServerConnection(to: address), request, timeout, onBody)
            } catch ServerConnection.Failure.cannotConnect where index < addresses.count - 1 {
                continue
            }
        }
        throw MockServerError("\(host): there is no such host")
    }

    private func use(
        _ connection: ServerConnection, _ request: [UInt8], _ timeout: Duration?,
        _ onBody: (@Sendable (ArraySlice<UInt8>) -> Void)?
    ) async throws -> ServerAnswer {
        let answer = try await connection.exchange(
            request, deadline: timeout.map { .now + $0 }, onBody: onBody)
        if connection.isUsable { state.withLock { $0.idle.append(connection) } }
        return answer
    }

    private func takeIdle() -> ServerConnection? {
        state.withLock { state in
            while let connection = state.idle.popLast() {
                if connection.isUsable { return connection }
            }
            return nil
        }
    }

    private func resolve() async throws -> [SocketAddress] {
        let known = state.withLock { $0.addresses }
        if !known.isEmpty { return known }
        let addresses = try await SocketAddress.resolve(host, port: port)
        state.withLock { $0.addresses = addresses }
        return addresses
    }

    /// Closes the idle connections.
    func close() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for connection in idle { connection.end(CancellationError()) }
    }

    // MARK: Places

    private func enter() async {
        await withCheckedContinuation { continuation in
            let mayEnter = state.withLock { state in
                guard state.places == 0 else {
                    state.places -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if mayEnter { continuation.resume() }
        }
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.places += 1
            return nil
        }
        next?.resume()
    }
}
