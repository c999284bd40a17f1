import Foundation
import StuntDoubleClient
import Testing

/// The examples of docs/swift/stubs.md.
@Suite struct StubsPageTests {
    struct Order: Codable, Equatable {
        var id = 7
        var items = ["pen", "ink"]
    }

    private let order = Order()

    @Test func aStubIsARequestAndItsAnswers() async throws {
        try await withSession { mock in
            try await mock.stub(.get("/orders/{id}"), .json(order))
            try await mock.stub(
                .post("/orders").header("Authorization", .contains("Bearer")).body(.jsonPath("$.items")),
                .status(503).times(2), .json(order, status: 201).delay(.milliseconds(80)))
            try await mock.stub("https://api.example.com/me", .fault(.connectionReset))

            #expect(try await get("/orders/7", of: mock).text == #"{"id":7,"items":["pen","ink"]}"#)
            let token = [(name: "Authorization", value: "Bearer x")]
            var statuses: [Int] = []
            for _ in 0..<4 {
                statuses.append(
                    try await send("POST", "/orders", body: #"{"items": [1]}"#, headers: token, to: mock).status)
            }
            #expect(statuses == [503, 503, 201, 201])
            // A request as a proxy sees it.
            await #expect(throws: (any Error).self) { try await get("https://api.example.com/me", of: mock) }
            #expect(try await get("/me", of: mock).status == 404)
        }
    }

    @Test func pathsAreThoseOfRoutes() async throws {
        try await withSession { mock in
            try await mock.stub(.get("/users"), .json([1, 2]))
            try await mock.stub(.get("/users/{id}"), .json(["id": 1]))
            try await mock.stub(.get("/img/{name}.jpg"), .data([0xFF, 0xD8], type: "image/jpeg"))
            try await mock.stub(.any("/files/**"), .status(404))
            try await mock.stub(.get("/search?q=x&page={any}"), .json([]))
            try await mock.stub(.get("~/v[12]/.*"), .status(410))
            try await mock.stub(.method("GET|HEAD", "/health"), .status(204))
            try await mock.stub(.get("https://*.example.com/me"), .text("me"))
            try await mock.stub(.get().url("/exactly?this=one"), .text("one"))

            for (path, status) in [
                ("/users", 200), ("/users/7", 200), ("/img/a.jpg", 200), ("/files/a/b", 404),
                ("/search?q=x&page=9&more=1", 200), ("/search?q=x", 404), ("/v2/a", 410), ("/health", 204),
                ("/exactly?this=one", 200), ("/exactly?this=one&more=1", 404),
            ] {
                #expect(try await get(path, of: mock).status == status, "\(path)")
            }
            #expect(try await get("https://a.example.com/me", of: mock).text == "me")
        }
    }

    @Test func conditionsAreMethodsOfTheRequest() async throws {
        try await withSession { mock in
            try await mock.stub(
                .put("/users/{id}")
                    .pathParameter("id", .matching("[0-9]+"))
                    .query("tag", .includes("new", .startsWith("s")))
                    .header("X-Debug", .absent)
                    .cookie("theme", "dark")
                    .basicAuth("ada", "secret")
                    .body(.json(["name": "Ada"], ignoringExtra: true)),
                .status(204))
            try await mock.stub(
                .post("/upload").multipart(.part("avatar", fileName: "me.png").header("Content-Type", "image/png")),
                .status(201))

            let answer = try await send(
                "PUT", "/users/1?tag=new&tag=sale", body: #"{"name": "Ada", "age": 36}"#,
                headers: [("Cookie", "theme=dark"), ("Authorization", "Basic YWRhOnNlY3JldA==")], to: mock)
            #expect(answer.status == 204)
            #expect(try await send("PUT", "/users/ada", to: mock).status == 404)
            let part = """
                --b\r
                Content-Disposition: form-data; name="avatar"; filename="me.png"\r
                Content-Type: image/png\r
                \r
                x\r
                --b--\r

                """
            let type = [(name: "Content-Type", value: "multipart/form-data; boundary=b")]
            #expect(try await send("POST", "/upload", body: part, headers: type, to: mock).status == 201)
        }
    }

    @Test func answersAreMadeOfValues() async throws {
        try await withSession { mock in
            try await mock.stub(.get("/1"), .json(order, status: 201))
            try await mock.stub(.get("/2"), .json(["id": 1, "tags": ["a", "b"], "author": .null]))
            try await mock.stub(.get("/3"), .json(raw: #"{"broken": "#))
            try await mock.stub(.get("/4"), .text("<h1>Hi</h1>", type: "text/html").header("Set-Cookie", "a=1", "b=2"))
            try await mock.stub(.get("/5"), .template("page {{request.query.page}}"))
            try await mock.stub(.get("/6"), .redirect(to: "/1"))

            #expect(try await get("/1", of: mock).status == 201)
            #expect(try await get("/2", of: mock).text == #"{"id":1,"tags":["a","b"],"author":null}"#)
            #expect(try await get("/3", of: mock).text == #"{"broken": "#)
            #expect(try await get("/5?page=2", of: mock).text == "page 2")
            #expect(try await get("/6", of: mock).status == 302)
        }
    }

    @Test func answersAreGivenInTurn() async throws {
        try await withSession { mock in
            try await mock.stub(.get("/job"), .status(202).times(2), .json(["state": "done"]))
            try await mock.stub(.get("/once"), .text("only once").times(1))
            try await mock.stub(.get("/round"), .text("a"), .text("b").onEnd(.loop))
            try await mock.stub(.get("/dice"), .text("six").weight(1), .text("another").weight(5))

            func texts(_ path: String, _ count: Int) async throws -> [String] {
                var texts: [String] = []
                for _ in 0..<count {
                    let answer = try await get(path, of: mock)
                    texts.append(answer.status == 200 ? answer.text : "\(answer.status)")
                }
                return texts
            }
            let done = #"{"state":"done"}"#
            #expect(try await texts("/job", 4) == ["202", "202", done, done])
            #expect(try await texts("/once", 2) == ["only once", "404"])
            #expect(try await texts("/round", 3) == ["a", "b", "a"])
            #expect(Set(try await texts("/dice", 20)).isSubset(of: ["six", "another"]))
        }
    }

    @Test func answersTakeTheirTime() async throws {
        try await withSession { mock in
            try await mock.stub(.get("/slow"), .json(order).delay(.milliseconds(20)))
            try await mock.stub(
                .get("/real"), .json(order).delay(.lognormal(median: .milliseconds(2), sigma: 0.4)))
            try await mock.stub(.get("/trickle"), .text("one two three").dribble(chunks: 3, over: .milliseconds(30)))
            try await mock.stub(
                .get("/ticks"),
                .stream(.event("tick", data: ["n": 1]), .event("tick", data: ["n": 2]).after(.milliseconds(10))))

            #expect(try await get("/slow", of: mock).status == 200)
            #expect(try await get("/real", of: mock).status == 200)
            #expect(try await get("/trickle", of: mock).text == "one two three")
            #expect(
                try await get("/ticks", of: mock).text
                    == "event: tick\ndata: {\"n\":1}\n\nevent: tick\ndata: {\"n\":2}\n\n")
        }
    }

    @Test func answersBreak() async throws {
        try await withSession { mock in
            try await mock.stub(.get("/reset"), .fault(.connectionReset))
            try await mock.stub(.get("/cut"), .json(order).cut(after: 10, then: .reset))
            try await mock.stub(.get("/slow"), .text("film").bandwidth(.kilobytes(30)))
            try await mock.stub(.get("/flaky"), .json(order).fault(.status(503).first(2)))
            try await mock.stub(
                .get("/often"), .json(order).fault(.connectionReset.probability(0.3), .delay(.milliseconds(5))))

            await #expect(throws: (any Error).self) { try await get("/reset", of: mock) }
            await #expect(throws: (any Error).self) { try await get("/cut", of: mock) }
            #expect(try await get("/slow", of: mock).text == "film")
            var statuses: [Int] = []
            for _ in 0..<3 { statuses.append(try await get("/flaky", of: mock).status) }
            #expect(statuses == [503, 503, 200])
        }
    }

    @Test func answersSpeakOfTheirStub() async throws {
        try await withSession { mock in
            try await mock.stub(.get("/cart"), .json([]).named("empty cart"))
            try await mock.stub(.get("/cart"), .json(["book"]).inScenario("cart", from: "filled"))
            try await mock.stub(.post("/cart"), .status(201).inScenario("cart", to: "filled"))
            try await mock.stub(.post("/login"), .status(204).capture(["user": "{{jsonPath request.body '$.name'}}"]))
            try await mock.stub(.get("/me"), .template("I am {{state 'user' default='nobody'}}"))

            #expect(try await get("/cart", of: mock).text == "[]")
            #expect(try await send("POST", "/cart", to: mock).status == 201)
            #expect(try await get("/cart", of: mock).text == #"["book"]"#)
            #expect(try await get("/me", of: mock).text == "I am nobody")
            _ = try await send("POST", "/login", body: #"{"name": "Ada"}"#, to: mock)
            #expect(try await get("/me", of: mock).text == "I am Ada")
        }
    }

    @Test func collectionsAnswerWithRecords() async throws {
        try await withSession { mock in
            try await mock.stub(Stub.records("/users", data: [["id": 1, "name": "Ada"]]))

            #expect(try await send("POST", "/users", body: #"{"name": "Bob"}"#, to: mock).status == 201)
            #expect(try await get("/users/2", of: mock).text == #"{"name":"Bob","id":2}"#)
        }
    }

    @Test func aHelperNamesTheTypeOfAnAnswer() async throws {
        func dog(_ name: String, status: Int = 200) -> Stub.Answer { .json(["name": .encoding(name)], status: status) }

        try await withSession { mock in
            try await mock.stub(.get("/dog"), dog("Rex"))
            #expect(try await get("/dog", of: mock).text == #"{"name":"Rex"}"#)
        }
    }

    @Test func mappingsOfWireMockAreTakenAsTheyAre() async throws {
        try await withSession { mock in
            try await mock.stub(
                .mapping(
                    json: """
                        {"request": {"urlPath": "/legacy"}, "response": {"status": 418}}
                        """))
            try await mock.stub(.mapping(json: ["request": ["url": "/a"], "response": ["body": "b"]]))

            #expect(try await get("/legacy", of: mock).status == 418)
            #expect(try await get("/a", of: mock).text == "b")
        }
    }

    @Test func mistakesAreThrown() async throws {
        try await withSession { mock in
            await #expect(throws: Stub.Problem("unbalanced braces: GET /users/{id; expected {name} for one segment")) {
                try await mock.stub(.get("/users/{id"), .json(order))
            }
            let problem = await #expect(throws: Stub.Problem.self) {
                try await mock.stub(.get("/users"), .status(200).header("Content Type", "text/html"))
            }
            #expect(problem?.description.contains("did you mean \"Content-Type\"?") == true)
            let refusal = await #expect(throws: MockServerError.self) {
                try await mock.stub(.get("/users").header("Accept", .matching("[a-")), .json(order))
            }
            #expect(refusal?.status == 422)
            #expect(refusal?.description.contains("request.headers.Accept") == true, "\(String(describing: refusal))")
        }
    }
}
