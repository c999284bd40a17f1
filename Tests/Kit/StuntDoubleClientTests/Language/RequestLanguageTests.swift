import SDJSON
import SDStubModel
import StuntDoubleClient
import Testing

@Suite struct RequestLanguageTests {
    static let paths: [RequestCase] = [
        RequestCase(.any, ["method": "ANY"]),
        RequestCase(.get("/users"), ["urlPath": "/users", "method": "GET"]),
        RequestCase(.get("/users/{id}"), ["urlPathTemplate": "/users/{id}", "method": "GET"]),
        RequestCase(.any("/files/**"), ["urlPathTemplate": "/files/**", "method": "ANY"]),
        RequestCase(.get("~/v[12]/.*"), ["urlPathPattern": "/v[12]/.*", "method": "GET"]),
        RequestCase(
            .get("/search?q=a+b&page={any}&tag=x&tag=y"),
            [
                "urlPath": "/search", "method": "GET",
                "queryParameters": [
                    "q": ["equalTo": "a b"], "page": ["matches": ".*"],
                    "tag": ["includes": [["equalTo": "x"], ["equalTo": "y"]]],
                ],
            ]),
        RequestCase(.get("/straße 1"), ["urlPath": "/stra%C3%9Fe%201", "method": "GET"]),
        RequestCase(
            "https://api.example.com/me",
            ["scheme": "https", "host": ["equalTo": "api.example.com"], "urlPath": "/me", "method": "ANY"]),
        RequestCase(
            .post("https://API.example.com:8443/orders/{id}?full"),
            [
                "scheme": "https", "host": ["equalTo": "api.example.com"], "port": 8443,
                "urlPathTemplate": "/orders/{id}",
                "method": "POST", "queryParameters": ["full": ["matches": ".*"]],
            ]),
        RequestCase(
            "http://[::1]:80",
            ["scheme": "http", "host": ["equalTo": "[::1]"], "port": 80, "urlPath": "/", "method": "ANY"]),
        RequestCase(
            "https://*.example.com/**",
            ["scheme": "https", "host": ["glob": "*.example.com"], "urlPathTemplate": "/**", "method": "ANY"]),
        RequestCase("GET /users", ["urlPath": "/users", "method": "GET"]),
        RequestCase("/users", ["urlPath": "/users", "method": "ANY"]),
        RequestCase(.get().url("/a?b=c"), ["url": "/a?b=c", "method": "GET"]),
        RequestCase(.get().url(matching: "/a\\?b=.*"), ["urlPattern": "/a\\?b=.*", "method": "GET"]),
        RequestCase(.get(), ["method": "GET"]),
    ]

    static let methods: [RequestCase] = [
        RequestCase(.head("/a"), ["urlPath": "/a", "method": "HEAD"]),
        RequestCase(.post("/a"), ["urlPath": "/a", "method": "POST"]),
        RequestCase(.put("/a"), ["urlPath": "/a", "method": "PUT"]),
        RequestCase(.patch("/a"), ["urlPath": "/a", "method": "PATCH"]),
        RequestCase(.delete("/a"), ["urlPath": "/a", "method": "DELETE"]),
        RequestCase(.options("/a"), ["urlPath": "/a", "method": "OPTIONS"]),
        RequestCase(.method("ANY"), ["method": "ANY"]),
        RequestCase(.method("PROPFIND", "/a"), ["urlPath": "/a", "method": "PROPFIND"]),
        RequestCase(.method("GET|HEAD", "/a"), ["urlPath": "/a", "method": ["oneOf": ["GET", "HEAD"]]]),
        RequestCase(.any("/a").method(noneOf: "GET"), ["urlPath": "/a", "method": ["noneOf": ["GET"]]]),
        RequestCase(.method("PURGE").url("/a"), ["url": "/a", "method": "PURGE"]),
    ]

