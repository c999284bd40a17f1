import SDHTTPTransport
import SDTestSupport
import Testing

/// What becomes of the requests of a client that speaks HTTP/2.
@Suite struct HTTP2RequestTests {
    struct Asked: Sendable, CustomTestStringConvertible {
        let name: String
        let frames: @Sendable () -> [HTTP2Frame]
        let status: String
        let text: String
        var testDescription: String { name }

        init(_ name: String, _ status: String, _ text: String, _ frames: @escaping @Sendable () -> [HTTP2Frame]) {
            self.name = name
            self.status = status
            self.text = text
            self.frames = frames
        }
    }

    private static let line = " HTTP/2.0 keep\n"
    private static func refused(_ text: String) -> String { text + "\n" }

    static let requests = [
        Asked("a plain one", "200", "GET /a\(line)authority a.example:8") { [HTTP2Client.head(1, "/a")] },
        Asked(
            "a query and fields", "200",
            "GET /a?b=c\(line)path /a\nquery b=c\nauthority a.example:8\n[x-a]=[1]\n[x-a]=[2]"
        ) {
            [HTTP2Client.head(1, "/a?b=c", [("x-a", "1"), ("x-a", "2")])]
        },
        Asked("a host instead of the authority", "200", "GET /\(line)[host]=[b]") {
            [
                HTTP2Frame(
                    .headers, HTTP2Frame.endHeaders | HTTP2Frame.endStream, stream: 1,
                    HTTP2Frame.block([(":scheme", "http"), (":method", "GET"), (":path", "/"), ("host", "b")]))
            ]
        },
        Asked("any method", "200", "BREW /\(line)authority a.example:8") { [HTTP2Client.head(1, "/", method: "BREW")] },
        Asked("OPTIONS *", "200", "OPTIONS *\(line)authority a.example:8") {
            [HTTP2Client.head(1, "*", method: "OPTIONS")]
        },
        Asked("CONNECT", "200", "CONNECT a.example:8\(line)url /\nauthority a.example:8") {
            [
                HTTP2Frame(
                    .headers, HTTP2Frame.endHeaders | HTTP2Frame.endStream, stream: 1,
                    HTTP2Frame.block([(":method", "CONNECT"), (":authority", "a.example:8")]))
            ]
        },
        Asked("a body in pieces", "200", "POST /\(line)authority a.example:8\nbody 5 hello") {
            [
                HTTP2Client.head(1, "/", method: "POST", ends: false), HTTP2Frame(.data, stream: 1, wire("he")),
                HTTP2Frame(.data, stream: 1, wire("llo")), HTTP2Frame(.data, HTTP2Frame.endStream, stream: 1),
            ]
        },
        Asked("padding", "200", "POST /\(line)authority a.example:8\nbody 2 hi") {
            [
                HTTP2Client.head(1, "/", method: "POST", ends: false),
                HTTP2Frame(.data, 8 | HTTP2Frame.endStream, stream: 1, [3] + wire("hi") + [0, 0, 0]),
            ]
        },
        Asked("an announced length", "200", "PUT /\(line)authority a.example:8\n[content-length]=[2]\nbody 2 hi") {
            [
                HTTP2Client.head(1, "/", method: "PUT", [("content-length", "2")], ends: false),
                HTTP2Frame(.data, HTTP2Frame.endStream, stream: 1, wire("hi")),
            ]
        },
        Asked("trailers", "200", "POST /\(line)authority a.example:8\n+[x-sum]=[7]\nbody 2 hi") {
            [
                HTTP2Client.head(1, "/", method: "POST", ends: false), HTTP2Frame(.data, stream: 1, wire("hi")),
                HTTP2Frame(
                    .headers, HTTP2Frame.endHeaders | HTTP2Frame.endStream, stream: 1,
                    HTTP2Frame.block([("x-sum", "7")])),
            ]
        },
        Asked("a head in pieces", "200", "GET /\(line)authority a.example:8\n[x]=[y]") {
            let block = HTTP2Client.head(1, "/", [("x", "y")]).payload
            return [
                HTTP2Frame(.headers, HTTP2Frame.endStream, stream: 1, Array(block[..<5])),
                HTTP2Frame(.continuation, 0, stream: 1, Array(block[5..<20])),
                HTTP2Frame(.continuation, HTTP2Frame.endHeaders, stream: 1, Array(block[20...])),
            ]
        },
        Asked("a long target", "414", refused("the request target is longer than the limit")) {
            [HTTP2Client.head(1, "/" + String(repeating: "a", count: 1024))]
        },
        Asked("a large head", "431", refused("the request head is larger than the limit")) {
            [HTTP2Client.head(1, "/", [("x", String(repeating: "a", count: 4096))])]
        },
        Asked("a path that climbs", "400", refused("the path climbs above the root")) {
            [HTTP2Client.head(1, "/../a")]
        },
        Asked("a broken escape", "400", refused("the path has a % without two hex digits after it")) {
            [HTTP2Client.head(1, "/%zz")]
        },
        Asked("a name that is none", "400", refused("a header name is not a token")) {
            [HTTP2Client.head(1, "/", [("a b", "c")])]
        },
        Asked("a value with a control character", "400", refused("a header value has a control character")) {
            [HTTP2Client.head(1, "/", [("a", "b\u{1}c")])]
        },
        Asked("a body that is too long", "413", refused("the request body is larger than the limit")) {
            let piece = HTTP2Frame(.data, stream: 1, [UInt8](repeating: 0x61, count: 16_000))
            return [HTTP2Client.head(1, "/", method: "POST", ends: false)] + Array(repeating: piece, count: 5)
        },
        Asked("a body announced as too long", "413", refused("the request body is larger than the limit")) {
            [HTTP2Client.head(1, "/", method: "POST", [("content-length", "70000")], ends: false)]
        },
    ]

