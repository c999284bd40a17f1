import SDAnswering
import SDIndexing
package import SDMatching
package import SDStubModel

/// The stubs of files.
extension StubSet {
    /// The files that have stubs, in order.
    package var fileNames: [String] { files.names }

    /// The stubs of a file, in order, without later changes by the admin API.
    package func contents(of file: String) -> [StubMapping] {
        (files.ids(of: file) ?? []).compactMap { id in
            if let original = originals[id], original.file == file { return original.mapping }
            return byID[id].flatMap { $0.file == file ? $0.mapping : nil }
        }
    }

    /// Replaces all stubs of one file, or none of them. An edited stub keeps its hits. An equal stub without a file
    /// becomes the file's stub.
    /// - Parameters:
    ///   - unwritten: files of other replicas; their stubs move to this file.
    ///   - written: returns a stub as it is written to its file. A served stub stays if the file has its written form.
    /// - Throws: why a stub is refused.
    package mutating func setFile(
        _ file: String, _ prepared: PreparedStubs, unwritten: Set<String> = [],
        written: (StubMapping) -> StubMapping = { $0 }
    ) throws(StubRefusal) {
        if let id = firstTaken(prepared, by: file, unwritten, written) { throw .duplicateID(id) }
        if let refusal = prepared.refusals.first { throw refusal }
        let moved = byID.isEmpty ? [] : prepared.ids.filter { byID[$0].map { $0.file != file } ?? false }
        for id in moved { move(id, into: file) }
        let before = files.ids(of: file)
        let othersMoved = files.place(file, prepared.ids)
        let base = files.sequence(of: file)
        if before == nil, byID.isEmpty, originals.isEmpty, index.count == 0, let summaries = prepared.summaries,
            prepared.hasAll
        {
            return insertFirst(
                prepared.stubs, summaries, byID: prepared.byID, notable: prepared.notable, file: file, from: base)
        }
        var compiled: [CompiledStub] = []
        compiled.reserveCapacity(prepared.stubs.count)
        prepared.forEachStub { place, stub in
            let sequence = base + UInt64(place)
            compiled.append(
                successor(stub, file: file, sequence: sequence, written) ?? stub.placed(at: sequence, file: file))
        }
        forget((before ?? []) + moved, of: file)
        if othersMoved { renumber(files.names.filter { $0 != file }) }
        insert(contentsOf: compiled)
    }

    /// The first id that is duplicated in the file or belongs to a stub from elsewhere.
    private func firstTaken(
        _ prepared: PreparedStubs, by file: String, _ unwritten: Set<String>, _ written: (StubMapping) -> StubMapping
    ) -> StubMapping.ID? {
        if byID.isEmpty, prepared.hasDistinctIDs { return nil }
        var seen: Set<StubMapping.ID> = []
        var unsaved: Set<StubMapping.ID> = []
        let taken = prepared.ids.first { id in
            if !prepared.hasDistinctIDs, !seen.insert(id).inserted { return true }
            guard let stub = byID[id], stub.file != file else { return false }
            if let home = stub.file { return !unwritten.contains(home) }
            unsaved.insert(id)
            return false
        }
        guard taken == nil, !unsaved.isEmpty else { return taken }
        var other: StubMapping.ID?
        prepared.forEachStub { _, stub in
            guard unsaved.contains(stub.id), let served = byID[stub.id], other == nil else { return }
            if served.mapping.likeInFile != stub.mapping.likeInFile,
                written(served.mapping).likeInFile != stub.mapping.likeInFile
            {
                other = stub.id
            }
        }
        return other
    }

    /// Moves a stub without a file, or of another file, to a file that is about to be set.
    private mutating func move(_ id: StubMapping.ID, into file: String) {
        guard let old = byID[id] else { return }
        originals[id] = nil
        exchange(old, for: CompiledStub(old, sequence: old.sequence, file: file))
        guard let home = old.file, let ids = files.ids(of: home) else { return }
        if ids == [id] { files.remove(home) } else { _ = files.place(home, ids.filter { $0 != id }) }
    }

