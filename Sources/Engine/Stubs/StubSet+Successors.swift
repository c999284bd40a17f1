package import SDAnswering
package import SDStubModel

extension StubSet {
    /// The stubs that replace others of an earlier set, paired with them.
    package func successors(
        of before: StubSet, _ isReplaced: (StubMapping.ID) -> Bool
    ) -> [(old: CompiledStub, successor: CompiledStub)] {
        byID.values.compactMap { stub in
            let id = stub.id
            guard let old = before.byID[id], old !== stub, old.pattern === stub.pattern || isReplaced(id) else {
                return nil
            }
            return (old, stub)
        }
    }

    /// Copies the hit counts of shared stubs in this session.
    package mutating func takeOverInheritedHits(of current: StubSet, _ isReplaced: (StubMapping.ID) -> Bool) {
        guard let hits = current.inherited?.hits, !hits.isEmpty else { return }
        for (id, count) in hits where isReplaced(id) { byID[id]?.hits = count }
        guard let shared = inherited else { return }
        inherited?.hits = hits.filter { byID[$0.key] == nil && shared.stub($0.key) != nil }
    }
}
