import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Why a value could not be fetched.
public enum FetchError: Error, Sendable, Equatable {
    /// The server answered with another status than 200 to 299.
    case status(Int)
    /// The answer is not what was asked for.
    case invalidData
    /// There was no answer.
    case connection
}

/// Fetches values of any type as JSON.
public struct Fetcher: Sendable {
    private let baseURL: URL
    private let session: URLSession

    public init(baseURL: URL, session: URLSession = .shared) {
        self.baseURL = baseURL
        self.session = session
    }

    /// Fetches a value. A busy server (503) is asked once more.
    public func fetch<Value: Decodable>(_ type: Value.Type = Value.self, from path: String) async throws -> Value {
        var (data, status) = try await load(path)
        if status == 503 { (data, status) = try await load(path) }
        guard (200..<300).contains(status) else { throw FetchError.status(status) }
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            throw FetchError.invalidData
        }
    }

    private func load(_ path: String) async throws -> (Data, Int) {
        do {
            let (data, response) = try await session.data(from: baseURL.appending(path: path))
            return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
        } catch is URLError {
            throw FetchError.connection
        }
    }
}