    @Test(arguments: requests)
    func itIsAnsweredAndTheConnectionGoesOn(asked: Asked) throws {
        let server = try HTTP2Server()
        let client = try server.client()
        try client.send(asked.frames())
        let answer = client.answer(1)
        #expect(answer.status == asked.status)
        #expect(answer.text == asked.text)
        if asked.status != "200" { #expect(server.handler.refusals.next() != nil) }
        try client.ask(3, "/next")
        #expect(client.answer(3).text == "GET /next\(Self.line)authority a.example:8")
        #expect(client.goAway == nil)
    }

    @Test func anEarlyRefusalTellsTheClientToStopSending() throws {
        let server = try HTTP2Server()
        let client = try server.client()
        try client.send(HTTP2Client.head(1, "/", method: "POST", [("content-length", "70000")], ends: false))
        client.wait { $0[1].end == .reset(0) }
        #expect(client[1].status == "413")
    }

    @Test func aClientThatWaitsBeforeItsBodyIsToldToGoOn() throws {
        let server = try HTTP2Server()
        let client = try server.client()
        try client.send(HTTP2Client.head(1, "/", method: "POST", [("expect", "100-continue")], ends: false))
        client.wait { $0[1].status == "100" }
        try client.send(HTTP2Frame(.data, HTTP2Frame.endStream, stream: 1, wire("x")))
        #expect(client.answer(1).blocks == [":status: 100\n", ":status: 200\n"])
    }

    @Test func aSlowBodyIsRefusedAndOthersAreNot() throws {
        var limits = ServerLimits.http2
        limits.bodyTimeout = 200
        let server = try HTTP2Server(limits: limits)
        let client = try server.client()
        try client.send(HTTP2Client.head(1, "/", method: "POST", ends: false))
        try client.ask(3, "/hour")
        client.wait { $0[1].end != .open }
        #expect(client[1].status == "408")
        #expect(client[1].text == "the request body did not arrive in time\n")
        client.wait { $0[3].text == "half" }
        #expect(client[3].text == "half" && client[3].end == .open)
    }

    @Test func aSlowHeadEndsTheConnection() throws {
        var limits = ServerLimits.http2
        limits.headTimeout = 200
        let server = try HTTP2Server(limits: limits)
        let client = try server.client()
        client.acknowledges = false
        try client.send(HTTP2Frame(.headers, HTTP2Frame.endStream, stream: 1))
        client.receiveAll()
        #expect(client.goAway?.text == "the request head did not arrive in time")
        #expect(client.ending == .fin)
    }

    @Test func manyRequestsAtOnceAreAllAnswered() throws {
        let server = try HTTP2Server()
        let client = try server.client()
        for round in 0..<50 {
            let first = UInt32(round * 40 + 1)
            let streams = (0..<20).map { first + UInt32($0) * 2 }
            try client.send(streams.map { HTTP2Client.head($0, "/\($0)") })
            for stream in streams { #expect(client.answer(stream).text.hasPrefix("GET /\(stream) ")) }
        }
    }

    @Test func aBodyOfManyWindowsIsReadAsItIsTaken() throws {
        var limits = ServerLimits.http2
        limits.body = 2_000_000
        let server = try HTTP2Server(limits: limits)
        let client = try server.client()
        let body = pattern(1_000_000)
        try client.send(HTTP2Client.head(1, "/", method: "POST", ends: false))
        var (sent, stream, connection) = (0, 65_535, 65_535)
        client.wait { $0.others.contains { $0.kind == HTTP2Frame.Kind.settings.rawValue && $0.flags == 0 } }
        stream = 262_144
        var seen = 0
        while sent < body.count {
            for frame in client.others[seen...] where frame.kind == HTTP2Frame.Kind.windowUpdate.rawValue {
                let more = Int(HTTP2Frame.number(at: 0, in: frame.payload))
                if frame.stream == 0 { connection += more } else { stream += more }
            }
            seen = client.others.count
            let count = min(16_000, stream, connection, body.count - sent)
            if count == 0 {
                let before = client.others.count
                #expect(client.wait { $0.others.count > before })
                continue
            }
            try client.send(HTTP2Frame(.data, stream: 1, Array(body[sent..<sent + count])))
            (sent, stream, connection) = (sent + count, stream - count, connection - count)
            client.wait(within: 0) { _ in false }
        }
        try client.send(HTTP2Frame(.data, HTTP2Frame.endStream, stream: 1))
        let text = client.answer(1).body
        #expect(text.suffix(body.count).elementsEqual(body))
    }

    /// The scheme is what `:scheme` says, as a client of a proxy writes it, whatever the connection is.
    @Test(arguments: [("http", false), ("https", true), ("ftp", false)])
    func theSchemeIsWhatTheClientMeans(scheme: String, isSecure: Bool) throws {
        let told = Events<Bool>()
        let server = try TestServer(limits: .http2) { request, reply in
            told.tell(request.isSecure)
            told.tell(request.isEncrypted)
            answerWithEcho(request, reply)
        }
        let client = try HTTP2Client(port: server.port)
        let pseudo = [(":method", "GET"), (":scheme", scheme), (":path", "/"), (":authority", "a.example")]
        let flags = HTTP2Frame.endHeaders | HTTP2Frame.endStream
        try client.send(HTTP2Frame(.headers, flags, stream: 1, HTTP2Frame.block(pseudo)))
        #expect(told.next() == isSecure && told.next() == false)
    }

    @Test func aBodyIsReadAtTheRateOfItsHandler() throws {
        let server = try HTTP2Server(uploadRate: 10_000)
        let client = try server.client()
        let began = ContinuousClock.now
        try client.send(
            HTTP2Client.head(1, "/", method: "POST", ends: false),
            HTTP2Frame(.data, HTTP2Frame.endStream, stream: 1, [UInt8](repeating: 0x61, count: 2000)),
            HTTP2Client.head(3, "/quick"))
        client.answer(3)
        #expect(client.answer(1).status == "200")
        #expect(client.order.first == 3)
        #expect(ContinuousClock.now - began >= .milliseconds(190))
    }

    @Test func aBodyMayNeverBeRead() throws {
        var limits = ServerLimits.http2
        limits.bodyTimeout = 50
        let server = try HTTP2Server(limits: limits, uploadRate: .max)
        let client = try server.client()
        try client.send(
            HTTP2Client.head(1, "/", method: "POST", ends: false),
            HTTP2Frame(.data, HTTP2Frame.endStream, stream: 1, [UInt8](repeating: 0x61, count: 2000)))
        try client.ask(3, "/quick")
        client.answer(3)
        client.wait(within: 300) { $0[1].end != .open }
        #expect(client[1] == HTTP2Client.Stream())
        #expect(!client.others.contains { $0.kind == HTTP2Frame.Kind.windowUpdate.rawValue && $0.stream == 1 })
    }
}
