import Bytes
internal import Matching

/// The stubs of an index that do not stand in its table: those added since that was made, and those that can be anywhere.
/// Copies share what they have in common.
struct AddedStubs<Stub: IndexedStub>: Sendable {
    /// By `url` and `urlPath`, in one map: where a request has no query, one lookup finds both.
    private var exact = PersistentMap<ExactURL, StubList<Stub>>()
    private var shapes = StubTrie<Stub>()
    private var anywhere = StubList<Stub>()
    /// How many stand here until a table takes them.
    private(set) var filedCount = 0

    var isEmpty: Bool { filedCount == 0 && anywhere.isEmpty }

    // MARK: - Changes

    mutating func insert(_ entry: StubEntry<Stub>) {
        switch entry.stub.pattern.place {
        case .url(let url), .path(let url):
            exact.update(ExactURL(url)) { list in
                var changed = list ?? StubList()
                list = nil
                changed.insert(entry)
                list = changed
            }
        case .shape(let shape): shapes.insert(entry, shape)
        case .anywhere: return anywhere.insert(entry)
        }
        filedCount += 1
    }

    /// Removes the entry of this order, which is `stub`'s; true if there was one.
    mutating func remove(_ order: StubOrder, _ stub: Stub) -> Bool {
        var isFound = false
        switch stub.pattern.place {
        case .url(let url), .path(let url):
            exact.update(ExactURL(url)) { list in
                guard var changed = list else { return }
                list = nil
                isFound = changed.remove(order)
                list = changed.isEmpty ? nil : changed
            }
        case .shape(let shape): isFound = shapes.remove(order, shape)
        case .anywhere: return anywhere.remove(order)
        }
        if isFound { filedCount -= 1 }
        return isFound
    }

    /// Leaves those alone that can be anywhere.
    mutating func removeFiled() {
        exact = PersistentMap()
        shapes = StubTrie()
        filedCount = 0
    }

    // MARK: - Lookup

    /// Tries every stub that would be better than the best so far.
    func search<Request>(
        _ search: inout StubSearch<Stub, Request>, _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
    ) {
        if filedCount > 0 {
            let path = views.path
            if views.hasQuery {
                tryExact(views.url, .exactURL, &search, &views, isEligible)
                tryExact(path, .exactPath, &search, &views, isEligible)
            } else {
                tryExact(path, .exact, &search, &views, isEligible)
            }
            shapes.search(path, &search, &views, isEligible)
        }
        search.tryStubs(of: anywhere, .loosely, &views, isEligible)
    }

    private func tryExact<Request>(
        _ url: ArraySlice<UInt8>, _ filing: StubSearch<Stub, Request>.Filing, _ search: inout StubSearch<Stub, Request>,
        _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
    ) {
        var hash = PathHash()
        exact.visit(
            hash: hash.value(of: url, count: url.count, .url), where: { $0.bytes[...].equals(url) },
            { search.tryStubs(of: $0, filing, &views, isEligible) })
    }
}

/// A URL or path as a key.
private struct ExactURL: PersistentKey {
    let bytes: [UInt8]

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = Array(bytes)
    }

    var persistentHash: UInt64 {
        var hash = PathHash()
        return hash.value(of: bytes[...], count: bytes.count, .url)
    }
}
