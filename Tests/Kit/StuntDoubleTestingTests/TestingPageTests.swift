import Foundation
import StuntDoubleTesting
import Testing
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The code under test of the pages.
struct DogClient {
    let baseURL: URL

    func dogs() async throws -> [String] {
        let (body, _) = try await URLSession.shared.data(from: baseURL.appending(path: "dogs"))
        return try JSONDecoder().decode([String].self, from: body)
    }

    /// Says later what was looked at.
    func seen(_ name: String) {
        let url = baseURL.appending(path: "seen/\(name)")
        Task.detached { try await URLSession.shared.data(from: url) }
    }
}

// MARK: docs/swift/testing.md

@Test(.mockServer) func dogsAreListed() async throws {
    try await mock.stub(.get("/dogs"), .json(["Rex", "Bella"]))

    let dogs = try await DogClient(baseURL: mock.url).dogs()

    #expect(dogs == ["Rex", "Bella"])
}

@Suite(.mockServer) struct KennelPageTests {
    let client: DogClient

    init() throws {
        client = DogClient(baseURL: try mock.url)
    }

    @Test func anEmptyKennelHasNoDogs() async throws {
        try await mock.stub(.get("/dogs"), .json([String]()))
        #expect(try await client.dogs().isEmpty)
    }

    @Test(arguments: 1...5) func eachCaseHasAServerOfItsOwn(count: Int) async throws {
        try await mock.stub(.get("/dogs"), .json(Array(repeating: "Rex", count: count)))
        #expect(try await client.dogs().count == count)
    }

    @Test func whatIsSeenIsTold() async throws {
        try await mock.stub(.get("/seen/{name}"), .status(204))
        try mock.expect(.get("/seen/Rex"), .exactly(1), within: .seconds(10))
        client.seen("Rex")
    }

    @Test(.mockServer(unmatched: .allowed)) func aMissingPageIsNoError() async throws {
        let (_, response) = try await URLSession.shared.data(from: client.baseURL.appending(path: "nowhere"))
        #expect((response as? HTTPURLResponse)?.statusCode == 404)
    }
}

@Suite(.mockServer(mocks: "Mocks")) struct FolderPageTests {
    @Test func theFolderIsServed() async throws {
        let (body, _) = try await URLSession.shared.data(from: mock.url.appending(path: "greeting"))
        #expect(String(decoding: body, as: UTF8.self) == "hello")
    }
}

@Test func aPartOfATestHasAServer() async throws {
    let dogs = try await withMockServer { mock in
        try await mock.stub(.get("/dogs"), .json(["Rex"]))
        return try await DogClient(baseURL: mock.url).dogs()
    }
    #expect(dogs == ["Rex"])
}

final class DogTests: XCTestCase {
    func testDogsAreListed() async throws {
        let mock = try await mockServer()
        try await mock.stub(.get("/dogs"), .json(["Rex"]))

        let dogs = try await DogClient(baseURL: mock.url).dogs()

        XCTAssertEqual(dogs, ["Rex"])
        try await mock.verify(.get("/dogs"), .exactly(1))
    }
}

@Test(.mockServer) func queuesTakeTheServerAlong() async throws {
    let mock = try mock
    try await mock.stub(.get("/dogs"), .json(["Rex"]))
    let dogs = try await Task.detached { try await DogClient(baseURL: mock.url).dogs() }.value
    #expect(dogs == ["Rex"])
}

extension Trait where Self == MockServerTrait {
    /// The server of all suites that say `.kennel`.
    static var kennel: Self { .mockServer(unused: .forbidden) { try await MockServer.launch(mocks: "Mocks") } }
}

@Test(.kennel) func suitesShareATraitOfTheirOwn() async throws {
    #expect(try await mock.url.get("greeting").text == "hello")
}
