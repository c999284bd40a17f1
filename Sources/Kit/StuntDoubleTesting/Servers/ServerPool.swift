internal import SDBasics

/// The servers of this process: one for each source, made when the first test asks for it. A launched one ends with the
/// process.
final class ServerPool: Sendable {
    static let shared = ServerPool()

    private typealias Outcome = Result<MockServer, any Error>

    private let servers = Lock<[String: Promise<Outcome>]>([:])

    /// The server with that key. A server that could not be made fails all who ask, without another try.
    /// - Throws: what `make` threw when it was called.
    func server(_ key: String, make: @escaping MakeMockServer) async throws -> MockServer {
        let (server, isNew) = servers.withLock { servers in
            if let known = servers[key] { return (known, false) }
            let server = Promise<Outcome>()
            servers[key] = server
            return (server, true)
        }
        if isNew {
            // Not a child of the test that asks first: the server outlives it, even one that is cancelled.
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
