package import SDAnswering
package import SDIndexing
import SDPlatform
package import SDStubModel

/// The stubs of a session: the index that requests are matched with, and the data for changing it.
///
/// The order of insertion is a number. Stubs of files have their places in the order of the files' names, below all
/// stubs of the admin API: so a folder gives the same order however it came about, and editing a file does not move its
/// stubs above those of a test.
package struct StubSet {
    package private(set) var index = StubIndex<CompiledStub>()
    package private(set) var byID = StubIDMap<CompiledStub>()
    package var files = FileOrder()
    /// The file's version of each stub that the admin API edited or removed for the time being.
    package var originals: [StubMapping.ID: CompiledStub] = [:]
    private var nextSequence: UInt64
    package var scenarios = ScenarioTable()
    /// The number of stubs that have conditions beside their patterns.
    var conditionalCount = 0
    /// The number of stubs with a time to live.
    var expiringCount = 0
    var expiries = ExpiryQueue()
    /// The number of own stubs that take long to write.
    private var longCount = 0
    /// The stubs that have conditions beside their patterns, by their places.
    package private(set) var conditional = PersistentMap<StubOrder, CompiledStub>()
    /// The stubs that serve collections of records.
    package private(set) var resources: [StubMapping.ID: CompiledStub] = [:]
    /// The stubs that have left since they were last taken from here.
    private var departed: [CompiledStub] = []
    /// The stubs shared with another session's set; nil for most sessions.
    package var inherited: InheritedStubs?
    /// The number of the replicated change that is being made; 0 for none.
    var changeNumber: UInt64 = 0
    /// A clock in milliseconds that never goes back.
    package var clock: @Sendable () -> Int64 = SystemCalls.monotonicMilliseconds

    /// The first sequence of the admin API's stubs; those of files are below.
    static let firstOwnSequence: UInt64 = 1 << 63

    package init(firstSequence: UInt64 = Self.firstOwnSequence) {
        nextSequence = firstSequence
    }

    /// The number of stubs that are not inherited.
    package var ownCount: Int { byID.count }

    /// Whether writing the stubs holds a loop for long.
    package var isLarge: Bool { hasLongStubs || visible.maxCount > 500 }

    /// Whether some stubs take long to write.
    package var hasLongStubs: Bool { longCount > 0 || inherited?.base.hasLongStubs ?? false }

    /// The stubs in the order in which they are tried.
    package var all: [CompiledStub] { visible.all }

    package var visible: VisibleStubs { VisibleStubs(own: index, inherited: inherited?.view) }

    package func stub(_ id: StubMapping.ID) -> CompiledStub? {
        byID[id] ?? inherited?.stub(id)
    }

    /// Takes a place above all others.
    mutating func takeSequence() -> UInt64 {
        defer { nextSequence += 1 }
        return nextSequence
    }

    // MARK: Batches

    /// Begins a batch of changes, which are faster together. No request may be served before `endBatch`.
    package mutating func beginBatch() {
        index.beginBatch()
    }

    /// Ends a batch, if one has begun.
    /// - Parameter most: the number of stubs up to which an overdue table is made now.
    package mutating func endBatch(renewingAtMost most: Int = .max) {
        index.endBatch(renewingAtMost: most)
        scenarios.removeEmpty()
    }

    /// Whether finding a stub is as fast as possible.
    package var isSettled: Bool { index.isSettled }

    /// Whether so many stubs have changed that finding one is noticeably slower.
    package var isOverdue: Bool { index.isOverdue }

    /// Makes finding a stub as fast as possible, in time proportional to the number of stubs.
    package mutating func settle() {
        index.settle()
    }

    // MARK: Single stubs

    /// Adds a stub as the newest, or replaces the one that has its id and takes over its counter, since callers see the
    /// same stub under that id.
    package mutating func put(_ stub: CompiledStub) {
        guard let old = self.stub(stub.id) else {
            insert(stub.placed(at: takeSequence(), file: nil))
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

    /// Removes a stub, but not from its file.
    package mutating func remove(_ id: StubMapping.ID) {
        if inherited != nil { return removeInherited(id) }
        guard let stub = byID[id] else { return }
        keepOriginal(stub)
        take(stub)
    }

    package mutating func insert(_ stub: CompiledStub) {
        let stub = bound(stub)
        index.insert(stub)
        note(stub)
    }

    /// Inserts the stubs of a file.
    package mutating func insert(contentsOf stubs: [CompiledStub]) {
        let stubs = stubs.contains { $0.lifecycle != nil } ? stubs.map { bound($0) } : stubs
        index.insert(contentsOf: stubs)
        byID.reserveCapacity(byID.count + stubs.count)
        for stub in stubs { note(stub) }
    }

    /// Inserts the stubs of a file into a set that has none, in one pass over them.
    /// - Parameters:
    ///   - summaries: those of the stubs.
    ///   - known: the stubs by their ids.
    ///   - notable: the places of the stubs of which more is to be noted.
    ///   - first: the place of the first in the order of insertion.
    mutating func insertFirst(
        _ stubs: consuming [CompiledStub], _ summaries: StubSummaries, byID known: StubIDMap<CompiledStub>,
        notable: [Int], file: String, from first: UInt64
    ) {
        byID = known
        for place in notable {
            stubs[place] = bound(stubs[place].placed(at: first + UInt64(place), file: file))
            note(stubs[place])
        }
        index.fill(with: stubs, summaries, from: first) { $0.placed(at: $1, file: file) }
    }

    /// Removes a stub regardless of its file.
    package mutating func take(_ stub: CompiledStub) {
        departed.append(stub)
        release(stub)
        index.remove(stub)
        byID[stub.id] = nil
        if stub.lifecycle != nil { conditional.update(stub.order) { $0 = nil } }
        if stub.resource != nil { resources[stub.id] = nil }
        if stub.isLong { longCount -= 1 }
    }

    package mutating func exchange(_ old: CompiledStub, for new: CompiledStub) {
        let new = bound(new)
        departed.append(old)
        release(old)
        index.replace(old, with: new)
        if old.lifecycle != nil { conditional.update(old.order) { $0 = nil } }
        if old.resource != nil { resources[old.id] = nil }
        if old.isLong { longCount -= 1 }
        note(new)
    }

    private mutating func note(_ stub: CompiledStub) {
        byID[stub.id] = stub
        if stub.lifecycle != nil { conditional.update(stub.order) { $0 = stub } }
        if stub.resource != nil { resources[stub.id] = stub }
        if stub.isLong { longCount += 1 }
    }

    /// Takes the stubs that have left.
    package mutating func takeRemoved() -> [CompiledStub] {
        defer { departed = [] }
        return departed
    }

    /// Whether a response is still served, by the stub that took the place of its own.
    package func serves(_ response: CompiledResponse, of id: StubMapping.ID) -> Bool {
        stub(id)?.response === response
    }

    private mutating func keepOriginal(_ stub: CompiledStub) {
        let id = stub.id
        if stub.file != nil, originals[id] == nil { originals[id] = stub }
    }
}
