import SDMatching

/// The stub's fields that an index copies.
struct StubSummary: Sendable {
    let priority: Int
    let sketch: PathSimHash
    /// The key for a table; nil for a stub that accepts any path.
    var key: StubTableKey?
    let methods: MethodSet
    let wantsQuery: Bool
    let isDecidedByURL: Bool
}

/// Summaries of consecutive stubs. Computed with the stubs, while they are in the processor's caches: an index of
/// 100,000 stubs is then filled without waiting for memory. They do not depend on sequence numbers.
public struct StubSummaries: Sendable {
    private var summaries: [StubSummary] = []
    /// The bytes of the keys and their rules.
    private var text: [UInt8] = []

    public init() {}

    public var count: Int { summaries.count }

    /// The number of bytes of the keys and their rules.
    var byteCount: Int { text.count }

    public mutating func reserveCapacity(_ count: Int) {
        summaries.reserveCapacity(count)
        // Most paths are shorter.
        text.reserveCapacity(count * 48)
    }

    public mutating func append(_ stub: some IndexedStub) {
        let entry = StubEntry(stub)
        let key = StubTableKey(stub, &text)
        summaries.append(
            StubSummary(
                priority: entry.order.priority, sketch: entry.sketch, key: key, methods: entry.methods,
                wantsQuery: entry.wantsQuery, isDecidedByURL: entry.isDecidedByURL))
    }

    public mutating func append(_ others: StubSummaries) {
        let start = UInt32(text.count)
        summaries.reserveCapacity(count + others.count)
        for var summary in others.summaries {
            summary.key?.start += start
            summaries.append(summary)
        }
        text += others.text
    }

    mutating func removeAll() {
        summaries.removeAll(keepingCapacity: true)
        text.removeAll(keepingCapacity: true)
    }

    subscript(place: Int) -> StubSummary { summaries[place] }

    /// The bytes of a key, followed by those of its rule.
    func bytes(of key: StubTableKey) -> ArraySlice<UInt8> {
        text[Int(key.start)..<(Int(key.start) + key.count + key.ruleCount)]
    }
}

extension StubEntry {
    /// - Parameter summary: the summary of the stub.
    init(_ stub: Stub, _ summary: StubSummary, sequence: UInt64) {
        order = StubOrder(priority: summary.priority, sequence: sequence)
        methods = summary.methods
        wantsQuery = summary.wantsQuery
        isDecidedByURL = summary.isDecidedByURL
        self.stub = stub
        sketch = summary.sketch
    }
}

/// Stubs with their summaries, in the order of insertion.
struct SummarizedStubs<Stub: IndexedStub>: Sendable {
    private(set) var stubs: [Stub]
    let summaries: StubSummaries
    /// The sequence number of the first stub, which the others follow consecutively; nil if each has its own.
    private let first: UInt64?

    /// - Parameter first: the sequence number of the first stub, which the others follow consecutively; nil if they
    ///   have their own.
    init(_ stubs: consuming [Stub], _ summaries: StubSummaries, from first: UInt64?) {
        self.stubs = stubs
        self.summaries = summaries
        self.first = first
    }

    func sequence(of place: Int) -> UInt64 {
        first.map { $0 + UInt64(place) } ?? stubs[place].sequence
    }

    func entry(at place: Int) -> StubEntry<Stub> {
        StubEntry(stubs[place], summaries[place], sequence: sequence(of: place))
    }

    /// Assigns the stub at an index its sequence number, or replaces it by a copy that has it.
    mutating func assignSequence(at place: Int, _ placing: (Stub, UInt64) -> Stub) {
        let placed = placing(stubs[place], sequence(of: place))
        if placed !== stubs[place] { stubs[place] = placed }
    }
}
