public import SDMatching

/// A snapshot of an index for lookups. It is a class whose parts are read one by one: passing an index around would
/// copy it and retain each part, for every request.
public final class StubFinder<Stub: IndexedStub>: Sendable {
    private let table: StubTable<Stub>?
    private let hasGone: Bool
    private let hasAdded: Bool
    /// Stubs in the table to skip, because they were removed.
    private let gone: PersistentMap<StubOrder, Bool>
    private let added: AddedStubs<Stub>

    init(table: StubTable<Stub>?, gone: PersistentMap<StubOrder, Bool>, added: AddedStubs<Stub>) {
        self.table = table
        self.gone = gone
        self.added = added
        hasGone = !gone.isEmpty
        hasAdded = !added.isEmpty
    }

    /// The stub that answers the request, or nil. Stubs for which `isEligible` is false are skipped, such as those of a
    /// scenario in another state; it is called before a stub's other conditions.
    public func firstMatch(
        _ request: some MatchableRequest, _ views: inout RequestViews, where isEligible: (Stub) -> Bool = { _ in true }
    ) -> Stub? {
        var search = StubSearch<Stub, _>(request)
        self.search(&search, &views, isEligible)
        return search.best?.stub
    }

    /// Continues a search for a stub with precedence over the best so far.
    public func search<Request>(
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
