import SDHTTPTransport
import SDPlatform
import SDTestSupport
import Testing

@testable import SDAdminAPI
@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// What sessions give up when the memory of the process is short.
@Suite struct MemoryPressureTests {
    private static let mib = 1 << 20

    private func serve(_ count: Int, to session: Session) throws {
        let server = try TestServer(limits: ServerLimits()) { request, reply in session.serve(request, reply: reply) }
        let client = try PersistentConnection(port: server.port)
        let body = String(repeating: "x", count: 100_000)
        for _ in 0..<count { _ = try client.request("POST", "/a", body: body) }
    }

    @Test func theOldestRequestsGoAndComeBackLater() throws {
        let memory = MemoryLedger(limit: 16 * Self.mib)
        let registry = SessionRegistry(base: Session(memory: memory))
        let live = registry.createSession(registry.issueID(), SessionRequest(), endpoint: nil, now: 0)
        try serve(60, to: registry.base)
        try serve(20, to: live.session)
        let sessions = [registry.base, live.session]
        let bytes = memory.bytes(of: .journals)
        #expect(bytes == sessions.reduce(0) { $0 + $1.journalSize.bytes })
        #expect(bytes > 8_000_000)

        // Others need so much that the larger journal has to halve.
        let others = MemoryCharge(10 * Self.mib, to: memory.account(.uploads))
        #expect(eventually { memory.total <= 16 * Self.mib ? true : nil } == true)
        #expect(live.session.evictedCount == 0, "the session within its part loses nothing")
        // A list that is still held would count.
        let (newest, count) = { ($0.first?.sequence, $0.count) }(registry.base.events)
        #expect(newest == 60, "the newest is kept")
        #expect(count < 40)
        // They stay small as long as memory is short.
        try serve(10, to: registry.base)
        #expect(eventually { memory.total <= 16 * Self.mib ? true : nil } == true)

        others.end()
        try serve(60, to: registry.base)
        #expect(registry.base.events.count > 60)
        registry.endAll()
        registry.base.clearJournal()
        #expect(memory.total == 0)
    }

    /// A request that is kept is no upload any more.
    @Test func aRequestCountsOnce() throws {
        let memory = MemoryLedger()
        let session = Session(memory: memory)
        let server = try TestServer(limits: ServerLimits(), memory: memory) { request, reply in
            session.serve(request, reply: reply)
        }
        let body = String(repeating: "x", count: 100_000)
        _ = try PersistentConnection(port: server.port).request("POST", "/a", body: body)
        #expect(session.events.count == 1)
        #expect(eventually { memory.bytes(of: .uploads) == 0 ? true : nil } == true)
        #expect(memory.bytes(of: .journals) > 100_000)
    }

    @Test func eventsCountOnceForAllReaders() throws {
        final class Reader: EventReader {
            let kept = Locked<[WireBytes]>([])
            func send(_ events: WireBytes) { kept.withLock { $0.append(events) } }
            func finish() {}
        }
        let memory = MemoryLedger()
        let session = Session(memory: memory)
        let readers = (0..<3).map { _ in Reader() }
        for reader in readers {
            let encoder = EventStreamEncoder(session)
            #expect(session.addReader(reader, FeedSubscription(types: [.request]), after: nil, encoder: encoder) == nil)
        }
        let hello = memory.bytes(of: .events)
        try serve(1, to: session)
        let event = try #require(readers[0].kept.withLock { $0.last })
        #expect(memory.bytes(of: .events) == hello + event.count)
        for reader in readers { reader.kept.withLock { $0 = [] } }
        #expect(memory.bytes(of: .events) == event.count)
    }
}
