import SDMatching
import SDPlatform

/// The stubs with an exact URL, or with a literal path prefix, in flat arrays.
///
/// Built as a whole and immutable. A lookup reads a slot, a head and a key, which are close together for all stubs, and
/// retains nothing: with 100,000 stubs, every object that is accessed misses all caches.
final class StubTable<Stub: IndexedStub>: Sendable {
    private typealias Head = StubTableHead

    /// A hash table with open addressing: the upper half of a slot is the upper half of the hash, the lower the number
    /// of a head, from 1; 0 is free.
    private let slots: [UInt64]
    private let heads: [Head]
    /// The keys of the heads, each followed by its rule.
    private let text: [UInt8]
    /// The stubs, including those that are alone under their key.
    private let stubs: [Stub]
    /// The lists of stubs with the same exact URL.
    private let lists: [StubList<Stub>]
    /// The tries of shapes with the same prefix, by their rest.
    private let tries: [StubTrie<Stub>]
    /// The lengths of the keys that are prefixes, ascending.
    private let prefixLengths: [Int]

    /// Makes a table.
    /// - Parameters:
    ///   - all: all stubs of the index.
    ///   - leaveOut: called with the stubs that accept any path, which are not in the table.
    convenience init(_ all: StubList<Stub>, count: Int, leaveOut: (StubEntry<Stub>) -> Void) {
        var builder = StubTableBuilder<Stub>(capacity: count)
        builder.stubs.reserveCapacity(count)
        var one = StubSummaries()
        all.visitAll { entry in
            one.removeAll()
            one.append(entry.stub)
            builder.stubs.append(entry.stub)
            if !builder.add(one, at: 0, sequence: entry.order.sequence) { leaveOut(entry) }
        }
        self.init(builder)
    }

    /// Builds a table of all stubs of the index from their summaries, without accessing any.
    convenience init(_ filled: SummarizedStubs<Stub>, leaveOut: (StubEntry<Stub>) -> Void) {
        let summaries = filled.summaries
        var builder = StubTableBuilder<Stub>(capacity: summaries.count, bytes: summaries.byteCount)
        builder.stubs = filled.stubs
        for place in 0..<summaries.count
        where !builder.add(summaries, at: place, sequence: filled.sequence(of: place), stub: place) {
            leaveOut(filled.entry(at: place))
        }
        self.init(builder)
    }

    private init(_ filled: consuming StubTableBuilder<Stub>) {
        var builder = filled
        builder.finish()
        slots = builder.slots
        heads = builder.heads
        text = builder.text
        stubs = builder.stubs
        lists = builder.lists
        tries = builder.tries
        prefixLengths = builder.prefixLengths
    }

    /// Tries every stub whose URL or shape includes the request's and that takes precedence over the best so far.
    func search<Request>(
        _ search: inout StubSearch<Stub, Request>, _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
    ) {
        // The slices of the views are not copied, which would retain their bytes.
        let pathHash = search.request.pathHash
        if views.hasQuery {
            tryExact(views.pathCount, pathHash, .exactPath, &search, &views, isEligible)
            let urlHash = PathHash.value(of: views.url.span)
            tryExact(views.url.count, urlHash, .exactURL, &search, &views, isEligible)
        } else {
            tryExact(views.pathCount, pathHash, .exact, &search, &views, isEligible)
        }
        if !prefixLengths.isEmpty { tryPrefixes(&search, &views, isEligible) }
    }

    private func tryPrefixes<Request>(
        _ search: inout StubSearch<Stub, Request>, _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
    ) {
        let path = views.path
        var hash = PathHash()
        for length in prefixLengths {
            guard length <= path.count else { return }
            let prefix = StubTableKey.Kind.prefix.hash(hash.value(of: path.span, count: length))
            if let head = head(prefix, path.span.extracting(first: length), .prefix) {
                tryShapes(head, path, &search, &views, isEligible)
            }
        }
    }

