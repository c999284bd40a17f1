import StuntDoubleServer

/// Where a mock server comes from.
enum ServerOrigin: String, CaseIterable {
    case launched
    case connected
    case embedded

    /// Opens a server for `body`, and ends it.
    func open<Result: Sendable>(
        mocks: String? = nil, _ arguments: [String] = [], _ body: (MockServer) async throws -> Result
    ) async throws -> Result {
        let server =
            switch self {
            case .embedded: try await MockServer.embedded(mocks: mocks, arguments: arguments)
            case .launched, .connected: try await MockServer.launch(mocks: mocks, arguments: arguments)
            }
        let result: Result
        do {
            result = try await body(self == .connected ? MockServer(url: server.url) : server)
        } catch {
            try await server.end()
            throw error
        }
        try await server.end()
        return result
    }
}
