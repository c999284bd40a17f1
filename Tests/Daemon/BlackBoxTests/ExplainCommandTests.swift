import SDJSON
import SDTestSupport
import Testing

/// `stuntdouble explain` and `stuntdouble routes`, with files and with a running daemon.
@Suite struct ExplainCommandTests {
    private static let files = [
        "mappings/shop.yaml": """
        GET /users/{id}: { json: { id: 1 } }

        GET /users/me: { name: me, priority: 1, file: me.json, delay: 120ms }
        POST /orders:
          when: { headers: { Accept: { contains: json } }, json: { item: book } }
          status: 201
        """,
        "mappings/a.json": #"{"request": {"urlPathPattern": "/a.*"}, "response": {"fault": "EMPTY_RESPONSE"}}"#,
    ]

    private let folder: TemporaryFolder
    private let scratch: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        scratch = try TemporaryFolder()
        for (name, text) in Self.files { try folder.write(name, text) }
    }

    private func ask(_ arguments: [String]) throws -> (output: String, errors: String, status: ChildProcess.Ending?) {
        let process = try ChildProcess(Daemon.binary, arguments, outputsIn: scratch)
        let status = process.wait()
        return (process.output, process.errors, status)
    }

    // MARK: What goes on to other servers

    @Test func whatIsSentOnIsToldAsSuch() throws {
        let real = try TemporaryFolder()
        try real.write(
            "a.yaml",
            """
            GET /one: { proxy: "http://ada:s3cret@real.example/api" }
            POST /p.S/M: { proxy: { to: "http://real.example", http2: true }, delay: 5ms }
            GET /both: { sequence: [{ json: {} }, { proxy: "http://real.example" }] }
            """)
        let (table, _, status) = try ask(["routes", real.path])
        #expect(status == .exited(0) && !table.contains("s3cret"))
        for answer in [
            "sent on to http://real.example/api ", "sent on to http://real.example in HTTP/2, after 5 ms ",
            "2 responses: 200 json, sent on to http://real.example ",
        ] { #expect(table.contains(answer), "\(table)") }
        let (text, _, _) = try ask(["explain", "GET", "/one", real.path])
        #expect(text.contains("GET /one: sent on to http://real.example/api.\n") && !text.contains("s3cret"), "\(text)")
    }

    @Test func whatPassesThroughIsExplained() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}"], ["--pass-through", "http://ada:s3cret@127.0.0.1:1"])
        let (text, _, status) = try ask(["explain", "GET", "/zz", "--url", "http://127.0.0.1:\(daemon.port)"])
        #expect(status == .exited(0))
        let told = "No stub answers GET /zz. No stub matches. What nothing matches is sent on to http://127.0.0.1:1.\n"
        #expect(text == told, "\(text)")
    }

    // MARK: explain

    @Test func theStubThatAnswersIsNamedWithItsReason() throws {
        let (text, _, status) = try ask(["explain", "GET", "/users/me", folder.path])
        #expect(status == .exited(0))
        #expect(
            text == """
                GET /users/me is answered by "me" (\(folder.path)/mappings/shop.yaml:3): 200 file me.json, after 120 ms.
                It precedes the other matching stub: its priority 1 is lower than 5.
                The response is a 500: the body file cannot be served: no file me.json in __files.
                It hides:
                  \(folder.path)/mappings/shop.yaml:1 GET /users/{id}: its priority 1 is lower than 5

                """)
    }

    @Test func differencesFromTheNearestStubAreShown() throws {
        let (text, _, status) = try ask(["explain", "POST", "/orders", "-H", "Accept: text/html", folder.path])
        #expect(status == .exited(1))
        #expect(text.hasPrefix("No stub answers POST /orders. No stub matches.\nNearest:\n"))
        #expect(text.contains("  \(folder.path)/mappings/shop.yaml:4 POST /orders\n    headers Accept: "))
        #expect(text.contains(#"expected contains "json", was "text/html""#))
    }

    @Test func differencesWithinABodyAreShown() throws {
        let request = ["explain", "POST", "/orders", "-H", "Accept: application/json", "-d", #"{"item": "pen"}"#]
        let (text, _, status) = try ask(request + [folder.path])
        #expect(status == .exited(1))
        #expect(text.contains(#"      $.item: expected "book", was "pen""#))
    }

    @Test(arguments: [
        (["/orders"], #"{"item": "book"}"#), (["http://localhost:8080/orders?x=1"], #"{"item": "book"}"#),
        (["/orders"], "@body.json"),
    ])
    func aRequestHasHeadersAndABody(url: [String], data: String) throws {
        try folder.write("__files/body.json", #"{"item": "book"}"#)
        let body = data.hasPrefix("@") ? "@\(folder.path)/__files/body.json" : data
        let asked = try ask(
            ["explain", "POST"] + url
                + ["--header", "Accept: text/html, application/json", "--data", body, folder.path, "--format", "json"])
        #expect(asked.status == .exited(0))
        let document = try JSONValue(parsing: asked.output)
        #expect(document["line"] == 4)
        #expect(document["file"] == "mappings/shop.yaml")
        #expect(document["key"] == "POST /orders")
    }

    @Test func aBadFileIsReportedAndTheOthersAreUsed() throws {
        try folder.write("mappings/bad.yaml", "GET /bad: { staus: 1 }\n")
        let asked = try ask(["explain", "GET", "/users/1", folder.path])
        #expect(asked.status == .exited(0))
        #expect(asked.errors.contains("mappings/bad.yaml:1:13: error:"))
    }

    @Test(arguments: [
        #""$0" explain POST /orders -H Accept:json -d @- "$1""#,
        #"exec 3<"$2"; "$0" explain POST /orders -H Accept:json -d @/dev/fd/3 "$1""#,
        #""$0" explain POST /orders -H Accept:json -d "@$2" "$1" <&-"#,
    ])
    func aBodyWrittenLaterIsAwaited(command: String) throws {
        let pipe = scratch.path + "/pipe"
        // The first part is in the pipe before the reader starts; the rest follows when the reader sleeps.
        let script = #"""
            mkfifo "$2"
            writer() { printf '{"item"'; sleep 0.3; printf ': "book"}'; }
            case '\#(command.contains("@-"))' in
            true) writer | COMMAND ;;
            *) writer > "$2" & COMMAND ;;
            esac
            """#.replacing("COMMAND", with: command)
        let process = try ChildProcess(
            "/bin/sh", ["-c", script, Daemon.binary, folder.path, pipe], outputsIn: scratch)
        #expect(process.wait() == .exited(0), "\(process.errors)")
        #expect(process.output.hasPrefix("POST /orders is answered by"))
    }

    @Test(arguments: [
        ("/t.txt", "GET /t.txt is answered by the file t.txt in __files. No stub matches.\n", 0),
        ("/__files/t.txt", "GET /__files/t.txt is answered by the file t.txt in __files. ", 0),
        ("/__files/x.txt", "No stub answers GET /__files/x.txt. Paths below /__files are body files", 1),
        (
            "/__admin/requests",
            "No stub answers GET /__admin/requests. The admin API answers it, and stubs do not match it.\n", 1
        ),
    ])
    func requestsAnsweredWithoutAStubAreExplained(path: String, text: String, status: Int) throws {
        try folder.write("__files/t.txt", "text")
        let asked = try ask(["explain", "GET", path, folder.path])
        #expect(asked.output.hasPrefix(text), "\(asked.output)")
        #expect(asked.status == .exited(Int32(status)))
    }

    @Test(arguments: [
        (["GET", "/b c/ß#part"], "GET /b%20c/%C3%9F"), (["POST", "/form", "-d", "a=1"], "POST /form"),
        (["POST", "/json", "-d", "a=1", "-H", "content-type: text/plain"], "POST /json"),
    ])
    func aRequestIsReadInTheFormAClientSendsIt(request: [String], key: String) throws {
        try folder.write(
            "mappings/sent.yaml",
            """
            GET /b%20c/%C3%9F: {}
            POST /form: { when: { headers: { Content-Type: application/x-www-form-urlencoded }, form: { a: "1" } } }
            POST /json: { when: { headers: { Content-Type: text/plain } } }
            """)
        let asked = try ask(["explain"] + request + [folder.path, "--format", "json"])
        #expect(try JSONValue(parsing: asked.output)["key"]?.stringValue == key, "\(asked)")
    }

    @Test(arguments: [("api/r", "/api/r"), ("localhost:80/r", "http://localhost:80/r")])
    func aURLWithoutASlashIsNamed(url: String, meant: String) throws {
        let asked = try ask(["explain", "GET", url, folder.path])
        #expect(asked.status == .exited(2))
        #expect(
            asked.errors
                == "stuntdouble: the URL \(url) does not begin with /; did you mean \(meant)?\nTry: write \(meant)\n")
    }

    // MARK: routes

    @Test func theTableShowsWhatEachStubAnswers() throws {
        let (text, _, status) = try ask(["routes", folder.path])
        #expect(status == .exited(0))
        let rows = text.split(separator: "\n").map { line in
            line.split(separator: "  ").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
        }
        let place = folder.path + "/mappings/"
        #expect(
            rows
                == [
                    ["ANY", "~/a.*", "EMPTY_RESPONSE", place + "a.json:1"],
                    ["GET", "/users/{id}", "200 json", place + "shop.yaml:1"],
                    ["GET", "/users/me", "200 file me.json, after 120 ms", place + "shop.yaml:3"],
                    ["POST", "/orders", "201", place + "shop.yaml:4"],
                ].map { $0.map { Substring($0) } })
        // The columns are aligned.
        let columns = text.split(separator: "\n").map { $0.firstRange(of: folder.path)?.lowerBound.utf16Offset(in: $0) }
        #expect(Set(columns).count == 1)
        let document = try JSONValue(parsing: try ask(["routes", folder.path, "--format", "json"]).output)
        let routes = document["routes"]?.arrayValue ?? []
        #expect(routes.map { $0["path"]?.stringValue } == ["~/a.*", "/users/{id}", "/users/me", "/orders"])
        #expect(routes.map { $0["line"]?.intValue } == [1, 1, 3, 4])
        #expect(routes[2]["name"] == "me")
    }

    /// A route for WebSockets is a row for each of its message stubs.
    @Test func theTableShowsWhatMessageStubsDo() throws {
        let chat = try TemporaryFolder()
        try chat.write(
            "chat.yaml",
            """
            WS /chat:
              protocol: v2.chat
              onOpen: [ { send: hello }, { send: again } ]
              on:
                - when: { json: { type: ping } }
                  send: { json: { type: pong } }
                - when: { text: bye }
                  close: 4000
                - echo: true
              every: { 5s: { send: tick } }
              close: { after: 10, code: 1011 }
            """)
        try chat.write(
            "message-mappings/a.json",
            """
            {"trigger": {"type": "http-request", "requestPattern": {"url": "/order"}},
             "actions": [{"type": "send", "message": {"body": {"data": "x"}}}]}
            """)
        let rows = [
            ["WS", "/chat", "on open: sends 2 messages, speaks v2.chat, closes with 1011 after 10 messages"],
            ["WS", "/chat", "sends 1 message"], ["WS", "/chat", "closes with 4000"], ["WS", "/chat", "echoes"],
            ["WS", "/chat", "every 5s: sends 1 message"], ["ANY", "/order", "on a request: sends 1 message"],
        ]
        let asked = try ask(["routes", chat.path, "--format", "json"])
        #expect(asked.status == .exited(0), "\(asked.errors)")
        let routes = try JSONValue(parsing: asked.output)["routes"]?.arrayValue ?? []
        let shown = routes.map { row in ["method", "path", "answers"].map { row[$0]?.stringValue ?? "" } }
        #expect(Set(shown) == Set(rows), "\(shown)")
        #expect(routes.allSatisfy { $0["file"] != nil && $0["line"] != nil }, "\(asked.output)")
        let daemon = try Daemon(serving: chat.path)
        let running = try ask(["routes", "--url", "\(daemon.port)", "--format", "json"])
        let told = try JSONValue(parsing: running.output)["routes"]?.arrayValue ?? []
        #expect(Set(told.map { row in ["method", "path", "answers"].map { row[$0]?.stringValue ?? "" } }) == Set(rows))
        #expect(try ask(["routes", "--url", "\(daemon.port)"]).status == .exited(0))
    }

    @Test func aRouteIsOneLineWhateverItsFileIsCalled() throws {
        try folder.write("mappings/x\n::error::y.yaml", "GET /odd: {}\n")
        let (text, _, status) = try ask(["routes", folder.path])
        let lines = text.split(separator: "\n").filter { $0.contains("/odd") && $0.contains("y.yaml:1") }
        #expect(status == .exited(0) && lines.count == 1, "\(text)")
    }

    /// The key of a route as it is written, with the values of parameters that may be anything.
    @Test func aKeyKeepsItsQuery() throws {
        try folder.write(
            "mappings/shop.yaml",
            """
            GET /q?a={any}&b=1&b={any}&c: {}
            GET /w?q={any}&lang=en: { when: { query: { q: { matches: "[a-z]+" }, lang: { contains: e } } } }
            """)
        try folder.write(
            "mappings/a.json",
            #"{"request": {"url": "/n", "queryParameters": {"x": {"absent": true}, "y": {"contains": "1"}, "#
                + #""z": {"equalToJson": "[]"}}}}"#)
        let document = try JSONValue(parsing: try ask(["routes", folder.path, "--format", "json"]).output)
        #expect(
            document["routes"]?.arrayValue?.map { $0["path"]?.stringValue } == [
                "/n?y={any}&z={any}", "/q?a={any}&b=1&b={any}&c={any}", "/w?q={any}&lang=en",
            ])
    }

    @Test func aFolderWithoutStubsIsReportedOnce() throws {
        let empty = try TemporaryFolder()
        let asked = try ask(["routes", empty.path])
        #expect(asked.status == .exited(1))
        #expect(asked.output.isEmpty)
        #expect(asked.errors.hasPrefix("no stubs: searched \(empty.path) (no stub files) for names that end in "))
        #expect(asked.errors.split(separator: "\n").count == 1)
        let daemon = try Daemon()
        let running = try ask(["routes", "--url", "\(daemon.port)"])
        #expect(running.status == .exited(1))
        #expect(running.output + running.errors == "no stubs\n")
    }

    @Test func aTableWithoutTheBadStubsFails() throws {
        try folder.write("mappings/bad.yaml", "GET /good: {}\nGET /bad: { staus: 1 }\n")
        let asked = try ask(["routes", folder.path])
        #expect(asked.status == .exited(1))
        #expect(asked.output.contains("/good"))
        #expect(asked.errors.contains("mappings/bad.yaml:2:13: error:"))
    }

    // MARK: A running daemon

    @Test(arguments: [["--admin-token", "secret"], ["--admin-api-basic-auth", "ada:secret"]])
    func aRunningDaemonCanBeQueried(credentials: [String]) throws {
        let daemon = try Daemon(files: Self.files, credentials)
        let url = ["--url", "http://127.0.0.1:\(daemon.port)"]
        let refused = try ask(["routes"] + url)
        #expect(refused.status == .exited(2))
        #expect(refused.errors.contains("requires --admin-token or --admin-api-basic-auth"))
        let wrong = try ask(["routes"] + url + [credentials[0], credentials[1] + "x"])
        #expect(
            wrong.errors.contains("rejects this \(credentials[0])\nTry: give \(credentials[0]) as the daemon has it\n"))
        let routes = try ask(["routes"] + url + credentials)
        #expect(routes.output.contains("  \(daemon.folder.path)/mappings/shop.yaml:4\n"))
        #expect(routes.output.split(separator: "\n").count == 4)
        let explained = try ask(["explain", "GET", "/users/1"] + url + credentials)
        #expect(explained.status == .exited(0))
        #expect(
            explained.output.contains(
                "answered by \(daemon.folder.path)/mappings/shop.yaml:1 GET /users/{id}: 200 json."))
        #expect(try ask(["explain", "GET", "/user/1"] + url + credentials).status == .exited(1))
    }

    @Test func stubsOfTheAdminAPIAreListedToo() throws {
        let daemon = try Daemon(files: ["a.yaml": "GET /a: {}\n"])
        try daemon.admin(
            "POST", "/mappings", #"{"request": {"method": "GET", "url": "/b?x=1"}, "response": {"body": "b"}}"#)
        let routes = try ask(["routes", "--url", "localhost:\(daemon.port)"])
        #expect(
            routes.output
                == "GET  /a      200       \(daemon.folder.path)/a.yaml:1\nGET  /b?x=1  200 text  (admin API)\n")
    }

    @Test func aMissingSessionIsNamed() throws {
        let daemon = try Daemon()
        let asked = try ask(["explain", "GET", "/", "--url", "http://127.0.0.1:\(daemon.port)/__session/none"])
        #expect(asked.status == .exited(2))
        #expect(
            asked.errors.contains("/__session/none: There is no session `none`\nTry: name a session of those at "),
            "\(asked.errors)")
    }

    /// Stubs answer in the daemon's place.
    @Test(arguments: [
        ("/chunked", "GET  /c  200  (admin API)\n", 0, ""), ("/length", "GET  /c  200  (admin API)\n", 0, ""),
        ("/none", "", 2, "has no /requests/counters"), ("/text", "", 2, "did not return JSON"),
        ("/broken", "", 2, "sent no complete HTTP response"), ("/cut", "", 2, "sent no complete HTTP response"),
        ("/identifier", "", 2, "has no /requests/counters"), ("/wrong", "", 2, "answered 503: busy"),
    ])
    func everyKindOfAnswerIsHandled(path: String, output: String, status: Int, error: String) throws {
        let mappings = #"{ mappings: [{ request: { method: GET, url: /c }, response: { status: 200 } }] }"#
        let daemon = try Daemon(files: [
            "a.yaml": """
            GET /chunked/__admin/requests/counters: { json: { stubs: [] } }
            GET /chunked/__admin/message-mappings: { json: { messageMappings: [] } }
            GET /chunked/__admin/mappings: { json: \(mappings), dribble: { chunks: 5, over: 20ms } }
            GET /length/__admin/requests/counters: { headers: { Content-Length: "12" }, body: '{"stubs":[]}' }
            GET /length/__admin/message-mappings: { json: { messageMappings: [] } }
            GET /length/__admin/mappings: { json: \(mappings) }
            GET /text/__admin/requests/counters: { body: hello }
            GET /broken/__admin/requests/counters: { fault: EMPTY_RESPONSE }
            GET /cut/__admin/requests/counters: { fault: MALFORMED_RESPONSE_CHUNK }
            GET /identifier/__admin/requests/counters: { status: 422, json: { errors: [] } }
            GET /wrong/__admin/requests/counters: { status: 503, body: busy }
            """
        ])
        let asked = try ask(["routes", "--url", "http://127.0.0.1:\(daemon.port)\(path)"])
        #expect(asked.status == .exited(Int32(status)))
        #expect(asked.output == output)
        #expect(asked.errors.contains(error))
    }

    @Test func aRefusedConnectionIsReported() throws {
        let port = TestPort.free()
        let asked = try ask(["explain", "GET", "/", "--url", "http://127.0.0.1:\(port)"])
        #expect(asked.status == .exited(2))
        #expect(
            asked.errors == """
                stuntdouble: cannot connect to http://127.0.0.1:\(port): Connection refused
                Try: stuntdouble wait http://127.0.0.1:\(port), or start it: stuntdouble --port \(port) mocks

                """)
        let unknown = try ask(["routes", "--url", "http://no-such-host.invalid"])
        #expect(unknown.status == .exited(2))
        #expect(unknown.errors.hasPrefix("stuntdouble: cannot connect to http://no-such-host.invalid: "))
    }
}
