/// The servers of this process: one for each source, made when the first test asks for it. A launched one ends with the
/// process.
actor ServerPool {
    static let shared = ServerPool()

    private var servers: [String: Task<MockServer, any Error>] = [:]

    /// The server with that key. A server that could not be made fails all who ask, without another try.
    /// - Throws: what `make` threw when it was called.
    func server(_ key: String, make: @escaping MakeMockServer) async throws -> MockServer {
        if let known = servers[key] { return try await known.value }
        // Not a child of the test that asks first: the server outlives it, even one that is cancelled.
        let task = Task.detached { try await make() }
        servers[key] = task
        return try await task.value
    }
}
