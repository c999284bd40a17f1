import SDMatching
import SDPlatform

/// The stubs of an index that are not in its table: those added later, and those that accept any path. Copies share
/// their common parts.
struct AddedStubs<Stub: IndexedStub>: Sendable {
    /// The stubs by `url` and `urlPath` in one map: for a request without a query, one lookup finds both.
    private var exact = PersistentMap<ExactURL, StubList<Stub>>()
    private var shapes = StubTrie<Stub>()
    private var anywhere = StubList<Stub>()
    /// The number of stubs that the next table will contain.
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

    /// Removes the entry with this order, which is `stub`'s. Returns whether there was one.
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

    // MARK: - Lookup

    /// Tries every stub with precedence over the best so far.
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
        exact.visit(
            hash: PathHash.value(of: url.span), where: { $0.bytes[...].equals(url) },
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
        PathHash.value(of: bytes.span)
    }
}
