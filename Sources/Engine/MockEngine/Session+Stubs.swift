package import SDAnswering
import SDCapture
import SDJournal
public import SDMatching
import SDRecords
public import SDStubModel
public import SDStubs
import Synchronization

/// Stubs as the admin API and the files see them.
extension Session {
    /// All stubs in order of precedence.
    public var stubs: [StubMapping] {
        bringUpToDate()
        return allStubs.map(\.currentMapping)
    }

    /// All stubs in order of precedence, each with its reference.
    public var references: [(reference: StubReference, mapping: StubMapping)] {
        bringUpToDate()
        return allStubs.map { (StubReference($0), $0.currentMapping) }
    }

    /// The stubs of the files as they were read, without later changes; in no order.
    public var stubsOfFiles: [StubMapping] {
        let (stubs, originals) = (allStubs, state.withLock { $0.stubs.originals })
        return originals.values.map(\.mapping)
            + stubs.filter { $0.file != nil && originals[$0.id] == nil }.map(\.mapping)
    }

    public var stubCount: Int {
        bringUpToDate()
        return state.withLock { $0.stubs.visible }.count
    }

    public func stub(_ id: StubMapping.ID) -> StubMapping? {
        bringUpToDate()
        return compiledStub(id)?.currentMapping
    }

    package func compiledStub(_ id: StubMapping.ID) -> CompiledStub? { state.withLock { $0.stubs.stub(id) } }

    package var visibleStubs: VisibleStubs {
        bringUpToDate()
        return state.withLock { $0.snapshot.stubs }
    }

    /// All stubs in order of precedence. They are listed without the lock, because that is slow for many.
    var allStubs: [CompiledStub] { state.withLock { $0.stubs.visible }.all }

    /// Whether persistent stubs are written to files.
    public var savesStubs: Bool { store != nil }

    /// Whether any stub is stored in a file that a change of it would write.
    package var hasSavedStubs: Bool { allStubs.contains(where: \.isSaved) }

    /// The number of persistent stubs in this server's files.
    package var savedCount: Int {
        let unwritten = shared.unwrittenFiles.names
        return allStubs.count { stub in stub.isSaved && stub.file.map { !unwritten.contains($0) } ?? false }
    }

    // MARK: Changes

    /// Adds a stub like `StubChange.add`, and waits for the disk.
    /// - Throws: why the stub is refused.
    public func add(_ mapping: StubMapping) throws(StubRefusal) {
        try perform(.add(mapping))
    }

    /// Adds a stub with a responder or listeners in code, as the newest of its priority. It is not written to the disk.
    /// - Parameters:
    ///   - responder: makes the responses; nil if the mapping does.
    ///   - listeners: listeners in addition to the mapping's own.
    /// - Throws: why the stub is refused.
    func add(
        _ mapping: StubMapping, answeredBy responder: (any Responder)? = nil, toldTo listeners: [any ServeListener] = []
    ) throws(StubRefusal) {
        let stub = try CompiledStub(
            mapping, sequence: 0, file: nil, responder: responder, listeners: listeners, options: options.response)
        try change { state throws(StubRefusal) in
            guard state.stubs.stub(mapping.id) == nil else { throw .duplicateID(mapping.id) }
            state.stubs.put(stub)
        }
        changed(.stub(.added, .init(mapping)))
    }

    /// Replaces a stub like `StubChange.replace`, and waits for the disk; false if there is no such stub.
    /// - Throws: why the stub is refused.
    public func replace(_ mapping: StubMapping) throws(StubRefusal) -> Bool {
        try perform(.replace(mapping))
    }

    /// Removes a stub like `StubChange.remove`, and waits for the disk; false if there is no such stub.
    /// - Throws: if its file cannot be written.
    public func remove(_ id: StubMapping.ID) throws(StubRefusal) -> Bool {
        try perform(.remove(id))
    }

    /// Removes all stubs like `StubChange.removeAll`, and waits for the disk.
    /// - Throws: if a file cannot be written.
    public func removeAll() throws(StubRefusal) {
        try perform(.removeAll)
    }

    /// Imports stubs like `StubChange.importAll`, and waits for the disk.
    /// - Throws: why a stub is refused.
    public func importStubs(_ document: StubImport) throws(StubRefusal) {
        try perform(.importAll(document))
    }

    /// Saves all stubs like `StubChange.saveAll`, and waits for the disk.
    /// - Throws: if a file cannot be written.
    public func saveAll() throws(StubRefusal) {
        try perform(.saveAll)
    }

    // MARK: Files