    /// Tries the stubs for the first `count` bytes of the request's URL.
    private func tryExact<Request>(
        _ count: Int, _ hash: UInt64, _ filing: StubSearch<Stub, Request>.Filing,
        _ search: inout StubSearch<Stub, Request>, _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
    ) {
        guard let head = head(hash, views.url.span.extracting(first: count), .url) else { return }
        if head.content == .list {
            search.tryStubs(of: lists[head.index], filing, &views, isEligible)
        } else {
            tryOne(head, filing, &search, &views, isEligible)
        }
    }

    private func tryShapes<Request>(
        _ head: Head, _ path: ArraySlice<UInt8>, _ search: inout StubSearch<Stub, Request>,
        _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
    ) {
        switch head.content {
        case .trie: tries[head.index].search(path.dropFirst(head.keyLength), &search, &views, isEligible)
        case .ruled:
            guard rule(of: head, takesIn: path) else { return }
            tryOne(head, .exact, &search, &views, isEligible)
        case .one, .list: tryOne(head, .loosely, &search, &views, isEligible)
        }
    }

    private func tryOne<Request>(
        _ head: Head, _ filing: StubSearch<Stub, Request>.Filing, _ search: inout StubSearch<Stub, Request>,
        _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
    ) {
        // The data in the head rule out most stubs that do not match.
        guard head.methods.contains(views.methodBit), search.wants(head.order) else { return }
        search.tryStub(StubEntry(head, stubs[head.index]), filing, &views, isEligible)
    }

    private func head(_ hash: UInt64, _ key: Span<UInt8>, _ kind: StubTableKey.Kind) -> Head? {
        var place = firstPlace(hash)
        while let number = nextHead(hash, &place) {
            let head = heads[number]
            guard head.kind == kind, head.keyLength == key.count else { continue }
            if Self.has(text, key, at: head.keyStart) { return head }
        }
        return nil
    }

    /// Whether a key is at an offset of a text, which is passed borrowed so that it is not retained.
    private static func has(_ text: borrowing [UInt8], _ key: Span<UInt8>, at start: Int) -> Bool {
        text.span.extracting(start..<(start &+ key.count)).equals(key)
    }

    /// The slot at which the search for a hash begins.
    private func firstPlace(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count &- 1) }

    /// The number of the next head that may have a hash, and the slot after it; nil if there are no more.
    private func nextHead(_ hash: UInt64, _ place: inout Int) -> Int? {
        while slots[place] != 0 {
            let slot = slots[place]
            place = (place &+ 1) & (slots.count &- 1)
            if slot >> 32 == hash >> 32 { return Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) &- 1 }
        }
        return nil
    }

    /// Whether the path continues after the key as the rule states.
    private func rule(of head: Head, takesIn path: ArraySlice<UInt8>) -> Bool {
        let rule = text[(head.keyStart &+ head.keyLength)..<(head.keyStart &+ head.keyLength &+ head.ruleLength)].span
        let path = path.span
        var position = head.keyLength
        for index in rule.indices {
            if rule[index] == StubTableKey.segment {
                let start = position
                while position < path.count, path[position] != UInt8(ascii: "/") { position &+= 1 }
                if position == start { return false }
            } else {
                guard position < path.count, path[position] == rule[index] else { return false }
                position &+= 1
            }
        }
        return position == path.count
    }
}

/// The data of a key that need no access to its stubs. Plain numbers, so that reading one retains nothing.
struct StubTableHead: Sendable {
    /// The location of the key's stubs.
    enum Content: UInt8, Sendable {
        /// One stub, in `stubs`.
        case one
        /// One stub, in `stubs`, whose URL condition is exactly the key and its rule.
        case ruled
        case list, trie
    }

    fileprivate let start, length: UInt32
    fileprivate var rule: UInt32
    fileprivate var place: UInt32
    let kind: StubTableKey.Kind
    fileprivate(set) var content: Content
    let wantsQuery: Bool
    let isDecidedByURL: Bool
    let methods: MethodSet
    let order: StubOrder

    var keyStart: Int { Int(start) }
    var keyLength: Int { Int(length) }
    var ruleLength: Int { Int(rule) }
    var index: Int { Int(place) }
}

extension StubEntry {
    fileprivate init(_ head: StubTableHead, _ stub: Stub) {
        self.init(
            order: head.order, methods: head.methods, wantsQuery: head.wantsQuery, isDecidedByURL: head.isDecidedByURL,
            stub: stub)
    }
}

