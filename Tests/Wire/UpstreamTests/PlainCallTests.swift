import SDHTTPTransport
import SDTestSupport
import SDUpstream
import Testing

/// Calls in HTTP/1.1: what is sent, and what is told of the answer.
@Suite struct PlainCallTests {
    private func sent(_ request: (String) -> UpstreamRequest) throws -> String {
        let requests = Events<String>()
        let server = try answering("HTTP/1.1 204 No Content\r\n\r\n", requests)
        let caller = try Caller()
        let whole = try caller.call(request("http://127.0.0.1:\(server.port)"))
        #expect(whole.problem == nil)
        let text = requests.next() ?? ""
        return String(
            text.split(separator: "Host: 127.0.0.1:\(server.port)\r\n", maxSplits: 1).joined(separator: "HOST\n")
        )
        .replacing("\r\n", with: "\n")
    }

    @Test func nothingIsSentThatWasNotAskedFor() throws {
        #expect(try sent { UpstreamRequest("GET", $0) } == "GET / HTTP/1.1\nHOST\n\n")
        #expect(try sent { UpstreamRequest("POST", $0 + "/a") } == "POST /a HTTP/1.1\nHOST\n\n")
        #expect(try sent { UpstreamRequest("HEAD", $0 + "/a?b") } == "HEAD /a?b HTTP/1.1\nHOST\n\n")
        #expect(try sent { UpstreamRequest("PROPFIND", $0) } == "PROPFIND / HTTP/1.1\nHOST\n\n")
        #expect(
            try sent { UpstreamRequest("POST", $0, body: .bytes([])) } == "POST / HTTP/1.1\nHOST\nContent-Length: 0\n\n"
        )
    }

    @Test func pathsAreSentByteForByte() throws {
        for path in ["/a//b/../c/./%2F%zz?x=[1]&y={}|\\^`\"<>", "/%41?", "/ä?ö", "/a?b?c#d"] {
            let line = path.split(separator: Character("#"))[0]
            #expect(try sent { UpstreamRequest("GET", $0 + path) } == "GET \(line) HTTP/1.1\nHOST\n\n")
        }
        #expect(try sent { UpstreamRequest("GET", $0 + "?a b") } == "GET /?a%20b HTTP/1.1\nHOST\n\n")
    }

    @Test func fieldsKeepTheirOrderAndSpelling() throws {
        let headers = [
            ("x-a", "1"), ("ACCEPT", "a/b"), ("host", "other.example"), ("X-Empty", ""), ("x-A", "2"),
            ("cookie", "a=b"),
            ("User-agent", "me"), ("Expect", "100-continue"), ("accept-encoding", "gzip"), ("X-L", "\u{e4}"),
        ].map { (name: $0.0, value: $0.1) }
        let requests = Events<String>()
        let server = try RawServer { connection, _ in
            let bytes = connection.receive(until: "\r\n\r\n").bytes
            requests.tell(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })))
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        let caller = try Caller()
        _ = try caller.call(UpstreamRequest("GET", "http://127.0.0.1:\(server.port)/", headers: headers))
        #expect(
            requests.next()
                == "GET / HTTP/1.1\r\nx-a: 1\r\nACCEPT: a/b\r\nhost: other.example\r\nX-Empty:\r\nx-A: 2\r\n"
                + "cookie: a=b\r\nUser-agent: me\r\naccept-encoding: gzip\r\nX-L: \u{e4}\r\n\r\n")
    }

    @Test func noFieldForgesAnother() throws {
        let text = try sent { UpstreamRequest("GET", $0, headers: [("a\r\nb", "c\r\nd: e"), ("f:g", "h")]) }
        #expect(text == "GET / HTTP/1.1\nHOST\na??b: c  d: e\nf?g: h\n\n")
    }

    @Test(arguments: [
        (method: "POST", isChunked: false, size: 5), ("GET", false, 5), ("PUT", true, 5), ("POST", false, 3_000_000),
        ("PATCH", true, 3_000_000), ("DELETE", false, 100_000), ("HEAD", false, 5),
    ]) func bodiesAreSent(method: String, isChunked: Bool, size: Int) throws {
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        var limits = ServerLimits()
        limits.body = 10_000_000
        let server = try TestServer(limits: limits)
        let caller = try Caller()
        var request = UpstreamRequest(
            method, "http://127.0.0.1:\(server.port)/x", headers: [("Content-Type", "a/b"), ("X-Last", "1")],
            body: .bytes(body))
        request.isChunked = isChunked
        request.trailers = isChunked ? [("X-Trailer", "t")] : []
        let whole = try caller.call(request)
        #expect(whole.problem == nil)
        #expect(whole.head?.status == 200)
        guard method != "HEAD" else { return }
        let framing = isChunked ? "[Transfer-Encoding]=[chunked]" : "[Content-Length]=[\(size)]"
        let head =
            "\(method) /x HTTP/1.1 keep\n[Host]=[127.0.0.1:\(server.port)]\n[Content-Type]=[a/b]\n[X-Last]=[1]\n\(framing)\n"
            + (isChunked ? "+[X-Trailer]=[t]\n" : "") + "body \(size) "
        #expect(whole.body == Array(head.utf8) + body, "\(whole.text.prefix(400))")
    }

    @Test func bodiesOfAllKindsOneAfterAnother() throws {
        let server = try TestServer(limits: ServerLimits())
        let caller = try Caller()
        for round in 0..<30 {
            var request = UpstreamRequest(
                "POST", "http://127.0.0.1:\(server.port)/",
                body: .bytes([UInt8](repeating: 0x61, count: 1 + round % 7 * 5_000)))
            request.isChunked = round % 3 != 0
            request.trailers = round % 3 == 1 ? [("X", "y")] : []
            let whole = try caller.call(request)
            #expect(whole.problem == nil)
            #expect(whole.text.hasSuffix(String(repeating: "a", count: 1 + round % 7 * 5_000)))
        }
    }

    @Test func heldLengthStaysAtItsPlace() throws {
        let server = try TestServer(limits: ServerLimits())
        let caller = try Caller()
        let request = UpstreamRequest(
            "POST", "http://127.0.0.1:\(server.port)/",
            headers: [("content-length", "99"), ("Transfer-Encoding", "x"), ("a", "b")],
            body: .bytes([0x41]))
        let text = try caller.call(request).text
        #expect(
            text == "POST / HTTP/1.1 keep\n[Host]=[127.0.0.1:\(server.port)]\n[content-length]=[1]\n[a]=[b]\nbody 1 A")
    }

    @Test func headsAreToldAsTheyCame() throws {
        let server = try answering(
            "HTTP/1.1 299 Quite  Fine\r\nX-b: 1\r\nx-B:2\r\nX-Empty:\r\nContent-Encoding: gzip\r\n"
                + "Set-Cookie: a=b\r\nLocation: /elsewhere\r\nContent-Length: 2\r\n\r\nhi")
        let whole = try Caller().get("http://127.0.0.1:\(server.port)")
        #expect(whole.head?.status == 299)
        #expect(whole.head?.reason == "Quite  Fine")
        #expect(whole.head?.version == .http11)
        #expect(
            whole.headers == [
                "X-b: 1", "x-B: 2", "X-Empty: ", "Content-Encoding: gzip", "Set-Cookie: a=b",
                "Location: /elsewhere", "Content-Length: 2",
            ])
        #expect(whole.text == "hi")
        #expect(whole.problem == nil)
    }

    @Test func bytesOfFieldsAreKept() throws {
        let server = try RawServer { connection, _ in
            _ = connection.receive(until: "\r\n\r\n")
            try connection.send(
                wire("HTTP/1.1 200 OK\r\nX: ") + [0xE4, 0xC3, 0xA4] + wire("\r\nContent-Length: 0\r\n\r\n"))
        }
        let whole = try Caller().get("http://127.0.0.1:\(server.port)")
        #expect(whole.head?.headers.first?.value == "\u{e4}\u{c3}\u{a4}")
    }

    @Test(arguments: [
        ("HTTP/1.1 204 No Content\r\nX: y\r\n\r\n", 204),
        ("HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n", 304),
        ("HTTP/1.0 200 OK\r\n\r\n", 200), ("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n", 302),
        ("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", 200),
    ]) func answersWithoutABody(text: String, status: Int) throws {
        let server = try answering(text)
        let whole = try Caller().get("http://127.0.0.1:\(server.port)")
        #expect(whole.problem == nil)
        #expect(whole.head?.status == status)
        #expect(whole.body == [])
    }

    @Test func headAnswersHaveNoBody() throws {
        let server = try answering("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", closing: false)
        let caller = try Caller()
        for body in [UpstreamRequest.Body.none, .bytes([0x41])] {
            let whole = try caller.call(UpstreamRequest("HEAD", "http://127.0.0.1:\(server.port)", body: body))
            #expect(whole.problem == nil)
            #expect(whole.headers == ["Content-Length: 1000"])
        }
    }

    @Test func informationIsToldButContinueIsNot() throws {
        let server = try answering(
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: b\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        let whole = try Caller().get("http://127.0.0.1:\(server.port)")
        #expect(whole.informed.map(\.status) == [103, 103])
        #expect(whole.informed.map { $0.headers[0].value } == ["a", "b"])
        #expect(whole.headers == ["Content-Length: 2"])
    }

    @Test func chunksAreToldAsTheyCame() throws {
        let server = try answering(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n1\r\nf\r\n0\r\n"
                + "X-T: 1\r\nx-t: 2\r\n\r\n")
        let whole = try Caller().get("http://127.0.0.1:\(server.port)")
        #expect(whole.pieces.map { String(decoding: $0, as: UTF8.self) } == ["abc", "de", "f"])
        #expect(whole.trailers.map { "\($0.name): \($0.value)" } == ["X-T: 1", "x-t: 2"])
        #expect(whole.headers == ["Transfer-Encoding: chunked", "Trailer: X-T"])
    }

    @Test func bodiesUpToTheEndOfTheConnection() throws {
        let server = try answering("HTTP/1.1 200 OK\r\n\r\nall of it")
        let whole = try Caller().get("http://127.0.0.1:\(server.port)")
        #expect(whole.text == "all of it")
        #expect(whole.problem == nil)
    }

    @Test func connectionsServeOneCallAfterAnother() throws {
        let server = try answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", closing: false)
        let caller = try Caller()
        for _ in 0..<10 { #expect(try caller.get("http://127.0.0.1:\(server.port)").text == "hi") }
        #expect(server.connections == 1)
        let other = try Caller { $0.closesConnections = true }
        for _ in 0..<3 { #expect(try other.get("http://127.0.0.1:\(server.port)").text == "hi") }
        #expect(server.connections == 4)
    }

    @Test func aConnectionThatTheServerClosedIsNotedAndReplaced() throws {
        let server = try answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        let caller = try Caller()
        for count in 1...5 {
            let request = UpstreamRequest("POST", "http://127.0.0.1:\(server.port)", body: .bytes([]))
            #expect(try caller.call(request).text == "hi")
            #expect(server.connections == count)
        }
    }

    @Test func theHopIsNamed() throws {
        let requests = Events<String>()
        let server = try answering("HTTP/1.1 204 No Content\r\n\r\n", requests)
        let caller = try Caller { $0.identity = "abc" }
        _ = try caller.get("http://127.0.0.1:\(server.port)")
        #expect(requests.next()?.hasSuffix("\r\n\(Upstream.hopHeader): abc\r\n\r\n") == true)
    }
}