    /// Updates the stubs of files, in one step for requests. A refused file keeps its last good stubs.
    /// - Parameters:
    ///   - files: by name, relative to the folder; nil for a removed file.
    ///   - isServing: whether requests may wait for the session meanwhile; they must not wait for many stubs.
    ///   - isCurrent: whether a file is still as it was read. Others are left out; no call writes files meanwhile.
    /// - Returns: the refused files, with the reasons.
    public func update(
        _ files: [(name: String, stubs: PreparedStubs?)], isServing: Bool = true,
        isCurrent: (String) -> Bool = { _ in true }
    ) -> [(name: String, StubRefusal)] {
        for file in files { noteMissing(file.stubs?.missingBodies ?? []) }
        let unwritten = shared.unwrittenFiles
        // The file is written here after all.
        for file in files where file.stubs != nil { unwritten.remove(file.name) }
        // Changes that are being written to the folder are applied first.
        return editing.withLock { _ in
            // A file that is gone here may be one that another replica has just saved.
            let files = files.filter { ($0.stubs != nil || !unwritten.contains($0.name)) && isCurrent($0.name) }
            guard isServing, files.reduce(0, { $0 + ($1.stubs?.ids.count ?? 0) }) > Self.maxUnderLock else {
                return change { state in take(files, unwritten.names, &state.stubs) }
            }
            var refused: [(name: String, StubRefusal)] = []
            let ids = Set(files.flatMap { $0.stubs?.ids ?? [] })
            changeCopy(takingOver: ids.contains) { stubs in refused = take(files, unwritten.names, &stubs) }
            return refused
        }
    }

    private func take(
        _ files: [(name: String, stubs: PreparedStubs?)], _ unwritten: Set<String>, _ set: inout StubSet
    ) -> [(name: String, StubRefusal)] {
        for file in files where file.stubs == nil { set.removeFile(file.name) }
        var waiting = files.filter { $0.stubs != nil }
        var refused: [(name: String, StubRefusal)] = []
        // The id of a stub that moved to another file is free only after its old file was processed.
        while true {
            refused = []
            var again: [(name: String, stubs: PreparedStubs?)] = []
            for file in waiting {
                guard let stubs = file.stubs else { continue }
                do throws(StubRefusal) {
                    try set.setFile(file.name, stubs, unwritten: unwritten, written: recordings.written)
                } catch {
                    refused.append((file.name, error))
                    again.append(file)
                }
            }
            if again.isEmpty || again.count == waiting.count { return refused }
            waiting = again
        }
    }

    /// The files with stubs, except those that only other replicas have.
    public var fileNames: [String] {
        let unwritten = shared.unwrittenFiles.names
        return state.withLock { $0.stubs.fileNames }.filter { !unwritten.contains($0) }
    }

    /// The problems that would keep a stub from being served; nothing is changed.
    public static func problems(of mapping: StubMapping) -> [ServingProblem] {
        do {
            _ = try CompiledStub(mapping, sequence: 0, file: nil, options: ResponseOptions())
            return []
        } catch .unserved(_, let problems) {
            return problems
        } catch {
            return []
        }
    }

    /// Resets the stubs to those of the files when they were last read, and the scenarios to their first states.
    /// Empties the journal, clears the stubs' counters, and ends slow answers, so that no answer to an earlier test
    /// reaches a later one.
    public func dropAllButFiles() {
        _ = try? perform(.reset(then: nil))
    }

    /// Resets the state to the files.
    func goBackToFiles(_ state: inout State, _ plan: inout StubPlan) {
        state.stubs.restoreFiles()
        forgetUse(&state, &plan)
    }

    /// Resets scenarios, states, data, counters and journal: the part of a reset that follows the stubs.
    func forgetUse(_ state: inout State, _ plan: inout StubPlan) {
        state.stubs.scenarios.reset()
        if plan.number != 0 { state.lastReset = plan.number }
        states.removeAll()
        // All replicas make the same change.
        if plan.number != 0 { _ = states.takeChanges() }
        conditions.add(1, ordering: .releasing)
        state.stubs.forgetHits()
        state.data.removeAll()
        // The folder's documents stay: its files are read again.
        if loaded !== shared.folder { loaded.removeAll() } else { loaded.contracts.removeImported() }
        plan.forgotten = state.journal.removeAll()
        state.noteActs(of: state.faults)
        state.faults = []
        state.faultLedger.reset(now: options.clock())
        verifications.removeAll()
        plan.servedBefore = state.served
    }

    func wentBackToFiles(served: UInt64) {
        gateTable.closeAll()
        activity.inFlight.endAll(through: served)
        streamTable.forgetKept()
        activity.eventsRemoved(.through(served))
        activity.changed(.reset, served: served)
    }
}
