public import StubModel
import Synchronization

/// Stubs as the admin API and the files see them.
extension Session {
    /// All stubs in the order in which they are tried.
    public var stubs: [StubMapping] {
        bringUpToDate()
        return state.withLock { $0.stubs.all }.map(\.currentMapping)
    }

    /// As `stubs`, each with what it is called.
    public var references: [(reference: StubReference, mapping: StubMapping)] {
        bringUpToDate()
        return state.withLock { $0.stubs.all }.map { (StubReference($0), $0.currentMapping) }
    }

    public var stubCount: Int {
        bringUpToDate()
        return state.withLock { $0.stubs.count }
    }

    public func stub(_ id: StubMapping.ID) -> StubMapping? {
        bringUpToDate()
        return state.withLock { $0.stubs.stub(id) }?.currentMapping
    }

    // MARK: Changes

    /// As `StubChange.add`. This and the next wait for the disk.
    public func add(_ mapping: StubMapping) throws(StubRefusal) {
        try perform(.add(mapping))
    }

    /// Adds a stub as the newest of its priority, whose responses other code makes. It is not written to the disk.
    func add(_ mapping: StubMapping, answeredBy responder: any Responder) throws(StubRefusal) {
        let stub = try CompiledStub(
            mapping, sequence: 0, file: nil, responder: responder, options: options.response)
        try change { state throws(StubRefusal) in
            guard state.stubs.stub(mapping.id) == nil else { throw .duplicateID(mapping.id) }
            state.stubs.put(stub)
        }
        changed(.stub(.added, .init(mapping)))
    }

    /// As `StubChange.replace`. False where there is no such stub.
    public func replace(_ mapping: StubMapping) throws(StubRefusal) -> Bool {
        try perform(.replace(mapping))
    }

    /// As `StubChange.remove`. False where there is no such stub.
    public func remove(_ id: StubMapping.ID) throws(StubRefusal) -> Bool {
        try perform(.remove(id))
    }

    /// As `StubChange.removeAll`.
    public func removeAll() throws(StubRefusal) {
        try perform(.removeAll)
    }

    /// As `StubChange.importAll`.
    public func importStubs(_ document: StubImport) throws(StubRefusal) {
        try perform(.importAll(document))
    }

    /// As `StubChange.saveAll`.
    public func saveAll() throws(StubRefusal) {
        try perform(.saveAll)
    }

    // MARK: Files

    /// Brings the stubs of files up to date, all in one step for requests. A file that is refused keeps its last good
    /// stubs.
    /// - Parameter files: by name, relative to the folder; nil for a file that is gone.
    /// - Returns: the files that were refused, and why.
    public func update(_ files: [(name: String, stubs: PreparedStubs?)]) -> [(name: String, StubRefusal)] {
        // What is written to the folder meanwhile is taken over first.
        editing.withLock { _ in change { state in take(files, &state) } }
    }

    private func take(
        _ files: [(name: String, stubs: PreparedStubs?)], _ state: inout State
    ) -> [(name: String, StubRefusal)] {
        for file in files where file.stubs == nil { state.stubs.removeFile(file.name) }
        var waiting = files.filter { $0.stubs != nil }
        var refused: [(name: String, StubRefusal)] = []
        // A stub that went from one file to another is free only when its old file has been looked at.
        while true {
            refused = []
            var again: [(name: String, stubs: PreparedStubs?)] = []
            for file in waiting {
                guard let stubs = file.stubs else { continue }
                do throws(StubRefusal) {
                    try state.stubs.setFile(file.name, stubs)
                } catch {
                    refused.append((file.name, error))
                    again.append(file)
                }
            }
            if again.isEmpty || again.count == waiting.count { return refused }
            waiting = again
        }
    }

    /// The files that stubs came from.
    public var fileNames: [String] {
        state.withLock { $0.stubs.fileNames }
    }

    /// What would keep a stub from being served; nothing is changed.
    public static func problems(of mapping: StubMapping) -> [StubProblem] {
        do {
            _ = try CompiledStub(mapping, sequence: 0, file: nil, options: ResponseOptions())
            return []
        } catch .unserved(_, let problems) {
            return problems
        } catch {
            return []
        }
    }

    /// Makes the stubs what the files said when they were last read, takes scenarios back to their first states, forgets the
    /// journal and what each stub has answered, and ends what is in flight: no answer to an earlier test reaches a later one.
    public func dropAllButFiles() {
        _ = try? perform(.reset(then: nil))
    }

    /// - Returns: how many requests were served until then.
    func goBackToFiles(_ state: inout State) -> UInt64 {
        state.stubs.restoreFiles()
        state.stubs.scenarios.reset()
        state.stubs.forgetHits()
        state.journal.removeAll()
        return state.served
    }

    func wentBackToFiles(served: UInt64) {
        activity.inFlight.endAll(through: served)
        activity.forgot(.through(served))
        activity.changed(.reset, served: served)
    }
}
