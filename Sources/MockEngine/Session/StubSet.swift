import StubModel

/// The stubs of a session: the index that requests are matched with, and what changing it needs.
///
/// The order of insertion is a number. Stubs of files stand in the order of the files' names, below all stubs of the
/// admin API: so a folder gives the same order however it came to be what it is, and editing a file does not lift its
/// stubs over those of a test.
struct StubSet {
    private(set) var index = StubIndex<CompiledStub>()
    private var byID: [StubMapping.ID: CompiledStub] = [:]
    private var files = FileOrder()
    private var nextSequence = Self.firstOwnSequence

    /// Stubs of files have sequences below this.
    private static let firstOwnSequence: UInt64 = 1 << 63

    var isEmpty: Bool { byID.isEmpty }
    var count: Int { byID.count }

    /// In the order in which they are tried.
    var all: [CompiledStub] { index.stubs.all }

    func stub(_ id: StubMapping.ID) -> CompiledStub? {
        byID[id]
    }

    func stubs(of file: String) -> [CompiledStub] {
        (files.ids(of: file) ?? []).compactMap { byID[$0] }
    }

    // MARK: Single stubs

    /// Adds a stub as the newest.
    mutating func add(_ mapping: StubMapping, file: String? = nil, options: ResponseOptions) throws(StubRefusal) {
        guard byID[mapping.id] == nil else { throw .duplicateID(mapping.id) }
        let stub = try CompiledStub(mapping, sequence: nextSequence, file: file, options: options)
        nextSequence += 1
        insert(stub)
    }

    /// Puts `mapping` in the place of the stub that has its id. False where there is none.
    mutating func replace(
        _ mapping: StubMapping, file: String?, options: ResponseOptions
    ) throws(StubRefusal) -> Bool {
        guard let old = byID[mapping.id] else { return false }
        let new = try CompiledStub(mapping, sequence: old.sequence, file: file, options: options)
        index.replace(old, with: new)
        byID[mapping.id] = new
        return true
    }

    @discardableResult
    mutating func remove(_ id: StubMapping.ID) -> CompiledStub? {
        guard let stub = byID.removeValue(forKey: id) else { return nil }
        index.remove(stub)
        return stub
    }

    mutating func removeAll() {
        index = StubIndex()
        byID = [:]
        files = FileOrder()
    }

    private mutating func insert(_ stub: CompiledStub) {
        index.insert(stub)
        byID[stub.mapping.id] = stub
    }

    // MARK: Files

    /// The files that stubs came from, in their order.
    var fileNames: [String] { files.names }

    /// Replaces all stubs of one file, or none of them.
    mutating func setFile(_ file: String, _ mappings: [StubMapping], options: ResponseOptions) throws(StubRefusal) {
        var seen: Set<StubMapping.ID> = []
        for mapping in mappings {
            let holder = byID[mapping.id]
            guard seen.insert(mapping.id).inserted, holder == nil || holder?.file == file else {
                throw .duplicateID(mapping.id)
            }
        }
        let before = files.ids(of: file)
        let moved = files.place(file, mappings.map(\.id))
        let base = files.sequence(of: file)
        var compiled: [CompiledStub] = []
        compiled.reserveCapacity(mappings.count)
        do throws(StubRefusal) {
            for (place, mapping) in mappings.enumerated() {
                let sequence = base + UInt64(place)
                if let old = unchanged(mapping, file: file, sequence: sequence) {
                    compiled.append(old)
                } else {
                    compiled.append(try CompiledStub(mapping, sequence: sequence, file: file, options: options))
                }
            }
        } catch {
            if let before { _ = files.place(file, before) } else { files.remove(file) }
            throw error
        }
        for id in before ?? [] where byID[id]?.file == file { remove(id) }
        if moved { renumberFiles(except: file, options: options) }
        compiled.forEach { insert($0) }
    }

    /// The stub as it stands, where a file only says again what is known: it keeps its counter, and one of the admin API
    /// that was saved keeps its place.
    private func unchanged(_ mapping: StubMapping, file: String, sequence: UInt64) -> CompiledStub? {
        guard let old = byID[mapping.id], old.file == file, old.mapping == mapping else { return nil }
        return old.sequence == sequence || old.sequence >= Self.firstOwnSequence ? old : nil
    }

    /// Notes that a stub of the admin API is kept in a file from now on.
    mutating func adopt(_ id: StubMapping.ID, into file: String, options: ResponseOptions) throws(StubRefusal) {
        guard let old = byID[id] else { return }
        _ = try replace(old.mapping, file: file, options: options)
        _ = files.place(file, [id])
    }

    /// Removes the stubs of a file that is gone.
    mutating func removeFile(_ file: String) {
        for id in files.ids(of: file) ?? [] where byID[id]?.file == file { remove(id) }
        files.remove(file)
    }

    /// The files' places were spread anew: their stubs follow.
    private mutating func renumberFiles(except changed: String, options: ResponseOptions) {
        for file in files.names where file != changed {
            let base = files.sequence(of: file)
            for (place, id) in (files.ids(of: file) ?? []).enumerated() {
                guard let old = byID[id], old.file == file,
                    let new = try? CompiledStub(
                        old.mapping, sequence: base + UInt64(place), file: file, options: options)
                else { continue }
                index.replace(old, with: new)
                byID[id] = new
            }
        }
    }
}
