import SDHTTPTransport
import SDTestSupport
import Testing

/// A connection has as many streams as its protocol wants, and what becomes of one is not what becomes of another.
@Suite struct StreamsOfAConnectionTests {
    private typealias End = MuxServer.End

    // MARK: Beside each other

    @Test func aRequestIsAnsweredWhileAnotherIsHeld() throws {
        let mux = try MuxServer()
        let client = try mux.client()
        try client.ask((1, "/hold"))
        let held = try #require(mux.held.next())
        try client.ask((2, "/second"))
        #expect(client.answer(to: 2) == .whole("2 200\nHTTP/2.0 /second"))
        held.send(WireBytes(wire("later")))
        held.finish(script(.end(.close)))
        #expect(client.answer(to: 1) == .whole("1 200\nlater"))
        try client.ask((1, "/third"), (2, "/fourth"))
        #expect(client.answer(to: 1) == .whole("1 200\nHTTP/2.0 /third"))
        #expect(client.answer(to: 2) == .whole("2 200\nHTTP/2.0 /fourth"))
        #expect(mux.takeEnds(1) == [End(path: "/hold", outcome: .sent)])
    }

    @Test func repliesComeInAnyOrder() throws {
        let mux = try MuxServer()
        let client = try mux.client()
        try client.ask((1, "/keep"), (2, "/keep"), (3, "/keep"))
        let replies = try (1...3).map { _ in try #require(mux.replies.next()) }
        for number in [2, 3, 1] {
            replies[number - 1].send(MuxServer.answer("\(number)"))
            #expect(client.answer(to: number) == .whole("\(number) 200\n\(number)"))
        }
    }

    @Test(arguments: ["/large", "/pieces", "/file"], ["/large", "/pieces", "/file"])
    func longAnswersTakeTurns(one: String, other: String) throws {
        let mux = try MuxServer()
        let client = try mux.client()
        try client.ask((1, one), (2, other))
        for stream in 1...2 {
            let expected = wire("\(stream) 200\n") + MuxServer.largeBody
            #expect(client.answer(to: stream) == MuxClient.Answer(bytes: expected, isWhole: true))
        }
        let lasts = [1, 2].compactMap { client.order.lastIndex(of: $0) }
        let both = client.order.prefix((lasts.min() ?? 0) + 1)
        #expect(both.count > 800)
        let runs = both.split { $0 == 1 }.map(\.count) + both.split { $0 == 2 }.map(\.count)
        #expect(runs.allSatisfy { $0 <= 2 }, "as many parts followed each other: \(runs.max() ?? 0)")
    }

    @Test func eachStreamWaitsByItself() throws {
        let mux = try MuxServer()
        let client = try mux.client()
        try client.ask((1, "/hour"), (2, "/moment"), (3, "/silent"), (4, "/paced"), (5, "/moment"))
        #expect(client.answer(to: 2) == .whole("2 200\nhalf"))
        #expect(client.answer(to: 5) == .whole("5 200\nhalf"))
        #expect(client.answer(to: 4) == MuxClient.Answer(bytes: wire("4 200\n") + pattern(3000), isWhole: true))
    }

    // MARK: The end of one

    @Test(arguments: ["/fin", "/rst"])
    func anAnswerThatIsAbortedHarmsNoOther(path: String) throws {
        let mux = try MuxServer()
        let client = try mux.client()
        try client.ask((1, "/hold"), (2, path), (3, "/large"))
        let held = try #require(mux.held.next())
        #expect(client.answer(to: 2) == .broken("2 200\nhalf"))
        try client.ask((2, "/again"))
        #expect(client.answer(to: 2) == .whole("2 200\nHTTP/2.0 /again"))
        #expect(client.answer(to: 3)?.isWhole == true)
        held.finish(script(.end(.keepAlive)))
        #expect(client.answer(to: 1) == .whole("1 200\n"))
    }

    @Test(arguments: [("/hour", "2 200\nhalf"), ("/silent", "")])
    func anAnswerThatIsCancelledHarmsNoOther(path: String, begun: String) throws {
        let mux = try MuxServer()
        let client = try mux.client()
        try client.ask((1, "/hold"), (2, path))
        let held = try #require(mux.held.next())
        #expect(client.beginning(of: 2, as: begun))
        try #require(mux.handles.next()).cancel()
        #expect(client.answer(to: 2) == .broken(begun))
        held.send(WireBytes(wire("unharmed")))
        held.finish(script(.end(.keepAlive)))
        #expect(client.answer(to: 1) == .whole("1 200\nunharmed"))
        let expected: Set = [End(path: path, outcome: .cancelled), End(path: "/hold", outcome: .sent)]
        #expect(mux.takeEnds(2) == expected)
    }

    @Test func anAnswerThatTheClientGivesUpHarmsNoOther() throws {
        let mux = try MuxServer()
        let client = try mux.client()
        try client.ask((1, "/keep"), (2, "/hour"), (3, "/hold"), (4, "/flood"))
        for stream in 2...4 { try client.giveUp(stream) }
        #expect(client.answer(to: 2) == .broken("2 200\nhalf"))
        #expect(client.answer(to: 3) == .broken("3 200\n"))
        #expect(client.answer(to: 4)?.isWhole == false)
        let expected = ["/hour", "/hold", "/flood"].map { End(path: $0, outcome: .clientDisconnected) }
        #expect(mux.takeEnds(3) == Set(expected))
        try #require(mux.replies.next()).send(MuxServer.answer("unharmed"))
        #expect(client.answer(to: 1) == .whole("1 200\nunharmed"))
    }

    @Test func aReplyThatTheClientGaveUpIsNotSent() throws {
        let mux = try MuxServer()
        let client = try mux.client()
        try client.ask((1, "/keep"))
        let reply = try #require(mux.replies.next())
        try client.giveUp(1)
        try client.ask((2, "/second"))
        #expect(client.answer(to: 2)?.isWhole == true)
        let observer = EndObserver()
        reply.send(MuxServer.answer("unwanted"), observer: observer)
        #expect(client.answer(to: 1) == .broken(""))
        let end = try #require(observer.ends.next())
        #expect(end.outcome == .clientDisconnected)
        #expect(end.bytesSent == 0)
        try client.ask((1, "/again"))
        #expect(client.answer(to: 1) == .whole("1 200\nHTTP/2.0 /again"))
    }

    // MARK: The end of all

    @Test func aResetEndsEachStreamOnce() throws {
        let mux = try MuxServer()
        let client = try mux.client()
        try client.ask((1, "/hold"), (2, "/hour"), (3, "/silent"))
        #expect(client.beginning(of: 1, as: "1 200\n"))
        #expect(client.beginning(of: 2, as: "2 200\nhalf"))
        _ = mux.handles.next()
        _ = mux.handles.next()
        client.reset()
        let expected = ["/hold", "/hour", "/silent"].map { End(path: $0, outcome: .clientDisconnected) }
        #expect(mux.takeEnds(3) == Set(expected))
        #expect(mux.connections == 0)
    }

    @Test func aReplyKeptPastTheResetEndsByItself() throws {
        let mux = try MuxServer()
        let client = try mux.client()
        try client.ask((1, "/keep"), (2, "/keep"), (3, "/hold"))
        let replies = try (1...2).map { _ in try #require(mux.replies.next()) }
        _ = try #require(mux.held.next())
        client.reset()
        #expect(mux.takeEnds(1) == [End(path: "/hold", outcome: .clientDisconnected)])
        for (reply, left) in zip(replies, [1, 0]) {
            #expect(mux.connections == 1)
            let observer = EndObserver()
            reply.send(MuxServer.answer("too late"), observer: observer)
            #expect(observer.ends.next()?.outcome == .clientDisconnected)
            mux.server.settle()
            #expect(mux.connections == left)
        }
    }

    @Test func aClientThatTakesNothingStallsAllStreams() throws {
        let mux = try MuxServer(idleTimeout: 800)
        let client = try mux.client(receiveBuffer: 4096)
        try client.ask((1, "/flood"), (2, "/hold"), (3, "/silent"))
        let expected = ["/flood", "/hold", "/silent"].map { End(path: $0, outcome: .clientStalled) }
        #expect(mux.takeEnds(3) == Set(expected))
        #expect(mux.connections == 0)
    }

    @Test func whatIsNoEnvelopeEndsTheConnection() throws {
        let mux = try MuxServer()
        for bytes in [
            MuxClient.envelope(99, "Q", wire("GET /")), MuxClient.envelope(2, "Q", wire("GET")),
            MuxClient.envelope(2, "?", []), MuxClient.envelope(1, "Q", wire("GET /hold")),
        ] {
            let client = try mux.client()
            try client.ask((1, "/hold"))
            _ = try #require(mux.held.next())
            try client.send(bytes)
            #expect(mux.takeEnds(1) == [End(path: "/hold", outcome: .clientDisconnected)])
            #expect(mux.connections == 0)
        }
    }

    // MARK: The end of the server

    @Test func drainingEndsOnlyWhatIsHeld() throws {
        let mux = try MuxServer()
        let client = try mux.client()
        try client.ask((1, "/hold"), (2, "/keep"), (3, "/hour"))
        _ = try #require(mux.held.next())
        let (reply, handle) = (try #require(mux.replies.next()), try #require(mux.handles.next()))
        mux.server.server.drain(milliseconds: 20_000)
        #expect(client.answer(to: 1) == .broken("1 200\n"))
        reply.send(MuxServer.answer("in time"))
        #expect(client.answer(to: 2) == .whole("2 200\nin time"))
        handle.cancel()
        #expect(client.answer(to: 3) == .broken("3 200\nhalf"))
        #expect(client.ending() == .fin)
        let expected: Set = [End(path: "/hold", outcome: .stopped), End(path: "/hour", outcome: .cancelled)]
        #expect(mux.takeEnds(2) == expected)
    }

    @Test func stoppingEndsEachStreamOnce() throws {
        let mux = try MuxServer()
        let client = try mux.client()
        try client.ask((1, "/hold"), (2, "/hour"), (3, "/keep"), (4, "/silent"))
        _ = try #require(mux.held.next())
        let reply = try #require(mux.replies.next())
        _ = try #require(mux.handles.next())
        _ = try #require(mux.handles.next())
        mux.server.server.stopAndWait()
        let expected = ["/hold", "/hour", "/silent"].map { End(path: $0, outcome: .stopped) }
        #expect(mux.takeEnds(3) == Set(expected))
        let observer = EndObserver()
        reply.send(MuxServer.answer("too late"), observer: observer)
        #expect(observer.ends.next()?.outcome == .clientDisconnected)
        #expect(mux.connections == 0)
    }

    /// A client that does not read leaves the last words of the streams in the connection's own output.
    @Test func drainingLeavesTheClientWhatWasSent() throws {
        let mux = try MuxServer()
        let client = try mux.client()
        try client.ask((1, "/flood"))
        let handle = try #require(mux.handles.next())
        // Each stream that is given up has a last word, until the system takes no more.
        for _ in 1...20_000 where mux.blockedWrites == 0 {
            try client.ask((2, "/large"))
            try client.giveUp(2)
            mux.server.settle()
        }
        #expect(mux.blockedWrites > 0)
        handle.cancel()
        #expect(mux.takeEnds(1) == [End(path: "/flood", outcome: .cancelled)])
        mux.server.server.drain(milliseconds: 20_000)
        mux.server.settle()
        #expect(client.answer(to: 1)?.isWhole == false)
        #expect(client.ending() == .fin)
    }

    // MARK: The end of one that leads to another's

    @Test(arguments: [("/keep", "/chain"), ("/chain", "/keep")])
    func theEndOfAStreamMayAnswerAnotherOfAConnectionThatIsReset(first: String, second: String) throws {
        let mux = try MuxServer()
        let client = try mux.client()
        try client.ask((1, first), (2, second), (3, "/third"))
        #expect(client.answer(to: 3)?.isWhole == true)
        client.reset()
        let expected = [first, second].map { End(path: $0, outcome: .clientDisconnected) }
        #expect(mux.takeEnds(2) == Set(expected))
        #expect(mux.connections == 0)
    }

    @Test(arguments: [("/keep", "/chain"), ("/chain", "/keep")])
    func theEndOfAStreamMayAnswerAnotherOfAServerThatDrains(first: String, second: String) throws {
        let mux = try MuxServer()
        let client = try mux.client()
        try client.ask((1, first), (2, second))
        _ = try #require(mux.held.next())
        mux.server.server.drain(milliseconds: 20_000)
        let (keep, chain) = first == "/keep" ? (1, 2) : (2, 1)
        #expect(client.answer(to: keep) == .whole("\(keep) 200\nchained"))
        #expect(client.answer(to: chain) == .broken("\(chain) 200\n"))
        #expect(client.ending() == .fin)
        let expected: Set = [End(path: "/keep", outcome: .sent), End(path: "/chain", outcome: .stopped)]
        #expect(mux.takeEnds(2) == expected)
    }

    /// The answer is written to a connection that is reset by then, and is the next whose time is over.
    @Test func theEndOfAStreamMayEndTheNextConnectionThatStalls() throws {
        let mux = try MuxServer(idleTimeout: 800)
        let first = try mux.client(receiveBuffer: 4096)
        // Used by this thread, and afterwards by the loop's.
        nonisolated(unsafe) let second = try mux.client(receiveBuffer: 4096)
        try first.ask((1, "/chain"), (2, "/flood"))
        mux.server.settle()
        try second.ask((1, "/keep"), (2, "/flood"))
        mux.beforeChained.withLock { $0 = { second.reset() } }
        let expected: Set = [
            End(path: "/chain", outcome: .clientStalled), End(path: "/flood", outcome: .clientStalled),
            End(path: "/flood", outcome: .clientDisconnected), End(path: "/keep", outcome: .clientDisconnected),
        ]
        #expect(mux.takeEnds(4) == expected)
        #expect(mux.connections == 0)
    }

    @Test(arguments: [("/keep", "/chain"), ("/chain", "/keep")])
    func theEndOfAStreamMayAnswerAnotherOfAClientThatStalls(first: String, second: String) throws {
        let mux = try MuxServer(idleTimeout: 800)
        let client = try mux.client(receiveBuffer: 4096)
        try client.ask((1, first), (2, second), (3, "/flood"))
        let keep = first == "/keep" ? StreamEnd.Outcome.clientDisconnected : .clientStalled
        let expected: Set = [
            End(path: "/keep", outcome: keep), End(path: "/chain", outcome: .clientStalled),
            End(path: "/flood", outcome: .clientStalled),
        ]
        #expect(mux.takeEnds(3) == expected)
        #expect(mux.connections == 0)
    }
}
