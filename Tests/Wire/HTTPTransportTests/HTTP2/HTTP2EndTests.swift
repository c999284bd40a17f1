import SDHTTPTransport
import SDTestSupport
import Testing

/// How streams and connections of HTTP/2 end.
@Suite struct HTTP2EndTests {
    /// What a client sees of an answer that breaks off after half of its body, with another answer open.
    struct Broken: Sendable, CustomTestStringConvertible {
        let abort: WireStep.Abort
        var end = HTTP2Client.End.open
        var goAway: HTTP2Client.GoAway?
        var ending = RawClient.Ending.open
        var rest = ""
        var testDescription: String { "\(abort)" }
    }

    @Test(arguments: [
        Broken(abort: .fin, ending: .fin), Broken(abort: .rst, ending: .rst), Broken(abort: .cut, ending: .fin),
        Broken(abort: .hang), Broken(abort: .resetStream(code: 0xd), end: .reset(0xd)),
        Broken(abort: .resetStream(code: 0), end: .reset(0)), Broken(abort: .breakOff, end: .reset(2)),
        Broken(abort: .goAway(code: 2), goAway: .init(last: 3, code: 2, text: ""), ending: .fin),
        Broken(abort: .goAway(code: 0, lastStream: 1), goAway: .init(last: 1, code: 0, text: ""), ending: .fin),
        Broken(abort: .garbage, ending: .fin, rest: "lskdu018973t09sylgasjkfg1][]'./.sdlv"),
    ])
    func anAnswerMayBreakOff(broken: Broken) throws {
        let server = try HTTP2Server { path in
            path != "/broken" ? nil : script(HTTP2Handler.head, HTTP2Handler.half, .abort(broken.abort))
        }
        let client = try server.client()
        try client.ask(1, "/hour")
        client.wait { $0[1].text == "half" }
        try client.ask(3, "/broken")
        if broken.ending == .open {
            client.wait { $0[3].text == "half" && $0[3].end == broken.end }
            try client.ask(5, "/next")
            #expect(client.answer(5).end == .end)
        } else {
            client.receiveAll()
        }
        #expect(client[3].text == "half")
        #expect(client[3].end == broken.end)
        #expect(client.goAway == broken.goAway)
        #expect(client.ending == broken.ending)
        #expect(String(decoding: client.rest, as: UTF8.self) == broken.rest)
        client.raw.close()
        #expect(server.handler.ends.next { $0.path == "/broken" }?.end.outcome == .aborted)
    }

    /// WireMock's faults, as its own HTTP/2 has them.
    @Test(arguments: [
        Broken(abort: .fin, ending: .fin), Broken(abort: .rst, ending: .rst),
        Broken(abort: .resetStream(code: 2), end: .reset(2)),
    ])
    func anAnswerMayBreakOffBeforeItBegins(broken: Broken) throws {
        let server = try HTTP2Server { _ in script(.abort(broken.abort)) }
        let client = try server.client()
        try client.ask(1, "/")
        client.answer(1)
        #expect(client[1].blocks.isEmpty && client[1].end == broken.end && client.ending == broken.ending)
    }

