import Foundation
import JSON
import MockEngine
import StubModel
import TestSupport
import Testing

/// Templates as users meet them: in stub files, over the admin API, in body files and headers, and the daemon's options.
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
        #expect(problems.map(\.pointer.text) == ["/response/headers"])
        #expect(problems.first?.message.contains("line 1, column 1") == true)
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
            #"{"request": {"url": "/dear"}, "response": {"body": "\#(loop)\#(loop)\#(loop)x{{/each}}{{/each}}{{/each}}", "transformers": ["response-template"]}}"#
        )
        try mock.add(#"{"request": {"url": "/cheap"}, "response": {"body": "cheap"}}"#)
        let dear = try RawClient(port: mock.port)
        try dear.send("GET /dear HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(try Exchange(mock.port, "GET", "/cheap").text == "cheap")
        let answer = dear.receiveAll(within: 30_000).text
        #expect(answer.hasPrefix("HTTP/1.1 500 ") && answer.contains("more than its time"), "\(answer)")
    }
}
