import Foundation
import Kennel
import StuntDoubleTesting
import Testing

/// Requests answered by the test's own code, which may look at the request, and throw.
@Suite(.mockServer) struct DogAPITests {
    private let dogs: DogAPI

    init() throws {
        dogs = DogAPI(baseURL: try mock.url)
    }

    @Test func theImagesOfABreedAreThoseOfTheAnswer() async throws {
        try await mock.stub(
            .get("/api/breed/{breed}/images"), .json(DogAPI.Images(message: ["https://images.example/hound/1.jpg"])))

        #expect(try await dogs.images(of: "hound").map(\.lastPathComponent) == ["1.jpg"])
    }

    @Test func aHandlerLooksAtTheRequestAndAnswers() async throws {
        try await mock.handle(.get("/api/breed/{breed}/images")) { request in
            #expect(request.method == "GET")
            #expect(request.header("Accept") == "*/*")
            let breed = request.path.split(separator: "/")[2]
            return .json(DogAPI.Images(message: ["https://images.example/\(breed)/1.jpg"]))
        }

        #expect(try await dogs.images(of: "poodle").first?.absoluteString == "https://images.example/poodle/1.jpg")
    }

    @Test func aHandlerReadsTheBody() async throws {
        try await mock.handle(.post("/api/votes").header("X-User", "ada")) { request in
            let vote = try request.body(as: DogAPI.Vote.self)
            return .json(["votes": 41 + vote.value])
        }

        #expect(try await dogs.vote(DogAPI.Vote(image: "rex.jpg", value: 1), user: "ada") == 42)
    }

    @Test func whatWasSentCanBeLookedAtAfterwardsToo() async throws {
        try await mock.stub(.post("/api/votes"), .json(["votes": 1]))
        let vote = DogAPI.Vote(image: "rex.jpg", value: 1)

        _ = try await dogs.vote(vote, user: "ada")

        #expect(try await mock.lastRequest(.post("/api/votes"))?.body(as: DogAPI.Vote.self) == vote)
        try await mock.verify(.post("/api/votes").body(.jsonPath("$.image", .equal("rex.jpg"))), .exactly(1))
    }

    /// What a handler throws fails the test, and so does a request that nothing was there for: a test cannot pass by
    /// accident. `withKnownIssue` shows it without a failure.
    @Test func whatAHandlerThrowsFailsTheTest() async throws {
        struct NoVotes: Error {}
        await withKnownIssue {
            try await withMockServer { mock in
                try await mock.handle(.post("/api/votes")) { _ in throw NoVotes() }
                let dogs = DogAPI(baseURL: mock.url)
                await #expect(throws: URLError.self) {
                    try await dogs.vote(DogAPI.Vote(image: "rex.jpg", value: 1), user: "ada")
                }
            }
        }
    }

    @Test func aMissingHandlerFailsTheTest() async throws {
        try await withKnownIssue {
            try await withMockServer { mock in
                _ = try? await DogAPI(baseURL: mock.url).images(of: "hound")
            }
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("GET /api/breed/hound/images") }
        }
    }

    @Test func aTestSeesWhatIsShownWhileItWaits() async throws {
        try await mock.stub(.get("/api/breed/hound/images"), .json(DogAPI.Images(message: [])).hold("images"))
        async let images = dogs.images(of: "hound")

        try await mock.gate("images").waitForRequests()
        // Here a spinner would be looked at.
        try await mock.gate("images").release()

        #expect(try await images.isEmpty)
    }
}
