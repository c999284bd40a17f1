import SDBytes
import SDHTTPTransport
import SDMatching

/// The stubs with an exact URL, or with a literal at the beginning of their paths, in flat arrays.
///
/// Made as a whole and immutable. A lookup reads a slot, a head and a key, which are close together for all stubs, and
/// counts no reference on its way: with 100,000 stubs, every object that is accessed misses all caches.
final class StubTable<Stub: IndexedStub>: Sendable {
    private typealias Head = StubTableHead

    /// A hash table with open addressing: the upper half of a slot is the upper half of the hash, the lower the number
    /// of a head, from 1; 0 is free.
    private let slots: [UInt64]
    private let heads: [Head]
    /// The keys of the heads, each followed by its rule.
    private let text: [UInt8]
    /// The stubs that are alone under their key.
    private let stubs: [Stub]
    /// The lists of stubs with the same exact URL.
    private let lists: [StubList<Stub>]
    /// The tries of shapes with the same beginning, by their rest.
    private let tries: [StubTrie<Stub>]
    /// The lengths of the keys that are prefixes, ascending.
    private let prefixLengths: [Int]

    /// Makes a table.
    /// - Parameters:
    ///   - all: all stubs of the index.
    ///   - leaveOut: called with those that accept any path, which have no place in a table.
    init(_ all: StubList<Stub>, count: Int, leaveOut: (StubEntry<Stub>) -> Void) {
        var builder = StubTableBuilder<Stub>(capacity: count)
        all.visitAll(loadingStubs: true) { if !builder.add($0) { leaveOut($0) } }
        builder.finish()
        slots = builder.slots
        heads = builder.heads
        text = builder.text
        stubs = builder.stubs
        lists = builder.lists
        tries = builder.tries
        prefixLengths = builder.prefixLengths
    }

    /// Tries every stub whose URL or shape includes the request's and that would precede the best so far.
    func search<Request>(
        _ search: inout StubSearch<Stub, Request>, _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
    ) {
        let url = views.url
        let path = views.path
        var hash = PathHash()
        if views.hasQuery {
            tryExact(path, hash.value(of: path, count: path.count, .url), .exactPath, &search, &views, isEligible)
            tryExact(url, hash.value(of: url, count: url.count, .url), .exactURL, &search, &views, isEligible)
        } else {
            tryExact(path, hash.value(of: path, count: path.count, .url), .exact, &search, &views, isEligible)
        }
        guard !prefixLengths.isEmpty else { return }
        hash = PathHash()
        for length in prefixLengths {
            guard length <= path.count else { return }
            let prefix = hash.value(of: path, count: length, .prefix)
            if let head = head(prefix, path, count: length, .prefix) {
                tryShapes(head, path, &search, &views, isEligible)
            }
        }
    }

    private func tryExact<Request>(
        _ url: ArraySlice<UInt8>, _ hash: UInt64, _ filing: StubSearch<Stub, Request>.Filing,
        _ search: inout StubSearch<Stub, Request>, _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
    ) {
        guard let head = head(hash, url, count: url.count, .url) else { return }
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
        // The data in the head exclude most stubs that do not match.
        guard head.methods.contains(views.methodBit), search.wants(head.order) else { return }
        search.tryStub(StubEntry(head, stubs[head.index]), filing, &views, isEligible)
    }

    private func head(
        _ hash: UInt64, _ url: ArraySlice<UInt8>, count: Int, _ kind: StubTableKey.Kind
    ) -> Head? {
        let slots = slots
        var place = Int(truncatingIfNeeded: hash) & (slots.count &- 1)
        while slots[place] != 0 {
            let slot = slots[place]
            place = (place &+ 1) & (slots.count &- 1)
            if slot >> 32 == hash >> 32 {
                let head = heads[Int(truncatingIfNeeded: slot & 0xFFFF_FFFF) &- 1]
                guard head.kind == kind, head.keyLength == count else { continue }
                // It is loaded while the key is compared.
                head.stub.prefetch(byteCount: Stub.hotBytes)
                if hasKey(head, url) { return head }
            }
        }
        return nil
    }

    private func hasKey(_ head: Head, _ url: ArraySlice<UInt8>) -> Bool {
        text[head.keyStart..<(head.keyStart &+ head.keyLength)].equals(url.prefix(head.keyLength))
    }

    /// Whether the path continues after the key as the rule says.
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

/// The data of a key that need no access to its stubs. Plain numbers, so that reading one counts no reference.
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
    /// The address of the stub if there is only one.
    let stub: MemoryHint

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
    private(set) var stubs: [Stub] = []
    private(set) var lists: [StubList<Stub>] = []
    private(set) var tries: [StubTrie<Stub>] = []
    /// In ascending order, kept so because a call of `sorted` keeps the compiler from specializing what contains it for
    /// stubs of another target.
    private(set) var prefixLengths: [Int] = []
    /// The stubs of each head with several.
    private var crowds: [Int: [StubEntry<Stub>]] = [:]

    init(capacity: Int) {
        var size = 16
        while size < capacity * 2 { size *= 2 }
        slots = Array(repeating: 0, count: size)
        heads.reserveCapacity(capacity)
        stubs.reserveCapacity(capacity)
    }

