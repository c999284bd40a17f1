import SDAnswering
import SDHTTPTransport
import SDIndexing
import SDMatching
import SDStubModel

/// The shared stubs of a session for lookups: immutable.
final class InheritedView: Sendable {
    /// The generation of the base.
    let generation: UInt64
    let index: StubIndex<CompiledStub>
    let hidden: Set<StubMapping.ID>
    let hidesAll: Bool
    private let finder: StubFinder<CompiledStub>
    private let conditionalCount: Int

    init(_ base: SessionSnapshot, hidden: Set<StubMapping.ID>, hidesAll: Bool) {
        generation = base.generation
        index = base.stubs.own
        finder = base.finder
        conditionalCount = base.conditionalCount
        self.hidden = hidden
        self.hidesAll = hidesAll
    }

    /// Whether a stub of the base is shared and not hidden.
    func shows(_ stub: CompiledStub) -> Bool {
        !hidesAll && stub.lifecycle == nil && (hidden.isEmpty || !hidden.contains(stub.id))
    }

    /// An upper bound of the number of visible stubs, as some may be hidden.
    var mostCount: Int { hidesAll ? 0 : index.count - conditionalCount }

    func search<Request>(_ search: inout StubSearch<CompiledStub, Request>, _ views: inout RequestViews) {
        if hidesAll { return }
        finder.search(&search, &views) { [hidden] stub in
            stub.lifecycle == nil && (hidden.isEmpty || !hidden.contains(stub.id))
        }
    }

    /// Searches the visible stubs that are eligible.
    func search<Request>(
        _ search: inout StubSearch<CompiledStub, Request>, _ views: inout RequestViews,
        where isEligible: (CompiledStub) -> Bool
    ) {
        if hidesAll { return }
        finder.search(&search, &views) { shows($0) && isEligible($0) }
    }
}
