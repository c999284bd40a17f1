import SDJSON
import SDTestData
import SDTestSupport
import Testing

/// With `--redact`, no secret of a request leaves the daemon, but in WireMock's own answers.
@Suite struct RedactionTests {
    /// A way in which a client sends a secret.
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var query = ""
        var headers: [String] = []
        /// Whether WireMock's answers have it: they have no fragment.
        var isKept = true
    }

    private static let secret = "s3cret"

    static let ways: [Way] = [
        Way(testDescription: "Authorization", headers: ["Authorization: Bearer \(secret)"]),
        Way(testDescription: "Cookie", headers: ["Cookie: session=\(secret)"]),
        Way(testDescription: "a named header", headers: ["x-API-key: \(secret)"]),
        Way(testDescription: "the URL in a header", headers: ["Referer: http://shop.example/a?token=\(secret)"]),
        Way(testDescription: "a parameter", query: "?a=b&token=\(secret)"),
        Way(testDescription: "a parameter in other letters", query: "?ToKeN=\(secret)"),
        Way(testDescription: "an escaped first letter", query: "?%74oken=\(secret)&a=b"),
        Way(testDescription: "an escaped letter in the middle", query: "?to%6Ben=\(secret)"),
        Way(testDescription: "a blank as a plus", query: "?api+key=\(secret)"),
        Way(testDescription: "an escaped blank", query: "?api%20key=\(secret)"),
        Way(testDescription: "a name escaped twice", query: "?to%256Ben=\(secret)"),
        Way(testDescription: "behind a semicolon", query: "?a=b;token=\(secret);c=d"),
        Way(testDescription: "a value with a semicolon", query: "?token=x;\(secret)"),
        Way(testDescription: "an element of a list", query: "?token[]=\(secret)&token[0]=\(secret)"),
        Way(
            testDescription: "an escaped element of a list", query: "?token%5B%5D=\(secret)&token%255B0%255D=\(secret)"),
        Way(testDescription: "a member", query: "?login[token]=\(secret)&a.token=\(secret)"),
        Way(testDescription: "a fragment", query: "?a=b#token=\(secret)", isKept: false),
        Way(testDescription: "a URL in a value", query: "?next=http://shop.example/a?token=\(secret)"),
        Way(testDescription: "an escaped URL", query: "?next=http%3A%2F%2Fshop.example%2Fa%3Ftoken%3D\(secret)%26b"),
        Way(testDescription: "a URL escaped twice", query: "?next=http%253A%252F%252Fa%252F%253Ftoken%253D\(secret)"),
        Way(testDescription: "an escaped user", query: "?next=http%3A%2F%2Fjoe%3A\(secret)%40shop.example%2F"),
        Way(testDescription: "a user in a value", query: "?next=https://joe:\(secret)@shop.example/"),
        Way(testDescription: "a user with signs", headers: ["Referer: http://joe:a=&;\(secret)@shop.example/x"]),
        Way(testDescription: "the fragment of a header", headers: ["Referer: http://shop.example/a#token=\(secret)"]),
        Way(testDescription: "X-Forwarded-Uri", headers: ["X-Forwarded-Uri: /a;token=\(secret)?x=1#token=\(secret)"]),
        Way(testDescription: "Proxy-Authorization", headers: ["Proxy-Authorization: Basic \(secret)"]),
        Way(testDescription: "quoted in a header", headers: ["X-Login: token=\"a \(secret)\", x"]),
        Way(testDescription: "a blank in a header", headers: ["X-Login: authorization=Bearer \(secret)"]),
    ]

    private static let options = ["--redact-name", "token", "--redact-name", "X-Api-Key", "--redact-name", "api key"]

    private static let stubs = """
        GET /served: {}
        GET /failing: { file: none.png }
        GET /slow: { delay: 10m }
        POST /dear: { when: { body: { matches: "(a+)+$" } } }
        PUT /near:
          when:
            headers: { Authorization: Bearer other, X-Api-Key: other, Referer: other, X-Forwarded-Uri: other }
            query: { token: other, "api key": other, next: other, "token[]": other }
            cookies: { session: other }
        """

    /// WireMock's answers that show requests, which tests compare: everything is in them.
    private static let verbatim: Set<String> = [
        "/__admin/requests", "/__admin/requests/{id}", "/__admin/requests/unmatched",
        "/__admin/requests/unmatched/near-misses",
    ]

    @Test(arguments: ways) func noSecretLeavesTheDaemon(_ way: Way) throws {
        let daemon = try Daemon(files: ["a.yaml": Self.stubs], Self.options + ["--verbose", "--match-budget", "20"])
        let session = try #require(try daemon.admin("POST", "/sessions", "{}").json?["id"]?.stringValue)
        var waiting: [RawClient] = []
        for headers in [way.headers, way.headers + ["X-StuntDouble-Session: \(session)"]] {
            #expect(try daemon.request("GET", "/served" + way.query, headers: headers).status == 200)
            #expect(try daemon.request("GET", "/failing" + way.query, headers: headers).status == 500)
            #expect(try daemon.request("PUT", "/near" + way.query, headers: headers).status == 404)
            let runaway = String(repeating: "a", count: 60) + "b"
            #expect(try daemon.request("POST", "/dear" + way.query, headers: headers, body: runaway).status == 500)
            let client = try RawClient(port: daemon.port)
            let fields = (["Host: a"] + headers).map { $0 + "\r\n" }.joined()
            try client.send("GET /slow\(way.query) HTTP/1.1\r\n\(fields)\r\n")
            waiting.append(client)
        }
        let isInFlight = try eventually {
            try daemon.admin("GET", "/in-flight").json?["meta"]?["total"] == 1 ? true : nil
        }
        #expect(isInFlight == true)

        var asked: Set<String> = []
        for (path, targets) in try targets(daemon, session) {
            for target in targets {
                let text = try daemon.get(target).text
                asked.insert(path)
                // The archive is an export, though WireMock has the path.
                if Self.verbatim.contains(path), target != "/__admin/requests?format=har" { continue }
                #expect(!text.contains(Self.secret), "GET \(target) shows it: \(text)")
            }
        }
        #expect(asked.count > 20)
        for path in Self.verbatim { #expect(asked.contains(path), "\(path) is gone") }

        let pattern =
            #"{"urlPath": "/none", "headers": {"Authorization": {"equalTo": "x"}, "X-Api-Key": {"equalTo": "x"}}}"#
        for (path, body) in [
            ("/requests/wait", #"{"pattern": \#(pattern), "timeoutMs": 0}"#), ("/requests/wait", #"{"pattern": {}}"#),
            ("/requests/verify", #"{"expectations": [{"pattern": \#(pattern)}], "nothingElse": true}"#),
            ("/requests/idle", #"{"timeoutMs": 0}"#),
        ] {
            let answer = try daemon.admin("POST", path, body)
            #expect(answer.status == 200 && answer.text.contains("equence\""), "\(path): \(answer.text)")
            #expect(!answer.text.contains(Self.secret), "\(path) shows it: \(answer.text)")
        }

        let events = try events(daemon)
        #expect(!events.contains(Self.secret), "an event shows it: \(events)")
        _ = try daemon.get("/last")
        let isLogged = eventually { daemon.process.errors.contains("no stub matches GET /last") ? true : nil }
        #expect(isLogged == true)
        #expect(daemon.process.errors.contains(" got a 500 from "))
        #expect(!daemon.process.errors.contains(Self.secret), "\(daemon.process.errors)")
        #expect(!daemon.process.output.contains(Self.secret))
        // The requests were what they are meant to be.
        #expect(try daemon.get("/__admin/requests").text.contains(Self.secret) == way.isKept)
        for client in waiting { client.close() }
    }

    /// All `GET` paths of the admin API's own document, each with all ids that may stand in it.
    private func targets(_ daemon: Daemon, _ session: String) throws -> [(path: String, targets: [String])] {
        let document = try #require(try daemon.get("/__admin/docs/swagger").json)
        let requests = try #require(try daemon.get("/__admin/requests").json?["requests"]?.arrayValue)
        let stubs = try #require(try daemon.get("/__admin/mappings").json?["mappings"]?.arrayValue)
        let ids = [session] + (requests + stubs).compactMap { $0["id"]?.stringValue }
        let paths = (document["paths"]?.objectValue?.members ?? []).filter { $0.value["get"] != nil }.map(\.key)
        return paths.filter { $0 != "/__admin/events" }.map { path in
            var filled = ids.map { path.replacing("{id}", with: $0) }
            if !path.contains("{id}") { filled = [String(path.prefix { $0 != "{" })] }
            let queries = ["", "?details=true"] + (path.contains("{id}") ? [] : ["?format=har", "?after=0"])
            return (path, filled.flatMap { target in queries.map { target + $0 } })
        }
    }

    /// The stream of events up to the last request.
    private func events(_ daemon: Daemon) throws -> String {
        let client = try RawClient(port: daemon.port)
        try client.send("GET /__admin/events?after=0 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        var text = ""
        while !text.contains("/slow") {
            let some = client.receiveSome(within: 10_000)
            if some.bytes.isEmpty { break }
            text += some.text
        }
        #expect(text.contains("/slow") && text.contains("/near"), "\(text)")
        return text
    }

    /// The export of an unmatched request has the report that its client got, without the secrets.
    @Test func theReportInAnArchiveIsRedacted() throws {
        let daemon = try Daemon(files: ["a.yaml": Self.stubs], Self.options)
        let headers = ["Authorization: Bearer \(Self.secret)", "Cookie: session=\(Self.secret)", "Referer: /shown"]
        let sent = try daemon.request("PUT", "/near?token=\(Self.secret)", headers: headers)
        #expect(sent.text.contains("token: \(Self.secret)"))
        let archive = try daemon.get("/__admin/requests?format=har").json
        let report = archive?["log"]?["entries"]?[0]?["response"]?["content"]?["text"]?.stringValue ?? ""
        for part in ["Closest stub", "/near?token=(redacted)", "token: (redacted)", "Referer: /shown"] {
            #expect(report.contains(part), "\(report)")
        }
        #expect(!report.contains(Self.secret) && !report.contains("Bearer"), "\(report)")
    }

    // MARK: Bodies

    /// Generated bodies of all kinds, sent and answered: no secret is in the log, exports, events and reports.
    @Test(arguments: SecretDocument.Kind.allCases) func noSecretOfABodyLeavesTheDaemon(_ kind: SecretDocument.Kind)
        throws
    {
        var generator = TestGenerator()
        let answer = SecretDocument(kind, secrets: 5, &generator)
        let file = "GET /answer: { file: answer.txt, headers: { Content-Type: '\(answer.contentType)' } }"
        let near = "PUT /near: { when: { json: { access_token: other, a: 1 } } }"
        let daemon = try Daemon(
            files: ["a.yaml": file + "\n" + near, "__files/answer.txt": answer.text],
            ["--redact", "--verbose", "--print-all-network-traffic"])
        #expect(try daemon.get("/answer").text == answer.text)
        let sent = SecretDocument(kind, secrets: 5, &generator)
        for path in ["/near", "/none"] {
            let answer = try daemon.request(
                "PUT", path, headers: ["Content-Type: \(sent.contentType)"], body: sent.text)
            #expect(answer.status == 404)
        }
        if kind == .json {
            // As curl sends it that is told no type.
            let form = "Content-Type: application/x-www-form-urlencoded"
            #expect(try daemon.request("PUT", "/form", headers: [form], body: sent.text).status == 404)
        }
        let secrets = answer.secrets + sent.secrets
        var targets = ["/__admin/requests?format=har", "/__admin/report?details=true", "/__admin/requests?view=row"]
        targets += ["text", "json", "junit", "html", "markdown"].map { "/__admin/report?format=\($0)" }
        for target in targets {
            let text = try daemon.get(target).text
            for secret in secrets where text.contains(secret) {
                Issue.record("seed \(generator.seed): GET \(target) shows \(secret): \(text)")
            }
        }
        let archive = try daemon.get("/__admin/requests?format=har").text
        let lost = (answer.neighbours + sent.neighbours).filter { !archive.contains($0) }
        #expect(lost.isEmpty, "seed \(generator.seed)")
        _ = try daemon.get("/last")
        let isLogged = eventually { daemon.process.errors.contains("no stub matches GET /last") ? true : nil }
        #expect(isLogged == true)
        let leaked = secrets.filter { daemon.process.errors.contains($0) }
        #expect(leaked.isEmpty, "seed \(generator.seed): \(daemon.process.errors)")
    }

    /// Names that a file of routes gives count while it is served.
    @Test func aFileOfRoutesAddsNames() throws {
        let daemon = try Daemon(
            files: ["a.yaml": "defaults: { redact: [iban, Card Number] }\nGET /a: { body: ok }"], ["--verbose"])
        _ = try daemon.request("GET", "/a?iban=hush1&k=shown", headers: ["X-Card: 1", "card-number: hush2"])
        let archive = try daemon.get("/__admin/requests?format=har").text
        #expect(!archive.contains("hush1") && !archive.contains("hush2") && archive.contains("k=shown"), "\(archive)")
        let isLogged = eventually { daemon.process.errors.contains("/a?iban=(redacted)&k=shown") ? true : nil }
        #expect(isLogged == true)
        #expect(try daemon.get("/__admin/requests").text.contains("hush1"))
    }

    /// The user and password of a target are in no message, whatever the options say.
    @Test(arguments: [
        "http://ada:hush@127.0.0.1:1", "http://ada:hu/hush@127.0.0.1:1", "ftp://ada:hush@127.0.0.1",
        "ada:hush@127.0.0.1",
    ])
    func theUserOfATargetIsInNoMessage(base: String) throws {
        let daemon = try Daemon(
            files: [
                "mappings/a.json":
                    #"{"request": {"url": "/a"}, "response": {"proxyBaseUrl": "\#(base)"}}"#
            ], ["--verbose"])
        let answer = try daemon.get("/a")
        #expect(answer.status == 500 && !answer.text.contains("hush"), "\(answer.text)")
        #expect(try !daemon.get("/__admin/requests?format=har").text.contains("hush"))
        _ = try daemon.get("/last")
        let isLogged = eventually { daemon.process.errors.contains("no stub matches GET /last") ? true : nil }
        #expect(isLogged == true && !daemon.process.errors.contains("hush"), "\(daemon.process.errors)")
    }
}
