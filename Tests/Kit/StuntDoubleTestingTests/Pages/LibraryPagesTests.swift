import Foundation
import StuntDoubleTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The examples of the pages in docs/swift for users of other libraries.
@Suite(.mockServer) struct LibraryPagesTests {
    private struct User: Codable, Equatable {
        var id = 42
        var name = "Alice"
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func status(_ text: String, method: String = "GET", _ routing: MockRouting) async throws -> Int {
        var request = URLRequest(url: try url(text))
        request.httpMethod = method
        let (_, response) = try await routing.makeSession().data(for: request)
        return (response as? HTTPURLResponse)?.statusCode ?? 0
    }

    // MARK: Mocker

    @Test func aMockIsAStub() async throws {
        let routing = try MockRouting("api.example.com")
        try await mock.stub(.get("https://api.example.com/users/42"), .json(User()).header("X-Page", "1"))
        try await mock.stub(.head("https://api.example.com/users/42"), .status(204))
        try await mock.stub(.get("https://api.example.com/**.png"), .data([0x89, 0x50], type: "image/png"))
        try await mock.stub(.get("https://api.example.com/slow"), .text("late").delay(.milliseconds(50)))
        try routing.fail("https://api.example.com/offline", with: .notConnectedToInternet)

        #expect(try await status("https://api.example.com/users/42?any=query", routing) == 200)
        #expect(try await status("https://api.example.com/users/42", method: "HEAD", routing) == 204)
        #expect(try await status("https://api.example.com/img/dog.png", routing) == 200)
        #expect(try await status("https://api.example.com/slow", routing) == 200)
        await #expect(throws: URLError.self) { try await status("https://api.example.com/offline", routing) }
    }

    @Test func aRequestIsExpected() async throws {
        let routing = try MockRouting("api.example.com")
        try await mock.stub(.post("https://api.example.com/users"), .json(User(), status: 201))
        try mock.expect(.post("/users").body(.json(User())), .exactly(1), within: .seconds(20))

        var request = URLRequest(url: try url("https://api.example.com/users"))
        request.httpMethod = "POST"
        request.httpBody = try JSONEncoder().encode(User())
        _ = try await routing.makeSession().data(for: request)

        #expect(try await mock.lastRequest(.post("/users"))?.body(as: User.self) == User())
    }

    // MARK: OHHTTPStubs

    @Test func conditionsAreAPattern() async throws {
        let routing = try MockRouting("api.example.com")
        try await mock.stub(
            .post("https://api.example.com/search")
                .query("q", "dogs")
                .header("Accept", .contains("json"))
                .body(.json(["page": 1])),
            .json([User()]).delay(.milliseconds(10)).bandwidth(.kilobytes(400)))
        try await mock.stub(.get("https://api.example.com/reset"), .fault(.connectionReset))

        var request = URLRequest(url: try url("https://api.example.com/search?q=dogs"))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.httpBody = Data(#"{"page": 1}"#.utf8)
        let (data, _) = try await routing.makeSession().data(for: request)
        #expect(try JSONDecoder().decode([User].self, from: data) == [User()])
        await #expect(throws: URLError.self) { try await status("https://api.example.com/reset", routing) }
    }

    // MARK: Shock

    @Test func aRouteIsAStub() async throws {
        try await mock.stub(.get("/my/api/endpoint"), .json([User()]))
        try await mock.stub(
            .get("/my/api/other").query("key", "value").header("X-Custom", "1"),
            .status(200).header("X-Answer", "2"))
        try await mock.stub(.get("/source"), .redirect(to: "/my/api/endpoint", status: 301))
        try await mock.stub(
            .get("/list"),
            .template("{{#each parameters.list}}{{this}};{{/each}}").parameters(["list": ["Item #1", "Item #2"]]))
        try await mock.stub(.get("/never"), .fault(.neverAnswer))

        let (data, _) = try await URLSession.shared.data(from: mock.url.appending(path: "source"))
        #expect(try JSONDecoder().decode([User].self, from: data) == [User()])
        let (list, _) = try await URLSession.shared.data(from: mock.url.appending(path: "list"))
        #expect(String(decoding: list, as: UTF8.self) == "Item #1;Item #2;")
        var request = URLRequest(
            url: try mock.url.appending(path: "my/api/other").appending(queryItems: [
                URLQueryItem(name: "key", value: "value")
            ]))
        request.setValue("1", forHTTPHeaderField: "X-Custom")
        let (_, response) = try await URLSession.shared.data(for: request)
        #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Answer") == "2")
    }

    // MARK: Replay

    @Test func aStubOfReplayIsAStub() async throws {
        let routing = try MockRouting("api.example.com")
        try await mock.stub("https://api.example.com/greeting", .text("Hello, world!"))
        try await mock.stub(.get("https://api.example.com/users/{id}"), .json(User()))

        let (data, _) = try await routing.makeSession().data(from: url("https://api.example.com/greeting"))
        #expect(String(decoding: data, as: UTF8.self) == "Hello, world!")
        #expect(try await status("https://api.example.com/users/42?token=secret", routing) == 200)
    }

    // MARK: WireMockSwift

    @Test func aMappingBuilderIsAStub() async throws {
        try await mock.stub(
            .post("/things")
                .header("Content-Type", "application/json")
                .query("verbose", "true")
                .body(.jsonPath("$.name")),
            .json(["id": 1]).priority(1).metadata(["team": "payments"]))
        try await mock.stub(.get("/next"), .text("first").inScenario("flow", from: "Started", to: "step-2"))
        try await mock.stub(.get("/next"), .text("second").inScenario("flow", from: "step-2"))

        let things = try mock.url.appending(path: "things").appending(queryItems: [
            URLQueryItem(name: "verbose", value: "true")
        ])
        var request = URLRequest(url: things)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(#"{"name": "x"}"#.utf8)
        _ = try await URLSession.shared.data(for: request)
        try await mock.verify(.post("/things"), .exactly(1))
        var texts: [String] = []
        for _ in 0..<2 {
            let (data, _) = try await URLSession.shared.data(from: mock.url.appending(path: "next"))
            texts.append(String(decoding: data, as: UTF8.self))
        }
        #expect(texts == ["first", "second"])
    }
}
