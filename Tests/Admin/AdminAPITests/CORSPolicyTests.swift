import SDJSON
import SDMockEngine
import SDShorthand
import SDStubModel
import SDTestSupport
import Testing

/// `cors` of a route, a file, a folder, a mapping.
@Suite struct CORSPolicyTests {
    private let origin = [("Origin", "https://page")]

    private func preflight(
        _ mock: TestMock, _ path: String, method: String = "PUT", headers: String? = "X-A, X-B",
        origin: String = "https://page"
    ) throws -> Exchange {
        let asked = headers.map { [("Access-Control-Request-Headers", $0)] } ?? []
        return try Exchange(
            mock.port, "OPTIONS", path,
            headers: [("Origin", origin), ("Access-Control-Request-Method", method)] + asked)
    }

    private func values(_ answer: Exchange, _ name: String) -> [String] {
        answer.headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }

    @Test func aRouteOpensToAllPages() throws {
        let mock = try TestMock(
            routes: #"{"GET /a": {"cors": true, "headers": {"X-C": "d"}}, "PUT /a": {"cors": true}, "GET /b": {}}"#)
        let answer = try mock.call("GET", "/a", headers: origin)
        #expect(values(answer, "Access-Control-Allow-Origin") == ["*"])
        #expect(values(answer, "Access-Control-Expose-Headers") == ["*"])
        #expect(values(answer, "Access-Control-Allow-Credentials") == [])
        // The second of two answers is made as the first.
        #expect(values(try mock.call("GET", "/a", headers: origin), "Access-Control-Allow-Origin") == ["*"])
        let permission = try preflight(mock, "/a")
        #expect(permission.status == 200)
        #expect(values(permission, "Access-Control-Allow-Origin") == ["*"])
        #expect(Set(values(permission, "Access-Control-Allow-Methods")[0].split(separator: ", ")) == ["GET", "PUT"])
        #expect(values(permission, "Access-Control-Allow-Headers") == ["X-A,X-B"])
        #expect(values(try mock.call("GET", "/b", headers: origin), "Access-Control-Allow-Origin") == [])
        #expect(try preflight(mock, "/b").status == 404)
        // Without what makes it a preflight it is an ordinary request.
        #expect(try mock.call("OPTIONS", "/a", headers: origin).status == 404)
    }

    /// No browser sends two, and which of them would count?
    @Test(arguments: ["true", #""https://page""#, #"{"origins": ["https://page", "https://b"], "credentials": true}"#])
    func severalOriginsAreRefused(policy: String) throws {
        let mock = try TestMock(routes: #"{"PUT /a": {"cors": \#(policy)}}"#)
        let both = origin + [("Origin", "https://b")]
        let answer = try Exchange(
            mock.port, "OPTIONS", "/a", headers: both + [("Access-Control-Request-Method", "PUT")])
        #expect(answer.status == 403 && answer.text.contains("several Origin headers"), "\(answer)")
        #expect(values(answer, "Access-Control-Allow-Origin") == [])
        #expect(values(try mock.call("PUT", "/a", headers: both), "Access-Control-Allow-Origin") == [])
        #expect(try preflight(mock, "/a").status == 200)
    }

    @Test func withCredentialsNothingIsAStar() throws {
        let mock = try TestMock(
            routes:
                #"{"cors": {"origins": "https://page", "credentials": true}, "GET /a": {"headers": {"X-C": "d", "X-E": "f"}, "body": "g"}, "POST /a": {}}"#
        )
        let answer = try mock.call("GET", "/a", headers: origin)
        #expect(values(answer, "Access-Control-Allow-Origin") == ["https://page"])
        #expect(values(answer, "Access-Control-Allow-Credentials") == ["true"])
        #expect(values(answer, "Access-Control-Expose-Headers") == ["X-C, X-E, Matched-Stub-Id"])
        #expect(values(answer, "Vary") == ["Origin"])
        let permission = try preflight(mock, "/a", method: "POST")
        #expect(values(permission, "Access-Control-Allow-Origin") == ["https://page"])
        #expect(values(permission, "Access-Control-Allow-Credentials") == ["true"])
        #expect(Set(values(permission, "Access-Control-Allow-Methods")[0].split(separator: ", ")) == ["GET", "POST"])
        #expect(!permission.headers.contains { $0.value.contains("*") })
        let stranger = try mock.call("GET", "/a", headers: [("Origin", "https://other")])
        #expect(stranger.status == 200 && values(stranger, "Access-Control-Allow-Origin") == [])
        #expect(values(stranger, "Vary") == ["Origin"])
        let refused = try preflight(mock, "/a", origin: "https://other")
        #expect(refused.status == 403 && refused.text.contains("https://page"), "\(refused)")
    }

    /// `OriginPatternTests` has the table of what they name.
    @Test func originsMayBePatterns() throws {
        let mock = try TestMock(
            routes:
                #"{"cors": {"origins": ["http://localhost:*", "https://*.example.com"], "credentials": true}, "GET /a": {}}"#
        )
        for page in ["http://localhost:5173", "http://localhost", "https://a.b.example.com"] {
            #expect(try preflight(mock, "/a", method: "GET", origin: page).status == 200)
            let answer = try mock.call("GET", "/a", headers: [("Origin", page)])
            #expect(values(answer, "Access-Control-Allow-Origin") == [page] && values(answer, "Vary") == ["Origin"])
        }
        for page in ["https://localhost:5173", "http://localhost.evil", "https://example.com", "null"] {
            #expect(try preflight(mock, "/a", method: "GET", origin: page).status == 403)
            let answer = try mock.call("GET", "/a", headers: [("Origin", page)])
            #expect(values(answer, "Access-Control-Allow-Origin") == [] && values(answer, "Vary") == ["Origin"])
        }
    }

    @Test func aRouteOverrulesItsFileAndAStubForOPTIONSAnswersItself() throws {
        let mock = try TestMock(
            routes:
                #"{"cors": true, "GET /a": {"cors": false}, "GET /b": {"cors": {"expose": ["X-F"]}}, "GET /c": {}, "OPTIONS /c": {"status": 299}, "ANY /d": {"when": {"headers": {"X-G": "h"}}}}"#
        )
        #expect(values(try mock.call("GET", "/a", headers: origin), "Access-Control-Allow-Origin") == [])
        #expect(try preflight(mock, "/a").status == 404)
        #expect(values(try mock.call("GET", "/b", headers: origin), "Access-Control-Expose-Headers") == ["X-F"])
        #expect(try preflight(mock, "/c").status == 299)
        #expect(
            values(try preflight(mock, "/d"), "Access-Control-Allow-Methods") == ["GET, HEAD, POST, PUT, PATCH, DELETE"]
        )
    }

    @Test(arguments: [nil, #"true"#, #"{"credentials": true}"#] as [String?])
    func aCollectionIsOpenAsOtherStubsAre(policy: String?) throws {
        var options = SessionOptions()
        options.stubCORS = policy == nil
        let cors = policy.map { #", "cors": "# + $0 } ?? ""
        let mock = try TestMock(
            routes: #"{"CRUD /users": {"data": [{"id": 1}, {"id": 2}]\#(cors)}}"#, session: options)
        let list = try mock.call("GET", "/users?_page=1&_limit=1", headers: origin)
        let exposed = Set(values(list, "Access-Control-Expose-Headers").flatMap { $0.split(separator: ", ") })
        #expect(exposed.isSuperset(of: ["ETag", "X-Total-Count", "Link"]), "\(exposed)")
        let made = try mock.call("POST", "/users", #"{"id": 3}"#, headers: origin)
        #expect(values(made, "Access-Control-Expose-Headers").joined().contains("Location"), "\(made)")
        #expect(!values(made, "Access-Control-Allow-Origin").isEmpty)
        let permission = try preflight(mock, "/users/1", method: "DELETE")
        #expect(permission.status == 200)
        #expect(values(permission, "Access-Control-Allow-Methods").joined().contains("DELETE"))
    }

    /// The policy of the nearest folder counts, and those who have none inherit.
    @Test func aFolderOpensItsStubs() throws {
        let mock = try TestMock()
        var policy = CORSPolicy()
        policy.origins = ["https://page"]
        mock.session.replaceCORS(policy, of: "mappings/cors.yaml")
        try mock.add(#"{"request": {"url": "/a"}, "response": {}}"#)
        #expect(values(try mock.call("GET", "/a", headers: origin), "Access-Control-Allow-Origin") == ["https://page"])
        #expect(values(try mock.call("GET", "/x", headers: origin), "Access-Control-Allow-Origin") == ["https://page"])
        #expect(try preflight(mock, "/a").status == 200)
        mock.session.replaceCORS(nil, of: "mappings/cors.yaml")
        #expect(values(try mock.call("GET", "/a", headers: origin), "Access-Control-Allow-Origin") == [])
        #expect(try preflight(mock, "/nothing").status == 404)
    }

    @Test func anUnansweredPreflightNamesWhatWouldAnswerIt() throws {
        let mock = try TestMock(routes: #"{"GET /a": {}}"#)
        for path in ["/a", "/x"] {
            let answer = try preflight(mock, path)
            #expect(answer.status == 404)
            #expect(answer.text.contains("--enable-stub-cors") && answer.text.contains("cors: true"), "\(answer.text)")
        }
        let json = try Exchange(
            mock.port, "OPTIONS", "/a",
            headers: origin + [("Access-Control-Request-Method", "PUT"), ("Accept", "application/json")])
        #expect(json.json?["detail"]?.stringValue?.contains("--enable-stub-cors") == true)
        #expect(try mock.call("GET", "/x").text.contains("cors") == false)
    }

    /// What the admin API shows is a mapping that means the same.
    @Test(arguments: [
        "true", "false", #"{"origins":["https://a"]}"#, #"{"credentials":true,"expose":["X-A"]}"#,
    ]) func aDumpedMappingMeansTheSame(policy: String) throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/a"}, "metadata": {"mine": 1}, "cors": "# + policy + "}")
        let shown = try #require(try Exchange(mock.port, "GET", "/__admin/mappings").json?["mappings"]?[0])
        #expect(shown["cors"] == nil)
        #expect(shown["metadata"]?["stuntdouble"]?["cors"]?.compactText == policy)
        let again = try StubMapping(json: shown)
        #expect(again.cors == (try #require(mock.session.stubs.first)).cors)
        #expect(again.metadata == ["mine": 1])
        #expect(try StubMapping(json: again.json(view: .file)).cors == again.cors)
    }

    @Test(arguments: [
        (#"{"origins": "app.example"}"#, "https://app.example"), (#""localhost:*""#, "http://localhost:*"),
        (#"["http://localhost*"]"#, "http://localhost:*"), (#"["https://a.*.example"]"#, nil),
        (#""https://a/b""#, "https://a"),
        (#"{"origin": "*"}"#, "origins"), (#"{"allowCredentials": true}"#, "credentials"),
        (#"{"expose": "a b"}"#, nil), ("5", nil), (#"{"exposedHeaders": "X"}"#, "expose"), ("[]", nil),
    ]) func aMistakeIsToldWithWhatIsMeant(policy: String, suggestion: String?) throws {
        let document = StubDocument(json: try JSONValue(parsing: #"{"GET /a": {"cors": "# + policy + "}}"))
        #expect(document.problems.count == 1, "\(document.problems)")
        #expect(document.problems.first?.suggestion == suggestion)
    }
}
