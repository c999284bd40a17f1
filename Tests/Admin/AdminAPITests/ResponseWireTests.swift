import SDAnswering
import SDJournal
import SDMockEngine
import SDTestSupport
import Testing

/// The bytes of stub responses as a raw client sees them. Unless noted otherwise, they are those of WireMock 3.13.2,
/// apart from the order of header lines.
@Suite struct ResponseWireTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let response: String
        /// The method, the version, and the header lines.
        var request = ("GET", "HTTP/1.1", "Connection: close\r\n")
        var policy = ChunkedEncodingPolicy.always
        /// The expected bytes without the line that names the stub.
        let wire: String
        var ending = RawClient.Ending.fin

        var testDescription: String { "\(request.0) \(request.1) \(request.2)\(response)" }
    }

    private static let keep = ("GET", "HTTP/1.1", "")
    private static let old = ("GET", "HTTP/1.0", "")
    private static let oldKept = ("GET", "HTTP/1.0", "Connection: keep-alive\r\n")
    private static let head = ("HEAD", "HTTP/1.1", "Connection: close\r\n")
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let okClosing = "HTTP/1.1 200 OK\r\nConnection: close\r\n"

    static let framing: [Case] = [
        Case(response: #"{"body": "hi"}"#, wire: okClosing + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"),
        Case(response: "{}", wire: okClosing + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Case(response: #"{"body": "hi"}"#, request: head, wire: okClosing + "Transfer-Encoding: chunked\r\n\r\n"),
        Case(response: #"{"body": "hi"}"#, policy: .never, wire: okClosing + "Content-Length: 2\r\n\r\nhi"),
        Case(response: #"{"body": "hi"}"#, policy: .bodyFile, wire: okClosing + "Content-Length: 2\r\n\r\nhi"),
        Case(
            response: #"{"bodyFileName": "f.txt"}"#, policy: .bodyFile,
            wire: okClosing + "Transfer-Encoding: chunked\r\n\r\n4\r\nfile\r\n0\r\n\r\n"),
        Case(
            response: #"{"bodyFileName": "f.txt"}"#, policy: .never, wire: okClosing + "Content-Length: 4\r\n\r\nfile"),
        // HTTP/1.0: with a length, where WireMock sends none.
        Case(response: #"{"body": "hi"}"#, request: old, wire: okClosing + "Content-Length: 2\r\n\r\nhi"),
        Case(
            response: #"{"body": "hi", "headers": {"Transfer-Encoding": "chunked"}}"#, request: old,
            wire: okClosing + "Content-Length: 2\r\n\r\nhi"),
        Case(
            response: #"{"body": "hi"}"#, request: oldKept,
            wire: ok + "Connection: keep-alive\r\nContent-Length: 2\r\n\r\nhi", ending: .open),
        Case(
            response: #"{"body": "hi", "headers": {"Transfer-Encoding": "gzip"}}"#,
            wire: okClosing + "Transfer-Encoding: gzip,chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"),
        Case(
            response: #"{"body": "hi", "headers": {"Transfer-Encoding": "identity"}}"#,
            wire: okClosing + "Transfer-Encoding: identity,chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"),
        Case(
            response: #"{"body": "hi", "headers": {"Transfer-Encoding": "gzip, chunked"}}"#,
            wire: okClosing + "Transfer-Encoding: gzip, chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"),
        // A 500 of WireMock.
        Case(
            response: #"{"body": "hi", "headers": {"Transfer-Encoding": "Chunked"}}"#,
            wire: okClosing + "Transfer-Encoding: Chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"),
        Case(
            response: #"{"body": "hi", "headers": {"Content-Length": "0"}}"#, request: keep,
            wire: ok + "Content-Length: 0\r\n\r\nhi", ending: .open),
        Case(
            response: #"{"body": "hi", "headers": {"Transfer-Encoding": "chunked", "Content-Length": "2"}}"#,
            wire: okClosing + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"),
        Case(
            response:
                #"{"status": 204, "body": "a", "headers": {"Content-Length": "1", "Transfer-Encoding": "chunked"}}"#,
            wire: "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"),
        Case(
            response: #"{"status": 304, "body": "hi", "headers": {"Content-Length": "2"}}"#,
            wire: "HTTP/1.1 304 Not Modified\r\nConnection: close\r\nContent-Length: 2\r\n\r\n"),
        Case(
            response: #"{"body": "12345", "headers": {"Content-Length": "3"}}"#, request: keep,
            wire: ok + "Content-Length: 3\r\n\r\n12345", ending: .open),
        Case(
            response: #"{"body": "12345", "headers": {"Content-Length": "9"}}"#, request: keep,
            wire: ok + "Content-Length: 9\r\n\r\n12345"),
        Case(
            response: #"{"body": "12345", "headers": {"Content-Length": "9"}}"#,
            request: ("HEAD", "HTTP/1.1", ""), wire: ok + "Content-Length: 9\r\n\r\n", ending: .open),
        // Without a length the bytes are sent as the stub has them, and the end of the connection ends them.
        Case(
            response: #"{"body": "12345", "headers": {"Content-Length": "abc"}}"#, request: keep,
            wire: ok + "Content-Length: abc\r\n\r\n12345"),
        Case(
            response: #"{"body": "12345", "headers": {"Content-Length": "-1"}}"#, request: keep,
            wire: ok + "Content-Length: -1\r\n\r\n12345"),
        Case(
            response: #"{"body": "hi", "headers": {"Connection": "close"}}"#, request: keep,
            wire: okClosing + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"),
        Case(
            response: #"{"body": "hi", "headers": {"Connection": "keep-alive"}}"#,
            wire: okClosing + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"),
    ]

    static let heads: [Case] = [
        Case(
            response: #"{"status": 42}"#, policy: .never,
            wire: "HTTP/1.1 042 042\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
        Case(
            response: #"{"status": 999}"#, policy: .never,
            wire: "HTTP/1.1 999 999\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
        Case(
            response: #"{"statusMessage": "a\r\nX: é€"}"#, policy: .never,
            wire: "HTTP/1.1 200 a??X: \u{e9}?\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
        Case(
            response: #"{"headers": {"X": ["1", "2"], "y-Z": ""}}"#, policy: .never,
            wire: okClosing + "X: 1\r\nX: 2\r\ny-Z: \r\nContent-Length: 0\r\n\r\n"),
        Case(
            response: #"{"headers": {"X: y": "a\r\nZ: b", "Ü": "ü€"}}"#, policy: .never,
            wire: okClosing + "X? y: a  Z: b\r\n\u{dc}: \u{fc} \r\nContent-Length: 0\r\n\r\n"),
    ]

    static let bodies: [Case] = [
        Case(
            response: #"{"jsonBody": {"b": 1.50, "a": [null, "é"]}}"#, policy: .never,
            wire: okClosing + "Content-Length: 26\r\n\r\n{\"b\":1.50,\"a\":[null,\"\u{c3}\u{a9}\"]}"),
        Case(
            response: #"{"base64Body": "AP8="}"#, policy: .never,
            wire: okClosing + "Content-Length: 2\r\n\r\n\u{0}\u{ff}"),
        Case(
            response: #"{"body": "a", "jsonBody": 1, "base64Body": "Yw==", "bodyFileName": "f.txt"}"#, policy: .never,
            wire: okClosing + "Content-Length: 1\r\n\r\na"),
        Case(
            response: #"{"jsonBody": 1, "base64Body": "Yw==", "bodyFileName": "f.txt"}"#, policy: .never,
            wire: okClosing + "Content-Length: 1\r\n\r\n1"),
        Case(
            response: #"{"base64Body": "Yw==", "bodyFileName": "f.txt"}"#, policy: .never,
            wire: okClosing + "Content-Length: 1\r\n\r\nc"),
        Case(
            response: #"{"body": "abcdefghij", "chunkedDribbleDelay": {"numberOfChunks": 3, "totalDuration": 3}}"#,
            wire: okClosing + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n3\r\ndef\r\n4\r\nghij\r\n0\r\n\r\n"),
        Case(
            response: #"{"body": "ab", "chunkedDribbleDelay": {"numberOfChunks": 9, "totalDuration": 3}}"#,
            wire: okClosing + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n"),
        // Without chunks the body is sent at once.
        Case(
            response: #"{"body": "ab", "chunkedDribbleDelay": {"numberOfChunks": 0, "totalDuration": 3600000}}"#,
            wire: okClosing + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"),
        Case(
            response: #"{"chunkedDribbleDelay": {"numberOfChunks": 9, "totalDuration": 3}}"#,
            wire: okClosing + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ]

    private static let chunk = "lskdu018973t09sylgasjkfg1][]'./.sdlv"

    static let faults: [Case] = ["", #", "fixedDelayMilliseconds": 5"#].flatMap { delay in
        [
            Case(response: #"{"fault": "EMPTY_RESPONSE", "body": "x"\#(delay)}"#, request: keep, wire: ""),
            Case(response: #"{"fault": "CONNECTION_RESET_BY_PEER"\#(delay)}"#, request: keep, wire: "", ending: .rst),
            Case(response: #"{"fault": "RANDOM_DATA_THEN_CLOSE"\#(delay)}"#, request: keep, wire: chunk),
            Case(
                response: #"{"fault": "MALFORMED_RESPONSE_CHUNK", "status": 404\#(delay)}"#, request: keep,
                wire: ok + "Transfer-Encoding: chunked\r\n\r\n" + chunk),
            Case(
                response: #"{"fault": "MALFORMED_RESPONSE_CHUNK"\#(delay)}"#, request: old, wire: ok + "\r\n" + chunk),
        ]
    }

    @Test(arguments: framing + heads + bodies + faults)
    func theBytesAreExact(_ example: Case) throws {
        var options = SessionOptions()
        options.response.chunkedEncoding = example.policy
        let mock = try TestMock(session: options, files: ["f.txt": "file"])
        let id = "11111111-1111-4111-8111-111111111111"
        try mock.add(#"{"id": "\#(id)", "request": {"urlPath": "/x"}, "response": \#(example.response)}"#)
        let (method, version, lines) = example.request
        let client = try RawClient(port: mock.port)
        try client.send("\(method) /x \(version)\r\nHost: localhost\r\n\(lines)\r\n")
        let received =
            example.ending == .open ? client.receive(example.wire.unicodeScalars.count + 55) : client.receiveAll()
        let text = String(String.UnicodeScalarView(received.bytes.map { Unicode.Scalar($0) }))
        let unnamed = text.split(separator: "Matched-Stub-Id: \(id)\r\n", omittingEmptySubsequences: false).joined()
        #expect(unnamed == example.wire)
        #expect(received.ending == example.ending)
    }

    @Test(arguments: ["nope.txt", "../secret", "/f.txt"])
    func aBodyFileThatCannotBeServedIsNamed(path: String) throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/x"}, "response": {"bodyFileName": "\#(path)"}}"#)
        let answer = try Exchange(mock.port, "GET", "/x")
        #expect(answer.status == 500)
        #expect(answer.header("Content-Type") == "text/plain;charset=UTF-8")
        #expect(answer.text.contains(path))
    }

    @Test func aDelayedResponseIsNotEarly() throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"url": "/x"}, "response": {"fixedDelayMilliseconds": 40}}"#)
        let clock = ContinuousClock()
        let took = try clock.measure { _ = try Exchange(mock.port, "GET", "/x") }
        #expect(took >= .milliseconds(40))
    }

    /// Files under `/__files/` are served before any stub, and are not in the journal.
    @Test func bodyFilesPrecedeStubs() throws {
        let mock = try TestMock(files: ["f.txt": "file", "d/index.html": "<p>", "g": "{}"])
        try mock.add(#"{"request": {"urlPattern": "/__files.*"}, "response": {"body": "stub"}}"#)
        func get(_ path: String, _ method: String = "GET") throws -> Exchange {
            try Exchange(mock.port, method, path)
        }
        #expect(try get("/__files/f.txt").text == "file")
        #expect(try get("/__files/%66.txt").text == "file")
        // WireMock sends the charset of an index unless the path ends with a slash.
        #expect(try get("/__files/d").header("Content-Type") == "text/html;charset=utf-8")
        #expect(try get("/d/").header("Content-Type") == "text/html;charset=utf-8")
        #expect(try get("/__files/d/").header("Content-Type") == "text/html")
        #expect(try get("/d/index.html").header("Content-Type") == "text/html")
        #expect(try get("/__files/d/").text == "<p>")
        #expect(try get("/__files/f.txt", "POST").text == "file")
        #expect(try get("/__files/f.txt", "HEAD").header("Content-Length") == "4")
        #expect(try get("/__files/f.txt", "DELETE").status == 405)
        #expect(try get("/__files/f.txt", "OPTIONS").header("Allow") == "GET,HEAD,POST,OPTIONS")
        #expect(try get("/__files/none").status == 404)
        #expect(try get("/__files/%ff").status == 404)
        #expect(mock.session.events.count == 2)
        #expect(try get("/__filesystem").text == "stub")
        #expect(try get("/f.txt").text == "file")
        #expect(try get("/g").header("Content-Type") == "application/json")
        #expect(try get("/f.txt", "POST").status == 404)
        #expect(mock.session.events.count == 6)
    }
}
