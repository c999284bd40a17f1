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

    /// Adds a stub as the newest of its priority, and writes it to the disk if it is persistent.
    public func add(_ mapping: StubMapping) throws(StubRefusal) {
        try changeWhole(if: mapping.persistent == true) { state throws(StubRefusal) in
            try state.stubs.add(mapping, options: options.response)
            try persist(mapping, &state)
        }
        tellMissingBodyFiles(of: [mapping])
        changed(.stub(.added, .init(mapping)))
    }

    /// Edits the stub that has the mapping's id; it keeps its place. False where there is none.
    public func replace(_ mapping: StubMapping) throws(StubRefusal) -> Bool {
        let wasThere = try changeWhole(if: mapping.persistent == true) { state throws(StubRefusal) in
            guard try edit(mapping, &state) else { return false }
            try persist(mapping, &state)
            return true
        }
        guard wasThere else { return false }
        tellMissingBodyFiles(of: [mapping])
        changed(.stub(.edited, .init(mapping)))
        return true
    }

    /// Removes a stub, and takes it out of its file if it is persistent. False where there is none.
    public func remove(_ id: StubMapping.ID) throws(StubRefusal) -> Bool {
        let removed = try change { state throws(StubRefusal) -> StubMapping? in
            guard let stub = state.stubs.stub(id) else { return nil }
            try remove(stub, &state)
            return stub.mapping
        }
        if let removed { changed(.stub(.removed, .init(removed))) }
        return removed != nil
    }

    /// Removes the stub that has the mapping's id, or else every stub with an equal request pattern.
    public func remove(like mapping: StubMapping, hasID: Bool) throws(StubRefusal) {
        // Some may be gone when the disk refuses another.
        var removed: [CompiledStub] = []
        defer { tellRemoved(removed) }
        try change { state throws(StubRefusal) in
            let byID = hasID ? state.stubs.stub(mapping.id) : nil
            let doomed = byID.map { [$0] } ?? state.stubs.all.filter { $0.mapping.request == mapping.request }
            for stub in doomed {
                try remove(stub, &state)
                removed.append(stub)
            }
        }
    }

    /// Removes all stubs, and the files of those that are persistent. Files written by hand stay.
    public func removeAll() throws(StubRefusal) {
        try change { state throws(StubRefusal) in
            if state.stubs.inherited != nil { return state.stubs.removeAllInherited() }
            for stub in state.stubs.all { try remove(stub, &state) }
        }
        changed(.allStubsRemoved)
    }

    /// Adds and edits stubs by a document: all of it, or nothing.
    public func importStubs(_ document: StubImport) throws(StubRefusal) {
        let imported = try changeWhole { state throws(StubRefusal) in
            var changed: [StubMapping] = []
            // The first of the document is to be matched first, so it is added last.
            for mapping in document.mappings.reversed() {
                if state.stubs.stub(mapping.id) == nil {
                    try state.stubs.add(mapping, options: options.response)
                } else if document.duplicatePolicy == .overwrite {
                    _ = try edit(mapping, &state)
                } else {
                    continue
                }
                changed.append(mapping)
            }
            // Nothing was refused: now the disk.
            for mapping in changed { try persist(mapping, &state) }
            guard document.deleteAllNotInImport else { return changed }
            let kept = Set(document.mappings.map(\.id))
            for stub in state.stubs.all where !kept.contains(stub.mapping.id) { try remove(stub, &state) }
            return changed
        }
        tellMissingBodyFiles(of: imported)
        changed(.imported(imported.count))
    }

    /// Marks persistent, and writes to the disk, what the disk has not: the stubs of the admin API and its edits. A file
    /// written by hand that says what is served stays as it is.
    public func saveAll() throws(StubRefusal) {
        // What keeps nothing has nothing to mark.
        guard store != nil else { return }
        try changeWhole { state throws(StubRefusal) in
            for stub in state.stubs.all where stub.file == nil || state.stubs.originals[stub.mapping.id] != nil {
                var mapping = stub.mapping
                mapping.persistent = true
                _ = try edit(mapping, &state)
                try persist(mapping, &state)
            }
        }
    }

    /// Puts `mapping` in the place of the stub that has its id; what that one has answered counts on, as it is the same stub
    /// to whoever asks for its id. False where there is none.
    private func edit(_ mapping: StubMapping, _ state: inout State) throws(StubRefusal) -> Bool {
        let hits = state.stubs.stub(mapping.id).map(state.stubs.hits)
        guard try state.stubs.replace(mapping, options: options.response) else { return false }
        if let hits { state.stubs.stub(mapping.id)?.hits = hits }
        return true
    }

    // MARK: Files

    /// Brings the stubs of files up to date, all in one step for requests. A file that is refused keeps its last good
    /// stubs.
    /// - Parameter files: by name, relative to the folder; nil for a file that is gone.
    /// - Returns: the files that were refused, and why.
    public func update(_ files: [(name: String, stubs: PreparedStubs?)]) -> [(name: String, StubRefusal)] {
        change { state in
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
        let served = change { state in
            state.stubs.restoreFiles()
            state.stubs.scenarios.reset()
            state.stubs.forgetHits()
            state.journal.removeAll()
            return state.served
        }
        activity.inFlight.endAll(through: served)
        activity.forgot(.through(served))
        activity.changed(.reset, served: served)
    }

    // MARK: The disk

    /// Changes all that `body` changes, or, where it fails, nothing.
    /// - Parameter hasSteps: false where `body` fails before it changes anything, so that nothing needs to be kept.
    private func changeWhole<Result: Sendable>(
        if hasSteps: Bool = true, _ body: (inout State) throws(StubRefusal) -> Result
    ) throws(StubRefusal) -> Result {
        guard hasSteps else { return try change(body) }
        return try change { state throws(StubRefusal) in
            let before = state.stubs
            do throws(StubRefusal) {
                return try body(&state)
            } catch {
                let touched = Set(before.fileNames).union(state.stubs.fileNames).filter {
                    before.contents(of: $0) != state.stubs.contents(of: $0)
                }
                state.stubs = before
                for file in touched { restore(file, before) }
                throw error
            }
        }
    }

    /// Makes a file what it was. Where the disk takes nothing any more, the first error is the one to tell.
    private func restore(_ file: String, _ stubs: StubSet) {
        let contents = stubs.contents(of: file)
        if let first = contents.first {
            _ = try? store?.write(first, file: file, companions: contents)
        } else {
            try? store?.remove(file)
        }
    }

    private func persist(_ mapping: StubMapping, _ state: inout State) throws(StubRefusal) {
        guard mapping.persistent == true, let store else { return }
        let file = state.stubs.stub(mapping.id)?.file
        let companions = file.map { file in
            state.stubs.contents(of: file).map { $0.id == mapping.id ? mapping : $0 }
        }
        do throws(StubStoreError) {
            let written = try store.write(mapping, file: file, companions: companions ?? [])
            state.stubs.adopt(mapping.id, into: written)
        } catch {
            throw .notStored(error.message)
        }
    }

    func remove(_ stub: CompiledStub, _ state: inout State) throws(StubRefusal) {
        guard stub.mapping.persistent == true, let store, let file = stub.file else {
            state.stubs.remove(stub.mapping.id)
            return
        }
        let rest = state.stubs.contents(of: file).filter { $0.id != stub.mapping.id }
        do throws(StubStoreError) {
            if let next = rest.first {
                _ = try store.write(next, file: file, companions: rest)
            } else {
                try store.remove(file)
            }
        } catch {
            throw .notStored(error.message)
        }
        state.stubs.erase(stub)
    }
}
