import Dispatch
import SDJSON
import SDMatching
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

/// Changes that wait for the disk, and what goes on meanwhile.
@Suite(.timeLimit(.minutes(30))) struct StubChangeTests {
    private let store = HeldStore()

    private func stub(_ name: String, id: StubMapping.ID? = nil, persistent: Bool? = nil) -> StubMapping {
        var mapping = StubMapping(id: id ?? .init(), name: name)
        mapping.request.url = .url("/" + name)
        mapping.persistent = persistent
        return mapping
    }

    private func names(_ session: Session) -> [String] { session.stubs.compactMap(\.name) }

    /// Begins a change that does not end at once.
    private func begin(_ change: StubChange, _ session: Session, _ ended: Events<String>, _ name: String) {
        let outcome = session.perform(change) { outcome in
            switch outcome {
            case .success(let wasThere): ended.tell(wasThere ? name : name + ": was not there")
            case .failure: ended.tell(name + ": refused")
            }
        }
        #expect(outcome == nil, "\(name) did not wait")
    }

    @Test func whileAStubIsWrittenOthersAreReadAndChanged() throws {
        let session = Session(store: store)
        let ended = Events<String>()
        let (other, held) = (stub("other"), stub("held", persistent: true))
        try session.add(other)
        store.hold()
        begin(.add(held), session, ended, "add")
        store.waitUntilHeld()
        #expect(names(session) == ["other"])
        #expect(session.mayHave(held.id))
        #expect(try session.replace(stub("edited", id: other.id)))
        try session.add(stub("new"))
        #expect(try session.remove(other.id))
        #expect(names(session) == ["new"])
        store.letGo()
        #expect(ended.next() == "add")
        #expect(names(session) == ["held", "new"])
        #expect(store.written == ["held"])
    }

    /// A stub that was replaced since the change was prepared is examined when it is planned.
    @Test func conditionsThatCostTooMuchAreARefusalWhenTheyAreSeenAgain() throws {
        var mapping = stub("a")
        mapping.metadata = ["a": .string(String(repeating: "a", count: 2_000) + "!")]
        var stubs = StubSet()
        let old = try CompiledStub(mapping, sequence: 1, file: nil, line: nil, options: ResponseOptions())
        stubs.put(try CompiledStub(mapping, sequence: 1, file: nil, line: nil, options: ResponseOptions()))
        let prepared = PreparedChange(seen: [(old, [false])])
        func plan(_ expression: String, _ limit: UInt64) throws -> [CompiledStub] {
            let matcher = try CompiledMatcher(ValueMatcher(json: ["matches": .string(expression)]))
            let change = StubChange.removeWithMetadata(matcher, now: 0)
            return try StubPlan(change, prepared, stubs, WorkBudget(limit: limit)).removals
        }
        #expect(try plan("(?s).*a.*", 250_000_000).count == 1)
        let refusal = #expect(throws: StubRefusal.self) { try plan("(?s).*(a+)+$", 5_000_000) }
        guard case .tooCostly(let reason)? = refusal else {
            Issue.record("\(String(describing: refusal))")
            return
        }
        #expect(reason.hasPrefix("Matching metadata was given up after 5 ms of processor time"))
    }

    @Test func aSavedStubGoesWithItsFile() throws {
        let session = Session(store: store)
        let saved = stub("saved", persistent: true)
        try session.add(saved)
        #expect(store.files.keys.sorted() == ["saved"])
        #expect(try session.remove(saved.id))
        #expect(store.files.isEmpty)
    }

    @Test func changesOfOneStubKeepTheirOrder() throws {
        let session = Session(store: store)
        let ended = Events<String>()
        let first = stub("first", persistent: true)
        store.hold()
        begin(.add(first), session, ended, "add")
        store.waitUntilHeld()
        begin(.add(first), session, ended, "add again")
        begin(.replace(stub("second", id: first.id)), session, ended, "edit")
        begin(.replace(stub("third", id: first.id, persistent: true)), session, ended, "save")
        begin(.remove(first.id), session, ended, "remove")
        begin(.remove(first.id), session, ended, "remove again")
        store.letGo()
        #expect(
            (0..<6).map { _ in ended.next() } == [
                "add", "add again: refused", "edit", "save", "remove", "remove again: was not there",
            ])
        #expect(names(session).isEmpty)
        #expect(store.written == ["first", "third"])
        #expect(store.files.isEmpty)
    }

    @Test(arguments: [true, false]) func changesOfAllStubsKeepTheOrderToo(isReset: Bool) throws {
        let session = Session(store: store)
        let ended = Events<String>()
        store.hold()
        begin(.add(stub("before", persistent: true)), session, ended, "add")
        store.waitUntilHeld()
        begin(isReset ? .reset(then: nil) : .removeAll, session, ended, "all")
        begin(.add(stub("after")), session, ended, "after")
        #expect(names(session).isEmpty)
        store.letGo()
        #expect((0..<3).map { _ in ended.next() } == ["add", "all", "after"])
        #expect(names(session) == (isReset ? ["after", "before"] : ["after"]))
        #expect(store.files.keys.sorted() == (isReset ? ["before"] : []))
    }

    @Test func aResetRunsItsContinuationBeforeAnyOtherChange() throws {
        let session = Session(store: store)
        let ended = Events<String>()
        let mine = stub("mine")
        try session.add(mine)
        let (isReading, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        begin(
            .reset {
                isReading.signal()
                mayEnd.wait()
                // Reading files changes stubs, too.
                _ = session.update([("a", [mine])])
            }, session, ended, "reset")
        isReading.wait()
        begin(.add(mine), session, ended, "add")
        mayEnd.signal()
        #expect([ended.next(), ended.next()] == ["reset", "add: refused"])
    }

    @Test func stubsAddedDuringASaveAreServedAndNotSaved() throws {
        let session = Session(store: store)
        let ended = Events<String>()
        let old = stub("old")
        try session.add(old)
        store.hold()
        begin(.saveAll, session, ended, "save")
        store.waitUntilHeld()
        try session.add(stub("new"))
        begin(.replace(stub("edit", id: old.id)), session, ended, "edit")
        store.letGo()
        #expect([ended.next(), ended.next()] == ["save", "edit"])
        #expect(names(session) == ["new", "edit"])
        #expect(store.written == ["old"])
    }

    @Test func aSaveThatIsRefusedChangesNothing() throws {
        let session = Session(store: store)
        for name in ["a", "b", "full", "c"] { try session.add(stub(name)) }
        store.refuses = "full"
        #expect(throws: StubRefusal.notStored("no room")) { try session.saveAll() }
        #expect(store.files.isEmpty)
        #expect(session.stubs.allSatisfy { $0.persistent != true })
        store.refuses = nil
        try session.saveAll()
        #expect(store.files.keys.sorted() == ["a", "b", "c", "full"])
    }

    @Test func aFailedFlushRefusesTheChange() throws {
        let session = Session(store: store)
        let kept = stub("kept", persistent: true)
        try session.add(kept)
        store.failsToFlush = true
        #expect(throws: StubRefusal.notStored("no disk")) { try session.add(stub("lost", persistent: true)) }
        #expect(throws: StubRefusal.notStored("no disk")) { try session.removeAll() }
        #expect(names(session) == ["kept"])
        #expect(store.files.keys.sorted() == ["kept"])
    }

    @Test func allFilesOfAChangeAreFlushedAtOnce() throws {
        let session = Session(store: store)
        for number in 0..<5 { try session.add(stub("s\(number)")) }
        try session.saveAll()
        #expect(store.flushes == [["s0", "s1", "s2", "s3", "s4"]])
    }

    @Test func filesAreAppliedAfterChangesBeingWritten() throws {
        let session = Session(store: store)
        let ended = Events<String>()
        let saved = stub("saved", persistent: true)
        store.hold()
        begin(.add(saved), session, ended, "add")
        store.waitUntilHeld()
        let isTaken = DispatchSemaphore(value: 0)
        // As a watch that has seen the new file before its stub is served.
        runOnThread {
            #expect(session.update([("saved", [saved])]).isEmpty)
            isTaken.signal()
        }
        store.letGo()
        #expect(ended.next() == "add")
        isTaken.wait()
        #expect(names(session) == ["saved"])
        #expect(session.fileNames == ["saved"])
    }

    // MARK: The registry

    @Test func aSlowSessionDelaysNoOther() throws {
        let base = Session()
        let registry = SessionRegistry(base: base)
        let (slow, quick) = (registry.issueID(), registry.issueID())
        let live = registry.createSession(slow, SessionRequest(), endpoint: nil, now: 0)
        _ = registry.createSession(quick, SessionRequest(), endpoint: nil, now: 0)
        let (isHeld, letGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        runOnThread {
            live.session.state.withLock { _ in
                isHeld.signal()
                letGo.wait()
            }
        }
        isHeld.wait()
        // These wait for the slow session, wherever they are when the next lines run.
        let waiting = DispatchGroup()
        let begun = DispatchSemaphore(value: 0)
        for ask in [{ _ = registry.find(slow) }, { _ = registry.endExpired() }] as [@Sendable () -> Void] {
            waiting.enter()
            runOnThread {
                begun.signal()
                ask()
                waiting.leave()
            }
            begun.wait()
        }
        for _ in 0..<20_000 {
            guard case .alive? = registry.find(quick) else {
                Issue.record("the quick session was not found")
                break
            }
        }
        _ = registry.createSession(registry.issueID(), SessionRequest(), endpoint: nil, now: 0)
        #expect(registry.deleteSession(quick))
        #expect(waiting.wait(timeout: .now()) == .timedOut)
        letGo.signal()
        waiting.wait()
    }
}

/// A store in memory whose writes a test can hold and refuse. A stub's file has the stub's name.
private final class HeldStore: StubStore {
    private struct State {
        var files: [String: [StubMapping]] = [:]
        var written: [String] = []
        var flushes: [[String]] = []
        var refuses: String?
        var failsToFlush = false
        var isHeld = false
    }

    private let state = Mutex(State())
    private let begun = DispatchSemaphore(value: 0)
    private let gate = DispatchSemaphore(value: 0)

    var files: [String: [StubMapping]] { state.withLock { $0.files } }
    /// The names of the stubs that were written, in that order.
    var written: [String] { state.withLock { $0.written } }
    var flushes: [[String]] { state.withLock { $0.flushes } }
    var refuses: String? {
        get { state.withLock { $0.refuses } }
        set { state.withLock { $0.refuses = newValue } }
    }
    var failsToFlush: Bool {
        get { state.withLock { $0.failsToFlush } }
        set { state.withLock { $0.failsToFlush = newValue } }
    }

    /// The next write does not end before `letGo`.
    func hold() { state.withLock { $0.isHeld = true } }
    func waitUntilHeld() { begun.wait() }
    func letGo() { gate.signal() }

    func write(_ stub: StubMapping, file: String?, companions: [StubMapping]) throws(StubStoreError) -> String {
        let name = file ?? stub.name ?? ""
        let (isRefused, isHeld) = state.withLock { state in
            defer { state.isHeld = false }
            return (state.refuses == name, state.isHeld)
        }
        if isHeld {
            begun.signal()
            gate.wait()
        }
        if isRefused { throw StubStoreError(message: "no room") }
        state.withLock { state in
            state.files[name] = companions.isEmpty ? [stub] : companions
            state.written.append(stub.name ?? "")
        }
        return name
    }

    func remove(_ file: String) {
        state.withLock { $0.files[file] = nil }
    }

    func flush(_ files: [String]) throws(StubStoreError) {
        if failsToFlush { throw StubStoreError(message: "no disk") }
        state.withLock { $0.flushes.append(files.sorted()) }
    }
}
