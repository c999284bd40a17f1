import Foundation
import SDTestSupport
import StuntDoubleClient
import Testing

/// Sessions of a daemon that is one of several replicas, which have no ports of their own.
@Suite(.enabled(if: RedisServer.program != nil, "\(RedisServer.isMissing)"))
struct ReplicaSessionTests {
    @Test func asksForOneByPathWhereThereAreNoPorts() async throws {
        let redis = try RedisServer()
        let server = try await MockServer.launch(arguments: ["--shared", "unix://\(redis.socketPath)"])
        let session = try await server.makeSession(name: "a")
        let id = try #require(session.sessionID)
        #expect(session.url.path == "/__session/\(id)")
        #expect(session.url.port == server.url.port)
        try await session.end()
        try await server.end()
    }
}
