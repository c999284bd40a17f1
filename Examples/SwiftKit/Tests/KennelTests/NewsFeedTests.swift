import Foundation
import Kennel
import StuntDoubleTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Code whose URLs are fixed: its session routes the hosts that the test names to the mock server.
@Suite(.mockServer) struct NewsFeedTests {
    private let routing: MockRouting
    private let feed: NewsFeed

    init() throws {
        routing = try MockRouting("news.kennel.example", "ads.partner.example")
        feed = NewsFeed(
            session: routing.makeSession(), weatherURL: try #require(URL(string: "http://weather.invalid/now")))
    }

    @Test func eachURLHasAnAnswerOfItsOwn() async throws {
        try await mock.stub("https://news.kennel.example/v1/headlines", .json([NewsFeed.Headline(title: "Rex found")]))
        try await mock.stub("https://ads.partner.example/banner?size=small", .text("Bones, half price"))

        #expect(try await feed.headlines() == [NewsFeed.Headline(title: "Rex found")])
        #expect(await feed.banner() == "Bones, half price")
    }

    @Test(arguments: [401, 404, 500, 503]) func eachURLHasAStatusOfItsOwn(status: Int) async throws {
        try await mock.stub("https://news.kennel.example/v1/headlines", .status(status))
        try await mock.stub("https://ads.partner.example/banner?size=small", .text("Bones, half price"))

        await #expect(throws: NewsFeed.Problem.unavailable(status: status)) { try await feed.headlines() }
        #expect(await feed.banner() == "Bones, half price")
    }

    /// Errors that no server can make.
    @Test(arguments: [
        (URLError.Code.notConnectedToInternet, NewsFeed.Problem.offline),
        (.cannotFindHost, .unreachable(host: "news.kennel.example")),
        (.secureConnectionFailed, .unreachable(host: "news.kennel.example")),
    ])
    func eachURLHasAnErrorOfItsOwn(code: URLError.Code, problem: NewsFeed.Problem) async throws {
        try routing.fail("https://news.kennel.example/v1/headlines", with: code)
        try await mock.stub("https://ads.partner.example/banner?size=small", .text("Bones, half price"))

        await #expect(throws: problem) { try await feed.headlines() }
        #expect(await feed.banner() == "Bones, half price")
        #expect(routing.requests.map(\.url) == [NewsFeed.headlinesURL, NewsFeed.bannerURL])
    }

    @Test func theNetworkComesBack() async throws {
        try routing.fail("news.kennel.example", with: .notConnectedToInternet, times: 1)
        try await mock.stub("https://news.kennel.example/v1/headlines", .json([NewsFeed.Headline]()))

        await #expect(throws: NewsFeed.Problem.offline) { try await feed.headlines() }
        #expect(try await feed.headlines().isEmpty)
    }

    /// The weather's host is not routed: that call is real. A server of its own stands for the real one here.
    @Test func someCallsAreRealAndSomeAreFaked() async throws {
        try await mock.stub("https://news.kennel.example/v1/headlines", .json([NewsFeed.Headline(title: "faked")]))
        let routing = try MockRouting("news.kennel.example", others: .passThrough)
        try await withMockServer { real in
            try await real.stub(.get("/now"), .text("sunny"))
            let feed = NewsFeed(session: routing.makeSession(), weatherURL: real.url.appending(path: "now"))

            #expect(try await feed.weather() == "sunny")
            #expect(try await feed.headlines() == [NewsFeed.Headline(title: "faked")])
        }
        #expect(try await mock.requests.map(\.url.absoluteString) == ["https://news.kennel.example/v1/headlines"])
    }
}