    static let conditions: [RequestCase] = [
        RequestCase(
            .any.header("Accept", .contains("json")).header("X-A", "1"),
            ["method": "ANY", "headers": ["Accept": ["contains": "json"], "X-A": ["equalTo": "1"]]]),
        RequestCase(
            .any.query("page", 2).query("q", "x"),
            ["method": "ANY", "queryParameters": ["page": ["equalTo": "2"], "q": ["equalTo": "x"]]]),
        RequestCase(
            .any.form("user", "ada").form("age", .atLeast(18)),
            [
                "method": "ANY",
                "formParameters": ["user": ["equalTo": "ada"], "age": ["greaterThanEqualNumber": 18]],
            ]),
        RequestCase(
            .get("/streets/{name}").pathParameter("name", "Hauptstraße 1"),
            [
                "urlPathTemplate": "/streets/{name}", "method": "GET",
                "pathParameters": ["name": ["equalTo": "Hauptstra%C3%9Fe%201"]],
            ]),
        RequestCase(
            .get("/users/{id}").pathParameter("id", .not(.either("ö", .matching("[0-9]+")))),
            [
                "urlPathTemplate": "/users/{id}", "method": "GET",
                "pathParameters": ["id": ["not": ["or": [["equalTo": "%C3%B6"], ["matches": "[0-9]+"]]]]],
            ]),
        RequestCase(
            .any.cookie("session", .present).cookie("theme", "dark"),
            ["method": "ANY", "cookies": ["session": ["matches": ".*"], "theme": ["equalTo": "dark"]]]),
        RequestCase(
            .any.basicAuth("ada", "secret"),
            ["method": "ANY", "basicAuthCredentials": ["username": "ada", "password": "secret"]]),
        RequestCase(
            .any.body(.jsonPath("$.a"), .jsonPath("$.b")).body("x"),
            [
                "method": "ANY",
                "bodyPatterns": [["matchesJsonPath": "$.a"], ["matchesJsonPath": "$.b"], ["equalTo": "x"]],
            ]),
        RequestCase(
            .any.multipart(
                .part("avatar", fileName: "me.png").header("Content-Type", "image/png"),
                .part("meta").body(.json(["public": true])).every()),
            [
                "method": "ANY",
                "multipartPatterns": [
                    [
                        "name": "avatar", "fileName": "me.png", "matchingType": "ANY",
                        "headers": [
                            "Content-Disposition": [
                                "and": [["contains": "name=\"avatar\""], ["contains": "filename=\"me.png\""]]
                            ],
                            "Content-Type": ["equalTo": "image/png"],
                        ],
                    ],
                    [
                        "name": "meta", "matchingType": "ALL",
                        "headers": ["Content-Disposition": ["contains": "name=\"meta\""]],
                        "bodyPatterns": [["equalToJson": ["public": true]]],
                    ],
                ],
            ]),
        RequestCase(
            .any.host(.endsWith(".example.org")).port(8080).scheme("http").clientIP(.glob("10.1.*")),
            [
                "scheme": "http", "host": ["endsWith": ".example.org"], "port": 8080, "clientIp": ["glob": "10.1.*"],
                "method": "ANY",
            ]),
        RequestCase(
            .get("/a").clientCertificate(.subject, .contains("CN=alice")).clientCertificate(.issuer, "CN=Test CA")
                .clientCertificate(.alternativeNames, .includes("DNS:a", "DNS:b")),
            [
                "urlPath": "/a", "method": "GET",
                "clientCertificate": [
                    "subject": ["contains": "CN=alice"], "issuer": ["equalTo": "CN=Test CA"],
                    "alternativeNames": ["includes": [["equalTo": "DNS:a"], ["equalTo": "DNS:b"]]],
                ],
            ]),
        RequestCase(.any.host("a.example"), ["host": ["equalTo": "a.example"], "method": "ANY"]),
        RequestCase(
            .any.state(["hasContext": "user-1"]),
            [
                "method": "ANY",
                "customMatcher": ["name": "state-matcher", "parameters": ["hasContext": "user-1"]],
            ]),
        RequestCase(.any.custom("mine"), ["method": "ANY", "customMatcher": ["name": "mine"]]),
    ]

    static let all = paths + methods + conditions

    @Test(arguments: all) func aTypedRequestIsTheDialectsOwn(_ example: RequestCase) throws {
        #expect(example.value.json == example.json)
        #expect(try example.value.checked() == example.value)
        #expect(try SDStubModel.RequestPattern(json: example.value.json) == example.value.model)
    }

    @Test func everyFieldOfARequestHasATypedForm() {
        let used = Self.all.flatMap { $0.value.json.objectValue?.keys ?? [] }
        // Only read, under the name that is written.
        #expect(Set(SDStubModel.RequestPattern.names).subtracting(used) == ["basicAuth"])
    }

    @Test func everyFieldOfAPartHasATypedForm() {
        let parts = Self.all.flatMap(\.value.model.multipartPatterns)
        let used = parts.flatMap { $0.json.objectValue?.keys ?? [] }
        #expect(Set(SDStubModel.MultipartPattern.names).subtracting(used) == [])
    }

    @Test(
        arguments: [
            (Stub.Request.get("users"), "a path must start with /: GET users; expected METHOD /path"),
            (.get("/users/{id"), "unbalanced braces: GET /users/{id; expected {name} for one segment"),
            ("/users/{id", "unbalanced braces: ANY /users/{id; expected {name} for one segment"),
            (.get("/a#b"), "a request never has a #fragment: GET /a#b"),
            (.get("/a%zz"), "invalid % escape"),
            (.method("get", "/users"), "did you mean \"GET /users\"?"),
            (.method("CRUD", "/users"), "Stub.records"), (.method("get"), "did you mean"),
            ("", "a path must start with /"),
        ] as [(Stub.Request, String)])
    func aPathThatIsNoneIsRefusedWithItsReason(_ pattern: Stub.Request, _ reason: String) {
        let problem = #expect(throws: Stub.Problem.self) { try Stub(pattern, .status(200)) }
        #expect(problem?.description.contains(reason) == true, "\(problem?.description ?? "none")")
    }
}
