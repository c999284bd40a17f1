package import SDAnswering
package import SDIndexing
import SDPlatform
package import SDStubModel

/// The stubs of a session: the index for matching requests, and the data for changing it.
///
/// The order of insertion is a number. Stubs of files are numbered in the order of the files' names, below all stubs of
/// the admin API. So a folder gives the same order however it was created, and editing a file does not move its stubs
/// above those of a test.
package struct StubSet {
    package private(set) var index = StubIndex<CompiledStub>()
    package private(set) var byID = StubIDMap<CompiledStub>()
    package var files = FileOrder()
    /// The file's version of each stub that the admin API has edited or removed temporarily.
    package var originals: [StubMapping.ID: CompiledStub] = [:]
    private var nextSequence: UInt64
    package var scenarios = ScenarioTable()
    /// The scenarios that message stubs name, with the states that these require or set.
    package internal(set) var messageScenarios: [String: [String]] = [:]
    /// The number of stubs that have conditions besides their patterns.
    var conditionalCount = 0
    /// The number of stubs with a time to live.
    var expiringCount = 0
    var expiries = ExpiryQueue()
    /// The number of own stubs that are slow to write.
    private var longCount = 0
    /// The stubs with conditions besides their patterns, by position.
    package private(set) var conditional = PersistentMap<StubOrder, CompiledStub>()
    /// The stubs that serve collections of records.
    package private(set) var resources: [StubMapping.ID: CompiledStub] = [:]
    /// The stubs removed since the last `takeRemoved`.
    private var retired: [CompiledStub] = []
    /// The stubs shared with another session's set; nil for most sessions.
    package var inherited: InheritedStubs?
    /// The number of the replicated change in progress; 0 for none.
    var changeNumber: UInt64 = 0
    /// A monotonic clock in milliseconds.
    package var clock: @Sendable () -> Int64 = SystemCalls.monotonicMilliseconds

    /// The first sequence number of the admin API's stubs; those of files are below.
    static let firstOwnSequence: UInt64 = 1 << 63

    package init(firstSequence: UInt64 = Self.firstOwnSequence) {
        nextSequence = firstSequence
    }

    /// The number of stubs that are not inherited.
    package var ownCount: Int { byID.count }

    /// Whether writing the stubs blocks a loop for long.
    package var isLarge: Bool { hasLongStubs || visible.maxCount > 500 }

    /// Whether some stubs are slow to write.
    package var hasLongStubs: Bool { longCount > 0 || inherited?.base.hasLongStubs ?? false }

    /// The stubs in order of precedence.
    package var all: [CompiledStub] { visible.all }

    package var visible: VisibleStubs { VisibleStubs(own: index, inherited: inherited?.view) }

    package func stub(_ id: StubMapping.ID) -> CompiledStub? {
        byID[id] ?? inherited?.stub(id)
    }

    /// Returns a sequence number above all others.
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
    /// - Parameter most: the largest number of stubs for which an overdue table is rebuilt now.
    package mutating func endBatch(renewingAtMost most: Int = .max) {
        index.endBatch(renewingAtMost: most)
        scenarios.removeEmpty()
    }

    /// Whether lookups are as fast as possible.
    package var isTableCurrent: Bool { index.isTableCurrent }

    /// Whether so many stubs have changed that lookups are noticeably slower.
    package var isOverdue: Bool { index.isOverdue }

    /// Rebuilds the lookup table, in time linear in the number of stubs.
    package mutating func rebuildTable() {
        index.rebuildTable()
    }

    // MARK: Single stubs

    /// Adds a stub as the newest, or replaces the stub with its id and inherits its counter, because callers see the
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

    /// Removes a stub from the set, but not from its file.
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

    /// Inserts the stubs of a file into an empty set, in one pass.
    /// - Parameters:
    ///   - summaries: the summaries of the stubs.
    ///   - known: the stubs by id.
    ///   - notable: the indices of the stubs to record separately.
    ///   - first: the sequence number of the first stub.
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
        retired.append(stub)
        release(stub)
        index.remove(stub)
        byID[stub.id] = nil
        if stub.lifecycle != nil { conditional.update(stub.order) { $0 = nil } }
        if stub.resource != nil { resources[stub.id] = nil }
        if stub.isLong { longCount -= 1 }
    }

    package mutating func exchange(_ old: CompiledStub, for new: CompiledStub) {
        let new = bound(new)
        retired.append(old)
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

    /// Returns the removed stubs, and clears the list.
    package mutating func takeRemoved() -> [CompiledStub] {
        defer { retired = [] }
        return retired
    }

    /// Whether a response is still served, by a stub that replaced its own.
    package func serves(_ response: CompiledResponse, of id: StubMapping.ID) -> Bool {
        stub(id)?.response === response
    }

    private mutating func keepOriginal(_ stub: CompiledStub) {
        let id = stub.id
        if stub.file != nil, originals[id] == nil { originals[id] = stub }
    }
}
