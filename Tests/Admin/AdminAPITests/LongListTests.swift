import SDJSON
import SDMockEngine
import SDTestSupport
import Testing

@testable import SDAdminAPI

/// Lists that are long are written in pieces, each when the client has taken the one before it.
@Suite struct LongListTests {
    @Test(arguments: [0, 1, 2, 7], [1, 40, 1 << 20])
    func thePiecesAreTheDocument(count: Int, size: Int) throws {
        @Sendable func element(_ number: Int) -> JSONValue {
            ["number": .number(JSONNumber(number)), "list": [1, ["a": "b"]], "none": []]
        }
        for level in 1...2 {
            var document = LongDocument(Array(0..<count), level: level, element: element) { list in
                let inner: JSONValue = ["before": [1], "list": list, "after": ["x": "y"]]
                return level == 1 ? inner : ["log": inner]
            }
            let whole = document.json.prettyBytes
            var bytes: [UInt8] = []
            var pieces = 0
            while !document.isOver {
                bytes += document.nextPiece(of: size)
                pieces += 1
            }
            #expect(String(decoding: bytes, as: UTF8.self) == String(decoding: whole, as: UTF8.self))
            if size == 1, count > 1 { #expect(pieces >= count) }
            #expect(document.nextPiece(of: size).isEmpty)
        }
    }

    /// A journal whose list takes some megabytes.
    private func mock() throws -> TestMock {
        let mock = try TestMock()
        try mock.add(#"{"request": {"urlPath": "/a"}, "response": {"body": "a"}}"#)
        let client = try PersistentConnection(port: mock.port)
        let body = String(repeating: "0123456789abcdef", count: 100)
        for _ in 0..<600 { #expect(try client.request("POST", "/a", body: body).text == "a") }
        return mock
    }

    private static let lists: [(method: String, path: String, body: String?, list: [String])] = [
        ("GET", "/requests", nil, ["requests"]),
        ("GET", "/requests?format=har", nil, ["log", "entries"]),
        ("POST", "/requests/find", #"{"urlPath": "/a"}"#, ["requests"]),
    ]

    @Test func longListsComeChunkedAndWhole() throws {
        let mock = try mock()
        let client = try PersistentConnection(port: mock.port)
        for call in Self.lists {
            let answer = try client.request(call.method, "/__admin" + call.path, body: call.body)
            #expect(answer.status == 200)
            #expect(answer["transfer-encoding"] == "chunked")
            #expect(answer["content-type"] == "application/json")
            var json = answer.json
            for name in call.list { json = json?[name] }
            #expect(json?.arrayValue?.count == 600)
            // The layout is that of a document that is written at once.
            #expect(answer.json?.prettyBytes.count == answer.body.count)
        }
        #expect(try client.request("GET", "/a").text == "a")
    }

    @Test func aClientOfHTTP10GetsTheWholeListAtOnce() throws {
        let mock = try mock()
        let received = try mock.raw("GET /__admin/requests HTTP/1.0\r\nHost: localhost\r\n\r\n")
        let answer = try #require(HTTPAnswer(received.bytes))
        #expect(answer["transfer-encoding"] == nil)
        #expect(answer.json?["requests"]?.arrayValue?.count == 600)
    }

    @Test func aReaderThatStopsHoldsUpNobody() throws {
        let mock = try mock()
        let clients = try (0..<20).map { number in
            let client = try RawClient(port: mock.port)
            if number > 0 { client.shrinkReceiveBuffer(to: 4096) }
            try client.send("GET /__admin/requests HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            #expect(client.receive(15, within: 30_000).text == "HTTP/1.1 200 OK")
            return client
        }
        for client in clients.dropFirst(2) { client.reset() }
        let other = try PersistentConnection(port: mock.port)
        #expect(try other.request("GET", "/a").text == "a")
        #expect(try other.request("GET", "/__admin/requests?limit=1").status == 200)
        let rest = clients[0].receiveAll(within: 60_000)
        #expect(rest.ending == .fin)
        let answer = try #require(HTTPAnswer(wire("HTTP/1.1 200 OK") + rest.bytes))
        #expect(answer.json?["requests"]?.arrayValue?.count == 600)
    }
}
