internal import Matching

/// One lookup on its way through the lists of an index: the best stub so far, and how a list is tried for a better one.
///
/// Passed down as `inout` together with the request's views, so that a lookup needs no closure and no allocation.
struct StubSearch<Stub: IndexedStub, Request: MatchableRequest> {
    /// How the stubs of a list were filed, which says what is already known of their URLs.
    enum Filing {
        /// Under the request's URL, which has no query: path and URL are the same.
        case exact
        /// Under the request's path and query.
        case exactURL
        /// Under the path of a request that has a query.
        case exactPath
        /// Under something less; the URL is still to be compared.
        case loosely
    }

    let request: Request
    private(set) var best: StubEntry<Stub>?

    init(_ request: Request) {
        self.request = request
    }

    /// A stub of this order would come before the best so far.
    func wants(_ order: StubOrder) -> Bool {
        best.map { order < $0.order } ?? true
    }

    /// Tries the stubs of a list, which stand in order, until one matches or none can be better.
    mutating func tryStubs(
        of list: borrowing StubList<Stub>, _ filing: Filing, _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
    ) {
        switch list.storage {
        case .none: break
        case .one(let entry): _ = settles(entry, filing, &views, isEligible)
        case .chunks(let chunks):
            for chunk in chunks {
                for index in chunk.indices
                where settles(chunk[index], filing, &views, isEligible) {
                    return
                }
            }
        }
    }

    /// Tries a stub that is alone where it is filed.
    mutating func tryStub(
        _ entry: borrowing StubEntry<Stub>, _ filing: Filing, _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
    ) {
        _ = settles(entry, filing, &views, isEligible)
    }

    /// True if no stub behind this one can be better: it matched, or comes too late itself.
    private mutating func settles(
        _ entry: borrowing StubEntry<Stub>, _ filing: Filing, _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
    ) -> Bool {
        guard wants(entry.order) else { return true }
        guard entry.methods.contains(views.methodBit), isEligible(entry.stub) else { return false }
        let matches: Bool
        switch filing {
        case .exact: matches = matchesAtItsURL(entry, &views)
        case .exactURL: matches = entry.wantsQuery && matchesAtItsURL(entry, &views)
        case .exactPath: matches = !entry.wantsQuery && matchesAtItsURL(entry, &views)
        case .loosely: matches = entry.stub.pattern.matches(request, &views)
        }
        if matches { best = copy entry }
        return matches
    }

    private func matchesAtItsURL(_ entry: borrowing StubEntry<Stub>, _ views: inout RequestViews) -> Bool {
        entry.isDecidedByURL || entry.stub.pattern.matchesAtItsURL(request, &views)
    }
}
