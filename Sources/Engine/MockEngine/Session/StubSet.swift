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
    private var nextSequence: UInt64
    var scenarios = ScenarioTable()
    /// How many of them answer only under conditions beside their patterns.
    var conditionalCount = 0
    /// How many of them have a time to live.
    var mortalCount = 0
    var expiries = ExpiryQueue()
    /// The stubs that answer under conditions beside their patterns, by their places.
    private(set) var conditional = PersistentMap<StubOrder, CompiledStub>()
    /// What it shares with the set of another session; nil for most.
    var inherited: InheritedStubs?
    /// Milliseconds that only go forward.
    var clock: @Sendable () -> Int64 = SystemCalls.monotonicMilliseconds

    /// Stubs of files have sequences below this.
    static let firstOwnSequence: UInt64 = 1 << 63

    init(firstSequence: UInt64 = Self.firstOwnSequence) {
        nextSequence = firstSequence
    }

    var count: Int { inherited == nil ? byID.count : all.count }

    /// In the order in which they are tried.
    var all: [CompiledStub] { visible.all }

    var visible: VisibleStubs { VisibleStubs(own: index, inherited: inherited?.view) }

    func stub(_ id: StubMapping.ID) -> CompiledStub? {
        byID[id] ?? inherited?.stub(id)
    }

    /// A place above all others.
    mutating func takeSequence() -> UInt64 {
        defer { nextSequence += 1 }
        return nextSequence
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

    /// Adds a stub as the newest, or puts it in the place of the one that has its id; what that one has answered counts on, as
    /// it is the same stub to whoever asks for its id.
    mutating func put(_ stub: CompiledStub) {
        guard let old = self.stub(stub.id) else {
            insert(CompiledStub(stub, sequence: takeSequence(), file: nil))
            return
        }
        let hits = hits(of: old)
        if inherited != nil {
            replaceInherited(old, with: stub)
        } else {
            keepOriginal(old)
            exchange(old, for: CompiledStub(stub, sequence: old.sequence, file: old.file, line: old.line))
        }
        self.stub(stub.id)?.hits = hits
    }

    /// Removes a stub. Its file, if it has one, still has it.
    mutating func remove(_ id: StubMapping.ID) {
        if inherited != nil { return removeInherited(id) }
        guard let stub = byID[id] else { return }
        keepOriginal(stub)
        take(stub)
    }

    mutating func insert(_ stub: CompiledStub) {
        let stub = bound(stub)
        index.insert(stub)
        note(stub)
    }

    /// Removes a stub without regard for its file.
    mutating func take(_ stub: CompiledStub) {
        release(stub)
        index.remove(stub)
        byID[stub.id] = nil
        if stub.life != nil { conditional.update(stub.order) { $0 = nil } }
    }

    mutating func exchange(_ old: CompiledStub, for new: CompiledStub) {
        let new = bound(new)
        release(old)
        index.replace(old, with: new)
        if old.life != nil { conditional.update(old.order) { $0 = nil } }
        note(new)
    }

    private mutating func note(_ stub: CompiledStub) {
        byID[stub.id] = stub
        if stub.life != nil { conditional.update(stub.order) { $0 = stub } }
    }

    private mutating func keepOriginal(_ stub: CompiledStub) {
        let id = stub.id
        if stub.file != nil, originals[id] == nil { originals[id] = stub }
    }
}
