import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Breeds, their pictures, and votes for them, with async/await.
public struct DogAPI: Sendable {
    public struct Images: Codable, Sendable, Equatable {
        public let message: [String]
        public let status: String

        public init(message: [String], status: String = "success") {
            self.message = message
            self.status = status
        }
    }

    public struct Vote: Codable, Sendable, Equatable {
        public let image: String
        public let value: Int

        public init(image: String, value: Int) {
            self.image = image
            self.value = value
        }
    }

    private let baseURL: URL
    private let session: URLSession

    public init(baseURL: URL, session: URLSession = .shared) {
        self.baseURL = baseURL
        self.session = session
    }

    /// The addresses of a breed's pictures.
    public func images(of breed: String) async throws -> [URL] {
        let url = baseURL.appending(path: "api/breed/\(breed)/images")
        let images = try JSONDecoder().decode(Images.self, from: try await data(for: URLRequest(url: url)))
        return images.message.compactMap { URL(string: $0) }
    }

    /// Votes for a picture. Returns the number of its votes.
    public func vote(_ vote: Vote, user: String) async throws -> Int {
        var request = URLRequest(url: baseURL.appending(path: "api/votes"))
        request.httpMethod = "POST"
        request.httpBody = try JSONEncoder().encode(vote)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(user, forHTTPHeaderField: "X-User")
        return try JSONDecoder().decode([String: Int].self, from: try await data(for: request))["votes"] ?? 0
    }

    private func data(for request: URLRequest) async throws -> Data {
        let (data, response) = try await session.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return data
    }
}
