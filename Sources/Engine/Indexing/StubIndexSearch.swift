public import SDMatching

/// The state of a lookup in the lists of an index: the best stub so far, and the search of a list for one with
/// precedence.
///
/// Passed down as `inout` together with the request's views, so that a lookup needs no closure and no allocation.
public struct StubSearch<Stub: IndexedStub, Request: MatchableRequest> {
    /// How the stubs of a list are filed, which determines what is already known about their URLs.
    enum Filing {
        /// Filed under the request's URL, which has no query: path and URL are the same.
        case exact
        /// Filed under the request's path and query.
        case exactURL
        /// Filed under the path of a request that has a query.
        case exactPath
        /// Filed under a part of the URL, which must still be compared.
        case loosely
    }

    let request: Request
    public private(set) var best: StubEntry<Stub>?

    public init(_ request: Request) {
        self.request = request
    }

    /// Whether a stub with this order takes precedence over the best so far.
    func wants(_ order: StubOrder) -> Bool {
        best.map { order < $0.order } ?? true
    }

    /// Tries the stubs of a list in order, until one matches or none can take precedence over the best so far.
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

    /// Tries a single stub.
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
        // Once the budget is spent, later results do not count.
        return isFound || views.isSpent
    }

    /// Whether a stub matches and takes precedence over the best so far.
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
