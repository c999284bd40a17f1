public import SDMatching

/// A lookup on its way through the lists of an index: the best stub so far, and the search of a list for one that
/// precedes it.
///
/// Passed down as `inout` together with the request's views, so that a lookup needs no closure and no allocation.
public struct StubSearch<Stub: IndexedStub, Request: MatchableRequest> {
    /// The filing of the stubs in a list, which determines what is already known about their URLs.
    enum Filing {
        /// Filed under the request's URL, which has no query: path and URL are the same.
        case exact
        /// Filed under the request's path and query.
        case exactURL
        /// Filed under the path of a request that has a query.
        case exactPath
        /// Filed under less; the URL must still be compared.
        case loosely
    }

    let request: Request
    public private(set) var best: StubEntry<Stub>?

    public init(_ request: Request) {
        self.request = request
    }

    /// Whether a stub with this order would precede the best so far.
    func wants(_ order: StubOrder) -> Bool {
        best.map { order < $0.order } ?? true
    }

    /// Tries the stubs of a list in order until one matches or none can precede the best so far.
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

    /// Tries a stub that is filed alone.
    mutating func tryStub(
        _ entry: consuming StubEntry<Stub>, _ filing: Filing, _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
    ) {
        if matches(entry, filing, &views, isEligible) { best = entry }
    }

    /// Whether the search of a list is over: the stub matched, or it and all after it come too late.
    private mutating func settles(
        _ entry: borrowing StubEntry<Stub>, _ filing: Filing, _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
    ) -> Bool {
        guard wants(entry.order) else { return true }
        let isFound = matches(entry, filing, &views, isEligible)
        if isFound { best = copy entry }
        // Once the budget is spent, nothing that follows counts.
        return isFound || views.isSpent
    }

    /// Whether a stub matches that would precede the best so far.
    private func matches(
        _ entry: borrowing StubEntry<Stub>, _ filing: Filing, _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
    ) -> Bool {
        guard entry.methods.contains(views.methodBit), isEligible(entry.stub) else { return false }
        return switch filing {
        case .exact: matchesAtItsURL(entry, &views)
        case .exactURL: entry.wantsQuery && matchesAtItsURL(entry, &views)
        case .exactPath: !entry.wantsQuery && matchesAtItsURL(entry, &views)
        case .loosely: entry.stub.pattern.matches(request, &views)
        }
    }

    private func matchesAtItsURL(_ entry: borrowing StubEntry<Stub>, _ views: inout RequestViews) -> Bool {
        entry.isDecidedByURL || entry.stub.pattern.matchesAtItsURL(request, &views)
    }
}
