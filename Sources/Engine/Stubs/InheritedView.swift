package import SDAnswering
package import SDIndexing
package import SDMatching
package import SDStubModel
import SDWireValues

/// The shared stubs of a session for lookups: immutable.
package final class InheritedView: Sendable {
    /// The generation of the base.
    package let generation: UInt64
    package let index: StubIndex<CompiledStub>
    package let hidden: Set<StubMapping.ID>
    let hidesAll: Bool
    private let finder: StubFinder<CompiledStub>
    private let conditionalCount: Int

    package init(_ base: SessionSnapshot, hidden: Set<StubMapping.ID>, hidesAll: Bool) {
        generation = base.generation
        index = base.stubs.own
        finder = base.finder
        conditionalCount = base.conditionalCount
        self.hidden = hidden
        self.hidesAll = hidesAll
    }

    /// Whether a stub of the base is shared and not hidden.
    package func shows(_ stub: CompiledStub) -> Bool {
        !hidesAll && stub.lifecycle == nil && (hidden.isEmpty || !hidden.contains(stub.id))
    }

    /// An upper bound of the number of visible stubs, because some may be hidden.
    package var maxCount: Int { hidesAll ? 0 : index.count - conditionalCount }

    package func search<Request>(_ search: inout StubSearch<CompiledStub, Request>, _ views: inout RequestViews) {
        if hidesAll { return }
        finder.search(&search, &views) { [hidden] stub in
            stub.lifecycle == nil && (hidden.isEmpty || !hidden.contains(stub.id))
        }
    }

    /// Searches the visible stubs that are eligible.
    package func search<Request>(
        _ search: inout StubSearch<CompiledStub, Request>, _ views: inout RequestViews,
        where isEligible: (CompiledStub) -> Bool
    ) {
        if hidesAll { return }
        finder.search(&search, &views) { shows($0) && isEligible($0) }
    }
}
