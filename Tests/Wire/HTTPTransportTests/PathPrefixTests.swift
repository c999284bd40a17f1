import SDHTTPTransport
import SDPlatform
import SDTestSupport
import Testing

/// Requests whose path is read without its prefix.
@Suite struct PathPrefixTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let target: String
        let count: Int
        let url, path: String
        var query: String?

        var testDescription: String { "\(target) without \(count)" }
    }

    @Test(arguments: [
        Case(target: "/__session/a/x/y?q=1", count: 12, url: "/x/y?q=1", path: "/x/y", query: "q=1"),
        Case(target: "/__session/a/", count: 12, url: "/", path: "/"),
        Case(target: "/__session/a", count: 12, url: "/", path: "/"),
        Case(target: "/__session/a?q=1", count: 12, url: "/?q=1", path: "/", query: "q=1"),
        Case(target: "/__session/a?", count: 12, url: "/", path: "/"),
        Case(target: "http://h/__session/a/x", count: 12, url: "/x", path: "/x"),
        Case(target: "/abc", count: 2, url: "bc", path: "bc"),
        // Nothing to drop.
        Case(target: "/abc", count: 0, url: "/abc", path: "/abc"),
        Case(target: "/abc?d", count: 5, url: "/abc?d", path: "/abc", query: "d"),
        Case(target: "/abc", count: -1, url: "/abc", path: "/abc"),
        Case(target: "/abc", count: .max, url: "/abc", path: "/abc"),
        Case(target: "http://h", count: 1, url: "/", path: "/"),
    ])
    func theRestOfThePathRemains(_ example: Case) throws {
        let requests = Events<Request>()
        let server = try TestServer(limits: .patient) { request, reply in
            requests.tell(request)
            answerWithEcho(request, reply)
        }
        let client = try server.client()
        let head = "PUT \(example.target) HTTP/1.1\r\nHost: h\r\nX-Y: z\r\n"
        try client.send(head + "Content-Length: 2\r\n\r\nab")
        let whole = try #require(requests.next())
        let request = whole.droppingPathPrefix(example.count)
        #expect(text(request.url) == example.url)
        #expect(text(request.path) == example.path)
        #expect(request.query.map(text) == example.query)
        #expect(text(request.target) == example.target)
        #expect(text(request.method) == "PUT")
        #expect(text(request.body) == "ab")
        #expect(request.header(wire("x-y")).map(text) == "z")
        #expect(request.headers.count == 3)
        #expect(request.authority.map(text) == whole.authority.map(text))
        #expect(request.localPort == server.port)
        #expect(request.clockTime == whole.clockTime)
        for request in [whole, request] {
            let path = request.path
            let hash = PathHash.value(of: path.span)
            #expect(request.pathHash == hash)
        }
        let cut = request.cut(bodyTo: 1)
        #expect(text(cut.url) == example.url)
        #expect(cut.pathHash == request.pathHash)
        #expect(text(cut.body) == "a")
        #expect(cut.header(wire("x-y")).map(text) == "z")
    }

    @Test func aPrefixMayBeDroppedInParts() throws {
        let requests = Events<Request>()
        let server = try TestServer(limits: .patient) { request, reply in
            requests.tell(request)
            answerWithEcho(request, reply)
        }
        try server.client().send(get("/a/b/c?d"))
        let request = try #require(requests.next()).droppingPathPrefix(2).droppingPathPrefix(2)
        #expect(text(request.url) == "/c?d")
        #expect(text(request.droppingPathPrefix(2).url) == "/?d")
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
