import Foundation
import StuntDoubleServer
import StuntDoubleTesting
import Testing

@Suite(.mockServer { try await MockServer.embedded() }) struct EmbeddedShopTests {
    @Test func anOrderIsRead() async throws {
        try await mock.stub(.get("/orders/{id}"), .json(["id": 7, "total": 20]).delay(.milliseconds(20)))
        #expect(try await ShopClient(baseURL: mock.url).order(7) == ShopClient.Order(id: 7, total: 20))
    }

    @Test func aResetIsAnError() async throws {
        try await mock.stub(.get("/orders/{id}"), .fault(.connectionReset))
        let client = try ShopClient(baseURL: mock.url)
        await #expect(throws: URLError.self) { try await client.order(7) }
    }
}
