import SDJSON
import SDTestSupport
import Testing

/// What is valid in a call and hardly meant is told in a header, in our own calls also as a member, or refused.
@Suite struct CallWarningsTests {
    private static let header = "x-stuntdouble-warning"
    private static let lowerCase =
        "methods are case-sensitive, so this is not GET; did you mean \"GET\"? Expected a method in upper case"

    /// A call that WireMock answers, and the warning.
    @Test(
        arguments: [
            ("POST", "/mappings", #"{"request": {"method": "get"}}"#, 201, "request.method: " + lowerCase),
            (
                "POST", "/mappings", #"{"request": {"url": "/users/{id}"}}"#, 201,
                "request.url: {id} is literal in a path"
            ),
            (
                "POST", "/mappings", #"{"request": {"headers": {"A": {"equalTo": "x", "contains": "y"}}}}"#, 201,
                "request.headers.A.contains: \"contains\" is ignored"
            ),
            (
                "POST", "/mappings", #"{"requiredScenarioState": "x"}"#, 201,
                "requiredScenarioState: \"requiredScenarioState\" is ignored without \"scenarioName\""
            ),
            (
                "POST", "/mappings", #"{"response": {"status": 0}}"#, 201,
                "response.status: 0 is no status, and 200 is sent"
            ),
            (
                "POST", "/mappings", #"{"response": {"body": "{{uper 1}}", "transformers": ["response-template"]}}"#,
                201,
                "response.body: the template cannot be read: at line 1, column 3: there is no helper `uper`; did you mean"
            ),
            (
                "PUT", "/mappings/11111111-1111-4111-8111-111111111111", #"{"request": {"urlPath": "/a?b"}}"#, 200,
                "request.urlPath: a path has no query"
            ),
            (
                "POST", "/mappings/import", #"{"mappings": [{}, {"request": {"urlPath": "/a/*"}}]}"#, 200,
                "mappings[1].request.urlPath: * is literal in a path"
            ),
            ("POST", "/requests/count", #"{"method": "get"}"#, 200, "method: " + lowerCase),
            ("POST", "/requests/find", #"{"urlPath": "/users/:id"}"#, 200, "urlPath: :id is literal in a path"),
            ("POST", "/requests/remove", #"{"urlPath": "/(\\d+)"}"#, 200, "urlPath: (\\d+) is literal in a path"),
            ("POST", "/near-misses/request-pattern", #"{"scheme": "HTTP"}"#, 200, "scheme: no request has the scheme"),
            (
                "POST", "/mappings/find-by-metadata", #"{"equalTo": "a", "caseInsensitiv": true}"#, 200,
                "caseInsensitiv: "
            ),
            (
                "POST", "/faults", #"{"request": {"urlPath": "/a/<id>"}, "cutAfter": 1}"#, 201,
                "request.urlPath: <id> is"
            ),
        ] as [(String, String, String, Int, String)])
    func aDoubtfulPatternIsTold(method: String, path: String, body: String, status: Int, warning: String) throws {
        let mock = try TestMock()
        try mock.add(#"{"id": "11111111-1111-4111-8111-111111111111"}"#)
        let answer = try Exchange(mock.port, method, "/__admin" + path, body: body)
        #expect(answer.status == status)
        #expect(answer.header(Self.header)?.hasPrefix(warning) == true, "\(answer.header(Self.header) ?? "none")")
    }

    @Test(arguments: [
        ("/mappings", #"{"request": {"method": "GET", "url": "/a"}, "response": {"body": "x"}}"#),
        ("/mappings", #"{"request": {"headers": {"A": {"absent": true}}}}"#),
        ("/mappings", #"{"request": {"headers": {"A": {"absent": "(absent)"}, "B": {"absent": false}}}}"#),
        ("/requests/count", "{}"), ("/requests/find", #"{"method": "ANY", "urlPathTemplate": "/a/{b}"}"#),
        ("/requests/verify", #"{"expectations": [{"pattern": {"url": "/a"}}]}"#),
    ])
    func aClearPatternIsAnsweredWithoutAWord(path: String, body: String) throws {
        let mock = try TestMock()
        let answer = try Exchange(mock.port, "POST", "/__admin" + path, body: body)
        #expect((200..<300).contains(answer.status))
        #expect(answer.header(Self.header) == nil && answer.json?["warnings"] == nil)
    }

    /// A pattern of our own calls that cannot be meant, its place and the nearest name.
    @Test(
        arguments: [
            (#"{"method": "get"}"#, "/method", "did you mean \"GET\"?"),
            (#"{"method": {"oneOf": ["GET", "post"]}}"#, "/method/oneOf/1", "did you mean \"POST\"?"),
            (#"{"urlPath": "users"}"#, "/urlPath", "did you mean \"/users\"?"),
            (#"{"urlPath": "/a?b=1"}"#, "/urlPath", "a path has no query, so this never matches"),
            (#"{"scheme": "HTTP"}"#, "/scheme", "did you mean \"http\"?"),
            (
                #"{"headers": {"A": {"equalTo": "x", "contains": "y"}}}"#, "/headers/A",
                "only the first operator applies"
            ),
            (#"{"headers": {"A": {"equalTo": "x", "caseInsensitive": "maybe"}}}"#, "/headers/A", "counts as false"),
            (#"{"pathParameters": {"id": {"equalTo": "1"}}}"#, "", "is ignored without"),
            (#"{"bodyPatterns": [{"matchesXPath": "//["}]}"#, "/bodyPatterns/0/matchesXPath", "so this never matches"),
            (#"{"customMatcher": {"name": "x"}}"#, "/customMatcher/name", "supported are"),
        ] as [(String, String, String)])
    func aVerificationThatWouldPassByMistakeIsRefused(pattern: String, place: String, words: String) throws {
        let mock = try TestMock()
        let calls = [
            ("/requests/wait", #"{"pattern": \#(pattern), "count": {"exactly": 0}, "timeoutMs": 0}"#, "/pattern"),
            (
                "/requests/verify", #"{"expectations": [{"pattern": \#(pattern), "count": {"exactly": 0}}]}"#,
                "/expectations/0/pattern"
            ),
        ]
        for (path, body, root) in calls {
            let answer = try Exchange(mock.port, "POST", "/__admin" + path, body: body)
            #expect(answer.status == 422)
            let error = answer.json?["errors"]?[0]
            #expect(error?["source"]?["pointer"]?.stringValue == root + place)
            #expect(error?["detail"]?.stringValue?.contains(words) == true, "\(answer.text)")
        }
    }

    @Test(arguments: [
        ("/requests/wait", #"{"pattern": {"urlPath": "/users/:id"}, "count": {"exactly": 0}, "timeoutMs": 0}"#),
        ("/requests/verify", #"{"expectations": [{"pattern": {"urlPath": "/users/{id}"}, "count": {"exactly": 0}}]}"#),
    ])
    func aVerdictOnADoubtfulPatternSaysSo(path: String, body: String) throws {
        let mock = try TestMock()
        let answer = try Exchange(mock.port, "POST", "/__admin" + path, body: body)
        #expect(answer.status == 200)
        let warnings = try #require(answer.json?["warnings"]?.arrayValue)
        #expect(warnings.count == 1)
        #expect(warnings.first?.stringValue?.contains("is literal in a path") == true)
        #expect(answer.header(Self.header) == warnings.first?.stringValue)
        if let text = answer.json?["text"]?.stringValue {
            #expect(text.hasSuffix("warning: \(warnings.first?.stringValue ?? "")\n"))
        }
    }

    @Test func theHeaderIsOneLineOfASCII() throws {
        let mock = try TestMock()
        let answer = try Exchange(
            mock.port, "POST", "/__admin/requests/count", body: "{\"urlPath\": \"/é/<名>\", \"method\": \"get\"}")
        let header = try #require(answer.header(Self.header))
        #expect(header.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        #expect(header.contains("<\\u{540d}> is literal in a path"))
        #expect(header.contains(" | method: methods are case-sensitive"))
    }

    @Test func absentFalseRequiresAHeader() throws {
        let mock = try TestMock()
        for value in ["false", "\"no\""] {
            let added = try mock.admin(
                "POST", "/mappings", #"{"request": {"urlPath": "/a", "headers": {"A": {"absent": \#(value)}}}}"#,
                status: 201)
            #expect(added["request"]?["headers"]?["A"] == ["absent": false])
            #expect(try Exchange(mock.port, "GET", "/a").status == 404)
            #expect(try Exchange(mock.port, "GET", "/a", headers: [("A", "")]).status == 200)
            _ = try mock.admin("DELETE", "/mappings", "")
        }
    }

    // MARK: - What is unknown

    @Test(arguments: [
        ("/explain", #"{"metod": "GET", "url": "/a"}"#, "/metod", "did you mean \"method\"?"),
        ("/explain", #"{"method": "GET", "path": "/a"}"#, "/path", "did you mean \"url\"?"),
        ("/requests/wait", #"{"pattern": {}, "timeout": 1}"#, "/timeout", "did you mean \"timeoutMs\"?"),
        ("/requests/verify", #"{"expectations": [], "inorder": true}"#, "/inorder", "did you mean \"inOrder\"?"),
        (
            "/requests/verify", #"{"expectations": [{"patern": {}}]}"#, "/expectations/0/patern",
            "did you mean \"pattern\"?"
        ),
        ("/requests/idle", #"{"quiet": 1}"#, "/quiet", "did you mean \"quietMs\"?"),
    ])
    func anUnknownMemberOfOurCallsIsNamed(path: String, body: String, place: String, words: String) throws {
        let mock = try TestMock()
        let answer = try Exchange(mock.port, "POST", "/__admin" + path, body: body)
        #expect(answer.status == 422)
        #expect(answer.json?["errors"]?[0]?["source"]?["pointer"]?.stringValue == place)
        #expect(answer.json?["errors"]?[0]?["detail"]?.stringValue?.contains(words) == true, "\(answer.text)")
    }

    @Test func aRequestOfTheJournalCanBeExplained() throws {
        let mock = try TestMock()
        _ = try Exchange(mock.port, "POST", "/a?b=1", headers: [("Cookie", "c=d")], body: "x")
        let event = try Exchange(mock.port, "GET", "/__admin/requests").json?["requests"]?[0]
        let request = try #require(event?["request"])
        #expect(try Exchange(mock.port, "POST", "/__admin/explain", body: request.compactText).status == 200)
    }

    @Test(arguments: [
        ("GET", "/mappings?limt=1", "limt", "did you mean \"limit\"?"),
        ("GET", "/requests?unmached=true", "unmached", "did you mean \"unmatched\"?"),
        ("GET", "/requests?limit=1&page=2", "page", "expected one of limit, since"),
        ("GET", "/events?type=request", "type", "did you mean \"types\"?"),
        ("GET", "/report?fail-on=unused", "fail-on", "; did you mean \"fail\"?"),
        ("GET", "/report?failOn=unused", "failOn", "; did you mean \"fail\"?"),
        ("DELETE", "/requests?limit=1", "limit", "has no query parameters"),
    ])
    func anUnknownQueryParameterIsNamed(method: String, path: String, name: String, words: String) throws {
        let mock = try TestMock()
        let answer = try Exchange(mock.port, method, "/__admin" + path)
        #expect(answer.status == 400)
        #expect(answer.json?["errors"]?[0]?["source"]?["pointer"]?.stringValue == name)
        #expect(answer.json?["errors"]?[0]?["detail"]?.stringValue?.contains(words) == true, "\(answer.text)")
    }

    @Test(arguments: [
        "/mappings?_=1700000000", "/health?1700000000", "/requests?limit=&unmatched=", "/requests?&",
        "/docs?theme=dark",
        "/requests?unmatched=TRUE&details=False",
    ])
    func cachesMayBeDefeated(path: String) throws {
        let mock = try TestMock()
        #expect(try Exchange(mock.port, "GET", "/__admin" + path).status == 200)
    }

    @Test(arguments: ["/requests?unmatched=yes", "/requests?details=1"])
    func aSwitchIsTrueOrFalse(path: String) throws {
        let mock = try TestMock()
        #expect(try Exchange(mock.port, "GET", "/__admin" + path).status == 400)
    }

    // MARK: - Explanations

    @Test func anExpressionThatBeginsLikeThePathIsNearerThanAnotherPath() throws {
        let mock = try TestMock()
        try mock.add(#"{"name": "users", "request": {"method": "GET", "urlPathPattern": "/users/([0-9]+)"}}"#)
        try mock.add(#"{"name": "todo", "request": {"method": "GET", "urlPath": "/todo"}}"#)
        func names(_ json: JSONValue?) -> [String] {
            (json?["nearMisses"]?.arrayValue ?? []).map { $0["stubMapping"]?["name"]?.stringValue ?? "" }
        }
        let request = #"{"method": "GET", "url": "/users/abc"}"#
        #expect(names(try mock.admin("POST", "/explain", request)) == ["users", "todo"])
        let report = try Exchange(mock.port, "GET", "/users/abc", headers: [("Accept", "application/json")])
        #expect(names(report.json) == ["users", "todo"])
        #expect(try Exchange(mock.port, "GET", "/users/abc").text.contains("/users/([0-9]+)"))
        // WireMock's own answers keep its measure.
        #expect(names(try mock.admin("POST", "/near-misses/request", request)) == ["todo", "users"])
    }

    @Test func anExplanationSaysWhatIsDoubtful() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"method": "GET", "urlPath": "/users/:id"}}"#)
        let answer = try mock.admin("POST", "/explain", #"{"method": "get", "url": "/users/1"}"#)
        #expect(
            answer["nearMisses"]?[0]?["warnings"]?[0]?.stringValue?.hasPrefix("request.urlPath: :id is literal") == true
        )
        #expect(
            answer["notes"]?[0]?["message"]
                == "methods are case-sensitive, and get is not GET; did you mean \"GET\"?")
    }
}
