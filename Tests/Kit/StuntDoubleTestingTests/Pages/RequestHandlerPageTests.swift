import Foundation
import StuntDoubleTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The client of docs/swift/from-request-handlers.md.
private struct DogAPI {
    private struct Answer: Decodable {
        var message: [URL]
    }

    var baseURL: URL
    var session = URLSession.shared

    func images(of breed: String) async throws -> [URL] {
        var request = URLRequest(url: baseURL.appending(path: "api/breed/\(breed)/images"))
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        let (data, response) = try await session.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return try JSONDecoder().decode(Answer.self, from: data).message
    }
}

@Suite(.mockServer) struct RequestHandlerPageTests {
    @Test func imagesOfABreed() async throws {
        try await mock.stub(
            .get("/api/breed/{breed}/images"),
            .json(["message": ["https://images.example/1.jpg"], "status": "success"]))

        let images = try await DogAPI(baseURL: mock.url).images(of: "hound")

        #expect(images.map(\.absoluteString) == ["https://images.example/1.jpg"])
        try await mock.verify(.get("/api/breed/hound/images").header("Accept", "application/json"), .exactly(1))
    }

    @Test func aHandlerLooksAtTheRequest() async throws {
        try await mock.handle(.get("/api/breed/{breed}/images")) { request in
            #expect(request.header("Accept") == "application/json")
            let breed = request.path.split(separator: "/")[2]
            return .json(["message": ["https://images.example/\(breed).jpg"]])
        }

        let images = try await DogAPI(baseURL: mock.url).images(of: "pug")

        #expect(images.map(\.lastPathComponent) == ["pug.jpg"])
    }

    @Test func aHandlerThrows() async throws {
        try await mock.stub(.get("/api/breed/{breed}/images"), .fault(.connectionReset))

        await #expect(throws: URLError.self) { try await DogAPI(baseURL: mock.url).images(of: "hound") }
    }
}
