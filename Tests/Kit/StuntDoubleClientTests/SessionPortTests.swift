import Foundation
import StuntDoubleClient
import Testing

/// A late request to a session that has ended must not reach the next one.
@Suite struct SessionPortTests {
    @Test func aPortOfASessionThatHasEndedIsNotGivenToTheNext() async throws {
        let server = try await MockServer.launch()
        let clock = ContinuousClock()
        // When each port was asked to rest, which is for a minute. Beside other tests the sessions may take longer.
        var ended: [Int: ContinuousClock.Instant] = [:]
        for number in 0..<500 {
            let session = try await server.makeSession()
            let port = try #require(session.url.port)
            if let time = ended[port] {
                #expect(clock.now - time >= .seconds(60), "\(port) again, after \(number) sessions")
            }
            ended[port] = clock.now
            try await session.end()
        }
        try await server.end()
    }
}
