import Foundation
import Kennel
import StuntDoubleTesting
import Testing

/// A generic `fetch` and each of its errors. All of these tests ask for the same path, at the same time.
@Suite(.mockServer) struct FetcherTests {
    private struct Breed: Codable, Equatable {
        let name: String
        var size = "small"
    }

    private let fetcher: Fetcher

    init() throws {
        fetcher = Fetcher(baseURL: try mock.url)
    }

    @Test func aValueIsFetched() async throws {
        try await mock.stub(.get("/breeds/1"), .json(Breed(name: "corgi")))

        #expect(try await fetcher.fetch(Breed.self, from: "breeds/1") == Breed(name: "corgi"))
    }

    @Test func aListIsFetched() async throws {
        try await mock.stub(.get("/breeds/1"), .json(raw: #"[{"name": "corgi", "size": "small"}]"#))

        #expect(try await fetcher.fetch([Breed].self, from: "breeds/1").map(\.name) == ["corgi"])
    }

    @Test(arguments: [400, 401, 404, 418, 500]) func anyOtherStatusIsAnError(status: Int) async throws {
        try await mock.stub(.get("/breeds/1"), .json(Breed(name: "corgi"), status: status))

        await #expect(throws: FetchError.status(status)) { try await fetcher.fetch(Breed.self, from: "breeds/1") }
    }

    @Test(arguments: ["", "no JSON", "{}", #"{"name": 7}"#, #"{"name": "corgi""#, "null"])
    func dataThatCannotBeReadAreAnError(body: String) async throws {
        try await mock.stub(.get("/breeds/1"), .json(raw: body))

        await #expect(throws: FetchError.invalidData) { try await fetcher.fetch(Breed.self, from: "breeds/1") }
    }

    @Test(arguments: [Stub.Fault.connectionReset, .emptyResponse, .malformedChunk, .randomData])
    func aConnectionThatBreaksIsAnError(fault: Stub.Fault) async throws {
        try await mock.stub(.get("/breeds/1"), .fault(fault))

        await #expect(throws: FetchError.connection) { try await fetcher.fetch(Breed.self, from: "breeds/1") }
    }

    @Test func anAnswerThatBreaksOffIsAnError() async throws {
        try await mock.stub(.get("/breeds/1"), .json(Breed(name: "corgi")).cut(after: 10, then: .reset))

        await #expect(throws: FetchError.connection) { try await fetcher.fetch(Breed.self, from: "breeds/1") }
    }

    @Test func aBusyServerIsAskedOnceMore() async throws {
        try await mock.stub(.get("/breeds/1"), .status(503), .json(Breed(name: "corgi")).delay(.milliseconds(20)))

        #expect(try await fetcher.fetch(Breed.self, from: "breeds/1").name == "corgi")
        try await mock.verify(.get("/breeds/1"), .exactly(2))
    }

    @Test func aServerThatStaysBusyIsAnError() async throws {
        try await mock.stub(.get("/breeds/1"), .status(503))

        await #expect(throws: FetchError.status(503)) { try await fetcher.fetch(Breed.self, from: "breeds/1") }
        try await mock.verify(.get("/breeds/1"), .exactly(2))
    }
}