/// Fills the arrays of a table.
private struct StubTableBuilder<Stub: IndexedStub> {
    private(set) var slots: [UInt64]
    private(set) var heads: [StubTableHead] = []
    private(set) var text: [UInt8] = []
    /// The stubs to file, at their indices.
    var stubs: [Stub] = []
    private(set) var lists: [StubList<Stub>] = []
    private(set) var tries: [StubTrie<Stub>] = []
    /// In ascending order. Kept sorted, because a call of `sorted` stops the compiler from specializing the caller for
    /// stubs of another target.
    private(set) var prefixLengths: [Int] = []
    /// The stubs of each head that has several.
    private var crowds: [Int: [StubEntry<Stub>]] = [:]

    /// - Parameters:
    ///   - capacity: the number of stubs.
    ///   - bytes: the number of bytes of their keys and rules, if known.
    init(capacity: Int, bytes: Int = 0) {
        var size = 16
        while size < capacity * 2 { size *= 2 }
        slots = Array(repeating: 0, count: size)
        heads.reserveCapacity(capacity)
        text.reserveCapacity(bytes)
    }

    /// Files a stub. Returns false for one that accepts any path.
    /// - Parameters:
    ///   - place: the index of its summary.
    ///   - given: the index of the stub; nil for the last one.
    mutating func add(_ summaries: StubSummaries, at place: Int, sequence: UInt64, stub given: Int? = nil) -> Bool {
        let summary = summaries[place]
        guard let key = summary.key else { return false }
        let stub = given ?? stubs.count - 1
        let bytes = summaries.bytes(of: key)
        var slot = Int(truncatingIfNeeded: key.hash) & (slots.count - 1)
        while slots[slot] != 0 {
            let head = Int(slots[slot] & 0xFFFF_FFFF) - 1
            if slots[slot] >> 32 == key.hash >> 32, hasKey(heads[head], key, bytes) {
                crowds[head, default: [StubEntry(heads[head], stubs[heads[head].index])]]
                    .append(StubEntry(stubs[stub], summary, sequence: sequence))
                return true
            }
            slot = (slot + 1) & (slots.count - 1)
        }
        if key.kind == .prefix { addPrefixLength(key.count) }
        slots[slot] = (key.hash & ~0xFFFF_FFFF) | UInt64(heads.count + 1)
        heads.append(
            StubTableHead(
                start: UInt32(text.count), length: UInt32(key.count), rule: UInt32(key.ruleCount),
                place: UInt32(stub), kind: key.kind, content: key.isRuled ? .ruled : .one,
                wantsQuery: summary.wantsQuery, isDecidedByURL: summary.isDecidedByURL, methods: summary.methods,
                order: StubOrder(priority: summary.priority, sequence: sequence)))
        text += bytes
        return true
    }

    private mutating func addPrefixLength(_ length: Int) {
        let place = prefixLengths.firstIndex { $0 >= length } ?? prefixLengths.count
        guard place == prefixLengths.count || prefixLengths[place] != length else { return }
        prefixLengths.insert(length, at: place)
    }

    /// - Parameter bytes: the bytes of the key and its rule.
    private func hasKey(_ head: StubTableHead, _ key: StubTableKey, _ bytes: ArraySlice<UInt8>) -> Bool {
        head.kind == key.kind
            && text[head.keyStart..<(head.keyStart + head.keyLength)].equals(bytes.prefix(key.count))
    }

    mutating func finish() {
        for (head, crowd) in crowds {
            if heads[head].kind == .url {
                var list = StubList<Stub>()
                for entry in crowd { list.insert(entry) }
                heads[head].content = .list
                heads[head].place = UInt32(lists.count)
                lists.append(list)
            } else {
                var trie = StubTrie<Stub>()
                for entry in crowd {
                    if let rest = StubTableKey.rest(of: entry.stub) { trie.insert(entry, rest) }
                }
                heads[head].content = .trie
                heads[head].place = UInt32(tries.count)
                tries.append(trie)
            }
        }
    }
}
