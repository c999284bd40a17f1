import Dispatch
import SDHTTPTransport
import SDPlatform
import SDStubModel
import SDTestSupport
import Synchronization
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Changes of many stubs keep no request waiting, and show no part of themselves.
@Suite(.timeLimit(.minutes(30))) struct LargeChangeTests {
    private static let many = Session.maxUnderLock + 100

    private func stub(_ number: Int, id: StubMapping.ID = .init(), status: Int = 200) -> StubMapping {
        var mapping = StubMapping(id: id, name: "s\(number)")
        mapping.request.url = .url("/\(number)")
        mapping.response.status = status
        return mapping
    }

    private func hits(_ session: Session) -> [String: Int] {
        Dictionary(session.stubsWithHits.map { ($0.stub.name ?? "", $0.hits.matches) }) { $1 }
    }

    /// A stub with a time to live asks for the time when it is put among the others: that is the middle of a change.
    @Test func requestsAreAnsweredInTheMiddleOfAnImport() throws {
        let isArmed = Locked(false)
        let middle = Locked<@Sendable () -> Void>({})
        var options = SessionOptions()
        options.clock = {
            if isArmed.withLock({ isArmed in
                defer { isArmed = false }
                return isArmed
            }) {
                middle.withLock { $0 }()
            }
            return 0
        }
        let served = try ServedSession(options)
        let (session, port) = (served.session, served.server.port)
        let old = (0..<Self.many).map { stub($0) }
        try session.importStubs(StubImport(mappings: old))
        #expect(try served.ask("GET", "/0").status == 200)

        let seen = Locked<[Int]>([])
        middle.withLock {
            $0 = {
                // Nothing of the change can be seen, and nobody waits for it.
                let client = try? PersistentConnection(port: port)
                let answers = ["/0", "/\(Self.many - 1)", "/new"].map { path in
                    (try? client?.request("GET", path, within: 10_000))?.status ?? 0
                }
                seen.withLock { $0 += answers }
            }
        }
        var new = stub(Self.many)
        new.request.url = .url("/new")
        new.ttlMilliseconds = 1_000
        let kept = old.prefix(Self.many / 2).map { stub(Int($0.name!.dropFirst())!, id: $0.id, status: 201) }
        isArmed.withLock { $0 = true }
        // The first mapping of an import is put in last: the others have taken over their counters before.
        try session.importStubs(StubImport(mappings: [new] + kept, deleteAllNotInImport: true))
        #expect(seen.withLock { $0 } == [200, 200, 404])
        #expect(try served.ask("GET", "/0").status == 201)
        #expect(try served.ask("GET", "/\(Self.many - 1)").status == 404)
        #expect(try served.ask("GET", "/new").status == 200)
        // The request in the middle counts for the stub that took the place of the one that answered it.
        #expect(hits(session)["s0"] == 3)
        #expect(session.stubCount == kept.count + 1)
    }

    /// Nobody has been served yet, and somebody asks in the middle of it.
    @Test func requestsAreAnsweredWhileALargeFileIsTakenOver() throws {
        let middle = Locked<(@Sendable () -> Void)?>(nil)
        var options = SessionOptions()
        options.clock = {
            middle.withLock { $0.take() }?()
            return 0
        }
        let served = try ServedSession(options)
        let port = served.server.port
        let seen = Locked(0)
        middle.withLock {
            $0 = {
                let status = try? PersistentConnection(port: port).request("GET", "/0", within: 10_000).status
                seen.withLock { $0 = status ?? -1 }
            }
        }
        var expiring = stub(Self.many)
        expiring.ttlMilliseconds = 1_000
        #expect(served.session.update([("a", (0..<Self.many).map { stub($0) } + [expiring])]).isEmpty)
        #expect(seen.withLock { $0 } == 404)
        #expect(try served.ask("GET", "/0").status == 200)
    }

    @Test func aChangeInTheMiddleIsNotLost() throws {
        let session = Session()
        for number in 0..<3 { try session.add(stub(number)) }
        var attempts = 0
        session.changeCopy { stubs in
            attempts += 1
            if attempts == 1 { #expect(throws: Never.self) { try session.add(stub(100)) } }
            stubs.remove(stubs.all.first { $0.name == "s1" }!.id)
        }
        #expect(attempts == 2)
        #expect(session.stubs.compactMap(\.name) == ["s100", "s2", "s0"])
    }

    /// Whatever else changes, a change is made at last.
    @Test func whoAlwaysChangesSomethingDoesNotPreventAnother() throws {
        let session = Session()
        try session.add(stub(0))
        var attempts = 0
        session.changeCopy { stubs in
            attempts += 1
            // The last attempt is made under the lock, where others wait.
            if attempts < 5 { session.settings.fixedDelay = attempts }
            _ = stubs.all.first.map { stubs.remove($0.id) }
        }
        #expect(attempts == 5)
        #expect(session.stubCount == 0)
    }

    private func isSettled(_ session: Session) -> Bool { session.state.withLock { $0.stubs.isTableCurrent } }

    /// The table of many stubs is made beside the loops, once enough of them changed or requests came.
    @Test(arguments: [true, false]) func noRequestWaitsForATableOfManyStubs(isOverdue: Bool) throws {
        let served = try ServedSession()
        let session = served.session
        try session.importStubs(StubImport(mappings: (0..<Self.many).map { stub($0) }))
        #expect(isSettled(session))
        let mayGoOn = DispatchSemaphore(value: 0)
        session.changes.add { mayGoOn.wait() }
        let added = isOverdue ? Self.many / 2 : 1
        for number in 0..<added { try session.add(stub(Self.many + number)) }
        let client = try PersistentConnection(port: served.server.port)
        func ask(_ number: Int) throws -> Int { try client.request("GET", "/\(number)").status }
        for _ in 0..<(isOverdue ? 1 : Self.many + 2) { #expect(try ask(0) == 200) }
        // What makes the table stands in the queue, and everybody is served meanwhile.
        #expect(session.state.withLock { $0.isRebuildingTable })
        #expect(!isSettled(session))
        #expect(try ask(Self.many) == 200)
        #expect(try ask(Self.many + added) == 404)
        mayGoOn.signal()
        let isMade = eventually(within: 20_000) { session.state.withLock { $0.isRebuildingTable } ? nil : true }
        #expect(isMade == true)
        #expect(isSettled(session))
        #expect(try (0..<Self.many + added).allSatisfy { try ask($0) == 200 })
        #expect(try ask(Self.many + added) == 404)
        #expect(hits(session)["s\(Self.many)"] == 2)
    }

    /// A stub that is edited in its file keeps its hits, as one that is edited by a call does.
    @Test(arguments: [2, many]) func anEditedFileKeepsTheHitsOfItsStubs(count: Int) throws {
        let served = try ServedSession()
        var stubs = (0..<count).map { stub($0) }
        #expect(served.session.update([("a", stubs)]).isEmpty)
        #expect(try served.ask("GET", "/0").status == 200)
        stubs[0].response.status = 202
        stubs.removeLast()
        #expect(served.session.update([("a", stubs + [stub(count)])]).isEmpty)
        #expect(hits(served.session)["s0"] == 1)
        #expect(try served.ask("GET", "/0").status == 202)
        #expect(hits(served.session)["s0"] == 2)
        #expect(hits(served.session)["s\(count)"] == 0)
    }

    enum Way: CaseIterable { case saveAll, removeAll, removeUnmatched, removeLike, reset }

    /// Large changes do what small ones do.
    @Test(arguments: Way.allCases) func theOutcomeDoesNotDependOnTheNumber(_ way: Way) throws {
        for count in [4, Self.many] {
            let served = try ServedSession()
            let session = served.session
            let fromFile = stub(0)
            #expect(session.update([("a", [fromFile])]).isEmpty)
            let added = (1..<count).map { stub($0) }
            try session.importStubs(StubImport(mappings: added))
            for path in ["/0", "/1", "/1"] { #expect(try served.ask("GET", path).status == 200) }
            let left: [String: Int]
            switch way {
            case .saveAll:
                try session.saveAll()
                left = Dictionary((0..<count).map { ("s\($0)", $0 == 0 ? 1 : $0 == 1 ? 2 : 0) }) { $1 }
            case .removeAll:
                try session.removeAll()
                left = [:]
            case .removeUnmatched:
                try session.perform(.removeUnmatched)
                left = ["s0": 1, "s1": 2]
            case .removeLike:
                try session.perform(.removeLike(added.map { (stub: $0, hasID: true) }))
                left = ["s0": 1]
            case .reset:
                try session.perform(.reset(then: nil))
                left = ["s0": 0]
            }
            #expect(hits(session) == left, "\(count) stubs")
            #expect(session.counts.served == 3)
            #expect(session.events.count == (way == .reset ? 0 : 3))
        }
    }

    /// A session's own counts of inherited stubs survive, too.
    @Test func countsOfInheritedStubsAreKept() throws {
        let served = try ServedSession()
        let base = served.session
        try base.importStubs(StubImport(mappings: (0..<Self.many).map { stub($0) }))
        let registry = SessionRegistry(base: base)
        let child = registry.createSession(registry.issueID(), SessionRequest(), endpoint: nil, now: 0).session
        let server = try TestServer(workers: 1, limits: .init()) { request, reply in child.serve(request, reply: reply)
        }
        for path in ["/0", "/1", "/1"] {
            #expect(try PersistentConnection(port: server.port).request("GET", path).status == 200)
        }
        let stubs = base.stubs
        let edited = stubs.filter { $0.name == "s1" }.map { stub(1, id: $0.id, status: 202) }
        try child.importStubs(StubImport(mappings: edited + (0..<Self.many).map { stub(1_000 + $0) }))
        let hits = hits(child)
        #expect(hits["s0"] == 1 && hits["s1"] == 2)
        try child.perform(.removeUnmatched)
        #expect(child.stubs.compactMap(\.name).sorted() == ["s0", "s1"])
        #expect(base.stubCount == Self.many)
    }
}
