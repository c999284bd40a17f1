import SDHTTPTransport
import SDTestSupport
import Testing

/// What one client may do to a connection of HTTP/2, and what ends it.
@Suite struct HTTP2BoundTests {
    struct Flood: Sendable, CustomTestStringConvertible {
        let name: String
        /// In the line for the log, and in GOAWAY.
        let reason: String
        /// The frames of one round, by its number from 0.
        let frames: @Sendable (UInt32) -> [HTTP2Frame]
        /// The rounds that are allowed.
        let allowed: UInt32
        var testDescription: String { name }

        init(
            _ name: String, _ allowed: UInt32, _ reason: String, _ frames: @escaping @Sendable (UInt32) -> [HTTP2Frame]
        ) {
            self.name = name
            self.allowed = allowed
            self.reason = reason
            self.frames = frames
        }
    }

    private static let end = HTTP2Frame.endHeaders | HTTP2Frame.endStream

    static let floods = [
        Flood("rapid resets", 200, "it resets too many streams") { round in
            [
                HTTP2Client.head(round * 2 + 1, "/hour"),
                HTTP2Frame(.resetStream, stream: round * 2 + 1, HTTP2Frame.number(8)),
            ]
        },
        Flood("PINGs", 200, "it sends too many PINGs") { _ in [HTTP2Frame(.ping, wire("12345678"))] },
        Flood("SETTINGS", 50, "it sends too many SETTINGS") { _ in [HTTP2Client.settings([(4, 65_535)])] },
        Flood("priorities", 1000, "it changes too many priorities") { round in
            [HTTP2Frame(.priority, stream: round * 2 + 1, [0, 0, 0, 0, 16])]
        },
        Flood("empty DATA", 200, "it sends too many empty DATA frames") { round in
            (round == 0 ? [HTTP2Client.head(1, "/", method: "POST", ends: false)] : []) + [HTTP2Frame(.data, stream: 1)]
        },
        Flood("window updates", 16_000, "it sends too many WINDOW_UPDATEs") { _ in
            [HTTP2Frame(.windowUpdate, HTTP2Frame.number(1))]
        },
    ]