    /// The successor of the file's stub with the same id, with its hits: the stub itself if the mapping is the same. A
    /// saved stub of the admin API also keeps its position. Nil for a new stub.
    private func successor(
        _ stub: CompiledStub, file: String, sequence: UInt64, _ written: (StubMapping) -> StubMapping
    ) -> CompiledStub? {
        guard let old = byID[stub.id], old.file == file else { return nil }
        let place = old.sequence >= Self.firstOwnSequence ? old.sequence : sequence
        guard old.mapping == stub.mapping else {
            let safe = written(old.mapping)
            if safe != old.mapping, safe.likeInFile == stub.mapping.likeInFile {
                return CompiledStub(old, sequence: place, file: file, line: stub.line)
            }
            let edited = stub.placed(at: place, file: file)
            edited.hits = old.hits
            return edited
        }
        if old.sequence == place, old.line == stub.line { return old }
        return CompiledStub(old, sequence: place, file: file, line: stub.line)
    }

    /// Removes the stubs of a removed file.
    package mutating func removeFile(_ file: String) {
        forget(files.ids(of: file), of: file)
        files.remove(file)
    }

    private mutating func forget(_ ids: [StubMapping.ID]?, of file: String) {
        for id in ids ?? [] {
            if originals[id]?.file == file { originals[id] = nil }
            if let stub = byID[id], stub.file == file { take(stub) }
        }
    }

    // MARK: Saved stubs

    /// Records that a file contains a stub as it is served.
    mutating func adopt(_ id: StubMapping.ID, into file: String) {
        originals[id] = nil
        guard let old = byID[id], old.file != file else { return }
        exchange(old, for: CompiledStub(old, sequence: old.sequence, file: file))
        if files.place(file, [id]) { renumber(files.names) }
    }

    /// Removes a stub that its file no longer contains.
    mutating func erase(_ stub: CompiledStub) {
        let id = stub.id
        originals[id] = nil
        take(stub)
        guard let file = stub.file, let ids = files.ids(of: file) else { return }
        if ids == [id] {
            files.remove(file)
        } else {
            _ = files.place(file, ids.filter { $0 != id })
            renumber([file])
        }
    }

    // MARK: Reset to the files

    /// Resets the stubs to those of the files: stubs of the admin API are removed, edited or removed ones are restored,
    /// and saved ones move to the positions of their files.
    package mutating func restoreFiles() {
        if inherited != nil { return restoreInherited() }
        for stub in all where stub.file == nil { take(stub) }
        let lost = originals
        originals = [:]
        for (id, original) in lost {
            if let stub = byID[id] { take(stub) }
            insert(original)
        }
        renumber(files.names, savedToo: true)
        renewLives()
    }

    /// Moves the stubs of files to the current positions of their files.
    private mutating func renumber(_ names: [String], savedToo: Bool = false) {
        var moved: [CompiledStub] = []
        for file in names {
            let base = files.sequence(of: file)
            for (place, id) in (files.ids(of: file) ?? []).enumerated() {
                let sequence = base + UInt64(place)
                if let original = originals[id], original.sequence < Self.firstOwnSequence {
                    originals[id] = CompiledStub(original, sequence: sequence, file: file)
                }
                guard let stub = byID[id], stub.file == file, stub.sequence != sequence,
                    savedToo || stub.sequence < Self.firstOwnSequence
                else { continue }
                // All stubs are removed before any is inserted at its new position, because the index identifies stubs
                // by position.
                take(stub)
                moved.append(CompiledStub(stub, sequence: sequence, file: file))
            }
        }
        for stub in moved { insert(stub) }
    }
}

extension StubMapping {
    /// The mapping without the properties of a stub in a file.
    fileprivate var likeInFile: StubMapping {
        var mapping = self
        (mapping.persistent, mapping.timesLeft, mapping.insertionIndex) = (nil, nil, nil)
        return mapping
    }
}
