import SDHTTPTransport
import SDTestSupport
import Testing

/// Answers that come later or in pieces.
@Suite struct StreamingReplyTests {
    private let head = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"

    @Test func aHeldAnswerIsFinishedLaterAndTheConnectionContinues() throws {
        let holding = try HoldingServer { _, reply, onEnd in reply.hold(onEnd: onEnd) }
        let client = try holding.server.client()
        for text in ["first", "second"] {
            try client.send(get("/hold"))
            let held = try #require(holding.held.next())
            #expect(client.receiveUntilQuiet(milliseconds: 20).bytes.isEmpty)
            held.finish(script(answer(text), .end(.keepAlive)))
            expectWire(client.receive(answered(text).count), answered(text), .open)
            let end = try #require(holding.ends.next())
            #expect(end.outcome == .sent)
            #expect(end.bytesSent == UInt64(answered(text).count))
        }
    }

    @Test func piecesFollowTheOpeningInTheirOrder() throws {
        let holding = try HoldingServer { [head] _, reply, onEnd in
            reply.hold([bytes(head), .wait(nanoseconds: milliseconds(5)), bytes("0")], onEnd: onEnd)
        }
        let client = try holding.server.client()
        try client.send(get("/hold"))
        let held = try #require(holding.held.next())
        for digit in 1...8 { held.send(WireBytes(wire("\(digit)"))) }
        held.send(WireBytes([]))
        expectWire(client.receive(head.utf8.count + 9), head + "012345678", .open)
        held.finish(script(.end(.keepAlive)))
        #expect(holding.ends.next()?.bytesSent == UInt64(head.utf8.count + 9))
        #expect(held.pendingBytes == 0)
        try client.send(get("/"))
        _ = client.receive(until: "[a]")
    }