    @Test func anAnswerOfHTTP1ThatBreaksOffClosesTheConnection() throws {
        let server = try HTTP2Server { _ in
            script(bytes("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .abort(.breakOff))
        }
        let client = try RawClient(port: server.port)
        try client.send(get("/"))
        let received = client.receiveAll()
        #expect(received.text.hasSuffix("\r\n\r\nhalf") && received.ending == .fin)
    }

    /// A client may ask again what was not acted upon: a request whose body is still to come, or that stands behind an
    /// error in the same bytes.
    @Test func goAwayNamesTheLastStreamThatWasActedUpon() throws {
        let server = try HTTP2Server()
        let client = try server.client()
        try client.ask(1, "/next")
        client.answer(1)
        try client.ask(3, "/keep")
        try client.settle()
        try client.send(
            HTTP2Client.head(5, "/", method: "POST", ends: false),
            HTTP2Client.head(7, "/", method: "POST", ends: false),
            HTTP2Frame(.ping, wire("short")), HTTP2Client.head(9, "/"))
        client.receiveAll()
        #expect(client.goAway.map { [$0.last, $0.code] } == [3, 6])
        _ = server.handler.replies.next()
    }

    @Test func goAwayOfASlowHeadNamesWhatWasAnswered() throws {
        var limits = ServerLimits.http2
        limits.headTimeout = 1_000
        let server = try HTTP2Server(limits: limits)
        let client = try server.client()
        try client.ask(1, "/next")
        client.answer(1)
        try client.send(HTTP2Frame(.headers, stream: 3, HTTP2Frame.block([(":method", "GET")])))
        client.receiveAll()
        #expect(client.goAway.map { [$0.last, $0.code] } == [1, 0])
    }

    @Test func rawBytesGoOutBetweenFrames() throws {
        let server = try HTTP2Server { _ in script(HTTP2Handler.head, bytes("no frame"), .abort(.fin)) }
        let client = try server.client()
        try client.ask(1, "/")
        client.receiveAll()
        #expect(client[1].status == "200")
        #expect(String(decoding: client.rest, as: UTF8.self) == "no frame")
    }

    @Test func aBodyWithoutAHeadResetsItsStream() throws {
        let server = try HTTP2Server { _ in script(HTTP2Handler.half, .end(.keepAlive)) }
        let client = try server.client()
        try client.ask(1, "/")
        #expect(client.answer(1).end == .reset(2))
    }

    @Test func anAnswerMayCloseTheConnectionAfterTheOthers() throws {
        let server = try HTTP2Server { path in
            path != "/last" ? nil : script(HTTP2Handler.head, HTTP2Handler.half, .end(.close))
        }
        let client = try server.client()
        try client.ask(1, "/keep")
        try client.ask(3, "/last")
        client.wait { $0.goAway != nil && $0[3].end == .end }
        #expect(client.goAway == .init(last: 3, code: 0, text: ""))
        try client.ask(5, "/too/late")
        try client.settle()
        try #require(server.handler.replies.next()).send(
            script(HTTP2Handler.head, HTTP2Handler.half, .end(.keepAlive)))
        client.receiveAll()
        #expect(client[1].text == "half" && client[1].end == .end)
        #expect(client[5] == HTTP2Client.Stream() && client.ending == .fin)
    }

    @Test func aClientMayResetItsStreams() throws {
        let server = try HTTP2Server()
        let client = try server.client()
        try client.ask(1, "/hour")
        try client.ask(3, "/hold")
        try client.ask(5, "/keep")
        try client.send(HTTP2Client.head(7, "/", method: "POST", ends: false))
        client.wait { $0[1].text == "half" && $0[3].status == "200" }
        try client.send([UInt32(1), 3, 5, 7].map { HTTP2Frame(.resetStream, stream: $0, HTTP2Frame.number(8)) })
        let first = (1...2).compactMap { _ in server.handler.ends.next() }
        #expect(Set(first.map(\.path)) == ["/hour", "/hold"])
        #expect(first.allSatisfy { $0.end.outcome == .clientDisconnected })
        // The reply that is owed ends as soon as it is given.
        let ends = Events<StreamEnd>()
        try #require(server.handler.replies.next()).send(
            script(HTTP2Handler.head, .end(.keepAlive)), observer: Told(ends))
        #expect(ends.next()?.outcome == .clientDisconnected)
        try client.ask(9, "/next")
        #expect(client.answer(9).end == .end)
    }

    private final class Told: StreamObserver {
        let ends: Events<StreamEnd>

        init(_ ends: Events<StreamEnd>) {
            self.ends = ends
        }

        func streamEnded(_ end: StreamEnd) { ends.tell(end) }
    }

