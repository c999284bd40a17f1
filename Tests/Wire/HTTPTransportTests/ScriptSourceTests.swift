import SDHTTPTransport
import SDTestSupport
import Synchronization
import Testing

/// Answers that are made while they are sent.
@Suite struct ScriptSourceTests {
    /// Makes what it is given, and counts how often it is asked.
    private final class Source: ScriptSource {
        private let make: @Sendable (Int) -> WireScript?
        let asked = Atomic(0)

        init(_ make: @escaping @Sendable (Int) -> WireScript?) {
            self.make = make
        }

        func next() -> WireScript? {
            make(asked.add(1, ordering: .relaxed).oldValue)
        }
    }

    private func stream(_ client: RawClient, _ holding: HoldingServer) throws -> StreamingReply {
        try client.send(get("/hold"))
        return try #require(holding.held.next())
    }

    @Test func eachPartIsMadeWhenTheOneBeforeItIsSent() throws {
        let holding = try HoldingServer { _, reply, onEnd in reply.hold(onEnd: onEnd) }
        let client = try holding.server.client()
        let held = try stream(client, holding)
        let source = Source { number in
            number < 3
                ? .part([.wait(nanoseconds: milliseconds(1)), bytes("\(number)")]) : script(bytes("end"), .end(.close))
        }
        held.run(source)
        expectWire(client.receiveAll(), "012end", .fin)
        #expect(holding.ends.next()?.outcome == .sent)
        #expect(source.asked.load(ordering: .relaxed) == 4)
    }

    @Test func aSourceWithNothingToSendIsAskedAgain() throws {
        let holding = try HoldingServer { _, reply, onEnd in reply.hold([bytes("a")], onEnd: onEnd) }
        let client = try holding.server.client()
        let held = try stream(client, holding)
        final class Ready: Sendable { let value = Atomic(false) }
        let ready = Ready()
        let source = Source { _ in ready.value.load(ordering: .relaxed) ? script(bytes("b"), .end(.close)) : nil }
        held.run(source)
        expectWire(client.receive(1), "a", .open)
        held.resume()
        #expect(client.receiveUntilQuiet(milliseconds: 20).bytes.isEmpty)
        ready.value.store(true, ordering: .relaxed)
        held.resume()
        expectWire(client.receiveAll(), "b", .fin)
    }

    @Test func piecesComeBetweenTwoParts() throws {
        let holding = try HoldingServer { _, reply, onEnd in reply.hold(onEnd: onEnd) }
        let client = try holding.server.client()
        let held = try stream(client, holding)
        held.run(Source { $0 == 0 ? .part([bytes("1"), .wait(nanoseconds: milliseconds(60)), bytes("2")]) : nil })
        expectWire(client.receive(1), "1", .open)
        held.send(WireBytes(wire("piece")))
        expectWire(client.receive(6), "2piece", .open)
        held.finish(script(bytes("end"), .end(.close)))
        expectWire(client.receiveAll(), "end", .fin)
    }

    @Test func aSourceIsDroppedWithItsStream() throws {
        let holding = try HoldingServer { _, reply, onEnd in reply.hold(onEnd: onEnd) }
        let client = try holding.server.client()
        weak var dropped: Source?
        do {
            let held = try stream(client, holding)
            let source = Source { _ in .part([.wait(nanoseconds: milliseconds(1)), bytes("x")]) }
            dropped = source
            held.run(source)
            _ = client.receive(20)
            client.reset()
            #expect(holding.ends.next()?.outcome == .clientDisconnected)
        }
        let isGone = eventually { dropped == nil ? true : nil }
        #expect(isGone == true)
    }

    @Test func aServerThatEndsAsksForNoMore() throws {
        let holding = try HoldingServer { _, reply, onEnd in reply.hold(onEnd: onEnd) }
        let client = try holding.server.client()
        let held = try stream(client, holding)
        held.run(Source { _ in .part([.wait(nanoseconds: milliseconds(1)), bytes("x")]) })
        _ = client.receive(5)
        holding.server.server.drain(milliseconds: 60_000)
        #expect(client.receiveAll(within: 10_000).ending == .fin)
        #expect(holding.ends.next()?.outcome == .stopped)
    }

    @Test func timersOfAStreamRunOnItsLoop() throws {
        let holding = try HoldingServer { _, reply, onEnd in reply.hold(onEnd: onEnd) }
        let client = try holding.server.client()
        let held = try stream(client, holding)
        let fired = Events<Int>()
        let loop = held.loop
        loop.perform {
            loop.after(nanoseconds: milliseconds(30)) { fired.tell(2) }
            loop.after(nanoseconds: milliseconds(10)) { fired.tell(0) }.cancel()
            fired.tell(1)
        }
        #expect(fired.next() == 1)
        #expect(fired.next() == 2)
        held.finish(script(.end(.close)))
        _ = client.receiveAll()
    }
}
