import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The code under test. It takes its base URL from outside, and knows nothing of mocks.
struct ShopClient {
    struct Order: Decodable, Equatable {
        let id: Int
        let total: Double
    }

    let baseURL: URL

    /// Asks for an order, twice where the shop is busy.
    func order(_ id: Int) async throws -> Order {
        let url = baseURL.appending(path: "orders/\(id)")
        var (body, response) = try await URLSession.shared.data(from: url)
        if (response as? HTTPURLResponse)?.statusCode == 503 {
            (body, response) = try await URLSession.shared.data(from: url)
        }
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return try JSONDecoder().decode(Order.self, from: body)
    }
}
