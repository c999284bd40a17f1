import Bytes
internal import Matching

/// What the index has to know of a stub. Nothing of it ever changes: an edited stub is another object.
protocol IndexedStub: AnyObject, Sendable {
    var pattern: CompiledPattern { get }
    /// Lower numbers win.
    var priority: Int { get }
    /// The place in the order of insertion, one stub's alone; within a priority the highest wins.
    var sequence: UInt64 { get }
}

/// Finds the stub that answers a request, at a cost that does not grow with the number of stubs.
///
/// A value whose copies share what they have in common: a copy is an immutable snapshot, valid on any thread, and a change
/// to the next one costs microseconds. Stubs are filed by what their URL condition allows: one exact URL or path, a shape
/// of paths, or anything. Of all stubs that match, the one with the lowest priority and then the highest sequence answers.
struct StubIndex<Stub: IndexedStub>: Sendable {
    /// Every stub in the order in which they are tried.
    private(set) var stubs = StubList<Stub>()
    private(set) var count = 0

    /// By `url` and `urlPath`, in one map: where a request has no query, one lookup finds both.
    private var exact = PersistentMap<ExactURL, StubList<Stub>>()
    private var shapes = StubTrie<Stub>()
    private var anywhere = StubList<Stub>()

    init() {}

    // MARK: - Changes

    /// Adds a stub. Its priority and sequence together must be no other stub's.
    mutating func insert(_ stub: Stub) {
        let entry = StubEntry(stub)
        stubs.insert(entry)
        count += 1
        switch stub.pattern.place {
        case .url(let url), .path(let url):
            exact.update(ExactURL(url)) { list in
                var changed = list ?? StubList()
                list = nil
                changed.insert(entry)
                list = changed
            }
        case .shape(let shape): shapes.insert(entry, shape)
        case .anywhere: anywhere.insert(entry)
        }
    }

    /// Removes a stub that is in the index; does nothing for another.
    mutating func remove(_ stub: Stub) {
        let order = StubOrder(priority: stub.priority, sequence: stub.sequence)
        guard stubs.remove(order) else { return }
        count -= 1
        switch stub.pattern.place {
        case .url(let url), .path(let url):
            exact.update(ExactURL(url)) { list in
                guard var changed = list else { return }
                list = nil
                changed.remove(order)
                list = changed.isEmpty ? nil : changed
            }
        case .shape(let shape): shapes.remove(order, shape)
        case .anywhere: anywhere.remove(order)
        }
    }

    /// Puts an edited stub in the place of the old one, which keeps its rank if the new one carries the same sequence.
    mutating func replace(_ old: Stub, with new: Stub) {
        remove(old)
        insert(new)
    }

    // MARK: - Lookup

    /// The stub that answers the request, or nil. Stubs for which `isEligible` is false are passed over, such as those whose
    /// scenario is in another state; it is asked before a stub's conditions are looked at.
    func firstMatch(
        _ request: some MatchableRequest, _ views: inout RequestViews, where isEligible: (Stub) -> Bool = { _ in true }
    ) -> Stub? {
        var search = StubSearch<Stub, _>(request)
        let path = views.path
        if views.hasQuery {
            tryExact(views.url, .exactURL, &search, &views, isEligible)
            tryExact(path, .exactPath, &search, &views, isEligible)
        } else {
            tryExact(path, .exact, &search, &views, isEligible)
        }
        shapes.search(path, &search, &views, isEligible)
        search.tryStubs(of: anywhere, .loosely, &views, isEligible)
        return search.best?.stub
    }

    private func tryExact<Request>(
        _ url: ArraySlice<UInt8>, _ filing: StubSearch<Stub, Request>.Filing, _ search: inout StubSearch<Stub, Request>,
        _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
    ) {
        exact.visit(
            hash: url.pathHash, where: { $0.bytes[...].equals(url) },
            { search.tryStubs(of: $0, filing, &views, isEligible) })
    }
}

/// A URL or path as a key.
private struct ExactURL: PersistentKey {
    let bytes: [UInt8]

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = Array(bytes)
    }

    var persistentHash: UInt64 { bytes[...].pathHash }
}

extension ArraySlice<UInt8> {
    /// Eight bytes a round, each round one multiplication whose high half is folded back.
    fileprivate var pathHash: UInt64 {
        let span = span
        var hash = UInt64(truncatingIfNeeded: span.count) &* 0x9E37_79B9_7F4A_7C15
        var index = 0
        while index &+ 8 <= span.count {
            var word: UInt64 = 0
            for offset in 0..<8 { word |= UInt64(span[index &+ offset]) << UInt64(offset &* 8) }
            hash = Self.mix(hash ^ word)
            index &+= 8
        }
        var word: UInt64 = 0
        while index < span.count {
            word = word << 8 | UInt64(span[index])
            index &+= 1
        }
        return Self.mix(hash ^ word)
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }
}
