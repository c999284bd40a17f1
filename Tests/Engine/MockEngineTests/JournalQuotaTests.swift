import SDHTTPMessages
import SDHTTPTransport
import SDPlatform
import SDTestSupport
import Synchronization
import Testing

@testable import SDAnswering
@testable import SDJournal
@testable import SDMockEngine
@testable import SDRecords
@testable import SDStubs

/// The journals of all sessions share one limit.
@Suite struct JournalQuotaTests {
    /// A daemon's sessions behind one server: the first segment of a path is the number of its session, 0 for the base.
    private final class Sessions: Sendable {
        let registry: SessionRegistry
        let live: [LiveSession]
        private let server: TestServer

        init(_ count: Int, bytes: Int) throws {
            var options = SessionOptions()
            options.journalBytes = bytes
            let registry = SessionRegistry(base: Session(options: options))
            let live = (0..<count).map { _ in
                registry.createSession(registry.issueID(), SessionRequest(), endpoint: nil, now: 0)
            }
            self.registry = registry
            self.live = live
            let all = [registry.base] + live.map(\.session)
            server = try TestServer(limits: ServerLimits()) { request, reply in
                let number = Int(String(decoding: request.path, as: UTF8.self).split(separator: "/")[0]) ?? 0
                all[number].serve(request, reply: reply)
            }
        }

        var all: [Session] { [registry.base] + live.map(\.session) }

        /// Sends requests of about 1,000 bytes to a session.
        func send(_ count: Int, to number: Int) throws {
            let client = try PersistentConnection(port: server.port)
            for _ in 0..<count {
                let body = String(repeating: "x", count: 1_000)
                _ = try client.request("POST", "/\(number)/a", body: body)
            }
        }

        func bytes(of session: Session) -> Int { session.state.withLock { $0.journal.byteCount } }

        /// The bytes of all journals, counted one by one.
        var byteCount: Int { all.reduce(0) { $0 + bytes(of: $1) } }
    }

    @Test func twentySessionsTakeNoMoreThanOneTogether() throws {
        let limit = 400_000
        let sessions = try Sessions(20, bytes: limit)
        for number in 1...20 { try sessions.send(60, to: number) }
        #expect(eventually { sessions.byteCount <= limit ? true : nil } == true)
        #expect(
            eventually { sessions.registry.base.shared.journalQuota.byteCount == sessions.byteCount ? true : nil }
                == true)
        for live in sessions.live { #expect(!live.session.events.isEmpty) }
    }

    @Test func aRequestThatIsStillReadCountsOnceTheJournalHasDroppedIt() throws {
        let memory = MemoryLedger()
        let session = Session(options: SessionOptions(), memory: memory)
        let server = try TestServer(limits: ServerLimits()) { request, reply in session.serve(request, reply: reply) }
        let client = try PersistentConnection(port: server.port)
        for _ in 0..<5 { _ = try client.request("POST", "/a", body: String(repeating: "x", count: 50_000)) }
        func held() -> (journals: Int, answers: Int) { (memory.bytes(of: .journals), memory.bytes(of: .answers)) }
        #expect(eventually { session.inFlightCount == 0 ? true : nil } == true)
        let whole = held()
        #expect(whole.journals > 250_000 && whole.answers == 0)
        var list = session.events
        session.clearJournal()
        #expect(held() == (0, whole.journals))
        list.removeLast(2)
        #expect(held().answers < whole.journals && held().answers > 150_000)
        list = []
        // The loop's thread may still hold the last one.
        #expect(eventually { held() == (0, 0) ? true : nil } == true)
    }

    @Test func aSessionWithinItsPartLosesNothing() throws {
        let sessions = try Sessions(2, bytes: 200_000)
        try sessions.send(10, to: 1)
        try sessions.send(400, to: 2)
        #expect(sessions.live[0].session.events.count == 10)
        #expect(sessions.live[0].session.evictedCount == 0)
        #expect(sessions.live[1].session.evictedCount > 0)
        #expect(eventually { sessions.byteCount <= 200_000 ? true : nil } == true)
    }

    /// A quiet session with more than its part gives way to a busy one without a request of its own.
    @Test func whoeverTookAllGivesBackWhatOthersNeed() throws {
        let sessions = try Sessions(1, bytes: 200_000)
        try sessions.send(200, to: 0)
        #expect(sessions.bytes(of: sessions.registry.base) > 150_000)
        try sessions.send(40, to: 1)
        let base = sessions.registry.base
        #expect(
            eventually { sessions.byteCount <= 200_000 && sessions.bytes(of: base) < 150_000 ? true : nil } == true)
        #expect(sessions.live[0].session.evictedCount == 0)
    }

    /// What exceeds the limit while a trimming ends is trimmed without another request.
    @Test func whatGrowsDuringATrimmingIsTrimmedAfterIt() {
        let quota = JournalQuota(limit: 100)
        let shares = [JournalShare(of: quota), JournalShare(of: quota)]
        let begun = Locked(0)
        quota.whenExceeded { begun.withLock { $0 += 1 } }
        for share in shares { share.set(60) }
        quota.keepWithinLimit()
        #expect(begun.withLock { $0 } == 1)
        quota.keepWithinLimit()
        #expect(begun.withLock { $0 } == 1)
        quota.trimmed()
        #expect(begun.withLock { $0 } == 2)
        // It is not begun for ever where nothing can be given up.
        quota.trimmed()
        #expect(begun.withLock { $0 } == 2)
    }

    @Test func anEndedSessionGivesItsBytesBack() throws {
        let sessions = try Sessions(1, bytes: 200_000)
        try sessions.send(20, to: 1)
        #expect(sessions.registry.base.shared.journalQuota.byteCount > 20_000)
        sessions.registry.endAll()
        #expect(sessions.registry.base.shared.journalQuota.byteCount == 0)
        try sessions.send(300, to: 0)
        #expect(sessions.bytes(of: sessions.registry.base) > 150_000)
    }
}
