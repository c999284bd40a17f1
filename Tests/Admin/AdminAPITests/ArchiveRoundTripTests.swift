import SDArchives
import SDCapture
import SDJSON
import SDPlatform
import SDStubModel
import SDTestSupport
import Testing

/// The journal as an archive, read again: the exchanges are those that were.
@Suite struct ArchiveRoundTripTests {
    private struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        /// The response of the stub, without its braces.
        let response: String
        let body: [UInt8]
        var coding: String?

        var testDescription: String { name }
    }

    private static let compressed = gzipped(Array("compressed text".utf8)[...]) ?? []

    private static let cases = [
        Case(
            name: "text", response: #""body": "fine", "headers": {"Content-Type": "text/plain"}"#,
            body: Array("fine".utf8)),
        Case(name: "bytes", response: #""base64Body": "/wD+""#, body: [0xFF, 0x00, 0xFE]),
        Case(name: "nul", response: #""base64Body": "AAAA""#, body: [0, 0, 0]),
        Case(
            name: "Latin-1",
            response: #""base64Body": "6Q==", "headers": {"Content-Type": "text/plain; charset=ISO-8859-1"}"#,
            body: [0xE9]),
        Case(
            name: "another charset",
            response: #""base64Body": "yQ==", "headers": {"Content-Type": "text/plain; charset=koi8-r"}"#, body: [0xC9]),
        Case(
            name: "a byte order mark",
            response: #""base64Body": "77u/e30=", "headers": {"Content-Type": "application/json"}"#,
            body: [0xEF, 0xBB, 0xBF, 0x7B, 0x7D]),
        Case(
            name: "gzip",
            response:
                #""base64Body": "\#(Base64.encode(compressed))", "headers": {"Content-Encoding": "gzip", "Content-Type": "text/plain"}"#,
            body: Array("compressed text".utf8)),
        Case(
            name: "brotli", response: #""base64Body": "iwGAYWJjAw==", "headers": {"Content-Encoding": "br"}"#,
            body: [0x8B, 0x01, 0x80, 0x61, 0x62, 0x63, 0x03], coding: "br"),
        Case(name: "nothing", response: #""status": 204"#, body: []),
        Case(
            name: "cookies", response: #""body": "x", "headers": {"Set-Cookie": ["a=1", "b=2; Path=/"]}"#,
            body: Array("x".utf8)),
    ]

    @Test(arguments: cases)
    private func answersAreReadAsTheyWere(_ of: Case) throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"urlPath": "/a"}, "response": {\#(of.response)}}"#)
        let answer = try Exchange(mock.port, "GET", "/a?x=%20y")
        let archive = try HTTPArchive(Exchange(mock.port, "GET", "/__admin/requests?format=har").body)
        let exchange = try #require(archive.exchanges.first)
        #expect(exchange.target == "/a?x=%20y" && exchange.method == "GET" && exchange.status == answer.status)
        #expect(exchange.responseBody == of.body)
        let fields = exchange.responseHeaders.map { "\($0.name): \($0.value)" }
        #expect(exchange.responseHeaders.first { $0.name == "Content-Encoding" }?.value == of.coding)
        if of.name == "cookies" { #expect(fields == ["Set-Cookie: a=1", "Set-Cookie: b=2; Path=/"]) }
        #expect(archive.warnings.isEmpty && archive.leftOut.isEmpty)
    }

    @Test(arguments: [
        ("text/plain", Array("hello".utf8)), ("application/octet-stream", [0xFF, 0, 1]),
        ("application/x-www-form-urlencoded", Array("a=%20b&c=d".utf8)),
    ])
    func requestsAreReadAsTheyWere(_ type: String, _ body: [UInt8]) throws {
        let mock = try TestMock()
        try mock.add(#"{"request": {"urlPath": "/a"}, "response": {"body": "x"}}"#)
        let client = try RawClient(port: mock.port)
        let head =
            "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\n"
            + "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        try client.send(Array(head.utf8) + body)
        #expect(try Exchange(client.receiveAll(within: 20_000), isHead: false).status == 200)
        let archive = try HTTPArchive(Exchange(mock.port, "GET", "/__admin/requests?format=har").body)
        #expect(archive.exchanges.first?.requestBody == body)
        #expect(
            archive.exchanges.first?.requestHeaders.contains { $0.name == "Content-Type" && $0.value == type } == true)
    }

    /// A few kilobytes that expand to 16 MiB stay as they were sent.
    @Test func aBombIsNotInflated() throws {
        let bomb = try #require(gzipped([UInt8](repeating: 0, count: 16 << 20)[...]))
        let mock = try TestMock()
        try mock.add(
            #"{"request": {"url": "/a"}, "response": {"base64Body": "\#(Base64.encode(bomb))", "headers": {"Content-Encoding": "gzip"}}}"#
        )
        _ = try Exchange(mock.port, "GET", "/a")
        let har = try Exchange(mock.port, "GET", "/__admin/requests?format=har")
        #expect(har.body.count < 100_000)
        #expect(har.json?["log"]?["entries"]?[0]?["response"]?["content"]?["_encoded"] == true)
        #expect(try HTTPArchive(har.body).exchanges.first?.responseBody == bomb)
    }

    /// The journal of one server makes the stubs of another.
    @Test func whatIsImportedAnswersAsItDid() throws {
        let (first, second) = (try TestMock(), try TestMock())
        for of in Self.cases {
            try first.add(
                #"{"request": {"urlPath": "/\#(of.name.filter { $0 != " " })"}, "response": {\#(of.response)}}"#)
        }
        try first.add(#"{"request": {"url": "/turns"}, "responses": [{"body": "one"}, {"status": 503}]}"#)
        let paths = Self.cases.map { "/" + $0.name.filter { $0 != " " } } + ["/turns", "/turns"]
        let answers = try paths.map { try Exchange(first.port, "GET", $0) }
        let har = try Exchange(first.port, "GET", "/__admin/requests?format=har").text
        let result = try Exchange(second.port, "POST", "/__admin/mappings/import/journal.har", body: har)
        #expect(result.status == 200 && result.json?["warnings"] == [], "\(result)")
        #expect(result.json?["mappings"]?.arrayValue?.count == paths.count)
        for (path, answer) in zip(paths, answers) {
            let again = try Exchange(second.port, "GET", path)
            #expect(again.status == answer.status, "\(path)")
            let isGzip = answer.header("Content-Encoding") == "gzip"
            #expect(isGzip ? again.text == "compressed text" : again.body == answer.body, "\(path)")
            #expect(again.header("Content-Type") == answer.header("Content-Type"))
        }
    }

    @Test func aWrongArchiveIsRefusedWithItsPlaces() throws {
        let mock = try TestMock()
        let answer = try Exchange(
            mock.port, "POST", "/__admin/mappings/import/a.har", body: "{ \"log\": {\n  \"entries\": 3 } }")
        #expect(answer.status == 422)
        #expect(
            answer.json?["errors"]?[0]?["detail"]
                == "a.har:2:14: error: log.entries: is of the wrong type; expected a list, found the number 3")
    }

    @Test func whatNoStubMatchedIsLeftOut() throws {
        let mock = try TestMock()
        _ = try Exchange(mock.port, "GET", "/none")
        let archive = try HTTPArchive(Exchange(mock.port, "GET", "/__admin/requests?format=har").body)
        #expect(archive.leftOut == [.unmatched: 1])
    }
}
