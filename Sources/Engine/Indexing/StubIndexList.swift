import SDMatching

/// A stub's rank among all stubs that match a request: the first one answers.
public struct StubOrder: Comparable, Sendable {
    /// The priority; lower numbers come first.
    public let priority: Int
    /// The number of the insertion; within a priority, the stub added last comes first.
    public let sequence: UInt64

    public init(priority: Int, sequence: UInt64) {
        self.priority = priority
        self.sequence = sequence
    }

    public static func < (left: StubOrder, right: StubOrder) -> Bool {
        left.priority != right.priority ? left.priority < right.priority : left.sequence > right.sequence
    }
}

extension StubOrder: PersistentKey {
    public var persistentHash: UInt64 {
        let product = (sequence ^ UInt64(bitPattern: Int64(priority)) &* 0xD6E8_FEB8_6659_FD93)
            .multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}

/// A stub in a list, with copies of the properties that decide most often, which saves accessing the stub.
public struct StubEntry<Stub: IndexedStub>: Sendable {
    let order: StubOrder
    let methods: MethodSet
    /// Whether the stub's URL is path and query rather than only the path.
    let wantsQuery: Bool
    /// Whether the stub matches once the URL and the method do.
    let isDecidedByURL: Bool
    public let stub: Stub
    /// The SimHash of the stub's path, for near misses.
    let sketch: PathSimHash

    init(order: StubOrder, methods: MethodSet, wantsQuery: Bool, isDecidedByURL: Bool, stub: Stub) {
        sketch = .none
        self.order = order
        self.methods = methods
        self.wantsQuery = wantsQuery
        self.isDecidedByURL = isDecidedByURL
        self.stub = stub
    }

    init(_ stub: Stub) {
        order = StubOrder(priority: stub.priority, sequence: stub.sequence)
        methods = stub.pattern.methods
        if case .url = stub.pattern.place { wantsQuery = true } else { wantsQuery = false }
        isDecidedByURL = stub.pattern.isDecidedByURL
        self.stub = stub
        sketch = PathSimHash(stub.pattern.place)
    }
}

/// Stubs in order of precedence. Copies share their common parts.
///
/// A single stub, the usual case for an exact path, is stored inline; more are stored in chunks, so that a change
/// copies one chunk and the list of chunks: microseconds with 100,000 stubs.
public struct StubList<Stub: IndexedStub>: Sendable {
    typealias Entry = StubEntry<Stub>

    enum Storage: Sendable {
        case none
        case one(Entry)
        /// Non-empty chunks.
        case chunks([[Entry]])
    }

    private(set) var storage: Storage = .none

    /// The largest size of a chunk; larger ones are split in two.
    private static var largestChunk: Int { 256 }
    /// The size of chunks that are built together.
    private static var usualChunk: Int { 192 }

    init() {}

    var isEmpty: Bool {
        if case .none = storage { true } else { false }
    }

    /// The order of the first stub.
    var first: StubOrder? {
        switch storage {
        case .none: nil
        case .one(let entry): entry.order
        case .chunks(let chunks): chunks[0][0].order
        }
    }

    /// All stubs in order, gathered on each call.
    public var all: [Stub] {
        switch storage {
        case .none: []
        case .one(let entry): [entry.stub]
        case .chunks(let chunks): chunks.flatMap { $0.map(\.stub) }
        }
    }

    /// Calls `body` with every entry in order.
    func visitAll(_ body: (Entry) -> Void) {
        switch storage {
        case .none: break
        case .one(let entry): body(entry)
        case .chunks(let chunks):
            for chunk in chunks {
                let chunk = chunk.span
                for index in chunk.indices {
                    body(chunk[index])
                }
            }
        }
    }

    /// Calls `body` with the SimHash of every stub in order, without accessing the stubs.
    func visitSketches(_ body: (PathSimHash) -> Void) {
        switch storage {
        case .none: break
        case .one(let entry): body(entry.sketch)
        case .chunks(let chunks):
            for chunk in chunks {
                let chunk = chunk.span
                for index in chunk.indices { body(chunk[index].sketch) }
            }
        }
    }

    /// The stubs in order whose SimHashes are accepted.
    func all(where isWanted: (PathSimHash) -> Bool) -> [Stub] {
        var wanted: [Stub] = []
        switch storage {
        case .none: break
        case .one(let entry): if isWanted(entry.sketch) { wanted.append(entry.stub) }
        case .chunks(let chunks):
            for chunk in chunks {
                let chunk = chunk.span
                for index in chunk.indices where isWanted(chunk[index].sketch) { wanted.append(chunk[index].stub) }
            }
        }
        return wanted
    }

    public func contains(_ order: StubOrder) -> Bool {
        switch storage {
        case .none: return false
        case .one(let entry): return entry.order == order
        case .chunks(let chunks):
            let chunk = Self.chunk(for: order, in: chunks)
            guard chunk < chunks.count else { return false }
            return chunks[chunk][Self.position(of: order, in: chunks[chunk])].order == order
        }
    }