    /// Files a stub. Returns false for one that accepts any path.
    mutating func add(_ entry: StubEntry<Stub>) -> Bool {
        guard let key = StubTableKey(entry.stub) else { return false }
        let hash = key.hash
        var place = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[place] != 0 {
            let head = Int(slots[place] & 0xFFFF_FFFF) - 1
            if slots[place] >> 32 == hash >> 32, hasKey(heads[head], key) {
                crowds[head, default: [StubEntry(heads[head], stubs[head])]].append(entry)
                return true
            }
            place = (place + 1) & (slots.count - 1)
        }
        if key.kind == .prefix { addPrefixLength(key.bytes.count) }
        let rule = key.rule
        slots[place] = (hash & ~0xFFFF_FFFF) | UInt64(heads.count + 1)
        heads.append(
            StubTableHead(
                start: UInt32(text.count), length: UInt32(key.bytes.count), rule: UInt32(rule?.count ?? 0),
                place: UInt32(stubs.count), kind: key.kind, content: rule == nil ? .one : .ruled,
                wantsQuery: entry.wantsQuery, isDecidedByURL: entry.isDecidedByURL, methods: entry.methods,
                order: entry.order, stub: MemoryHint(entry.stub)))
        text += key.bytes
        text += rule ?? []
        stubs.append(entry.stub)
        return true
    }

    private mutating func addPrefixLength(_ length: Int) {
        let place = prefixLengths.firstIndex { $0 >= length } ?? prefixLengths.count
        guard place == prefixLengths.count || prefixLengths[place] != length else { return }
        prefixLengths.insert(length, at: place)
    }

    private func hasKey(_ head: StubTableHead, _ key: StubTableKey) -> Bool {
        head.kind == key.kind && text[head.keyStart..<(head.keyStart + head.keyLength)].equals(key.bytes)
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
                    if let rest = StubTableKey(entry.stub)?.rest { trie.insert(entry, rest) }
                }
                heads[head].content = .trie
                heads[head].place = UInt32(tries.count)
                tries.append(trie)
            }
        }
    }
}

/// The key under which a table files a stub, and the rest.
struct StubTableKey {
    enum Kind: UInt8, Sendable {
        /// A whole URL or path.
        case url
        /// The beginning of a path.
        case prefix
    }

    let kind: Kind
    let bytes: ArraySlice<UInt8>
    /// The shape after a prefix; nil for a URL.
    let rest: PathShape?
    /// Whether the rest is the stub's whole remaining URL condition.
    private let isRestExact: Bool

    /// The length in bytes at which prefixes are cut; the limit keeps lookups short.
    private static var longestPrefix: Int { 256 }
    /// The byte for one segment in a rule. No path that reaches a stub contains it.
    static var segment: UInt8 { 0 }

    /// Makes a key; nil for a stub that accepts any path.
    init?(_ stub: some IndexedStub) {
        switch stub.pattern.place {
        case .url(let url), .path(let url):
            kind = .url
            bytes = url
            rest = nil
            isRestExact = false
        case .shape(let shape):
            kind = .prefix
            var rest = shape
            var prefix: ArraySlice<UInt8> = []
            if case .literal(let literal) = shape.steps.first {
                prefix = literal[...].prefix(Self.longestPrefix)
                let behind = Array(literal.dropFirst(prefix.count))
                rest.steps.replaceSubrange(..<1, with: behind.isEmpty ? [] : [.literal(behind)])
            }
            bytes = prefix
            self.rest = rest
            isRestExact = stub.isShapeExact
        case .anywhere: return nil
        }
    }

    var hash: UInt64 {
        var hash = PathHash()
        return hash.value(of: bytes, count: bytes.count, kind)
    }

    /// The rest as bytes; nil if it is incomplete or cannot be expressed.
    var rule: [UInt8]? {
        guard isRestExact, let rest, !rest.isOpen else { return nil }
        var rule: [UInt8] = []
        for step in rest.steps {
            switch step {
            case .segment: rule.append(Self.segment)
            case .literal(let literal):
                if literal.contains(Self.segment) { return nil }
                rule += literal
            }
        }
        return rule
    }
}

/// Hashes prefixes of one path, shorter ones first, at the cost of the longest.
struct PathHash {
    private var state: UInt64 = 0
    private var done = 0

    /// The hash of a prefix.
    /// - Parameter count: its length, at least that of the previous call.
    mutating func value(of path: ArraySlice<UInt8>, count: Int, _ kind: StubTableKey.Kind) -> UInt64 {
        let path = path.span
        while done &+ 8 <= count {
            var word: UInt64 = 0
            for offset in 0..<8 { word |= UInt64(path[done &+ offset]) << UInt64(offset &* 8) }
            state = Self.mix(state ^ word)
            done &+= 8
        }
        var word: UInt64 = 0
        for index in done..<count { word = word << 8 | UInt64(path[index]) }
        return Self.mix(Self.mix(state ^ word) ^ UInt64(truncatingIfNeeded: count) << 8 ^ UInt64(kind.rawValue))
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        let product = (value ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.high ^ product.low
    }
}
