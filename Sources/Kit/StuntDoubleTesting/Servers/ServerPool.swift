internal import SDBasics

/// The servers of this process, one for each source, started on first use. A launched one ends with the process.
final class ServerPool: Sendable {
    static let shared = ServerPool()

    private typealias Outcome = Result<MockServer, any Error>

    private let servers = Lock<[String: Promise<Outcome>]>([:])

    /// The server for a key. A failure to start it is final: every later call fails with it.
    /// - Throws: the error that `make` threw.
    func server(_ key: String, make: @escaping MakeMockServer) async throws -> MockServer {
        let (server, isNew) = servers.withLock { servers in
            if let known = servers[key] { return (known, false) }
            let server = Promise<Outcome>()
            servers[key] = server
            return (server, true)
        }
        if isNew {
            // Detached: the server outlives the first test that asks, even if that is cancelled.
            _ = KitThreads.detached {
                do {
                    server.fulfil(.success(try await make()))
                } catch {
                    server.fulfil(.failure(error))
                }
            }
        }
        return try await server.value.get()
    }
}
