import Foundation
import SDStubModel
import StuntDoubleTesting
import Testing

/// The forms that stand in the tables of the pages in docs/swift, where no example has them.
@Suite struct TableFormsTests {
    static let requests: [Stub.Request] = [
        .get("/a**"), .get("/**/a"), .get("/**.png"), .get("~/v[12].*"), .any("https://api.example.com/a"),
        .get("https://api.example.com/a").query("page", 2), .get().url("/a?page=2").host("api.example.com"),
        .post("https://api.example.com/a").body(.json(["a": 1])), .any.scheme("https").host("api.example.com"),
        .any.query("q", "dogs").query("r", ""), .any.header("A", .present).header("B", "b"),
        .any.body(.data(Data("x".utf8))), .any.form("name", "value"), .any.header("A", .either("a", .not("b"))),
        .method("REPORT", "/a"), .any.header("A", .absent), .any.custom("mine", ["a": 1]), "GET /users", "/users",
        .any.port(8080).clientIP(.glob("10.*")), .any.state(["hasContext": "a"]),
    ]

    static let answers: [Stub.Answer] = [
        .data(Data("x".utf8), status: 201, type: "image/png"), .redirect(to: "https://api.example.com/new"),
        .text("x").delay(.seconds(1)).dribble(chunks: 10, over: .seconds(2)), .text("x").bandwidth(.kilobytes(400)),
        .file("users.json"), .status(402, message: "No money"), .json(["a": .encoding([1, 2]), "b": .null]),
        .text("x").trailer("A", "b").early(103, headers: ["Link": "</a>"]).ranges().headers(["A": "b"]),
        .file("users.json").conditional().fallThrough(),
        .text("x").delay(template: "{{request.query.wait}}"),
        .text("x").delay(.uniform(.milliseconds(50) ... .milliseconds(200))),
        .text("x").hold("gate", timeout: .seconds(30), then: .status(504)),
        .fault(.connectionReset.first(2, perHeader: "Idempotency-Key")),
        .text("x").fault(
            .bandwidth(.kilobytes(3)).and(.cut(after: .share(0.5))).between(.seconds(5), and: .seconds(10))),
        .text("x").fault(.quota(10, per: .seconds(60)), .concurrency(5)),
        .text("x").named("n").priority(1).ttl(.seconds(30)).enabled(false).persistent().metadata(["a": 1]),
        .text("x").capture(["user": "{{request.body}}"], in: "context").deleteState("other").listener(
            "recordState", [:]),
    ]

    @Test(arguments: requests.indices) func aRequestOfATableIsValid(index: Int) throws {
        let request = try Self.requests[index].checked()
        #expect(try SDStubModel.RequestPattern(json: request.json) == request.model)
    }

    @Test(arguments: answers.indices) func anAnswerOfATableIsValid(index: Int) throws {
        let stub = try Stub(.any, Self.answers[index])
        #expect(try SDStubModel.StubMapping(json: stub.model.json()) == stub.model)
    }
}