    @Test(arguments: [false, true])
    func aClientThatLeavesEndsAllItsStreams(resets: Bool) throws {
        let server = try HTTP2Server()
        let client = try server.client()
        for (id, path) in [(UInt32(1), "/hour"), (3, "/hold"), (5, "/keep")] { try client.ask(id, path) }
        client.wait { $0[1].text == "half" && $0[3].status == "200" }
        if resets { client.raw.reset() } else { client.raw.close() }
        let ends = (1...2).compactMap { _ in server.handler.ends.next() }
        #expect(Set(ends.map(\.path)) == ["/hour", "/hold"])
        #expect(ends.allSatisfy { $0.end.outcome == .clientDisconnected })
        try #require(server.handler.replies.next()).send(script(HTTP2Handler.head, .end(.keepAlive)))
    }

    @Test func aCancelledStreamIsReset() throws {
        let server = try HTTP2Server()
        let client = try server.client()
        try client.ask(1, "/hour")
        try client.ask(3, "/hold")
        client.wait { $0[1].text == "half" && $0[3].status == "200" }
        try #require(server.handler.handles.next()).cancel()
        #expect(client.answer(1).end == .reset(8))
        try #require(server.handler.held.next()).cancel()
        #expect(client.answer(3).end == .reset(8))
        #expect(server.handler.ends.next()?.end.outcome == .cancelled)
    }

    @Test func anIdleConnectionIsToldOfItsEnd() throws {
        var limits = ServerLimits.http2
        limits.idleTimeout = 4_000
        let server = try HTTP2Server(limits: limits)
        let client = try server.client()
        try client.ask(1, "/next")
        client.receiveAll()
        #expect(client[1].end == .end)
        #expect(client.goAway == .init(last: 1, code: 0, text: ""))
        #expect(client.ending == .fin)
    }

    @Test func aConnectionIsIdleFromItsLastAnswerOn() throws {
        var limits = ServerLimits.http2
        limits.idleTimeout = 6_000
        let server = try HTTP2Server(limits: limits)
        let client = try server.client()
        for round in UInt32(0)..<5 {
            try client.ask(round * 2 + 1, "/next")
            #expect(client.answer(round * 2 + 1).end == .end)
            client.wait(within: 1_300) { _ in false }
        }
        #expect(client.ending == .open)
    }

    @Test func aDrainingServerFinishesWhatItHasBegun() throws {
        let server = try HTTP2Server()
        let (idle, busy) = (try server.client(), try server.client())
        try idle.ask(1, "/next")
        idle.answer(1)
        try busy.ask(1, "/keep")
        try busy.ask(3, "/hold")
        busy.wait { $0[3].status == "200" }
        server.server.drain(milliseconds: 10_000)
        idle.receiveAll()
        #expect(idle.goAway?.code == 0 && idle.ending == .fin)
        busy.wait { $0.goAway != nil && $0[3].end != .open }
        #expect(busy[3].end == .reset(8))
        #expect(server.handler.ends.next { $0.path == "/hold" }?.end.outcome == .stopped)
        try #require(server.handler.replies.next()).send(
            script(HTTP2Handler.head, HTTP2Handler.half, .end(.keepAlive)))
        busy.receiveAll()
        #expect(busy[1].text == "half" && busy[1].end == .end && busy.ending == .fin)
    }

    @Test func aServerThatEndsEndsTheStreams() throws {
        let ends: Events<HTTP2Handler.PathEnd>
        let client: HTTP2Client
        do {
            let server = try HTTP2Server()
            client = try server.client()
            ends = server.handler.ends
            try client.ask(1, "/hour")
            try client.ask(3, "/hold")
            client.wait { $0[1].text == "half" && $0[3].status == "200" }
        }
        #expect((1...2).compactMap { _ in ends.next() }.allSatisfy { $0.end.outcome == .stopped })
        client.receiveAll()
    }
}

extension Events {
    /// The next event for which the condition holds; others are dropped.
    fileprivate func next(where condition: (Event) -> Bool) -> Event? {
        while let event = next() {
            if condition(event) { return event }
        }
        return nil
    }
}