    @Test(arguments: floods)
    func aFloodEndsItsConnectionAndNoOther(flood: Flood) throws {
        let server = try HTTP2Server()
        let (client, other) = (try server.client(), try server.client())
        try other.ask(1, "/hold")
        other.wait { $0[1].status == "200" }
        // As much as is allowed does no harm.
        for round in 0..<flood.allowed { try client.send(flood.frames(round)) }
        try client.settle()
        #expect(client.ending == .open && client.goAway == nil)
        // The client may have been slow, and then some of it is forgiven.
        var round = flood.allowed
        let most = flood.allowed * 50 + 200_000
        while client.ending == .open, round < most {
            let frames = (0..<100).flatMap { flood.frames(round + $0) }
            round += 100
            do { try client.send(frames) } catch { break }
            client.wait(within: 0) { _ in false }
        }
        client.receiveAll()
        if let goAway = client.goAway { #expect(goAway.code == 11 && goAway.text == flood.reason) }
        let trouble = try #require(server.handler.troubles.next())
        #expect(trouble.hasPrefix("the HTTP/2 connection of 127.0.0.1:") && trouble.hasSuffix(" ends: \(flood.reason)"))
        try other.ask(3, "/next")
        #expect(other.answer(3).end == .end)
        #expect(other[1].end == .open)
    }

    /// Errors of single streams, each of which the server has to answer by a reset. The frames of a round by its stream.
    struct Provocation: Sendable, CustomTestStringConvertible {
        let name: String
        let frames: @Sendable (UInt32) -> [HTTP2Frame]
        var testDescription: String { name }
    }

    static let provocations = [
        Provocation(name: "windows that overflow") {
            [HTTP2Client.head($0, "/hour"), HTTP2Frame(.windowUpdate, stream: $0, HTTP2Frame.number(0x7fff_ffff))]
        },
        Provocation(name: "bodies that are shorter than announced") {
            [
                HTTP2Client.head($0, "/", method: "POST", [("content-length", "3")], ends: false),
                HTTP2Frame(.data, HTTP2Frame.endStream, stream: $0, wire("hi")),
            ]
        },
        Provocation(name: "bodies that are longer than announced") {
            [
                HTTP2Client.head($0, "/", method: "POST", [("content-length", "1")], ends: false),
                HTTP2Frame(.data, HTTP2Frame.endStream, stream: $0, wire("hi")),
            ]
        },
        Provocation(name: "announced bodies that do not come") {
            [HTTP2Client.head($0, "/", method: "POST", [("content-length", "3")])]
        },
        Provocation(name: "fields of the connection") { [HTTP2Client.head($0, "/", [("connection", "close")])] },
    ]

    @Test(arguments: provocations)
    func aClientThatProvokesResetsIsLeft(provocation: Provocation) throws {
        let server = try HTTP2Server()
        let client = try server.client()
        // Fewer at a time than there may be streams; some are forgiven each second.
        var rounds: UInt32 = 0
        while client.ending == .open, client.goAway == nil, rounds < 50_000 {
            do {
                for _ in 0..<10 {
                    try client.send(provocation.frames(rounds * 2 + 1))
                    rounds += 1
                }
                try client.settle()
            } catch { break }
            if rounds == 250 { #expect(client.goAway == nil && client.ending == .open) }
        }
        client.receiveAll()
        #expect(rounds >= 250)
        if let goAway = client.goAway { #expect(goAway.code == 11) }
        let trouble = try #require(server.handler.troubles.next())
        #expect(trouble.hasSuffix(" ends: too many of its streams are in error"))
    }

    /// Once a stream was reset here, frames may be on their way, and the server cannot tell.
    @Test func headersOfAStreamThatHasEndedAreCounted() throws {
        let server = try HTTP2Server()
        let client = try server.client()
        try client.send(HTTP2Client.head(1, "/", method: "POST", [("content-length", "1000000000000")], ends: false))
        client.answer(1)
        for _ in 0..<200 { try client.ask(1, "/") }
        try client.settle()
        #expect(client.goAway == nil && client.ending == .open)
        for _ in 0..<20_000 where client.ending == .open {
            do { try client.send((0..<10).map { _ in HTTP2Client.head(1, "/") }) } catch { break }
            client.wait(within: 0) { _ in false }
        }
        client.receiveAll()
        #expect(server.handler.troubles.next()?.hasSuffix(" ends: too many of its streams are in error") == true)
    }

    /// Frames of a stream that has ended, in whatever pieces they come.
    @Test(
        arguments: [HTTP2Client.head(1, "/"), HTTP2Frame(.data, stream: 1, wire("more"))], [Int.max, 1, 5, 9, 10])
    func framesOfAStreamThatHasEndedEndTheConnection(frame: HTTP2Frame, portion: Int) throws {
        let server = try HTTP2Server()
        let client = try server.client()
        try client.ask(1, "/")
        client.answer(1)
        var rest = (HTTP2Frame(.ping, wire("12345678")).bytes + frame.bytes)[...]
        while !rest.isEmpty {
            try client.raw.send(Array(rest.prefix(portion)))
            rest = rest.dropFirst(portion)
            if portion < 20 { client.wait(within: 1) { _ in false } }
        }
        client.receiveAll()
        #expect(client.goAway.map { [$0.last, $0.code] } == [1, 5])
    }

    @Test func dataBehindItsOwnResetEndsTheConnection() throws {
        let server = try HTTP2Server()
        let client = try server.client()
        try client.send(
            HTTP2Client.head(1, "/", method: "POST", ends: false),
            HTTP2Frame(.resetStream, stream: 1, HTTP2Frame.number(8)), HTTP2Frame(.data, stream: 1, wire("more")))
        client.receiveAll()
        #expect(client.goAway.map { [$0.last, $0.code] } == [0, 5])
    }

    /// Frames behind the end of a stream that is being answered.
    @Test(arguments: [HTTP2Client.head(1, "/"), HTTP2Frame(.data, stream: 1, wire("more"))])
    func framesBehindTheEndOfARequestEndTheConnection(frame: HTTP2Frame) throws {
        let server = try HTTP2Server()
        let client = try server.client()
        try client.ask(1, "/hour")
        client.wait { $0[1].text == "half" }
        try client.send(frame)
        client.receiveAll()
        #expect(client.goAway.map { [$0.last, $0.code] } == [1, 5])
    }

    /// The rest of a body may be on its way when its stream is reset.
    @Test func dataBehindAResetIsNoError() throws {
        let server = try HTTP2Server()
        let client = try server.client()
        try client.send(HTTP2Client.head(1, "/", method: "POST", [("content-length", "1000000000000")], ends: false))
        client.answer(1)
        for _ in 0..<1000 { try client.send(HTTP2Frame(.data, stream: 1, wire("late"))) }
        try client.settle()
        try client.ask(3, "/next")
        #expect(client.answer(3).end == .end)
    }

    @Test func aHeadOfManyContinuationsEndsTheConnection() throws {
        let server = try HTTP2Server()
        let client = try server.client()
        let block = HTTP2Client.head(1, "/", (0..<20).map { ("x-\($0)", "y") }).payload
        try client.send(
            [HTTP2Frame(.headers, HTTP2Frame.endStream, stream: 1, Array(block[..<20]))]
                + block[20...].map { HTTP2Frame(.continuation, stream: 1, [$0]) })
        client.receiveAll()
        #expect(client.goAway?.code == 11)
        #expect(server.handler.troubles.next()?.contains("CONTINUATION") == true)
    }

    @Test func aHeadThatUnpacksToMuchMoreEndsTheConnection() throws {
        let server = try HTTP2Server()
        let client = try server.client()
        // A field of 3 KB, indexed, and then named many times by a byte each.
        let field: [UInt8] = [0x40, 1, 0x78, 0x7f, 0xb9, 0x16] + [UInt8](repeating: 0x61, count: 3000)
        let pseudo = HTTP2Frame.block([(":method", "GET"), (":scheme", "http"), (":path", "/")])
        let block = pseudo + field + [UInt8](repeating: 0xbe, count: 10_000)
        try client.send(HTTP2Frame(.headers, Self.end, stream: 1, block))
        client.receiveAll()
        #expect(client.goAway?.code == 11)
        #expect(
            server.handler.troubles.next()?.hasSuffix("it sends a header block that unpacks to many times the limit")
                == true)
    }

    @Test func moreStreamsThanAllowedAreNotServed() throws {
        let server = try HTTP2Server()
        let client = try server.client()
        try client.settle()
        try client.send((0..<20).map { HTTP2Client.head($0 * 2 + 1, "/hour") })
        client.wait { client in (0..<20).allSatisfy { client[UInt32($0) * 2 + 1].text == "half" } }
        try client.ask(41, "/hour")
        client.wait { $0[41].end != .open || $0.ending != .open }
        #expect(client[41].end == .reset(7) || client.goAway?.code == 1)
        #expect(client[41].text == "")
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        let name: String
        let code: UInt32
        let frames: @Sendable () -> [HTTP2Frame]
        var testDescription: String { name }
    }

    /// The library tells what is no HTTP/2; the connection, its end and the line for the log are ours.
    @Test(arguments: [
        Wrong(name: "DATA on an idle stream", code: 1) { [HTTP2Frame(.data, stream: 1)] },
        Wrong(name: "HEADERS of the server's numbers", code: 1) { [HTTP2Client.head(2, "/")] },
        Wrong(name: "a large frame", code: 6) { [HTTP2Frame(.ping, [UInt8](repeating: 0, count: 20_000))] },
        Wrong(name: "a broken header block", code: 9) {
            [HTTP2Frame(.headers, end, stream: 1, [0xff, 0xff, 0xff, 0xff])]
        },
        Wrong(name: "a window that is too large", code: 3) {
            [HTTP2Frame(.windowUpdate, HTTP2Frame.number(0x7fff_ffff))]
        },
    ])
    func anErrorEndsTheConnectionWithItsCode(wrong: Wrong) throws {
        let server = try HTTP2Server()
        let client = try server.client()
        try client.send(wrong.frames())
        client.receiveAll()
        #expect(client.goAway?.code == wrong.code)
        #expect(server.handler.troubles.next()?.hasPrefix("the HTTP/2 connection of 127.0.0.1:") == true)
    }

    @Test(arguments: [
        Wrong(name: "a name in capitals", code: 1) { [HTTP2Client.head(1, "/", [("X", "y")])] },
        Wrong(name: "a field of the connection", code: 1) { [HTTP2Client.head(1, "/", [("connection", "close")])] },
        Wrong(name: "a length that differs", code: 1) {
            [
                HTTP2Client.head(1, "/", method: "POST", [("content-length", "3")], ends: false),
                HTTP2Frame(.data, HTTP2Frame.endStream, stream: 1, wire("hi")),
            ]
        },
        Wrong(name: "no path", code: 1) {
            [HTTP2Frame(.headers, end, stream: 1, HTTP2Frame.block([(":method", "GET"), (":scheme", "http")]))]
        },
    ])
    func anErrorOfARequestResetsItsStream(wrong: Wrong) throws {
        let server = try HTTP2Server()
        let client = try server.client()
        try client.send(wrong.frames())
        #expect(client.answer(1).end == .reset(wrong.code))
        try client.ask(3, "/next")
        #expect(client.answer(3).end == .end)
    }
}