    @Test func manyThreadsMaySendEachInItsOwnOrder() throws {
        let holding = try HoldingServer { _, reply, onEnd in reply.hold(onEnd: onEnd) }
        let client = try holding.server.client()
        try client.send(get("/hold"))
        let held = try #require(holding.held.next())
        let threads = 4
        let count = 500
        let done = Events<Void>()
        for thread in 0..<threads {
            runOnThread {
                for number in 0..<count { held.send(WireBytes(wire("\(thread) \(number)\n"))) }
                done.tell(())
            }
        }
        for _ in 0..<threads { try #require(done.next() != nil) }
        held.finish(script(bytes("end"), .end(.close)))
        let received = client.receiveAll()
        #expect(received.ending == .fin)
        let lines = received.text.split(separator: "\n")
        #expect(lines.count == threads * count + 1)
        #expect(lines.last == "end")
        for thread in 0..<threads {
            let numbers = lines.filter { $0.hasPrefix("\(thread) ") }.map { String($0.dropFirst(2)) }
            #expect(numbers == (0..<count).map(String.init))
        }
    }

    @Test func aPipelinedRequestIsServedAfterTheHeldOneBeforeIt() throws {
        let holding = try HoldingServer { _, reply, onEnd in reply.hold(onEnd: onEnd) }
        let client = try holding.server.client()
        try client.send(get("/hold") + get("/hold") + get("/"))
        let first = try #require(holding.held.next())
        #expect(holding.held.next(within: 20) == nil)
        first.finish(script(answer("1"), .end(.keepAlive)))
        let second = try #require(holding.held.next())
        second.finish(script(answer("2"), .end(.keepAlive)))
        let expected = answered("1") + answered("2") + answered("GET / HTTP/1.1 keep\n[Host]=[a]")
        expectWire(client.receive(expected.count), expected, .open)
    }

    @Test(arguments: ["", "Connection: keep-alive\r\n"])
    func anHTTP10ConnectionClosesUnlessKeepAliveWasRequested(field: String) throws {
        let holding = try HoldingServer { _, reply, onEnd in reply.hold(onEnd: onEnd) }
        let client = try holding.server.client()
        try client.send("GET /hold HTTP/1.0\r\n\(field)\r\n")
        try #require(holding.held.next()).finish(script(answer("x"), .end(.keepAlive)))
        expectWire(client.receive(answered("x").count), answered("x"), .open)
        if field.isEmpty {
            expectWire(client.receiveAll(), "", .fin)
        } else {
            try client.send("GET /hold HTTP/1.0\r\n\r\n")
            try #require(holding.held.next()).finish(script(answer("y"), .end(.keepAlive)))
            expectWire(client.receiveAll(), answered("y"), .fin)
        }
    }

    @Test func onlyTheFirstFinishCounts() throws {
        let holding = try HoldingServer { _, reply, onEnd in reply.hold(onEnd: onEnd) }
        let client = try holding.server.client()
        try client.send(get("/hold"))
        let held = try #require(holding.held.next())
        held.send(WireBytes(wire("a")))
        held.finish(script(bytes("b"), .wait(nanoseconds: milliseconds(20)), bytes("c"), .end(.close)))
        held.finish(script(bytes("no"), .end(.close)))
        held.send(WireBytes(wire("no")))
        expectWire(client.receiveAll(), "abc", .fin)
        #expect(holding.ends.next()?.outcome == .sent)
        held.finish(script(bytes("no"), .end(.close)))
        held.send(WireBytes(wire("no")))
        held.cancel()
        holding.server.settle()
        #expect(held.pendingBytes == 0)
        #expect(holding.ends.next(within: 0) == nil)
    }

    @Test(arguments: [WireStep.Abort.fin, .rst])
    func aHeldAnswerMayEndInAFault(abort: WireStep.Abort) throws {
        let holding = try HoldingServer { [head] _, reply, onEnd in reply.hold([bytes(head)], onEnd: onEnd) }
        let client = try holding.server.client()
        try client.send(get("/hold"))
        try #require(holding.held.next()).finish(script(bytes("half"), .abort(abort)))
        expectWire(client.receiveAll(), head + "half", abort == .fin ? .fin : .rst)
        #expect(holding.ends.next()?.outcome == .aborted)
    }

    @Test(arguments: ClientDisconnectTests.Leaving.allCases, [false, true])
    func aClientThatLeavesEndsItOnce(leaving: ClientDisconnectTests.Leaving, begun: Bool) throws {
        let holding = try HoldingServer { [head] _, reply, onEnd in
            reply.hold(begun ? [bytes(head)] : [], onEnd: onEnd)
        }
        let client = try holding.server.client()
        try client.send(get("/hold"))
        let held = try #require(holding.held.next())
        if begun { expectWire(client.receive(head.utf8.count), head, .open) }
        holding.server.settle()
        switch leaving {
        case .close: client.close()
        case .reset: client.reset()
        case .finishSending: client.finishSending()
        }
        let end = try #require(holding.ends.next())
        #expect(end.outcome == .clientDisconnected)
        #expect(end.bytesSent == UInt64(begun ? head.utf8.count : 0))
        held.send(WireBytes(wire("x")))
        held.finish(script(.end(.close)))
        held.cancel()
        holding.server.settle()
        #expect(held.pendingBytes == 0)
        #expect(holding.ends.next(within: 0) == nil)
    }

    @Test(arguments: ClientDisconnectTests.Leaving.allCases)
    func aClientThatLeavesAfterFillingThePipelineEndsIt(leaving: ClientDisconnectTests.Leaving) throws {
        let holding = try HoldingServer { _, reply, onEnd in reply.hold([bytes("a")], onEnd: onEnd) }
        let client = try holding.server.client()
        try client.send(get("/hold"))
        let held = try #require(holding.held.next())
        // More than the server reads ahead, and less than the kernel buffers.
        try client.send(Array(repeatElement(wire(get("/")), count: 4000).joined()))
        held.send(WireBytes(wire("b")))
        expectWire(client.receive(2), "ab", .open)
        switch leaving {
        case .close: client.close()
        case .reset: client.reset()
        case .finishSending: client.finishSending()
        }
        #expect(holding.ends.next()?.outcome == .clientDisconnected)
        #expect(holding.ends.next(within: 0) == nil)
        withExtendedLifetime(held) {}
    }

    @Test func anEndedStreamFreesItsObjects() throws {
        let ended = Events<Void>()
        let streams = Events<StreamingReply>()
        let kept = Locked<[Weak]>([])
        var server: TestServer? = try TestServer(limits: .patient) { _, reply in
            let captured = EndObserver()
            let blob = WireBytes(wire("opening"))
            kept.withLock { $0 += [Weak(captured), Weak(blob)] }
            streams.tell(
                reply.hold([.raw(blob)]) { _ in
                    withExtendedLifetime(captured) {}
                    ended.tell(())
                })
        }
        weak let inner = server?.server
        let client = try #require(try server?.client())
        try client.send(get("/"))
        let stream = try #require(streams.next())
        let piece = WireBytes(wire("piece"))
        kept.withLock { $0.append(Weak(piece)) }
        stream.send(piece)
        expectWire(client.receive(7), "opening", .open)
        client.close()
        try #require(ended.next() != nil)
        server?.settle()
        #expect(kept.withLock { $0.prefix(2).allSatisfy { $0.object == nil } })
        server = nil
        #expect(inner == nil, "a handle keeps its server alive")
        stream.cancel()
        stream.send(piece)
        #expect(stream.pendingBytes == 0)
    }

    @Test func theOpeningIsNotKeptWhileTheStreamIsHeld() throws {
        let kept = Locked<Weak?>(nil)
        let streams = Events<StreamingReply>()
        let server = try TestServer(limits: .patient) { _, reply in
            let blob = WireBytes(wire("opening"))
            kept.withLock { $0 = Weak(blob) }
            streams.tell(reply.hold([.raw(blob)]) { _ in })
        }
        let client = try server.client()
        try client.send(get("/"))
        expectWire(client.receive(7), "opening", .open)
        server.settle()
        #expect(kept.withLock { $0?.object == nil })
        #expect(streams.next() != nil)
    }

    @Test func aDroppedHandleEndsItsStream() throws {
        let holding = try HoldingServer { [head] _, reply, onEnd in reply.hold([bytes(head)], onEnd: onEnd) }
        let client = try holding.server.client()
        try client.send(get("/hold"))
        _ = try #require(holding.held.next())
        expectWire(client.receiveAll(), head, .rst)
        #expect(holding.ends.next()?.outcome == .cancelled)
    }

    @Test func aHandleMayBeDroppedAfterFinish() throws {
        let holding = try HoldingServer { _, reply, onEnd in
            let held = reply.hold(onEnd: onEnd)
            held.send(WireBytes(wire("a")))
            held.finish(script(.wait(nanoseconds: milliseconds(50)), bytes("b"), .end(.close)))
            return nil
        }
        let client = try holding.server.client()
        try client.send(get("/hold"))
        expectWire(client.receiveAll(), "ab", .fin)
        #expect(holding.ends.next()?.outcome == .sent)
    }

    @Test func aStreamMayBeHeldFromAnotherThread() throws {
        let streams = Events<StreamingReply>()
        let ends = Events<StreamEnd>()
        let server = try TestServer(limits: .patient) { _, reply in
            let later = Locked<Reply?>(reply)
            runOnThread {
                guard let reply = later.withLock({ $0.take() }) else { return }
                let stream = reply.hold([bytes("a")]) { ends.tell($0) }
                stream.send(WireBytes(wire("b")))
                stream.finish(script(bytes("c"), .end(.close)))
                streams.tell(stream)
            }
        }
        let client = try server.client()
        try client.send(get("/"))
        expectWire(client.receiveAll(), "abc", .fin)
        #expect(ends.next()?.outcome == .sent)
    }

    @Test func theBytesPendingForASlowReaderAreCounted() throws {
        let holding = try HoldingServer { [head] _, reply, onEnd in reply.hold([bytes(head)], onEnd: onEnd) }
        let client = try holding.server.client()
        client.shrinkReceiveBuffer(to: 4096)
        try client.send(get("/hold"))
        let held = try #require(holding.held.next())
        let piece = WireBytes([UInt8](repeating: 0x78, count: 1 << 20))
        for _ in 1...64 { held.send(piece) }
        holding.server.settle()
        #expect(held.pendingBytes > 32 << 20)
        #expect(held.pendingBytes <= 64 << 20)
        held.cancel()
        #expect(holding.ends.next()?.outcome == .cancelled)
        #expect(held.pendingBytes == 0)
        #expect(client.receiveAll().ending == .rst)
    }

    @Test func aSlowReaderThatReadsGetsEveryPiece() throws {
        let holding = try HoldingServer { _, reply, onEnd in reply.hold(onEnd: onEnd) }
        let client = try holding.server.client()
        client.shrinkReceiveBuffer(to: 65_536)
        try client.send(get("/hold"))
        let held = try #require(holding.held.next())
        let content = (0..<8_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        for start in stride(from: 0, to: content.count, by: 10_000) {
            held.send(WireBytes(Array(content[start..<(start + 10_000)])))
        }
        let received = client.receive(content.count)
        let isWhole = received.bytes == content
        #expect(isWhole, "\(received.bytes.count) of \(content.count) bytes came, then \(received.ending)")
        #expect(eventually { held.pendingBytes == 0 ? true : nil } == true)
        held.finish(script(.end(.close)))
        expectWire(client.receiveAll(), "", .fin)
    }

    @Test func drainingEndsHeldStreamsAtOnce() throws {
        let holding = try HoldingServer { [head] request, reply, onEnd in
            reply.hold(request.path.elementsEqual(wire("/hold")) ? [] : [bytes(head)], onEnd: onEnd)
        }
        let silent = try holding.server.client()
        try silent.send(get("/hold"))
        let first = try #require(holding.held.next())
        let begun = try holding.server.client()
        try begun.send(get("/begun"))
        let second = try #require(holding.held.next())
        expectWire(begun.receive(head.utf8.count), head, .open)
        // A request that reaches its hold while the server drains.
        let late = try holding.server.client()
        try late.send(get("/late"))
        let third = try #require(holding.held.next())
        third.finish(script(.wait(nanoseconds: milliseconds(10_000)), bytes("late"), .end(.keepAlive)))
        holding.server.settle()
        holding.server.server.drain(milliseconds: 60_000)
        expectWire(silent.receiveAll(), "", .fin)
        expectWire(begun.receiveAll(), "", .fin)
        expectWire(late.receiveAll(), head + "late", .fin)
        let outcomes = (1...3).map { _ in holding.ends.next()?.outcome }
        #expect(outcomes == [.stopped, .stopped, .sent])
        withExtendedLifetime((first, second, third)) {}
    }

    @Test func aStreamThatReachesItsHoldWhileTheServerDrainsEnds() throws {
        let holding = try HoldingServer { _, reply, onEnd in
            reply.hold([bytes("a"), .wait(nanoseconds: milliseconds(100)), bytes("b")], onEnd: onEnd)
        }
        let client = try holding.server.client()
        try client.send(get("/hold"))
        let held = try #require(holding.held.next())
        expectWire(client.receive(1), "a", .open)
        holding.server.server.drain(milliseconds: 60_000)
        expectWire(client.receiveAll(), "b", .fin)
        #expect(holding.ends.next()?.outcome == .stopped)
        withExtendedLifetime(held) {}
    }

    @Test func aStreamHeldAfterTheEndOfTheServerEndsAtOnce() throws {
        let kept = Locked<Reply?>(nil)
        let asked = Events<Void>()
        var server: TestServer? = try TestServer(limits: .patient) { _, reply in
            let given = Locked<Reply?>(reply)
            kept.withLock { $0 = given.withLock { $0.take() } }
            asked.tell(())
        }
        weak let inner = server?.server
        let client = try #require(try server?.client())
        try client.send(get("/"))
        try #require(asked.next() != nil)
        server = nil
        let ends = Events<StreamEnd>()
        let stream = kept.withLock { $0.take() }?.hold([bytes("a")]) { ends.tell($0) }
        #expect(ends.next(within: 0)?.outcome == .stopped)
        stream?.send(WireBytes(wire("x")))
        stream?.finish(script(.end(.close)))
        #expect(stream?.pendingBytes == 0)
        #expect(client.receiveAll().ending != .open)
        #expect(inner == nil)
    }

    @Test func theEndOfTheServerEndsHeldStreams() throws {
        let ends = Events<StreamEnd>()
        let streams = Events<StreamingReply>()
        weak var kept: Server?
        do {
            let server = Locked<Server?>(nil)
            let handler = HoldingHandler { reply in
                // Like a session that refers to its server: the closure keeps the server alive until the stream has
                // ended.
                let owner = server.withLock { $0 }
                streams.tell(
                    reply.hold([bytes("a")]) { end in
                        withExtendedLifetime(owner) {}
                        ends.tell(end)
                    })
            }
            let running = try Server(limits: .patient, handler: handler)
            let port = try running.listen(address: "127.0.0.1", port: 0)
            server.withLock { $0 = running }
            try running.start()
            let client = try RawClient(port: port)
            try client.send(get("/"))
            expectWire(client.receive(1), "a", .open)
            running.stopAndWait()
            #expect(ends.next()?.outcome == .stopped)
            #expect(client.receiveAll().ending != .open)
            server.withLock { $0 = nil }
            kept = running
        }
        #expect(kept == nil, "a stream that ended keeps its server")
        let stream = try #require(streams.next())
        stream.send(WireBytes(wire("x")))
        stream.finish(script(.end(.close)))
        stream.cancel()
        #expect(stream.pendingBytes == 0)
        #expect(ends.next(within: 0) == nil)
    }
}

private final class Weak: Sendable {
    private nonisolated(unsafe) weak var kept: AnyObject?

    init(_ object: AnyObject) {
        kept = object
    }

    var object: AnyObject? { kept }
}