    mutating func insert(_ entry: Entry) {
        switch storage {
        case .none: storage = .one(entry)
        case .one(let other):
            storage = .chunks([entry.order < other.order ? [entry, other] : [other, entry]])
        case .chunks(var chunks):
            // Cleared first, so that chunks owned only by this list change in place.
            storage = .none
            let chunk = Swift.min(Self.chunk(for: entry.order, in: chunks), chunks.count - 1)
            chunks[chunk].insert(entry, at: Self.position(of: entry.order, in: chunks[chunk]))
            if chunks[chunk].count > Self.largestChunk {
                let half = chunks[chunk].count / 2
                let rest = Array(chunks[chunk][half...])
                chunks[chunk].removeSubrange(half...)
                chunks.insert(rest, at: chunk + 1)
            }
            storage = .chunks(chunks)
        }
    }

    /// Inserts stubs; usually the last one comes first. Many insertions take one pass over the list.
    mutating func insert(contentsOf stubs: [Stub]) {
        guard stubs.count > Self.largestChunk / 4, stubs.count > count / 16 else {
            for stub in stubs.reversed() { insert(Entry(stub)) }
            return
        }
        if isEmpty {
            // Built in place: copying an entry would access its stub.
            let last = stubs.count - 1
            let chunks = Self.chunks(of: stubs.count) { Entry(stubs[last - $0]) }
            if takeSorted(chunks) { return }
        }
        let added = stubs.map { Entry($0) }.sorted { $0.order < $1.order }
        let all = isEmpty ? added : merged(with: added)
        storage = .chunks(Self.chunks(of: all.count) { all[$0] })
    }

    /// Takes over all stubs of a new index.
    /// - Parameter placing: as for the index.
    mutating func fill(with stubs: inout SummarizedStubs<Stub>, _ placing: (Stub, UInt64) -> Stub) {
        let count = stubs.summaries.count
        let last = count - 1
        let chunks = Self.chunks(of: count) { index in
            let place = last - index
            stubs.assignSequence(at: place, placing)
            return stubs.entry(at: place)
        }
        if takeSorted(chunks) { return }
        let all = chunks.joined().sorted { $0.order < $1.order }
        storage = .chunks(Self.chunks(of: count) { all[$0] })
    }

    /// Takes over sorted chunks. Returns false if they are not sorted.
    private mutating func takeSorted(_ chunks: [[Entry]]) -> Bool {
        guard Self.isSorted(chunks) else { return false }
        storage = Self.storage(of: chunks)
        return true
    }

    private static func chunks(of count: Int, _ entry: (Int) -> Entry) -> [[Entry]] {
        stride(from: 0, to: count, by: usualChunk).map { start in
            (start..<Swift.min(start + usualChunk, count)).map(entry)
        }
    }

    private static func isSorted(_ chunks: [[Entry]]) -> Bool {
        var last: StubOrder?
        for chunk in chunks {
            let chunk = chunk.span
            for index in chunk.indices {
                if let last, !(last < chunk[index].order) { return false }
                last = chunk[index].order
            }
        }
        return true
    }

    /// All entries in order, merged with a sorted list.
    private func merged(with added: [Entry]) -> [Entry] {
        var next = 0
        var all: [Entry] = []
        all.reserveCapacity(count + added.count)
        visitAll { entry in
            while next < added.count, added[next].order < entry.order {
                all.append(added[next])
                next += 1
            }
            all.append(entry)
        }
        all += added[next...]
        return all
    }

    private var count: Int {
        switch storage {
        case .none: 0
        case .one: 1
        case .chunks(let chunks): chunks.reduce(0) { $0 + $1.count }
        }
    }

    /// Removes the entry with this order. Returns whether there was one.
    @discardableResult
    mutating func remove(_ order: StubOrder) -> Bool {
        switch storage {
        case .none: return false
        case .one(let entry):
            guard entry.order == order else { return false }
            storage = .none
            return true
        case .chunks(var chunks):
            let chunk = Self.chunk(for: order, in: chunks)
            guard chunk < chunks.count else { return false }
            let position = Self.position(of: order, in: chunks[chunk])
            guard chunks[chunk][position].order == order else { return false }
            storage = .none
            chunks[chunk].remove(at: position)
            if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
            storage = Self.storage(of: chunks)
            return true
        }
    }

    private static func storage(of chunks: [[Entry]]) -> Storage {
        guard chunks.count == 1, let only = chunks.first, only.count == 1, let entry = only.first else {
            return chunks.isEmpty ? .none : .chunks(chunks)
        }
        return .one(entry)
    }

    /// The first chunk whose end is not before `order`; the number of chunks if there is none.
    private static func chunk(for order: StubOrder, in chunks: [[Entry]]) -> Int {
        partition(chunks.count) { index in chunks[index][chunks[index].count - 1].order < order }
    }

    /// The first position in a chunk that is not before `order`.
    private static func position(of order: StubOrder, in chunk: [Entry]) -> Int {
        partition(chunk.count) { chunk[$0].order < order }
    }

    /// The number of leading indices for which `isBefore` holds.
    private static func partition(_ count: Int, _ isBefore: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
