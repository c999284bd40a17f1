public import StubModel
import Synchronization

/// Stubs as the admin API and the files see them.
extension Session {
    /// All stubs in the order in which they are tried.
    public var stubs: [StubMapping] {
        state.withLock { $0.stubs.all }.map(\.mapping)
    }

    public var stubCount: Int {
        state.withLock { $0.stubs.count }
    }

    public func stub(_ id: StubMapping.ID) -> StubMapping? {
        state.withLock { $0.stubs.stub(id) }?.mapping
    }

    /// Adds a stub as the newest of its priority, and writes it to the disk if it is persistent.
    public func add(_ mapping: StubMapping) throws(StubRefusal) {
        try change { state throws(StubRefusal) in
            try state.stubs.add(mapping, options: options.response)
            do throws(StubRefusal) {
                try persist(mapping, &state)
            } catch {
                state.stubs.remove(mapping.id)
                throw error
            }
        }
    }

    /// Edits the stub that has the mapping's id; it keeps its place. False where there is none.
    public func replace(_ mapping: StubMapping) throws(StubRefusal) -> Bool {
        try change { state throws(StubRefusal) in
            guard let old = state.stubs.stub(mapping.id) else { return false }
            _ = try state.stubs.replace(mapping, file: old.file, options: options.response)
            do throws(StubRefusal) {
                try persist(mapping, &state)
            } catch {
                _ = try? state.stubs.replace(old.mapping, file: old.file, options: options.response)
                throw error
            }
            return true
        }
    }

    /// Removes a stub, and its file if it is persistent. False where there is none.
    public func remove(_ id: StubMapping.ID) throws(StubRefusal) -> Bool {
        try change { state throws(StubRefusal) in
            guard let stub = state.stubs.stub(id) else { return false }
            try erase(stub, state)
            state.stubs.remove(id)
            return true
        }
    }

    /// Removes the stub that has the mapping's id, or else every stub with an equal request pattern.
    public func remove(like mapping: StubMapping, hasID: Bool) throws(StubRefusal) {
        try change { state throws(StubRefusal) in
            let byID = hasID ? state.stubs.stub(mapping.id) : nil
            let doomed = byID.map { [$0] } ?? state.stubs.all.filter { $0.mapping.request == mapping.request }
            for stub in doomed {
                try erase(stub, state)
                state.stubs.remove(stub.mapping.id)
            }
        }
    }

    /// Removes all stubs, and the files of those that are persistent. Files written by hand stay.
    public func removeAll() throws(StubRefusal) {
        try change { state throws(StubRefusal) in
            for stub in state.stubs.all {
                try erase(stub, state)
                state.stubs.remove(stub.mapping.id)
            }
        }
    }

    /// Adds and edits stubs by a document: all of it, or nothing.
    public func importStubs(_ document: StubImport) throws(StubRefusal) {
        try change { state throws(StubRefusal) in
            let before = state.stubs
            do throws(StubRefusal) {
                try apply(document, &state)
            } catch {
                state.stubs = before
                throw error
            }
        }
    }

    private func apply(_ document: StubImport, _ state: inout State) throws(StubRefusal) {
        if document.deleteAllNotInImport {
            let kept = Set(document.mappings.map(\.id))
            for stub in state.stubs.all where !kept.contains(stub.mapping.id) {
                try erase(stub, state)
                state.stubs.remove(stub.mapping.id)
            }
        }
        // The first of the document is to be matched first, so it is added last.
        for mapping in document.mappings.reversed() {
            if let old = state.stubs.stub(mapping.id) {
                guard document.duplicatePolicy == .overwrite else { continue }
                _ = try state.stubs.replace(mapping, file: old.file, options: options.response)
            } else {
                try state.stubs.add(mapping, options: options.response)
            }
            try persist(mapping, &state)
        }
    }

    /// Marks every stub persistent and writes those to the disk that are not there as they are.
    public func saveAll() throws(StubRefusal) {
        try change { state throws(StubRefusal) in
            for stub in state.stubs.all where stub.file == nil || stub.mapping.persistent == true {
                var mapping = stub.mapping
                mapping.persistent = true
                _ = try state.stubs.replace(mapping, file: stub.file, options: options.response)
                try persist(mapping, &state)
            }
        }
    }

    // MARK: Files

    /// Brings the stubs of files up to date, all in one step for requests. A file that is refused keeps its last good
    /// stubs.
    /// - Parameter files: by name, relative to the folder; nil for a file that is gone.
    /// - Returns: the files that were refused, and why.
    public func update(_ files: [(name: String, stubs: [StubMapping]?)]) -> [(name: String, StubRefusal)] {
        change { state in
            var refused: [(name: String, StubRefusal)] = []
            for (name, stubs) in files {
                guard let stubs else {
                    state.stubs.removeFile(name)
                    continue
                }
                do throws(StubRefusal) {
                    try state.stubs.setFile(name, stubs, options: options.response)
                } catch {
                    refused.append((name, error))
                }
            }
            return refused
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

    /// Removes every stub that did not come from a file as it stands, and forgets the journal.
    public func dropAllButFiles() {
        change { state in
            for stub in state.stubs.all where stub.file == nil { state.stubs.remove(stub.mapping.id) }
            state.journal.removeAll()
        }
    }

    // MARK: The disk

    private func persist(_ mapping: StubMapping, _ state: inout State) throws(StubRefusal) {
        guard mapping.persistent == true, let store else { return }
        let file = state.stubs.stub(mapping.id)?.file
        let companions = file.map { state.stubs.stubs(of: $0).map(\.mapping) } ?? []
        do {
            let written = try store.write(mapping, file: file, companions: companions)
            if file == nil { try state.stubs.adopt(mapping.id, into: written, options: options.response) }
        } catch let error as StubStoreError {
            throw .notStored(error.message)
        } catch let error as StubRefusal {
            throw error
        } catch {
            throw .notStored("\(error)")
        }
    }

    private func erase(_ stub: CompiledStub, _ state: State) throws(StubRefusal) {
        guard stub.mapping.persistent == true, let store, let file = stub.file else { return }
        let rest = state.stubs.stubs(of: file).map(\.mapping).filter { $0.id != stub.mapping.id }
        do {
            if let next = rest.first {
                _ = try store.write(next, file: file, companions: rest)
            } else {
                try store.remove(file)
            }
        } catch {
            throw .notStored(error.message)
        }
    }
}
