import SDJSON
import SDTestSupport
import Testing

/// Each route of the example folder answers as its file says.
@Suite struct ExampleMocksTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var method = "GET"
        let target: String
        var headers: [String] = []
        var body: String?
        let status: Int
        var contains = ""

        var testDescription: String { "\(method) \(target) \(headers)" }
    }

    static let examples: [Example] = [
        Example(target: "/api/users", status: 200, contains: "grace@example.com"),
        Example(target: "/api/users?page=2", status: 200, contains: "Edsger"),
        Example(
            method: "POST", target: "/api/users", headers: ["Content-Type: application/json"], status: 201,
            contains: #"{"id":4}"#),
        Example(method: "POST", target: "/api/users", status: 415, contains: "send JSON"),
        Example(target: "/api/users/me", status: 401, contains: "log in first"),
        Example(target: "/api/users/me", headers: ["Authorization: Bearer x"], status: 200, contains: "Ada"),
        Example(target: "/api/users/404", status: 404, contains: "no such user"),
        Example(target: "/api/users/17", status: 200, contains: "Ada"),
        Example(method: "DELETE", target: "/api/users/17", status: 204),
        Example(target: "/api/articles", status: 200, contains: "A reset is not an end"),
        Example(target: "/api/articles?tag=timers", status: 200, contains: "Waiting without sleeping"),
        Example(method: "HEAD", target: "/api/articles", status: 200),
        Example(target: "/api/articles/1", status: 200, contains: "On doubles"),
        Example(target: "/api/articles/1", headers: ["If-None-Match: \"v1\""], status: 304),
        Example(target: "/api/breeds/list/all", status: 200, contains: "afghan"),
        Example(target: "/api/breed/hound/images", status: 200, contains: "hound/1.jpg"),
        Example(target: "/api/breed/hound/image", status: 200, contains: "<svg"),
        Example(target: "/api/breed/hound/thumbnail.gif", status: 200, contains: "GIF89a"),
        Example(target: "/api/breed/pug/images/random", status: 200, contains: "success"),
        Example(target: "/api/breed/pug/images/random/3", status: 200, contains: "success"),
        Example(method: "POST", target: "/api/login", status: 200, contains: "mock-token"),
        Example(method: "POST", target: "/api/login?user=mallory", status: 403, contains: "wrong password"),
        Example(method: "POST", target: "/api/logout", status: 204),
        Example(target: "/slow", status: 200, contains: "1.5s"),
        Example(target: "/slow/sometimes", status: 200, contains: "true"),
        Example(target: "/slow/real", status: 200, contains: "true"),
        Example(target: "/slow/trickle", status: 200, contains: "drip, drip, drip, drip, drip"),
        Example(target: "/flaky", headers: ["X-Attempt: 2"], status: 200, contains: "true"),
        Example(target: "/broken/500", status: 500, contains: "made to fail"),
        Example(target: "/broken/503", status: 503, contains: "half a minute"),
        Example(target: "/broken/teapot", status: 418, contains: "stout"),
        Example(target: "/broken/json", status: 200, contains: "tru"),
        Example(target: "/hello/you", headers: ["Accept: text/html"], status: 200, contains: "Hello!"),
        Example(target: "/api/orders", status: 200, contains: "shipped"),
        Example(target: "/api/orders?state=OPEN", status: 200, contains: #"[{"id":8,"state":"open"}]"#),
        Example(target: "/api/orders/7", status: 200, contains: "lines"),
        Example(target: "/api/books", status: 200, contains: "title"),
        Example(target: "/api/books/1", status: 200, contains: "title"),
        Example(target: "/api/books/", status: 200, contains: "title"),
        Example(target: "/api/cities", status: 200, contains: #""zip":"075""#),
        Example(target: "/api/cities/2", status: 200, contains: "Frankfurt, Oder"),
        Example(target: "/api/cities/", status: 200, contains: "Oslo"),
        Example(target: "/api/authors", status: 200, contains: "Joan"),
        Example(target: "/api/authors/1?_embed=essays", status: 200, contains: "Letters"),
        Example(target: "/api/authors/", status: 200, contains: "Joan"),
        Example(target: "/api/essays", status: 200, contains: "Doors"),
        Example(target: "/api/essays/1?_expand=author", status: 200, contains: #""name":"Ada""#),
        Example(target: "/api/essays/", status: 200, contains: "Doors"),
        Example(target: "/shop/coffees/4", status: 200, contains: #"{"id":"4""#),
        Example(method: "POST", target: "/shop/orders", body: #"{"coffee": 1}"#, status: 201, contains: "brewing"),
        Example(method: "POST", target: "/shop/orders", status: 422, contains: "which coffee?"),
        Example(target: "/shop/orders/7", status: 503),
        Example(target: "/shop/orders/7", status: 503),
        Example(target: "/shop/orders/7", status: 200, contains: "ready"),
    ]

    @Test func everyRouteAnswers() throws {
        let daemon = try Daemon(serving: PackageFiles.root + "/mocks", ["--workers", "2"])
        var served: Set<String> = []
        for example in Self.examples {
            let answer = try daemon.request(
                example.method, example.target, headers: example.headers, body: example.body)
            #expect(answer.status == example.status, "\(example.testDescription)")
            #expect(example.contains.isEmpty || answer.text.contains(example.contains), "\(example.testDescription)")
            served.insert(answer["Matched-Stub-Id"] ?? "")
        }
        let broken = [
            ("/flaky", 0), ("/broken/empty", 0), ("/broken/reset", 0), ("/broken/garbage", 36), ("/shop/till", 0),
        ]
        for (path, bytes) in broken {
            let client = try RawClient(port: daemon.port)
            try client.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(client.receiveAll().bytes.count == bytes, "\(path)")
        }
        let client = try RawClient(port: daemon.port)
        try client.send("GET /broken/chunk HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(client.receiveAll().text.hasSuffix("lskdu018973t09sylgasjkfg1][]'./.sdlv"))
        // All routes are covered: these six have no id on the wire, and the flaky one is two stubs.
        #expect(served.count + 6 == daemon.ready["stubs"]?.intValue)
    }
}
