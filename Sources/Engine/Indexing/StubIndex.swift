public import SDMatching

/// The properties of a stub that the index needs. They never change: an edited stub is another object.
public protocol IndexedStub: AnyObject, Sendable {
    var pattern: CompiledPattern { get }
    /// Whether the pattern's shape is closed and includes only paths that the URL condition accepts.
    var isShapeExact: Bool { get }
    /// The priority; lower numbers win.
    var priority: Int { get }
    /// The position in the order of insertion, unique to a stub; within a priority the highest wins.
    var sequence: UInt64 { get }
}

/// Finds the stub that answers a request, at a cost that does not grow with the number of stubs.
///
/// A value whose copies share their common parts: a copy is an immutable snapshot, valid on any thread, and changing
/// the next one costs microseconds. Most stubs are in a flat table, which is fast to read and can only be built as a
/// whole. Later changes are stored beside it; when there are too many, a new table of all stubs is built. A change thus
/// also costs its share of the next table, some microseconds.
///
/// Stubs are filed by their URL condition: one exact URL or path, a shape of paths, or any path. Of all matching stubs,
/// the one with the lowest priority and then the highest sequence number answers.
public struct StubIndex<Stub: IndexedStub>: Sendable {
    /// All stubs in order of precedence.
    public private(set) var stubs = StubList<Stub>()
    public private(set) var count = 0

    private var table: StubTable<Stub>?
    /// Stubs in the table that were removed later.
    private var gone = PersistentMap<StubOrder, Bool>()
    /// Stubs added after the table was built, and those that accept any path.
    private var added = AddedStubs<Stub>()
    /// Stubs that were added but not filed yet, during a batch of changes.
    private var unfiled: [StubEntry<Stub>] = []
    private var isBatching = false
    /// All stubs with their summaries, if the next table can be built from these.
    private var summarized: SummarizedStubs<Stub>?
    /// Whether the batch adds so many stubs that they are not filed until a new table is built at its end.
    private var awaitsTable = false

    public init() {}

    // MARK: - Changes

    /// Adds a stub. The combination of its priority and sequence must be unique.
    public mutating func insert(_ stub: Stub) {
        let entry = StubEntry(stub)
        summarized = nil
        stubs.insert(entry)
        count += 1
        if awaitsTable { return }
        if isBatching {
            unfiled.append(entry)
        } else {
            added.insert(entry)
            rebuildTableIfDue()
        }
    }

    /// Fills an empty index with stubs, by their summaries.
    /// - Parameters:
    ///   - first: the sequence number of the first stub, which the others follow consecutively; nil if they have their
    ///   own.
    ///   - placing: returns a stub with the given sequence number.
    public mutating func fill(
        with stubs: consuming [Stub], _ summaries: StubSummaries, from first: UInt64? = nil,
        placing: (Stub, UInt64) -> Stub = { stub, _ in stub }
    ) {
        precondition(count == 0, "the index is not empty")
        var filled = SummarizedStubs(stubs, summaries, from: first)
        count = summaries.count
        self.stubs.fill(with: &filled, placing)
        summarized = filled
        awaitsTable = true
        if !isBatching { rebuildTable() }
    }

    /// Adds stubs, faster than one by one.
    public mutating func insert(contentsOf stubs: [Stub]) {
        summarized = nil
        self.stubs.insert(contentsOf: stubs)
        count += stubs.count
        awaitsTable = awaitsTable || stubs.count * 4 > count
        if isBatching {
            if !awaitsTable { unfiled += stubs.reversed().map { StubEntry($0) } }
        } else if awaitsTable {
            rebuildTable()
        } else {
            for stub in stubs.reversed() { added.insert(StubEntry(stub)) }
            rebuildTableIfDue()
        }
    }

    /// Removes a stub; does nothing if it is not in the index.
    public mutating func remove(_ stub: Stub) {
        let order = StubOrder(priority: stub.priority, sequence: stub.sequence)
        guard stubs.remove(order) else { return }
        summarized = nil
        count -= 1
        if awaitsTable { return }
        fileAll()
        if !added.remove(order, stub) {
            gone.update(order) { $0 = true }
        }
        if !isBatching { rebuildTableIfDue() }
    }

    /// Replaces a stub by its edited version, which keeps the rank if it has the same sequence number.
    public mutating func replace(_ old: Stub, with new: Stub) {
        remove(old)
        insert(new)
    }

    /// Begins a batch of changes, which are faster together. No lookup is allowed before `endBatch`.
    public mutating func beginBatch() {
        isBatching = true
    }

    /// Ends a batch, if there is one.
    /// - Parameter most: the largest number of stubs for which an overdue table is built now; past it, `isOverdue`
    ///   stays true.
    public mutating func endBatch(renewingAtMost most: Int = .max) {
        isBatching = false
        if awaitsTable || count <= most { rebuildTableIfDue() }
        fileAll()
    }

    private mutating func fileAll() {
        for entry in unfiled { added.insert(entry) }
        unfiled = []
    }

    /// Builds a new table of all stubs if more than a quarter of them changed since the last one.
    private mutating func rebuildTableIfDue() {
        if awaitsTable || isOverdue { rebuildTable() }
    }

    /// Whether more than a quarter of the stubs changed since the table was made.
    public var isOverdue: Bool { changeCount * 4 > count }

    /// The number of changes since the table was made.
    private var changeCount: Int { unfiled.count + added.filedCount + gone.count }

    /// Whether the table contains all stubs that it can.
    public var isTableCurrent: Bool { changeCount == 0 && !awaitsTable }

    /// Builds a new table of all stubs, for an index that is often used and rarely changed.
    public mutating func rebuildTable() {
        awaitsTable = false
        unfiled = []
        added = AddedStubs()
        gone = PersistentMap()
        table =
            if count == 0 {
                nil
            } else if let summarized {
                StubTable(summarized) { added.insert($0) }
            } else {
                StubTable(stubs, count: count) { added.insert($0) }
            }
        summarized = nil
    }

    // MARK: - Lookup

    /// The current snapshot for lookups, for any number of threads.
    public var finder: StubFinder<Stub> {
        StubFinder(table: table, gone: gone, added: added)
    }
}
