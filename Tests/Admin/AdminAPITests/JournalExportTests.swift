import Foundation
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel
import SDTestSupport
import Testing

/// Exports of the journal for other programs: HAR, curl, and bodies that are kept shortened.
@Suite struct JournalExportTests {
    private func newestID(_ mock: TestMock) throws -> String {
        let list = try Exchange(mock.port, "GET", "/__admin/requests?limit=1")
        return try #require(list.json?["requests"]?[0]?["id"]?.stringValue)
    }

    private func curl(_ mock: TestMock) throws -> String {
        let answer = try Exchange(mock.port, "GET", "/__admin/requests/\(try newestID(mock))/curl")
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "text/plain;charset=UTF-8")
        return answer.text
    }

    private func runInShell(_ command: String) throws -> Int32 {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", command]
        shell.standardOutput = FileHandle.nullDevice
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        shell.waitUntilExit()
        return shell.terminationStatus
    }

    // MARK: curl

    private static let requests: [(method: String, target: String, headers: [(String, String)], body: String)] = [
        ("GET", "/a", [], ""),
        ("GET", "/a?q=it's&r=[1]&s={x,y}&t=$HOME`id`", [("X-Quote", "it's \"quoted\" $HOME `id` \\")], ""),
        ("HEAD", "/head", [], ""),
        ("DELETE", "/a/../b/./c", [("X-Empty", ""), ("X-Two", "1"), ("X-Two", "2")], ""),
        ("POST", "/json", [("Content-Type", "application/json")], "{\"it's\": \"@home\"}\n"),
        ("PUT", "/file", [("User-Agent", "mine")], "@/etc/passwd"),
        ("POST", "/lines", [("Accept", "*/*")], "one\r\ntwo\n\n"),
        ("POST", "/nul", [("Content-Type", "application/octet-stream")], "a\0b%s\\n'"),
        ("PATCH", "/unicode", [("Content-Type", "text/plain")], "Grüße 👋"),
        ("PROPFIND", "/other", [("Host", "example.test:81")], "<x/>"),
    ]

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "there is no curl"),
        arguments: 0..<10)
    func theCommandSendsTheSameRequestAgain(number: Int) throws {
        let sent = Self.requests[number]
        let mock = try TestMock()
        try mock.add(#"{"request": {"urlPattern": ".*"}}"#)
        var head = "\(sent.method) \(sent.target) HTTP/1.1\r\n"
        if !sent.headers.contains(where: { $0.0 == "Host" }) { head += "Host: localhost\r\n" }
        for (name, value) in sent.headers { head += "\(name): \(value)\r\n" }
        let length = sent.body.isEmpty ? "" : "Content-Length: \(sent.body.utf8.count)\r\n"
        let client = try RawClient(port: mock.port)
        try client.send(Array((head + length + "Connection: close\r\n\r\n" + sent.body).utf8))
        _ = client.receiveAll(within: 10_000)
        let command = try curl(mock)
        mock.session.clearJournal()
        #expect(try runInShell(command) == 0, "\(command)")
        let event = try #require(mock.session.events.first, "\(command)")
        let again = event.request
        #expect(String(decoding: again.method, as: UTF8.self) == sent.method)
        #expect(String(decoding: again.target, as: UTF8.self) == sent.target)
        #expect(Array(again.body) == Array(sent.body.utf8))
        func lines(_ pairs: [(String, String)]) -> [String] {
            pairs.filter { !["connection", "content-length"].contains($0.0.lowercased()) }.map { "\($0): \($1)" }
                .sorted()
        }
        var expected = sent.headers
        if !expected.contains(where: { $0.0 == "Host" }) { expected.append(("Host", "localhost")) }
        let received = again.headers.map {
            (String(decoding: $0.name, as: UTF8.self), String(decoding: $0.value, as: UTF8.self))
        }
        #expect(lines(received) == lines(expected), "\(command)")
    }

    @Test func anUnknownEventHasNoCommand() throws {
        let mock = try TestMock()
        let none = "99999999-9999-4999-8999-999999999999"
        #expect(try Exchange(mock.port, "GET", "/__admin/requests/\(none)/curl").status == 404)
        #expect(try Exchange(mock.port, "GET", "/__admin/requests/x/curl").status == 400)
    }

    // MARK: HAR

    @Test func aHARListsRequestsAndAnswersInOrder() throws {
        let mock = try TestMock()
        try mock.add(
            #"{"name": "ok", "request": {"urlPath": "/ok"}, "response": {"status": 201, "body": "fine", "headers": {"Content-Type": "text/plain"}}}"#
        )
        try mock.add(#"{"request": {"url": "/binary"}, "response": {"base64Body": "/wD+"}}"#)
        _ = try Exchange(
            mock.port, "POST", "/ok?q=1", headers: [("Cookie", "k=v"), ("Content-Type", "text/plain")], body: "hello")
        _ = try Exchange(mock.port, "GET", "/binary")
        _ = try Exchange(mock.port, "GET", "/none")
        let har = try #require(try Exchange(mock.port, "GET", "/__admin/requests?format=har").json?["log"])
        #expect(har["version"] == "1.2")
        #expect(har["creator"]?["name"] == "Stunt Double")
        let entries = try #require(har["entries"]?.arrayValue)
        #expect(entries.map { $0["_sequence"]?.intValue } == [1, 2, 3])
        #expect(entries.map { $0["response"]?["status"]?.intValue } == [201, 200, 404])
        #expect(entries[0]["_stub"] == "ok")
        #expect(entries[0]["request"]?["url"]?.stringValue?.hasSuffix("/ok?q=1") == true)
        #expect(entries[0]["request"]?["queryString"] == [["name": "q", "value": "1"]])
        #expect(entries[0]["request"]?["cookies"] == [["name": "k", "value": "v"]])
        #expect(entries[0]["request"]?["postData"] == ["mimeType": "text/plain", "text": "hello"])
        #expect(entries[0]["response"]?["content"] == ["size": 4, "mimeType": "text/plain", "text": "fine"])
        #expect(
            entries[1]["response"]?["content"]
                == ["size": 3, "mimeType": "", "text": "/wD+", "encoding": "base64"])
        #expect(entries[2]["response"]?["content"]?["text"]?.stringValue?.contains("not matched") == true)
        for entry in entries {
            let keys = Set(entry.objectValue?.members.map(\.key) ?? [])
            #expect(keys.isSuperset(of: ["startedDateTime", "time", "request", "response", "cache", "timings"]))
        }
        let limited = try Exchange(mock.port, "GET", "/__admin/requests?format=HAR&limit=1&unmatched=true").json
        #expect(limited?["log"]?["entries"]?.arrayValue?.count == 1)
        #expect(try Exchange(mock.port, "GET", "/__admin/requests?format=xml").status == 400)
    }

    @Test func aHARHasTheStatusMessageThatWasSent() throws {
        let mock = try TestMock()
        try mock.add(
            #"{"request": {"url": "/a"}, "responses": [{"statusMessage": "First"}, {"status": 503, "statusMessage": "Then"}]}"#
        )
        for _ in 0..<3 { _ = try Exchange(mock.port, "GET", "/a") }
        let har = try #require(try Exchange(mock.port, "GET", "/__admin/requests?format=har").json?["log"])
        let responses = try #require(har["entries"]?.arrayValue).map { $0["response"] }
        #expect(responses.map { $0?["status"]?.intValue } == [200, 503, 503])
        #expect(responses.map { $0?["statusText"]?.stringValue } == ["First", "Then", "Then"])
    }

    // MARK: Secrets

    @Test func secretsAreHiddenInExportsAndNotInWireMocksAnswers() throws {
        var options = SessionOptions()
        options.redaction = Redaction(["X-Api-Key", "token"])
        let mock = try TestMock(session: options)
        try mock.add(
            #"{"request": {"urlPath": "/a"}, "response": {"headers": {"Set-Cookie": "session=s3cret", "X": "shown"}}}"#)
        let secret = "s3cret"
        _ = try Exchange(
            mock.port, "GET", "/a?token=\(secret)&Token=\(secret)&page=2",
            headers: [
                ("Authorization", "Bearer \(secret)"), ("Cookie", "session=\(secret)"), ("x-api-key", secret),
                ("X-Shown", "shown"),
            ])
        let har = try Exchange(mock.port, "GET", "/__admin/requests?format=har").text
        let command = try curl(mock)
        for text in [har, command] {
            #expect(!text.contains(secret), "\(text)")
            #expect(text.contains("(redacted)") && text.contains("shown") && text.contains("page=2"))
        }
        let event = try Exchange(mock.port, "GET", "/__admin/requests").text
        #expect(event.contains("Bearer \(secret)") && event.contains("/a?token=\(secret)"))
    }

    @Test(arguments: [
        ("/a", "/a"), ("/a?", "/a?"), ("/a?k", "/a?k"), ("/a?k=1&l=2&k=", "/a?k=(redacted)&l=2&k="),
        ("/a?K=1=2&&=3", "/a?K=(redacted)&&=3"),
    ])
    func secretParametersOfAURLAreHidden(url: String, shown: String) {
        #expect(Redaction(["k"]).text(url) == shown)
    }

    // MARK: Long bodies

    @Test func aLongRequestBodyIsTruncatedAndMarked() throws {
        var options = SessionOptions()
        options.journalBodyLimit = 1_000
        let mock = try TestMock(session: options)
        let body = String(repeating: "a", count: 500_000) + "end"
        try mock.add(
            #"{"request": {"method": "POST", "bodyPatterns": [{"endsWith": "end"}]}, "response": {"status": 201}}"#)
        #expect(try Exchange(mock.port, "POST", "/x", headers: [("X-Kept", "yes")], body: body).status == 201)
        #expect(try Exchange(mock.port, "POST", "/x", body: String(repeating: "b", count: 1_000)).status == 404)
        let events = mock.session.events
        // The request's memory itself has shrunk.
        #expect(events.allSatisfy { $0.request.byteCount < 3_000 })
        #expect(String(decoding: events[1].request.header(Array("x-kept".utf8)) ?? [], as: UTF8.self) == "yes")
        let shown = try #require(try Exchange(mock.port, "GET", "/__admin/requests").json?["requests"]?.arrayValue)
        #expect(shown[1]["request"]?["body"]?.stringValue?.utf8.count == 1_000)
        #expect(shown[1]["request"]?["bodyTruncatedFrom"] == 500_003)
        #expect(shown[1]["subEvents"]?[0]?["type"] == "WARNING")
        #expect(shown[0]["request"]?["bodyTruncatedFrom"] == nil)
        let found = try Exchange(
            mock.port, "POST", "/__admin/requests/find", body: #"{"headers": {"X-Kept": {"contains": "y"}}}"#)
        #expect(found.json?["requests"]?[0]?["bodyTruncatedFrom"] == 500_003)
        let id = try #require(shown[1]["id"]?.stringValue)
        let command = try Exchange(mock.port, "GET", "/__admin/requests/\(id)/curl").text
        #expect(command.hasSuffix("# the journal kept 1000 of the body's 500003 bytes\n"))
    }
}
