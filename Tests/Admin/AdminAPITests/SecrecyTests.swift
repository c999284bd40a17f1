import SDAdminAPI
import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel
import SDStubs
import SDTestSupport
import Testing

/// A secret in every place of a stub and of a request, against every way in which the admin API tells of them that
/// WireMock does not have.
@Suite struct SecrecyTests {
    /// Nothing of a word that may stand anywhere.
    private static let secret = "hush7zq1x"

    /// Stubs, each with the secret in one place. None matches the requests, which it is near to.
    static let stubs: [(place: String, json: String)] = [
        ("name", #"{"name": "orders?token=S", "request": {"method": "PUT", "urlPath": "/shop"}}"#),
        ("url", #"{"request": {"method": "PUT", "url": "/shop?access_token=S"}}"#),
        ("url pattern", #"{"request": {"method": "PUT", "urlPattern": "/shop\\?token=S"}}"#),
        (
            "query",
            #"{"request": {"method": "PUT", "urlPath": "/shop", "queryParameters": {"token": {"equalTo": "S"}}}}"#
        ),
        (
            "header",
            #"{"request": {"method": "PUT", "urlPath": "/shop", "headers": {"Authorization": {"contains": "S"}}}}"#
        ),
        (
            "cookie",
            #"{"request": {"method": "PUT", "urlPath": "/shop", "cookies": {"theme": {"equalTo": "S"}}}}"#
        ),
        (
            "form",
            #"{"request": {"method": "PUT", "urlPath": "/shop", "formParameters": {"password": {"equalTo": "S"}}}}"#
        ),
        (
            "credentials",
            #"{"request": {"method": "PUT", "urlPath": "/shop", "basicAuth": {"username": "ada", "password": "S"}}}"#
        ),
        (
            "json",
            #"{"request": {"method": "PUT", "urlPath": "/shop", "bodyPatterns": [{"equalToJson": {"user": {"password": "S"}}}]}}"#
        ),
        (
            "json path",
            #"{"request": {"method": "PUT", "urlPath": "/shop", "bodyPatterns": [{"matchesJsonPath": "$[?(@.password == 'S')]"}]}}"#
        ),
        (
            "xml",
            #"{"request": {"method": "PUT", "urlPath": "/shop", "bodyPatterns": [{"equalToXml": "<user><password>S</password></user>"}]}}"#
        ),
        (
            "xpath",
            #"{"request": {"method": "PUT", "urlPath": "/shop", "bodyPatterns": [{"matchesXPath": "//user[password='S']"}]}}"#
        ),
        (
            "body", #"{"request": {"method": "PUT", "urlPath": "/shop"}, "response": {"body": "{\"token\": \"S\"}"}}"#
        ),
        (
            "json body",
            #"{"request": {"method": "PUT", "urlPath": "/shop"}, "response": {"jsonBody": {"refreshToken": "S"}}}"#
        ),
        (
            "base64 body",
            #"{"request": {"method": "PUT", "urlPath": "/shop"}, "response": {"base64Body": "B"}}"#
        ),
        (
            "response header",
            #"{"request": {"method": "PUT", "urlPath": "/shop"}, "response": {"headers": {"Set-Cookie": "sid=S"}}}"#
        ),
        (
            "proxy user",
            #"{"request": {"method": "PUT", "urlPath": "/shop"}, "response": {"proxyBaseUrl": "http://ada:S@127.0.0.1:9"}}"#
        ),
        (
            "proxy header",
            #"{"request": {"method": "PUT", "urlPath": "/shop"}, "response": {"proxyBaseUrl": "http://127.0.0.1:9", "additionalProxyRequestHeaders": {"Proxy-Authorization": "S"}}}"#
        ),
        (
            "webhook",
            #"{"request": {"method": "PUT", "urlPath": "/shop"}, "serveEventListeners": [{"name": "webhook", "parameters": {"method": "POST", "url": "http://ada:S@127.0.0.1:9/a?token=S", "headers": {"X-Api-Key": "S"}, "body": "{\"password\": \"S\"}"}}]}"#
        ),
    ]

    /// Requests that nothing answers, each with the secret in one place.
    static let requests: [(place: String, target: String, headers: [(String, String)], body: String)] = [
        ("query", "/shop?token=S", [], ""), ("path", "/shop;password=S", [], ""),
        ("header", "/shop", [("Authorization", "Bearer S")], ""), ("cookie", "/shop", [("Cookie", "sid=S")], ""),
        ("form", "/shop", [("Content-Type", form)], "password=S"),
        ("json", "/shop", [], #"{"user": {"password": "S"}}"#),
        ("pairs", "/shop", [], #"{"headers": [["Authorization", "S"]]}"#),
        ("pairs in a header", "/shop", [("X-Pairs", #"[["password","S"]]"#)], ""),
        ("pairs in the query", "/shop?j=%5B%5B%22Authorization%22,%22S%22%5D%5D", [], ""),
        ("xml", "/shop", [], "<user><password>S</password></user>"),
        ("json as a form", "/shop", [("Content-Type", form)], #"{"password": "S"}"#),
        ("xml as a form", "/shop", [("Content-Type", form)], "<user token='S'><password>S</password></user>"),
        ("text as a form", "/shop", [("Content-Type", form)], "password: S"),
        ("xml in a form", "/shop", [("Content-Type", form)], "doc=<a><password>S</password></a>"),
    ]

    private static let form = "application/x-www-form-urlencoded"

    /// The ways out, as `METHOD path body`; `ID` is the id of each stub, `REQUEST` that of each request.
    static let waysOut = [
        "GET /requests/counters", "GET /requests?format=har", "GET /requests?view=row", "GET /requests/REQUEST/explain",
        "GET /requests/REQUEST/curl", "GET /mappings/ID?redact=true", "GET /report", "GET /report?format=text",
        "GET /report?format=html", "GET /report?format=junit", "GET /report?format=markdown", "GET /status",
        "GET /refusals", "GET /in-flight", "GET /gates", "GET /faults",
        #"POST /explain {"method": "PUT", "url": "/shop"}"#, #"POST /explain {"method": "GET", "url": "/shop"}"#,
        #"POST /mappings/validate {"request": {"urlPathPattern": "/.*"}, "priority": 1}"#,
        #"POST /mappings/validate {"request": {"method": "PUT", "urlPath": "/shop"}, "priority": 9}"#,
        #"POST /mappings/validate?id=ID {"request": {"url": "/other"}}"#,
        #"POST /requests/verify {"expectations": [{"pattern": {"urlPath": "/none"}}], "nothingElse": true}"#,
        #"POST /requests/wait {"pattern": {"urlPath": "/none"}, "timeoutMs": 0}"#,
    ]

    /// The tools for agents, with arguments.
    static let tools = [
        ("stubs", "{}"), ("stubs", #"{"id": "ID"}"#), ("requests", "{}"), ("requests", #"{"id": "REQUEST"}"#),
        ("unmatched", "{}"), ("explain", #"{"id": "REQUEST"}"#), ("explain", #"{"method": "PUT", "url": "/shop"}"#),
        ("verify", #"{"expectations": [{"urlPath": "/none"}], "nothingElse": true}"#), ("release", "{}"),
        ("fault", "{}"),
        ("stub", #"{"stubs": "ANY /**: { body: x }", "dryRun": true}"#), ("stub", #"{"remove": "ID"}"#),
    ]

    private static func filled(_ text: String) -> String {
        let base64 = Base64.encode(Array(#"{"password": "\#(secret)"}"#.utf8))
        var text = text.split(separator: "S\"", omittingEmptySubsequences: false).joined(separator: "\(secret)\"")
        for mark in ["S<", "S'", "S@", "S\\", "S%"] {
            text = text.split(separator: mark, omittingEmptySubsequences: false)
                .joined(separator: secret + mark.dropFirst())
        }
        if text.hasSuffix("S") { text = text.dropLast() + secret }
        return text.split(separator: "\"B\"", omittingEmptySubsequences: false).joined(separator: "\"\(base64)\"")
    }

    /// The text with what a document may have escaped or encoded.
    private static func isTold(_ text: String) -> Bool {
        // Base64 of all three alignments.
        let encoded = (0..<3).map { shift in
            let bytes = Array(repeating: UInt8(ascii: " "), count: shift) + Array(secret.utf8)
            return String(Base64.encode(bytes).dropFirst(4).prefix(8))
        }
        return text.contains(secret) || encoded.contains { text.contains($0) }
    }

    private func mock() throws -> TestMock {
        var options = SessionOptions.unhurried
        options.redaction = Redaction()
        var admin = AdminOptions()
        admin.servesAgents = true
        return try TestMock(session: options, admin: admin, store: SecretStore())
    }

    /// Asks every way out about stubs and requests that are there.
    private func ask(_ mock: TestMock, _ place: String) throws {
        let stubs = try mock.admin("GET", "/mappings")["mappings"]?.arrayValue ?? []
        let id = stubs.first?["id"]?.stringValue ?? ""
        let request = try mock.admin("GET", "/requests")["requests"]?[0]?["id"]?.stringValue ?? ""
        func named(_ text: String) -> String {
            text.split(separator: "REQUEST", omittingEmptySubsequences: false).joined(separator: request)
                .split(separator: "ID", omittingEmptySubsequences: false).joined(separator: id)
        }
        for way in Self.waysOut where !id.isEmpty || !way.contains("ID") {
            let words = named(way).split(separator: " ", maxSplits: 2).map(String.init)
            let answer = try Exchange(
                mock.port, words[0], "/__admin" + words[1], body: words.count > 2 ? words[2] : "")
            #expect(answer.status < 300, "\(way): \(answer.text)")
            #expect(!Self.isTold(answer.text), "\(place) in \(way): \(answer.text)")
        }
        let event = try #require(try EventStreamClient(mock.port, "?after=0").next())
        #expect(!Self.isTold(event.description), "\(place) in events: \(event)")
        for (tool, arguments) in Self.tools where !id.isEmpty || !arguments.contains("ID") {
            let text = try call(mock, tool, named(arguments))
            #expect(!Self.isTold(text), "\(place) in the tool \(tool): \(text)")
        }
    }

    private func call(_ mock: TestMock, _ tool: String, _ arguments: String) throws -> String {
        let meta =
            #""_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}"#
        let message =
            #"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "\#(tool)", "arguments": \#(arguments), \#(meta)}}"#
        let headers = [
            ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", tool),
            ("Content-Type", "application/json"),
        ]
        let answer = try Exchange(mock.port, "POST", "/__admin/mcp", headers: headers, body: message)
        #expect(answer.json?["result"]?["isError"] == false, "\(tool) \(arguments): \(answer.text)")
        return answer.text
    }

    @Test(arguments: stubs.indices) func ofAStub(index: Int) throws {
        let mock = try mock()
        let json = Self.filled(Self.stubs[index].json)
        #expect(Self.isTold(json), "the table is wrong: \(json)")
        try mock.add(json)
        _ = try Exchange(mock.port, "GET", "/shop?x=1", body: "{}")
        try ask(mock, "stub: " + Self.stubs[index].place)
    }

    @Test(arguments: requests.indices) func ofARequest(index: Int) throws {
        let mock = try mock()
        try mock.add(
            #"{"name": "near", "request": {"method": "PUT", "urlPath": "/shop", "headers": {"Authorization": {"equalTo": "other"}}, "bodyPatterns": [{"equalToJson": {"user": {"password": "other"}}}]}}"#
        )
        let request = Self.requests[index]
        _ = try Exchange(
            mock.port, "POST", Self.filled(request.target),
            headers: request.headers.map { ($0.0, Self.filled($0.1)) }, body: Self.filled(request.body))
        #expect(Self.isTold(try Exchange(mock.port, "GET", "/__admin/requests").text), "the table is wrong")
        try ask(mock, "request: " + request.place)
    }

    @Test func ofAFault() throws {
        let mock = try mock()
        let fault = #"{"request": {"headers": {"X-Api-Key": {"equalTo": "S"}}, "url": "/a?token=S"}, "status": 503}"#
        let added = try mock.admin("POST", "/faults", Self.filled(fault), status: 201)
        #expect(!Self.isTold(added.compactText), "\(added)")
        _ = try Exchange(mock.port, "GET", "/x")
        try ask(mock, "fault")
    }

    /// What came in a call is in no answer of ours to it.
    @Test func whatWasSentIsNotToldAgain() throws {
        let mock = try mock()
        let pattern =
            #"{"urlPath": "/shop", "headers": {"Authorization": {"equalTo": "S"}}, "bodyPatterns": [{"equalToJson": {"password": "S"}}]}"#
        let stub = #"{"name": "a?token=S", "request": \#(pattern), "response": {"jsonBody": {"token": "S"}}}"#
        let expectations = #"{"expectations": [{"name": "a?token=S", "pattern": \#(pattern)}]}"#
        _ = try Exchange(mock.port, "POST", "/shop", headers: [("Authorization", "other")], body: "{}")
        let calls = [
            ("POST", "/requests/verify", expectations),
            ("POST", "/requests/wait", #"{"pattern": \#(pattern), "timeoutMs": 0}"#),
            ("POST", "/mappings?redact=true", stub),
        ]
        for (method, path, body) in calls {
            let answer = try Exchange(mock.port, method, "/__admin" + path, body: Self.filled(body))
            #expect(answer.status < 300 && !Self.isTold(answer.text), "\(path): \(answer.text)")
        }
        let id = try #require(mock.admin("GET", "/mappings")["mappings"]?[0]?["id"]?.stringValue)
        let edited = try Exchange(mock.port, "PUT", "/__admin/mappings/\(id)?redact=true", body: Self.filled(stub))
        #expect(edited.status == 200 && !Self.isTold(edited.text), "\(edited.text)")
        #expect(Self.isTold(try mock.admin("GET", "/mappings/\(id)").compactText))
        for (tool, arguments) in [
            ("stub", #"{"stubs": \#(stub)}"#), ("stub", #"{"stubs": [\#(stub), \#(stub)]}"#),
            ("stub", #"{"id": "\#(id)", "stubs": \#(stub)}"#), ("verify", expectations),
            ("fault", #"{"add": {"name": "a?token=S", "request": \#(pattern), "status": 503}}"#),
        ] {
            let text = try call(mock, tool, Self.filled(arguments))
            #expect(!Self.isTold(text), "\(tool): \(text)")
        }
    }

    @Test func wireMocksOwnAnswersAreWhole() throws {
        let mock = try mock()
        try mock.add(Self.filled(Self.stubs[4].json))
        let all = try Exchange(mock.port, "GET", "/__admin/mappings")
        #expect(Self.isTold(all.text))
        let id = try #require(all.json?["mappings"]?[0]?["id"]?.stringValue)
        #expect(Self.isTold(try Exchange(mock.port, "GET", "/__admin/mappings/\(id)").text))
        #expect(try Exchange(mock.port, "GET", "/__admin/mappings/\(id)?redact=perhaps").status == 400)
    }

    /// What a save of a recording writes has placeholders, and so has its preview, whether `--redact` is on or not.
    @Test func thePreviewOfARecordingHasPlaceholders() throws {
        let mock = try TestMock()
        _ = try mock.admin("POST", "/recordings/start", #"{"filters": {"allowNonProxied": true}}"#)
        try mock.add(
            #"{"request": {"urlPath": "/login"}, "response": {"jsonBody": {"access_token": "\#(Self.secret)"}}}"#)
        _ = try Exchange(mock.port, "GET", "/login?password=\(Self.secret)")
        for path in ["/recordings/preview", "/recordings/preview?format=files"] {
            let text = try mock.admin("GET", path).compactText
            #expect(!Self.isTold(text), "\(path): \(text)")
        }
        #expect(try Self.isTold(mock.admin("POST", "/recordings/stop").compactText))
    }
}

/// A store whose files have all stubs of theirs.
private struct SecretStore: StubStore {
    func write(_ stub: StubMapping, file: String?, companions: [StubMapping]) throws(StubStoreError) -> String {
        throw StubStoreError(message: "nothing is written")
    }

    func remove(_ file: String) throws(StubStoreError) {}
    func flush(_ files: [String]) throws(StubStoreError) {}

    func plannedWrite(
        _ stub: StubMapping, file: String?, companions: [StubMapping]
    ) throws(StubStoreError) -> PlannedWrite {
        PlannedWrite(
            file: "a.json", before: #"{"mappings": [{"response": {"jsonBody": {"password": "hush7zq1x"}}}]}"#,
            after: stub.json(view: .file).prettyText)
    }
}
