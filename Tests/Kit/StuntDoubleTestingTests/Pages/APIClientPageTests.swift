import Foundation
import StuntDoubleTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The client of docs/swift/from-api-client-doubles.md: one class, without a protocol and open to nothing.
private final class APIClient: Sendable {
    struct User: Codable, Equatable, Sendable {
        var id: Int
        var name: String
    }

    private let baseURL: URL
    private let session: URLSession

    init(baseURL: URL, session: URLSession = .shared) {
        self.baseURL = baseURL
        self.session = session
    }

    func users() async throws -> [User] {
        let (data, _) = try await session.data(from: baseURL.appending(path: "users"))
        return try JSONDecoder().decode([User].self, from: data)
    }

    func rename(_ id: Int, to name: String) async throws {
        var request = URLRequest(url: baseURL.appending(path: "users/\(id)"))
        request.httpMethod = "PUT"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try JSONEncoder().encode(User(id: id, name: name))
        let (_, response) = try await session.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 204 else { throw URLError(.badServerResponse) }
    }
}

@Suite(.mockServer(mocks: "Mocks")) struct APIClientPageTests {
    @Test func usersComeFromTheFile() async throws {
        let client = APIClient(baseURL: try mock.url)

        #expect(try await client.users().map(\.name) == ["Ada", "Bob"])
    }

    @Test func oneTestHasOtherUsers() async throws {
        try await mock.stub(.get("/users"), .json([] as [APIClient.User]))

        #expect(try await APIClient(baseURL: mock.url).users().isEmpty)
    }

    @Test func aRenamingIsSent() async throws {
        try await mock.stub(.put("/users/{id}"), .status(204))

        try await APIClient(baseURL: mock.url).rename(2, to: "Rob")

        let request = try #require(try await mock.lastRequest(.put("/users/2")))
        #expect(try request.body(as: APIClient.User.self) == APIClient.User(id: 2, name: "Rob"))
    }
}
