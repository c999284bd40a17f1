import Foundation
import SDJSON
import SDJournal
import SDMatching
import SDMockEngine
import SDStubModel
import SDStubs
import SDTestSupport
import Testing

/// Templates as users meet them: in stub files, over the admin API, in body files and headers, and the daemon's
/// options.
@Suite struct TemplateStubTests {
    private static let stub = #"""
        {"request": {"urlPathTemplate": "/users/{id}"}, "response": {
          "headers": {"X-Page": "{{request.query.page}}", "Location": "{{request.baseUrl}}/users/{{request.path.id}}"},
          "jsonBody": {"id": "{{request.path.id}}", "host": "{{request.host}}"}, "transformers": ["response-template"]}}
        """#

    @Test func bodyAndHeadersAreRendered() throws {
        let mock = try TestMock()
        try mock.add(Self.stub)
        let answer = try Exchange(mock.port, "GET", "/users/42?page=3", headers: [("Host", "example.org")])
        #expect(answer.json == ["id": "42", "host": "example.org"])
        #expect(answer.header("X-Page") == "3")
        #expect(answer.header("Location") == "http://example.org/users/42")
        // The journal has what was sent.
        let events = try Exchange(mock.port, "GET", "/__admin/requests").json?["requests"]
        #expect(events?[0]?["response"]?["body"]?.stringValue == #"{"id":"42","host":"example.org"}"#)
    }

    @Test func aBodyFileAndItsNameAreRendered() throws {
        let mock = try TestMock(files: ["ann.txt": "Hello {{request.path.1}}", "raw.txt": "{{request.path}}"])
        try mock.add(
            #"{"request": {"urlPathPattern": "/hello/.*"}, "response": {"bodyFileName": "{{request.path.1}}.txt", "transformers": ["response-template"]}}"#
        )
        try mock.add(
            #"{"request": {"url": "/raw"}, "response": {"bodyFileName": "raw.txt", "transformers": ["response-template"], "transformerParameters": {"disableBodyFileTemplating": true}}}"#
        )
        #expect(try Exchange(mock.port, "GET", "/hello/ann").text == "Hello ann")
        #expect(try Exchange(mock.port, "GET", "/raw").text == "{{request.path}}")
        let missing = try Exchange(mock.port, "GET", "/hello/bob")
        #expect(missing.status == 500 && missing.text.contains("bob.txt"))
    }

    /// What is found on a short way is what is found from member to member.
    @Test(arguments: [
        "request.path.id", "request.path.0", "request.path.other", "request.pathSegments.id", "request.path.this",
        "request.query.a", "request.query.a.1", "request.query.b", "request.query.none", "request.query.[a b]",
        "request.query.this", "request.headers.x-one", "request.headers.X-ONE", "request.headers.X-Two",
        "request.headers.X-Two.1", "request.headers.none", "request.headers.this", "request.cookies.c", "path.id",
        "path.none", "path.this", "request.headers.X-One.length",
    ])
    func aShortWayLeadsToTheSameValue(path: String) throws {
        let mock = try TestMock()
        let around = path.split(separator: ".", maxSplits: 1)
        let body =
            "{{\(path)}}|{{#each \(path)}}<{{this}}>{{/each}}|{{#if \(path)}}y{{/if}}§"
            + "{{#with \(around[0])}}{{\(around[1])}}|{{#each \(around[1])}}<{{this}}>{{/each}}|{{#if \(around[1])}}y{{/if}}{{/with}}"
        try mock.add(
            #"{"request": {"urlPathTemplate": "/users/{id}/{this}"}, "response": {"body": "\#(body)", "transformers": ["response-template"]}}"#
        )
        let answer = try Exchange(
            mock.port, "GET", "/users/4%202/7?a=1&a=2%20x&b&a%20b=c&=d&this=t",
            headers: [("X-One", "1"), ("x-two", "é"), ("X-Two", "b"), ("This", "h"), ("Cookie", "c=d")])
        #expect(answer.status == 200)
        let halves = answer.text.split(separator: "§", maxSplits: 1, omittingEmptySubsequences: false)
        #expect(halves.count == 2 && halves[0] == halves[1], "\(answer.text)")
    }

    @Test func onlyStubsThatAskForItAreTemplates() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/a"}, "response": {"body": "{{request.path}}"}}"#)
        try mock.add(
            #"{"request": {"url": "/b"}, "response": {"body": "{{request.path}}", "transformers": ["Response-Template", "other"]}}"#
        )
        #expect(try Exchange(mock.port, "GET", "/a").text == "{{request.path}}")
        #expect(try Exchange(mock.port, "GET", "/b").text == "{{request.path}}")
    }

    @Test(arguments: [
        ([String](), "{{request.path}}", "/b"), (["--global-response-templating"], "/a", "/b"),
        (["--disable-response-templating", "--global-response-templating"], "{{request.path}}", "{{request.path}}"),
    ])
    func optionsSayWhatIsATemplate(options: [String], plain: String, marked: String) throws {
        let daemon = try RunningDaemon(
            files: [
                "mappings/a.json": #"{"request": {"url": "/a"}, "response": {"body": "{{request.path}}"}}"#,
                "mappings/b.json":
                    #"{"request": {"url": "/b"}, "response": {"body": "{{request.path}}", "transformers": ["response-template"]}}"#,
            ], arguments: ["--no-watch"] + options)
        #expect(try Exchange(daemon.port, "GET", "/a").text == plain)
        #expect(try Exchange(daemon.port, "GET", "/b").text == marked)
    }

    /// As in WireMock, whoever adds such a stub learns of it with the first answer.
    @Test func anUnreadableTemplateIsA500() throws {
        let mock = try TestMock()
        try mock.add(
            #"{"request": {"url": "/a"}, "response": {"body": "ok\n{{#if}}", "transformers": ["response-template"]}}"#)
        let answer = try Exchange(mock.port, "GET", "/a")
        #expect(answer.status == 500)
        #expect(answer.text.contains("`body`") && answer.text.contains("line 2, column 1"), "\(answer.text)")
        #expect(try Exchange(mock.port, "GET", "/__admin/mappings").json?["meta"]?["total"]?.intValue == 1)
    }

    /// The log tells of what a template asks for in vain when its file is read.
    @Test(
        arguments: [
            (
                "{{request.quary.x}}",
                "`request` has no `quary`, so `request.quary.x` is nothing"
            ),
            (
                "{{request.url}}{{request.path}",
                "`{{request.path}` does not end, and is sent as it stands"
            ),
            ("{{request.query.x}}", nil),
        ] as [(String, String?)])
    func namesThatNothingHasAreAWarning(body: String, message: String?) throws {
        let mock = try TestMock()
        let mapping = try StubMapping(json: [
            "response": ["body": .string(body), "transformers": ["response-template"]]
        ])
        let prepared = mock.session.prepare([mapping])
        #expect(prepared.refusals.isEmpty)
        #expect(prepared.startProblems.map(\.problem.message) == (message.map { [$0] } ?? []))
    }

    /// The author of a file learns of it when the file is read.
    @Test func anUnreadableTemplateOfAFileIsAnError() throws {
        let mock = try TestMock()
        let mapping = try StubMapping(
            json: JSONValue(
                parsing: #"{"response": {"headers": {"X-A": "{{#if}}"}, "transformers": ["response-template"]}}"#))
        let prepared = mock.session.prepare([mapping])
        guard case .unserved(_, let problems)? = prepared.refusals.first else {
            Issue.record("it is not refused")
            return
        }
        #expect(problems.map(\.pointer.text) == ["/response/headers/X-A"])
        #expect(problems.first?.message.contains("line 1, column 1") == true)
    }

    @Test func theStatusMessageAndTheDelayAreRendered() throws {
        let mock = try TestMock()
        try mock.add(
            #"{"request": {"urlPath": "/a"}, "response": {"status": 201, "statusMessage": "Made {{request.query.n}}", "body": "x", "fixedDelayMilliseconds": "{{request.query.wait}}", "transformers": ["response-template"]}}"#
        )
        let client = try RawClient(port: mock.port)
        try client.send("GET /a?n=3&wait=40ms HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(client.receiveAll(within: 10_000).text.hasPrefix("HTTP/1.1 201 Made 3\r\n"))
        let bad = try Exchange(mock.port, "GET", "/a?wait=soon")
        #expect(bad.status == 500 && bad.text.contains("\"soon\""), "\(bad.text)")
        for (wait, milliseconds) in [("25", 25), ("0.03s", 30), ("7.4", 7), ("-5", 0)] {
            _ = try Exchange(mock.port, "GET", "/a?wait=\(wait)")
            let event = try mock.admin("GET", "/requests")["requests"]?[0]
            #expect(event?["timing"]?["addedDelay"]?.intValue == milliseconds, "\(wait)")
        }
        #expect(mock.session.events.map(\.addedDelay).contains(40_000_000))
    }

    /// A delay of a response that is no template otherwise, and of one that breaks off.
    @Test func aDelayAloneIsRendered() throws {
        let mock = try TestMock()
        try mock.add(
            #"{"request": {"urlPath": "/a"}, "response": {"body": "{{request.path}}", "fixedDelayMilliseconds": "{{request.query.w}}"}}"#
        )
        try mock.add(
            #"{"request": {"urlPath": "/b"}, "response": {"fault": "EMPTY_RESPONSE", "fixedDelayMilliseconds": "{{request.query.w}}"}}"#
        )
        #expect(try Exchange(mock.port, "GET", "/a?w=12").text == "{{request.path}}")
        let client = try RawClient(port: mock.port)
        try client.send("GET /b?w=13 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(client.receiveAll(within: 10_000).bytes.isEmpty)
        #expect(mock.session.events.map(\.addedDelay) == [13_000_000, 12_000_000])
    }

    @Test func aRouteIsATemplateUnlessItSaysOtherwise() throws {
        let daemon = try RunningDaemon(
            files: [
                "mappings/a.yaml": """
                GET /users/{id}: { json: { id: "{{path.id}}", same: "{{request.path.id}}" } }
                GET /raw: { body: "{{request.path}}", template: false }
                GET /file: { file: "{{request.query.name}}.txt" }
                GET /whole: { file: a.txt, template: true }
                GET /pixel: { base64: e3tyZXF1ZXN0LnBhdGh9fQ== }
                """, "__files/a.txt": "{{request.path}}",
            ], arguments: ["--no-watch", "--global-response-templating"])
        #expect(try Exchange(daemon.port, "GET", "/users/7").json == ["id": "7", "same": "7"])
        #expect(try Exchange(daemon.port, "GET", "/raw").text == "{{request.path}}")
        #expect(try Exchange(daemon.port, "GET", "/file?name=a").text == "{{request.path}}")
        #expect(try Exchange(daemon.port, "GET", "/whole").text == "/whole")
        #expect(try Exchange(daemon.port, "GET", "/pixel").text == "{{request.path}}")
    }

    @Test(arguments: [
        ("{{path.id}}", "7"), ("{{path.none}}", ""), ("{{path}}", "{id=7}"), ("{{#with path}}{{id}}{{/with}}", "7"),
        ("{{#with parameters}}{{path}}{{/with}}", "own"),
    ])
    func variablesOfThePathHaveAShortName(template: String, expected: String) throws {
        let mock = try TestMock()
        let stub: JSONValue = [
            "request": ["urlPathTemplate": "/users/{id}"],
            "response": [
                "body": .string(template), "transformers": ["response-template"],
                "transformerParameters": ["path": "own"],
            ],
        ]
        try mock.add(stub.compactText)
        #expect(try Exchange(mock.port, "GET", "/users/7").text == expected)
    }

    @Test(arguments: [
        ("{{journal 'POST /orders' '$.item'}}", "ink"), ("{{journal 'POST /orders' '$.item' nth=2}}", "pen"),
        ("{{journal 'POST /orders' '$.item' nth=3 default='none'}}", "none"),
        ("{{journal 'ANY /orders/{id}' 'path.id'}}", "5"), ("{{journal 'GET /orders/{id}' 'request'}}", ""),
        ("{{journal 'POST /orders' 'headers.X-A'}}", "two"), ("{{journal 'POST /orders' 'body'}}", #"{"item": "ink"}"#),
        ("{{journal 'GET /now' 'url' default='not itself'}}", "not itself"),
        ("{{journal 'POST'}}", "[ERROR: journal needs a request and a field: journal 'POST /users' '$.name']"),
        ("{{journal '/a' 'url'}}", "[ERROR: no method and path such as 'POST /users': /a]"),
        ("{{journal}}", ""),
    ])
    func earlierRequestsAreRead(template: String, expected: String) throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"urlPathPattern": "/orders.*"}}"#)
        let stub: JSONValue = [
            "request": ["url": "/now"],
            "response": ["body": .string(template), "transformers": ["response-template"]],
        ]
        try mock.add(stub.compactText)
        for (item, header) in [("pen", "one"), ("ink", "two")] {
            _ = try Exchange(
                mock.port, "POST", "/orders", headers: [("X-A", header)], body: #"{"item": "\#(item)"}"#)
        }
        _ = try Exchange(mock.port, "DELETE", "/orders/5")
        #expect(try Exchange(mock.port, "GET", "/now").text == expected)
    }

    @Test(arguments: [
        (#"{"frozen": "2026-03-01T12:00:00Z"}"#, "{{now}}", "2026-03-01T12:00:00Z"),
        (#"{"frozen": "2026-03-01T12:00:00+02:00"}"#, "{{now offset='1 days'}}", "2026-03-02T10:00:00Z"),
        (#"{"from": "2026-03-01T12:00:00Z", "rate": 0}"#, "{{now format='yyyy-MM-dd'}}", "2026-03-01"),
        (#"{"from": "2026-03-01T12:00:00Z", "rate": 0, "offset": "-3 days"}"#, "{{now}}", "2026-02-26T12:00:00Z"),
    ])
    func aSessionHasAClockOfItsOwn(clock: String, template: String, expected: String) throws {
        let mock = try TestMock()
        try mock.add(
            #"{"request": {"url": "/now"}, "response": {"body": "\#(template)", "transformers": ["response-template"]}}"#
        )
        try mock.add(
            #"{"request": {"urlPath": "/old", "queryParameters": {"at": {"before": "now"}}}, "response": {"body": "old"}}"#
        )
        _ = try mock.admin("PUT", "/settings", #"{"settings": {"clock": \#(clock)}}"#)
        #expect(try Exchange(mock.port, "GET", "/now").text == expected)
        #expect(try mock.admin("GET", "/settings")["settings"]?["clock"] == JSONValue(parsing: clock))
        // Matchers have the same clock.
        #expect(try Exchange(mock.port, "GET", "/old?at=2026-02-26T11:59:59Z").status == 200)
        #expect(try Exchange(mock.port, "GET", "/old?at=2026-03-01T12:00:01Z").status == 404)
        // So does the report on what did not match.
        let report = try Exchange(mock.port, "GET", "/olds?at=2026-03-02T12:00:01Z").text
        #expect(report.contains("Query does not match"), "\(report)")
        _ = try mock.admin("PUT", "/settings", "{}")
        #expect(try Exchange(mock.port, "GET", "/now").text != expected)
        #expect(try mock.admin("GET", "/settings")["settings"]?["clock"] == nil)
    }

    @Test(arguments: [
        (#"{"frozen": "yesterday"}"#, "an instant"), (#"{"rate": -1}"#, "a rate"), (#"{"offset": "3"}"#, "an offset"),
        (#"{"frozen": "2026-03-01T12:00:00Z", "rate": 2}"#, "a frozen clock"), (#"{"froze": 1}"#, "frozen"),
        ("{}", "not a clock"),
        ("5", "not a clock"),
    ])
    func aClockThatIsNoneIsRefused(clock: String, words: String) throws {
        let mock = try TestMock()
        let answer = try Exchange(mock.port, "PUT", "/__admin/settings", body: #"{"clock": \#(clock)}"#)
        #expect(answer.status == 422 && answer.text.contains(words), "\(answer.text)")
    }

    @Test func sameRequestsDrawSameNumbersFromASeed() throws {
        func texts() throws -> [String] {
            var options = SessionOptions()
            options.seed = 5
            let mock = try TestMock(session: options)
            try mock.add(
                #"{"request": {"url": "/a"}, "response": {"body": "{{randomValue}} {{randomInt}}", "transformers": ["response-template"]}}"#
            )
            return try (0..<3).map { _ in try Exchange(mock.port, "GET", "/a").text }
        }
        let first = try texts()
        #expect(Set(first).count == 3)
        #expect(try texts() == first)
    }

    /// A template that takes more than a loop has time for is rendered beside it, and ends at the budget.
    @Test func aDearTemplateEndsAtTheBudget() throws {
        var options = SessionOptions()
        options.matchBudget = 20_000_000
        let mock = try TestMock(session: options)
        let loop = "{{#each (range 1 1000)}}"
        try mock.add(
            #"{"name": "dear", "request": {"url": "/dear"}, "response": {"body": "\#(loop)\#(loop)\#(loop)x{{/each}}{{/each}}{{/each}}", "transformers": ["response-template"]}}"#
        )
        try mock.add(#"{"request": {"url": "/cheap"}, "response": {"body": "cheap"}}"#)
        let dear = try RawClient(port: mock.port)
        try dear.send("GET /dear HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(try Exchange(mock.port, "GET", "/cheap").text == "cheap")
        let answer = dear.receiveAll(within: 30_000).text
        #expect(answer.hasPrefix("HTTP/1.1 500 "), "\(answer)")
        for part in ["20 ms", "template helper", #"the stub "dear""#, "--match-budget"] {
            #expect(answer.contains(part), "\(answer)")
        }
    }

    /// What a template makes of a large body is made beside the loop.
    @Test func aLargeBodyIsReadBesideTheLoop() throws {
        let mock = try TestMock()
        try mock.add(
            #"{"request": {"url": "/large"}, "response": {"body": "{{size (replace request.body 'a' 'bc')}}", "transformers": ["response-template"]}}"#
        )
        let body = String(repeating: "a", count: 2_000_000)
        #expect(try Exchange(mock.port, "POST", "/large", body: body).text == "4000000")
    }
}
