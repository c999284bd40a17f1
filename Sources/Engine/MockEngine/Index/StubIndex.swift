import Bytes
internal import Matching

/// What the index has to know of a stub. Nothing of it ever changes: an edited stub is another object.
protocol IndexedStub: AnyObject, Sendable {
    var pattern: CompiledPattern { get }
    /// Where the pattern's place is a closed shape: it takes in no path that the URL condition does not.
    var isShapeExact: Bool { get }
    /// Lower numbers win.
    var priority: Int { get }
    /// The place in the order of insertion, one stub's alone; within a priority the highest wins.
    var sequence: UInt64 { get }
}

/// Finds the stub that answers a request, at a cost that does not grow with the number of stubs.
///
/// A value whose copies share what they have in common: a copy is an immutable snapshot, valid on any thread, and a change
/// to the next one costs microseconds. Most stubs stand in a flat table, which is quick to read and is only made as a whole;
/// changes since then stand beside it, and when there are too many of them a new table is made of all. So a change costs its
/// share of the next table, some microseconds too.
///
/// Stubs are filed by what their URL condition allows: one exact URL or path, a shape of paths, or anything. Of all stubs
/// that match, the one with the lowest priority and then the highest sequence answers.
struct StubIndex<Stub: IndexedStub>: Sendable {
    /// Every stub in the order in which they are tried.
    private(set) var stubs = StubList<Stub>()
    private(set) var count = 0

    private var table: StubTable<Stub>?
    /// Stubs that stand in the table and are gone since.
    private var gone = PersistentMap<StubOrder, Bool>()
    /// Those added since, and those that can be anywhere.
    private var added = AddedStubs<Stub>()
    /// Added and not filed yet, while a batch of changes is under way.
    private var unfiled: [StubEntry<Stub>] = []
    private var isBatching = false

    init() {}

    // MARK: - Changes

    /// Adds a stub. Its priority and sequence together must be no other stub's.
    mutating func insert(_ stub: Stub) {
        let entry = StubEntry(stub)
        stubs.insert(entry)
        count += 1
        if isBatching {
            unfiled.append(entry)
        } else {
            added.insert(entry)
            renewTable()
        }
    }

    /// Removes a stub that is in the index; does nothing for another.
    mutating func remove(_ stub: Stub) {
        let order = StubOrder(priority: stub.priority, sequence: stub.sequence)
        guard stubs.remove(order) else { return }
        count -= 1
        fileAll()
        if !added.remove(order, stub) {
            gone.update(order) { $0 = true }
        }
        if !isBatching { renewTable() }
    }

    /// Puts an edited stub in the place of the old one, which keeps its rank if the new one carries the same sequence.
    mutating func replace(_ old: Stub, with new: Stub) {
        remove(old)
        insert(new)
    }

    /// Begins a number of changes that go faster together. No look-up may come before `endBatch`.
    mutating func beginBatch() {
        isBatching = true
    }

    /// Ends a batch, if one is under way.
    mutating func endBatch() {
        isBatching = false
        renewTable()
        fileAll()
    }

    private mutating func fileAll() {
        for entry in unfiled { added.insert(entry) }
        unfiled = []
    }

    /// Makes a new table of all stubs where more than a quarter of them changed since the last.
    private mutating func renewTable() {
        if changeCount * 4 > count { settle() }
    }

    /// Changes since the table was made.
    private var changeCount: Int { unfiled.count + added.filedCount + gone.count }

    /// All stubs that can be in the table are there.
    var isSettled: Bool { changeCount == 0 }

    /// Makes a new table of all stubs: for an index that was not changed for a while, and is asked often.
    mutating func settle() {
        for entry in unfiled where entry.stub.pattern.place == .anywhere { added.insert(entry) }
        unfiled = []
        added.removeFiled()
        gone = PersistentMap()
        table = count == 0 ? nil : StubTable(stubs, count: count)
    }

    // MARK: - Lookup

    /// What requests are matched with: the index as it stands now, for any number of threads.
    var finder: StubFinder<Stub> {
        StubFinder(table: table, gone: gone, added: added)
    }
}
