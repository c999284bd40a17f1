import Foundation
import StuntDoubleTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The client of docs/swift/from-mock-urlprotocol.md, with URLs that are fixed.
private struct NewsClient {
    let session: URLSession

    func headlines() async throws -> [String] {
        try await load("https://api.example.com/headlines")
    }

    func archive(year: Int) async throws -> [String] {
        try await load("https://api.example.com/archive?year=\(year)")
    }

    func load(_ text: String) async throws -> [String] {
        guard let url = URL(string: text) else { throw URLError(.badURL) }
        let (data, response) = try await session.data(from: url)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return try JSONDecoder().decode([String].self, from: data)
    }
}

@Suite(.mockServer) struct MockURLProtocolPageTests {
    @Test func eachURLHasItsAnswer() async throws {
        let routing = try MockRouting("api.example.com")
        let client = NewsClient(session: routing.makeSession())
        try await mock.stub("https://api.example.com/headlines", .json(["Rain", "Sun"]))
        try await mock.stub("https://api.example.com/archive?year=2020", .status(404))
        try await mock.stub("https://api.example.com/archive?year=2021", .fault(.connectionReset))
        try routing.fail("https://api.example.com/archive?year=2022", with: .notConnectedToInternet)

        #expect(try await client.headlines() == ["Rain", "Sun"])
        await #expect(throws: URLError(.badServerResponse)) { try await client.archive(year: 2020) }
        await #expect(throws: URLError.self) { try await client.archive(year: 2021) }
        let offline = await #expect(throws: URLError.self) { try await client.archive(year: 2022) }
        #expect(offline?.code == .notConnectedToInternet)
    }

    @Test func otherHostsAreReal() async throws {
        let faked = try mock
        // A server that is not this test's stands for the real network.
        try await withMockServer { real in
            try await real.stub(.get("/live"), .json(["live"]))
            let routing = try MockRouting("api.example.com", to: faked, others: .passThrough)
            let client = NewsClient(session: routing.makeSession())
            try await faked.stub("https://api.example.com/headlines", .json(["faked"]))

            #expect(try await client.headlines() == ["faked"])
            #expect(try await client.load(real.url.absoluteString + "/live") == ["live"])
        }
    }
}
