import SDAdminAPI
import SDJSON
import Testing

/// Access to the admin API from other origins.
@Suite struct AdminGuardTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let headers: [(String, String)]
        let status: Int
        var method = "GET"
        var origins: [String] = []
        var hosts: [String] = []
        var token: String?
        var basic: (String, String)?

        var testDescription: String { "\(method) \(headers) → \(status)" }
    }

    static let cases: [Case] = [
        Case(headers: [], status: 200),
        Case(headers: [("Host", "127.0.0.1:9")], status: 200),
        Case(headers: [("Host", "127.9.9.9")], status: 200),
        Case(headers: [("Host", "LOCALHOST:1")], status: 200),
        Case(headers: [("Host", "a.localhost")], status: 200),
        Case(headers: [("Host", "[::1]:80")], status: 200),
        Case(headers: [("Host", "evil.example")], status: 403),
        Case(headers: [("Host", "localhost.evil.example")], status: 403),
        Case(headers: [("Host", "127.0.0.1.evil.example")], status: 403),
        Case(headers: [("Host", "evil.example:127.0.0.1")], status: 400),
        Case(headers: [("Host", "")], status: 403),
        Case(headers: [("Host", "Mocks.internal:80")], status: 200, hosts: ["mocks.internal"]),
        Case(headers: [("Host", "evil.example")], status: 200, hosts: ["*"]),
        Case(headers: [("Origin", "http://evil.example")], status: 403),
        Case(headers: [("Origin", "http://localhost:1")], status: 403),
        Case(headers: [("Origin", "http://localhost")], status: 200),
        Case(headers: [("Origin", "https://localhost")], status: 403),
        Case(headers: [("Origin", "null")], status: 403),
        Case(headers: [("Origin", "http://localhost:3000")], status: 200, origins: ["http://localhost:3000"]),
        Case(headers: [("Origin", "http://localhost:3001")], status: 403, origins: ["http://localhost:3000"]),
        Case(headers: [("Origin", "null")], status: 200, origins: ["*"]),
        Case(headers: [("Origin", "null")], status: 403, origins: ["http://localhost:*"]),
        Case(headers: [("Origin", "http://localhost:5173")], status: 200, origins: ["http://localhost:*"]),
        Case(headers: [("Origin", "http://localhost.evil:5173")], status: 403, origins: ["http://localhost:*"]),
        Case(headers: [("Origin", "https://a.ok.ex")], status: 200, origins: ["http://x", "https://*.ok.ex"]),
        Case(headers: [("Origin", "https://ok.example")], status: 403, origins: ["https://*.ok.example"]),
        Case(headers: [("Origin", "http://a"), ("Origin", "http://a")], status: 403, origins: ["http://a"]),
        Case(headers: [("Origin", "http://a"), ("Origin", "http://a")], status: 403, origins: ["*"]),
        preflight("http://evil.example", 403),
        preflight("http://ok.example", 200, origins: ["http://OK.example"]),
        Case(headers: [], status: 401, token: "s3cret"),
        Case(headers: [("Authorization", "Bearer s3cret")], status: 200, token: "s3cret"),
        Case(headers: [("Authorization", "bEARER s3cret")], status: 200, token: "s3cret"),
        Case(headers: [("Authorization", "Bearer S3CRET")], status: 401, token: "s3cret"),
        Case(headers: [("Authorization", "Bearer s3cre")], status: 401, token: "s3cret"),
        Case(headers: [("Authorization", "Bearer X3cret")], status: 401, token: "s3cret"),
        Case(headers: [("Authorization", "Bearer")], status: 401, token: "s3cret"),
        Case(headers: [("Authorization", "Bearer s3cretX")], status: 401, token: "s3cret"),
        Case(headers: [("Authorization", "Bearer s3cret s3cret")], status: 401, token: "s3cret"),
        Case(headers: [("Authorization", "Basic dTpwdTpw")], status: 401, basic: ("u", "p")),
        Case(headers: [("Authorization", "Basic dTpw")], status: 200, basic: ("u", "p")),
        Case(headers: [("Authorization", "basic dTpw")], status: 200, basic: ("u", "p")),
        Case(headers: [("Authorization", "Basic dTpx")], status: 401, basic: ("u", "p")),
        Case(headers: [("Authorization", "Basic")], status: 401, basic: ("u", "p")),
        Case(headers: [("Authorization", "")], status: 401, basic: ("u", "p")),
        Case(headers: [("Authorization", "Bearer t")], status: 200, token: "t", basic: ("u", "p")),
        Case(headers: [("Origin", "http://evil.example"), ("Authorization", "Bearer t")], status: 403, token: "t"),
        preflight("http://ok.example", 200, origins: ["*"], token: "t"),
    ]

    private static func preflight(_ origin: String, _ status: Int, origins: [String] = [], token: String? = nil) -> Case
    {
        let headers = [("Origin", origin), ("Access-Control-Request-Method", "POST")]
        return Case(headers: headers, status: status, method: "OPTIONS", origins: origins, token: token)
    }

    @Test(arguments: cases)
    func letsInAuthorizedCallers(_ example: Case) throws {
        var options = AdminOptions()
        options.origins = example.origins
        options.hosts = example.hosts
        options.token = example.token
        options.basicAuth = example.basic
        let mock = try TestMock(admin: options)
        let answer = try Exchange(mock.port, example.method, "/__admin/mappings", headers: example.headers)
        #expect(answer.status == example.status, "\(answer)")
        // A page cannot read the answer to a refused call, and an allowed page can.
        let origin = example.headers.first { $0.0 == "Origin" }?.1
        #expect(answer.header("Access-Control-Allow-Origin") == (example.status == 403 ? nil : origin))
        if example.status == 401 { #expect(answer.body.isEmpty && answer.header("WWW-Authenticate") == nil) }
    }

    /// Whoever may not call the admin API does not learn from it which sessions there were.
    @Test func aMissingSessionIsGuardedLikeAnyOther() throws {
        var options = AdminOptions()
        options.token = "t"
        let mock = try TestMock(admin: options)
        let right = [("Authorization", "Bearer t")]
        let begun = try Exchange(mock.port, "POST", "/__admin/sessions", headers: right)
        let id = try #require(begun.json?["id"]?.stringValue)
        #expect(try Exchange(mock.port, "DELETE", "/__admin/sessions/\(id)", headers: right).status == 200)
        let calls: [(path: String, headers: [(String, String)], status: Int)] = [
            ("/__session/\(id)/__admin/mappings", [], 410), ("/__session/none/__admin/mappings", [], 404),
            ("/__admin/mappings", [("X-StuntDouble-Session", id)], 410),
            ("/__admin/mappings", [("Host", "\(id).localhost")], 410),
        ]
        for call in calls {
            let guarded = try Exchange(mock.port, "GET", call.path, headers: call.headers)
            #expect(guarded.status == 401 && guarded.body.isEmpty, "\(call.path): \(guarded)")
            #expect(try Exchange(mock.port, "GET", call.path, headers: call.headers + right).status == call.status)
        }
    }

    @Test func aRefusalNamesTheOptionThatAllowsIt() throws {
        let mock = try TestMock()
        let host = try Exchange(mock.port, "GET", "/__admin/mappings", headers: [("Host", "evil.example:80")])
        #expect(host.text.contains("--admin-host evil.example"))
        let page = try Exchange(mock.port, "GET", "/__admin/mappings", headers: [("Origin", "http://evil.example")])
        #expect(page.text.contains("--admin-cors http://evil.example"))
        // No option names what no browser sends.
        let odd = try Exchange(mock.port, "GET", "/__admin/mappings", headers: [("Origin", "evil $(x)")])
        #expect(odd.status == 403 && !odd.text.contains("--admin-cors"), "\(odd)")
    }

    @Test func aPreflightIsAnsweredAsWireMockAnswersIt() throws {
        var options = AdminOptions()
        options.origins = ["http://ok.example"]
        let mock = try TestMock(admin: options)
        let headers = [
            ("Origin", "http://ok.example"), ("Access-Control-Request-Method", "PUT"),
            ("Access-Control-Request-Headers", "X-Q"),
        ]
        let answer = try Exchange(mock.port, "OPTIONS", "/__admin/mappings", headers: headers)
        #expect(answer.header("Access-Control-Allow-Methods") == "OPTIONS,GET,POST,PUT,PATCH,DELETE")
        #expect(answer.header("Access-Control-Allow-Headers") == "X-Q")
        #expect(answer.header("Vary") == "Origin")
        #expect(answer.body.isEmpty)
    }

    @Test func stubsAreNotGuarded() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/a"}, "response": {"body": "hi"}}"#)
        let headers = [("Host", "api.example"), ("Origin", "http://page.example")]
        let answer = try Exchange(mock.port, "GET", "/a", headers: headers)
        #expect(answer.text == "hi")
        #expect(answer.header("Access-Control-Allow-Origin") == nil)
    }
}
