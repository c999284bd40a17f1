internal import Matching

/// A snapshot of an index for look-ups. A class whose parts are looked at one by one: to hand an index itself around is to
/// copy it, and to count a reference for each of its parts, for every request.
final class StubFinder<Stub: IndexedStub>: Sendable {
    private let table: StubTable<Stub>?
    private let hasGone: Bool
    private let hasAdded: Bool
    /// Stubs of the table that are passed over.
    private let gone: PersistentMap<StubOrder, Bool>
    private let added: AddedStubs<Stub>

    init(table: StubTable<Stub>?, gone: PersistentMap<StubOrder, Bool>, added: AddedStubs<Stub>) {
        self.table = table
        self.gone = gone
        self.added = added
        hasGone = !gone.isEmpty
        hasAdded = !added.isEmpty
    }

    /// The stub that answers the request, or nil. Stubs for which `isEligible` is false are passed over, such as those whose
    /// scenario is in another state; it is asked before a stub's conditions are looked at.
    func firstMatch(
        _ request: some MatchableRequest, _ views: inout RequestViews, where isEligible: (Stub) -> Bool = { _ in true }
    ) -> Stub? {
        var search = StubSearch<Stub, _>(request)
        self.search(&search, &views, isEligible)
        return search.best?.stub
    }

    /// Goes on with a search for a better stub than the best so far.
    func search<Request>(
        _ search: inout StubSearch<Stub, Request>, _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
    ) {
        if hasGone {
            searchWithoutGone(&search, &views, isEligible)
        } else {
            table?.search(&search, &views, isEligible)
        }
        if hasAdded { searchAdded(&search, &views, isEligible) }
    }

    private func searchWithoutGone<Request>(
        _ search: inout StubSearch<Stub, Request>, _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
    ) {
        table?.search(&search, &views) { stub in
            gone[StubOrder(priority: stub.priority, sequence: stub.sequence)] == nil && isEligible(stub)
        }
    }

    private func searchAdded<Request>(
        _ search: inout StubSearch<Stub, Request>, _ views: inout RequestViews, _ isEligible: (Stub) -> Bool
    ) {
        added.search(&search, &views, isEligible)
    }
}
