import Foundation
import StuntDoubleTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The lines of failed expectations and the names of cases show values as tests write them down.
@Suite struct PrintedValuesTests {
    @Test(arguments: [
        (Stub.Request.any, ".any"), (.get("/orders/{id}"), #".get("/orders/{id}")"#), (.post(), ".post()"),
        (.any("/a"), #".any("/a")"#), (.method("PURGE", "/a"), #".method("PURGE", "/a")"#),
        (.get().url("/a?b=c"), #".get().url("/a?b=c")"#), (.any.method(noneOf: "GET"), #".any.method(noneOf: "GET")"#),
        (.method("GET|HEAD", "/a"), #".method("GET|HEAD", "/a")"#), (.get("~/v[12]/.*"), #".get("~/v[12]/.*")"#),
        (
            .get("/a").query("q", "x").header("Accept", .contains("json")).cookie("c", .absent),
            #".get("/a").header("Accept", .contains("json")).query("q", "x").cookie("c", .absent)"#
        ),
        (
            .post("/a").body(.jsonPath("$.a")).body(.json(["a": 1] as Stub.JSON)),
            #".post("/a").body(.jsonPath("$.a")).body(.json({"a":1}))"#
        ),
        (
            .get("/a").header("A", .either("x", .not(.present))),
            #".get("/a").header("A", .either(.equal("x"), .not(.present)))"#
        ),
    ])
    func aPatternPrintsAsItIsWritten(pattern: Stub.Request, text: String) {
        #expect(String(describingForTest: pattern) == text)
    }

    @Test(arguments: [
        (Stub.Answer.status(503), ".status(503)"), (.text("hello"), #".text("hello")"#),
        (.json(["id": 7] as Stub.JSON, status: 201), #".json({"id":7}, status: 201)"#),
        (.fault(.connectionReset), ".fault(.connectionReset)"), (.file("a.json"), #".file("a.json")"#),
        (.data([1, 2, 3]), ".data(3 bytes)"),
        (.text("cut").cut(after: 1), #".text("cut").fault(.cutAfter(1))"#),
        (.status(200).fault(.status(503), .wrongLength(by: 3)), ".status(200).fault(.status(503), .wrongLength(3))"),
        (.text("a,b", type: "text/csv"), #".text("a,b").header("Content-Type", "text/csv")"#),
        (
            .text("a").header("X-A", "1", "2").delay(.milliseconds(80)).times(2),
            #".text("a").header("X-A", "1", "2").delay(80 ms).times(2)"#
        ),
    ])
    func anAnswerPrintsAsItIsWritten(answer: Stub.Answer, text: String) {
        #expect(String(describingForTest: answer) == text)
    }

    @Test(arguments: [
        (MockServer.Count.never, ".never"), (.once, ".once"), (.exactly(2), ".exactly(2)"),
        (.atLeast(1), ".atLeast(1)"),
        (.atMost(3), ".atMost(3)"), (.between(1...3), ".between(1...3)"),
    ])
    func aCountPrintsAsItIsWritten(count: MockServer.Count, text: String) {
        #expect(String(describingForTest: count) == text)
    }

    @Test func aStubPrintsWithItsAnswers() throws {
        let stub = try Stub(.get("/a"), .status(503), .text("x").named("a's"))
        #expect(String(describingForTest: stub) == #"stub(.get("/a"), .status(503), .text("x")) named "a's""#)
    }

    @Test func whatWentWrongPrintsAsItsMessage() {
        #expect(String(describingForTest: Stub.Problem("no path")) == "no path")
        #expect(String(describingForTest: MockServerError("no server")) == "no server")
        #expect(String(describingForTest: ["a": [1, .null]] as Stub.JSON) == #"{"a":[1,null]}"#)
    }

    @Test(.mockServer) func aRequestPrintsInOneLine() async throws {
        try await mock.stub(.post("/orders"), .status(201))
        var request = URLRequest(url: try mock.url.appending(path: "orders"))
        request.httpMethod = "POST"
        request.httpBody = Data("{\n\"id\": 7}".utf8)
        _ = try await URLSession.shared.data(for: request)
        let received = try #require(try await mock.requests.first)
        #expect(String(describingForTest: received) == #"#1 POST /orders { "id": 7} → 201"#)
        let server = try mock
        #expect(String(describingForTest: server) == server.url.absoluteString)
    }
}
