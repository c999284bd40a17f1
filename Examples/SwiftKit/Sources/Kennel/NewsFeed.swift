import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The start page of the app, put together from several hosts whose URLs are fixed.
public struct NewsFeed: Sendable {
    public struct Headline: Codable, Sendable, Equatable {
        public let title: String
        public init(title: String) { self.title = title }
    }

    /// What the page shows when it is not whole.
    public enum Problem: Error, Equatable {
        case offline
        case unavailable(status: Int)
        case unreachable(host: String)
    }

    public static let headlinesURL = URL(string: "https://news.kennel.example/v1/headlines")!
    public static let bannerURL = URL(string: "https://ads.partner.example/banner?size=small")!

    private let session: URLSession
    /// Where the weather comes from: a service within the company.
    private let weatherURL: URL

    public init(session: URLSession, weatherURL: URL) {
        self.session = session
        self.weatherURL = weatherURL
    }

    public func headlines() async throws -> [Headline] {
        try JSONDecoder().decode([Headline].self, from: try await data(from: Self.headlinesURL))
    }

    /// The banner; nil where there is none, for whatever reason: a page without it is fine.
    public func banner() async -> String? {
        guard let data = try? await data(from: Self.bannerURL) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    public func weather() async throws -> String {
        String(decoding: try await data(from: weatherURL), as: UTF8.self)
    }

    private func data(from url: URL) async throws -> Data {
        let data: Data
        let response: URLResponse
        do {
            (data, response) = try await session.data(from: url)
        } catch let error as URLError {
            throw error.code == .notConnectedToInternet ? Problem.offline : .unreachable(host: url.host() ?? "")
        }
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw Problem.unavailable(status: status) }
        return data
    }
}
