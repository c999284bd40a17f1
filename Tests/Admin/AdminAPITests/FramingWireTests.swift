import SDAnswering
import SDJSON
import SDJournal
import SDMockEngine
import SDStubFiles
import SDStubModel
import SDTestSupport
import Testing

/// Early responses, trailers, ranges of stubs' bodies, and HEAD of routes for GET.
@Suite struct FramingWireTests {
    private static let id = "11111111-1111-4111-8111-111111111111"
    private static let ok = "HTTP/1.1 200 OK\r\nConnection: close\r\n"

    private func bytes(
        _ response: String, _ lines: String = "", method: String = "GET", version: String = "HTTP/1.1",
        options: SessionOptions = SessionOptions(), files: [String: String] = [:]
    ) throws -> String {
        let mock = try TestMock(session: options, files: files)
        try mock.add(#"{"id": "\#(Self.id)", "request": {"urlPath": "/x"}, "response": \#(response)}"#)
        let received = try mock.raw(
            "\(method) /x \(version)\r\nHost: localhost\r\nConnection: close\r\n\(lines)\r\n")
        #expect(received.ending == .fin)
        return received.text.replacing("Matched-Stub-Id: \(Self.id)\r\n", with: "")
    }

    // MARK: Early responses and trailers

    @Test(arguments: [
        (
            #"{"early": [103, {"status": 102, "headers": {"A": ["1", "2"]}}], "body": "hi", "headers": {"Content-Length": "2"}}"#,
            "GET", "HTTP/1.1",
            "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 102 Processing\r\nA: 1\r\nA: 2\r\n\r\n" + ok
                + "Content-Length: 2\r\n\r\nhi"
        ),
        (
            #"{"early": [103], "status": 304}"#, "HEAD", "HTTP/1.1",
            "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n"
        ),
        (#"{"early": [103], "body": "hi"}"#, "GET", "HTTP/1.0", ok + "Content-Length: 2\r\n\r\nhi"),
        (
            #"{"body": "hi", "trailers": {"X": "1", "Y": ["2", "3"]}}"#, "GET", "HTTP/1.1",
            ok + "Trailer: X, Y\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX: 1\r\nY: 2\r\nY: 3\r\n\r\n"
        ),
        (
            #"{"headers": {"Trailer": "Z"}, "trailers": {"X": "1"}}"#, "GET", "HTTP/1.1",
            ok + "Trailer: Z\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: 1\r\n\r\n"
        ),
        (
            #"{"body": "hi", "trailers": {"X": "1"}}"#, "HEAD", "HTTP/1.1",
            ok + "Trailer: X\r\nTransfer-Encoding: chunked\r\n\r\n"
        ),
        // Without chunks there is no place for them.
        (
            #"{"body": "hi", "trailers": {"X": "1"}, "headers": {"Content-Length": "2"}}"#, "GET", "HTTP/1.1",
            ok + "Content-Length: 2\r\n\r\nhi"
        ),
        (#"{"body": "hi", "trailers": {"X": "1"}}"#, "GET", "HTTP/1.0", ok + "Content-Length: 2\r\n\r\nhi"),
        // A line end cannot forge another field.
        (
            #"{"early": [{"headers": {"A\r\nB": "1\r\nC: 2"}}], "trailers": {"X": "1\r\n\r\nHTTP/1.1 200"}}"#, "GET",
            "HTTP/1.1",
            "HTTP/1.1 103 Early Hints\r\nA??B: 1  C: 2\r\n\r\n" + ok
                + "Trailer: X\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: 1    HTTP/1.1 200\r\n\r\n"
        ),
    ])
    func theBytesAreExact(response: String, method: String, version: String, wire: String) throws {
        #expect(try bytes(response, method: method, version: version) == wire)
    }

    @Test func trailersNeedChunksWhateverTheOptionSays() throws {
        var options = SessionOptions()
        options.response.chunkedEncoding = .never
        let text = try bytes(#"{"body": "hi", "trailers": {"X": "1"}}"#, options: options)
        #expect(text.hasSuffix("Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\nX: 1\r\n\r\n"))
    }

    @Test func theDelayComesAfterTheEarlyResponses() throws {
        let mock = try TestMock()
        try mock.add(
            #"{"request": {"url": "/x"}, "response": {"early": [103], "fixedDelayMilliseconds": 3600000, "body": "late"}}"#
        )
        let client = try RawClient(port: mock.port)
        try client.send("GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n")
        expectWire(client.receive(until: "\r\n\r\n"), "HTTP/1.1 103 Early Hints\r\n\r\n", .open)
        #expect(client.receiveUntilQuiet(milliseconds: 20).bytes.isEmpty)
        client.reset()
    }

    @Test func theConnectionIsKeptAfterTrailers() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/x"}, "response": {"early": [103], "trailers": {"X": "1"}, "body": "a"}}"#)
        let client = try RawClient(port: mock.port)
        for _ in 0..<2 {
            try client.send("GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(
                client.receive(until: "X: 1\r\n\r\n").text.hasPrefix("HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK"))
        }
    }

    // MARK: Ranges

    private static let bodies = [
        #""body": "0123456789""#, #""base64Body": "MDEyMzQ1Njc4OQ==""#, #""bodyFileName": "digits""#,
        #""body": "{{request.query.x}}0123456789", "transformers": ["response-template"]"#,
    ]

    @Test(
        arguments: bodies,
        [
            ("bytes=2-4", "206 Partial Content", "bytes 2-4/10", "234"),
            ("bytes=-2", "206 Partial Content", "bytes 8-9/10", "89"),
            ("bytes=7-", "206 Partial Content", "bytes 7-9/10", "789"),
            ("bytes=20-", "416 Range Not Satisfiable", "bytes */10", ""),
            ("lines=1-2", "416 Range Not Satisfiable", "bytes */10", ""),
        ])
    func aPartOfABodyIsSent(body: String, range: (String, String, String, String)) throws {
        let text = try bytes(
            #"{\#(body), "ranges": true, "statusMessage": "Fine", "headers": {"Content-Type": "text/plain", "Content-Length": "10"}}"#,
            "Range: \(range.0)\r\nAccept-Encoding: gzip\r\n", files: ["digits": "0123456789"])
        let chunks = range.3.isEmpty ? "" : "\(range.3.utf8.count)\r\n\(range.3)\r\n"
        let type = range.1.hasPrefix("206") ? "Content-Type: text/plain\r\n" : ""
        #expect(
            text
                == "HTTP/1.1 \(range.1)\r\nConnection: close\r\n\(type)Content-Range: \(range.2)\r\nAccept-Ranges: bytes\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n"
                || text == "HTTP/1.1 \(range.1)\r\nConnection: close\r\n\(type)Content-Range: \(range.2)\r\n"
                    + "Accept-Ranges: bytes\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n",
            "\(text)")
    }

    @Test(arguments: bodies) func severalPartsAreSent(body: String) throws {
        let text = try bytes(
            #"{\#(body), "ranges": true, "headers": {"Content-Type": "text/plain"}}"#, "Range: bytes=0-1,-2\r\n",
            files: ["digits": "0123456789"])
        #expect(text.contains("Content-Type: multipart/byteranges; boundary=stuntdouble\r\n"))
        #expect(!text.contains("Content-Type: text/plain\r\nContent-Range: bytes 0-9"))
        let answer = try #require(HTTPAnswer(Array(text.utf8)))
        #expect(
            answer.text == "--stuntdouble\r\nContent-Type: text/plain\r\nContent-Range: bytes 0-1/10\r\n\r\n01\r\n"
                + "--stuntdouble\r\nContent-Type: text/plain\r\nContent-Range: bytes 8-9/10\r\n\r\n89\r\n--stuntdouble--\r\n"
        )
    }

    @Test(arguments: [
        (#"{"body": "0123456789"}"#, "Range: bytes=2-4\r\n", "GET"),
        (#"{"body": "0123456789", "ranges": false}"#, "Range: bytes=2-4\r\n", "GET"),
        (#"{"body": "0123456789", "ranges": true}"#, "", "GET"),
        (#"{"body": "0123456789", "ranges": true}"#, "Range: bytes=2-4\r\n", "POST"),
        (#"{"body": "0123456789", "ranges": true, "status": 201}"#, "Range: bytes=2-4\r\n", "GET"),
        (
            #"{"body": "0123456789", "ranges": true, "headers": {"ETag": "\"a\""}}"#,
            "Range: bytes=2-4\r\nIf-Range: \"b\"\r\n", "GET"
        ),
    ])
    func otherwiseTheWholeBodyIsSent(response: String, lines: String, method: String) throws {
        let text = try bytes(response, lines, method: method)
        #expect(text.hasSuffix("\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n"))
        #expect(text.contains("Accept-Ranges: bytes\r\n") == response.contains(#""ranges": true"#))
    }

    @Test func ifRangeHoldsForTheStubsOwnTag() throws {
        let text = try bytes(
            #"{"body": "0123456789", "ranges": true, "headers": {"ETag": "\"a\""}}"#,
            "Range: bytes=2-4\r\nIf-Range: \"a\"\r\n")
        #expect(text.hasPrefix("HTTP/1.1 206"))
    }

    /// A response that was sent whole is sent in parts, too, and the other way round.
    @Test func formsDoNotMix() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/x"}, "response": {"body": "0123456789", "ranges": true}}"#)
        for _ in 0..<2 {
            #expect(try Exchange(mock.port, "GET", "/x").text == "0123456789")
            #expect(try Exchange(mock.port, "GET", "/x", headers: [("Range", "bytes=0-0")]).text == "0")
        }
        let event = try #require(mock.session.events.first)
        #expect(event.status == 206)
        #expect(event.response?.body == [0x30])
    }

    // MARK: HEAD

    /// A mock of routes.
    private func routes(_ text: String) throws -> TestMock {
        let (stubs, diagnostics) = StubFile.parse(text.utf8, format: .yaml, path: "a.yaml")
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        let mock = try TestMock()
        for stub in stubs { try mock.session.add(stub) }
        return mock
    }

    @Test(arguments: [
        ("GET /x: { body: hi, headers: { A: b } }", 200), ("GET /x: { status: 204 }", 204),
        ("GET|POST /x: { body: hi }", 200), ("GET /{any}: { body: hi }", 200), ("GET ~/.*: { body: hi }", 200),
        ("GET /x: { body: hi }\nHEAD /x: { status: 405 }", 405),
        ("HEAD /x: { status: 405 }\nGET /x: { body: hi }", 405),
        ("GET /x: { body: hi }\nANY /**: { status: 410 }", 410), ("POST /x: { body: hi }", 404),
        ("GET /x: { body: hi, times: 1 }", 200),
        ("GET /x: [{ when: { query: { a: b } }, body: hi }, { status: 203 }]", 203),
    ])
    func aRouteForGetAnswersHead(file: String, status: Int) throws {
        let mock = try routes(file)
        let answer = try Exchange(mock.port, "HEAD", "/x")
        #expect(answer.status == status)
        if status != 404 { #expect(answer.body.isEmpty) }
        // Its only use is over.
        if file.contains("times") { return }
        let explained = try mock.admin("POST", "/explain", #"{"method": "HEAD", "url": "/x"}"#)
        #expect((explained["stubMapping"]?.isNull ?? true) == (status == 404), "\(explained)")
    }

    @Test func theHeadIsThatOfGet() throws {
        let mock = try routes("GET /x: { json: { a: 1 }, headers: { A: b } }")
        let (get, head) = (try Exchange(mock.port, "GET", "/x"), try Exchange(mock.port, "HEAD", "/x"))
        #expect(head.headers.map { "\($0)" } == get.headers.map { "\($0)" })
        #expect(head.body.isEmpty)
        #expect(mock.session.events.first?.stub?.request.method == .exactly("GET"))
        #expect(mock.session.counts.unmatched == 0)
    }

    @Test func useIsCountedForHeadToo() throws {
        let mock = try routes("GET /x: { body: hi, times: 1 }")
        #expect(try Exchange(mock.port, "HEAD", "/x").status == 200)
        #expect(try Exchange(mock.port, "HEAD", "/x").status == 404)
        #expect(try Exchange(mock.port, "GET", "/x").status == 404)
    }

    @Test func stubsInWireMocksFormBehaveAsThere() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/get", "method": "GET"}}"#)
        try mock.add(#"{"request": {"url": "/both", "method": "GET_OR_HEAD"}}"#)
        #expect(try Exchange(mock.port, "HEAD", "/get").status == 404)
        #expect(try Exchange(mock.port, "HEAD", "/both").status == 200)
    }

    @Test(arguments: [
        (#""method": "GET""#, 200), (#""method": {"oneOf": ["GET", "PUT"]}"#, 200), (#""method": "POST""#, 404),
    ])
    func anEditedRouteAnswersHeadAsLongAsItIsForGet(method: String, status: Int) throws {
        for edit in ["PUT", "import", "inherited"] {
            let mock = try routes("GET /x: { body: hi }")
            let id = try #require(try mock.admin("GET", "/mappings")["mappings"]?[0]?["id"]?.stringValue)
            let mapping = #"{"id": "\#(id)", "request": {"url": "/x", \#(method)}, "response": {"body": "other"}}"#
            var prefix = ""
            if edit == "inherited" {
                let session = try #require(try mock.admin("POST", "/sessions", status: 201)["id"]?.stringValue)
                prefix = "/__session/\(session)"
            }
            // Twice: an edit may follow another.
            for _ in 0..<2 {
                let answer =
                    edit == "import"
                    ? try Exchange(
                        mock.port, "POST", "/__admin/mappings/import",
                        body: #"{"mappings": [\#(mapping)], "importOptions": {"duplicatePolicy": "OVERWRITE"}}"#)
                    : try Exchange(mock.port, "PUT", prefix + "/__admin/mappings/\(id)", body: mapping)
                #expect(answer.status == 200, "\(answer)")
                #expect(try Exchange(mock.port, "HEAD", prefix + "/x").status == status, "\(edit)")
            }
            // What inherits from nobody's edit is as it was.
            if edit == "inherited" { #expect(try Exchange(mock.port, "HEAD", "/x").status == 200) }
        }
    }

    @Test func sessionsInheritIt() throws {
        let mock = try routes("GET /x: { body: hi }")
        let id = try #require(try mock.admin("POST", "/sessions", status: 201)["id"]?.stringValue)
        #expect(try Exchange(mock.port, "HEAD", "/__session/\(id)/x").status == 200)
        _ = try Exchange(
            mock.port, "POST", "/__session/\(id)/__admin/mappings",
            body: #"{"request": {"url": "/x", "method": "HEAD"}, "response": {"status": 405}}"#)
        #expect(try Exchange(mock.port, "HEAD", "/__session/\(id)/x").status == 405)
        #expect(try Exchange(mock.port, "HEAD", "/x").status == 200)
    }
}
