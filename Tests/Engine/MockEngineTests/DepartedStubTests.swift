import SDHTTPTransport
import SDStubModel
import SDTestSupport
import Synchronization
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// A stub that is no longer served counts as its requests', as long as the journal keeps one of them.
@Suite(.timeLimit(.minutes(30))) struct DepartedStubTests {
    private static let size = 300_000

    private func stub(_ id: StubMapping.ID, url: String = "/a") -> StubMapping {
        var mapping = StubMapping(id: id)
        mapping.request.url = .url(url)
        mapping.response.body = String(repeating: "x", count: Self.size)
        return mapping
    }

    private func bytes(of session: Session) -> Int { session.state.withLock { $0.journal.byteCount } }

    private func reaches(_ range: ClosedRange<Int>, _ session: Session) -> Bool {
        eventually { range.contains(bytes(of: session)) ? true : nil } == true
    }

    /// What is counted for one such stub.
    private let counted = 2 * size...3 * size

    @Test(arguments: ["edited", "removed"]) func countsOnceForAllItsRequests(how: String) throws {
        let served = try ServedSession(SessionOptions())
        let session = served.session
        let id = StubMapping.randomID()
        try session.perform(.add(stub(id)))
        for _ in 0..<3 { #expect(try served.ask("GET", "/a").status == 200) }
        #expect(bytes(of: session) < 10_000)
        try session.perform(how == "edited" ? .replace(stub(id)) : .remove(id))
        #expect(reaches(counted, session))
        // What takes its place, and has answered nothing, does not.
        try session.perform(.add(stub(StubMapping.randomID(), url: "/b")))
        try session.perform(.removeAll)
        #expect(reaches(counted, session))
        session.clearJournal()
        #expect(bytes(of: session) == 0)
    }

    @Test func countsUntilItsLastRequestIsDropped() throws {
        let served = try ServedSession(SessionOptions())
        let session = served.session
        let id = StubMapping.randomID()
        try session.perform(.add(stub(id)))
        for _ in 0..<2 { _ = try served.ask("GET", "/a") }
        try session.perform(.remove(id))
        #expect(reaches(counted, session))
        let sequences = session.events.map(\.sequence)
        session.state.withLock { $0.journal.remove([sequences[0]]) }
        #expect(counted.contains(bytes(of: session)))
        session.state.withLock { $0.journal.remove([sequences[1]]) }
        #expect(bytes(of: session) == 0)
    }

    @Test func editsDoNotLetAJournalGrowBeyondItsLimit() throws {
        var options = SessionOptions()
        options.journalBytes = 2_000_000
        let served = try ServedSession(options)
        let session = served.session
        let id = StubMapping.randomID()
        try session.perform(.add(stub(id)))
        for _ in 0..<20 {
            #expect(try served.ask("GET", "/a").status == 200)
            try session.perform(.replace(stub(id)))
        }
        #expect(eventually { session.evictedCount > 15 ? true : nil } == true)
        #expect(reaches(1...options.journalBytes, session))
        #expect(!session.events.isEmpty)
    }

    @Test func aStubThatOnlyMovedCostsNothing() throws {
        let served = try ServedSession(SessionOptions())
        let session = served.session
        let kept = stub(StubMapping.randomID())
        #expect(session.update([("b.json", [kept])]).isEmpty)
        #expect(try served.ask("GET", "/a").status == 200)
        #expect(session.update([("b.json", [stub(StubMapping.randomID(), url: "/first"), kept])]).isEmpty)
        // What moved would be counted before what is removed now, and both together.
        #expect(session.update([("b.json", nil)]).isEmpty)
        #expect(reaches(counted, session))
    }

    @Test func inheritedStubsCountWithWhoeverServedThem() throws {
        let registry = SessionRegistry(base: Session(options: SessionOptions()))
        let child = registry.createSession(registry.issueID(), SessionRequest(), endpoint: nil, now: 0).session
        let id = StubMapping.randomID()
        try registry.base.perform(.add(stub(id)))
        let server = try TestServer(limits: ServerLimits()) { request, reply in child.serve(request, reply: reply) }
        #expect(try PersistentConnection(port: server.port).request("GET", "/a").status == 200)
        #expect(bytes(of: child) < 10_000)
        try registry.base.perform(.remove(id))
        #expect(reaches(counted, child))
        #expect(bytes(of: registry.base) == 0)
    }
}
