import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Where the shelter's server is. The app and its UI tests share this type.
public struct ShelterConfiguration: Sendable, Equatable {
    public var baseURL: URL
    public var token: String?

    public init(baseURL: URL, token: String? = nil) {
        self.baseURL = baseURL
        self.token = token
    }

    /// Production's, unless the environment names another: `API_BASE_URL`.
    public init(environment: [String: String]) {
        let named = environment["API_BASE_URL"].flatMap { URL(string: $0) }
        self.init(baseURL: named ?? URL(string: "https://shelter.example")!, token: environment["API_TOKEN"])
    }
}

/// The dogs of a shelter, and their adoption.
public struct ShelterClient: Sendable {
    public struct Dog: Codable, Sendable, Equatable {
        public let id: Int
        public let name: String
        public let breed: String

        public init(id: Int, name: String, breed: String) {
            self.id = id
            self.name = name
            self.breed = breed
        }
    }

    public struct Refusal: Error, Codable, Equatable {
        public let reason: String

        public init(reason: String) { self.reason = reason }
    }

    private let configuration: ShelterConfiguration

    public init(_ configuration: ShelterConfiguration) {
        self.configuration = configuration
    }

    public func dogs(breed: String? = nil) async throws -> [Dog] {
        var url = configuration.baseURL.appending(path: "dogs")
        if let breed { url.append(queryItems: [URLQueryItem(name: "breed", value: breed)]) }
        return try await send(URLRequest(url: url))
    }

    public func dog(_ id: Int) async throws -> Dog {
        try await send(URLRequest(url: configuration.baseURL.appending(path: "dogs/\(id)")))
    }

    /// Adopts a dog.
    /// - Throws: `Refusal` if the shelter does not want that.
    public func adopt(_ id: Int) async throws -> Dog {
        var request = URLRequest(url: configuration.baseURL.appending(path: "dogs/\(id)/adoption"))
        request.httpMethod = "POST"
        return try await send(request)
    }

    private func send<Value: Decodable>(_ request: URLRequest) async throws -> Value {
        var request = request
        if let token = configuration.token {
            request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        }
        let (data, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        if status == 409 { throw try JSONDecoder().decode(Refusal.self, from: data) }
        guard (200..<300).contains(status) else { throw URLError(.badServerResponse) }
        return try JSONDecoder().decode(Value.self, from: data)
    }
}
