import Foundation
import StuntDoubleClient
import Testing

/// A late request to a session that has ended must not reach the next one.
@Suite struct SessionPortTests {
    @Test func aPortOfASessionThatHasEndedIsNotGivenToTheNext() async throws {
        let server = try await MockServer.launch()
        var ports: Set<Int> = []
        for _ in 0..<500 {
            let session = try await server.makeSession()
            let port = try #require(session.url.port)
            #expect(ports.insert(port).inserted, "\(port) again, after \(ports.count) sessions")
            try await session.end()
        }
        try await server.end()
    }
}
