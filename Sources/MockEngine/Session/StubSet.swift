import Platform
import StubModel

/// The stubs of a session: the index that requests are matched with, and what changing it needs.
///
/// The order of insertion is a number. Stubs of files stand in the order of the files' names, below all stubs of the
/// admin API: so a folder gives the same order however it came to be what it is, and editing a file does not lift its
/// stubs over those of a test.
struct StubSet {
    private(set) var index = StubIndex<CompiledStub>()
    private(set) var byID: [StubMapping.ID: CompiledStub] = [:]
    var files = FileOrder()
    /// What a file says of a stub that the admin API edited or removed for the time being.
    var originals: [StubMapping.ID: CompiledStub] = [:]
    private var nextSequence = Self.firstOwnSequence
    var scenarios = ScenarioTable()
    /// How many of them answer only under conditions beside their patterns.
    var conditionalCount = 0
    /// How many of them have a time to live.
    var mortalCount = 0
    var expiries = ExpiryQueue()
    /// Milliseconds that only go forward.
    var clock: @Sendable () -> Int64 = SystemCalls.monotonicMilliseconds

    /// Stubs of files have sequences below this.
    static let firstOwnSequence: UInt64 = 1 << 63

    var isEmpty: Bool { byID.isEmpty }
    var count: Int { byID.count }

    /// In the order in which they are tried.
    var all: [CompiledStub] { index.stubs.all }

    func stub(_ id: StubMapping.ID) -> CompiledStub? {
        byID[id]
    }

    // MARK: Batches

    /// Begins a number of changes that go faster together. No request may be served before `endBatch`.
    mutating func beginBatch() {
        index.beginBatch()
    }

    /// Ends a batch, if one is under way.
    mutating func endBatch() {
        index.endBatch()
        scenarios.removeEmpty()
    }

    /// Looking up a stub is as quick as it can be.
    var isSettled: Bool { index.isSettled }

    /// Makes it so, at a cost that grows with the number of stubs.
    mutating func settle() {
        index.settle()
    }

    // MARK: Single stubs

    /// Adds a stub as the newest.
    mutating func add(_ mapping: StubMapping, options: ResponseOptions) throws(StubRefusal) {
        guard byID[mapping.id] == nil else { throw .duplicateID(mapping.id) }
        let stub = try CompiledStub(mapping, sequence: nextSequence, file: nil, options: options)
        nextSequence += 1
        insert(stub)
    }

    /// Puts `mapping` in the place of the stub that has its id. False where there is none.
    mutating func replace(_ mapping: StubMapping, options: ResponseOptions) throws(StubRefusal) -> Bool {
        guard let old = byID[mapping.id] else { return false }
        let new = try CompiledStub(mapping, sequence: old.sequence, file: old.file, options: options)
        keepOriginal(old)
        exchange(old, for: new)
        return true
    }

    /// Removes a stub. Its file, if it has one, still has it.
    mutating func remove(_ id: StubMapping.ID) {
        guard let stub = byID[id] else { return }
        keepOriginal(stub)
        take(stub)
    }

    mutating func insert(_ stub: CompiledStub) {
        let stub = bound(stub)
        index.insert(stub)
        byID[stub.id] = stub
    }

    /// Removes a stub without regard for its file.
    mutating func take(_ stub: CompiledStub) {
        release(stub)
        index.remove(stub)
        byID[stub.id] = nil
    }

    mutating func exchange(_ old: CompiledStub, for new: CompiledStub) {
        let new = bound(new)
        release(old)
        index.replace(old, with: new)
        byID[new.id] = new
    }

    private mutating func keepOriginal(_ stub: CompiledStub) {
        let id = stub.id
        if stub.file != nil, originals[id] == nil { originals[id] = stub }
    }
}
