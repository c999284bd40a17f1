import StuntDoubleTesting
import Testing

@Test(.mockServer) func aBusyShopIsAskedAgain() async throws {
    try await mock.stub(.get("/orders/7"), .status(503), .json(["id": 7, "total": 20]))

    let order = try await ShopClient(baseURL: mock.url).order(7)

    #expect(order.total == 20)
    try await mock.verify(.get("/orders/7"), .exactly(2))
}
