import SDAnswering
import SDStubs
import Synchronization

/// A session that inherits the stubs and settings of another one.
///
/// The parent does not know its children: a child compares the parent's generation for each request, and updates its
/// own snapshot if it has changed.
extension Session {
    /// The generation of the snapshot from which requests must be served.
    var currentGeneration: UInt64 {
        let own = generation.load(ordering: .acquiring)
        return parent.map { own + $0.generation.load(ordering: .acquiring) } ?? own
    }

    /// Whether the parent has changed since the snapshot was made.
    func isBehind(_ state: borrowing State) -> Bool {
        guard let parent else { return false }
        return state.snapshot.stubs.inherited?.generation != parent.generation.load(ordering: .acquiring)
    }

    func upToDate(_ state: inout State) -> SessionSnapshot {
        if isBehind(state) {
            state.stubs.beginBatch()
            follow(&state)
            publish(&state)
        }
        return state.snapshot
    }

    func follow(_ state: inout State) {
        guard let parent else { return }
        let base = parent.state.withLock { $0.snapshot }
        state.stubs.follow(base)
        if !state.hasOwnSettings { state.settings = base.settings }
    }

    /// The stubs for a session that inherits from this one.
    var inheritableStubs: StubSet {
        let base = state.withLock { $0.snapshot }
        return StubSet(inheriting: base) { id in self.state.withLock { $0.stubs.byID[id] } }
    }

    /// All stubs in order of precedence, each with its hit count.
    var stubsWithHits: [(stub: CompiledStub, hits: HitCount)] {
        bringUpToDate()
        let stubs = allStubs
        if parent == nil { return stubs.map { ($0, $0.hits) } }
        return state.withLock { state in stubs.map { ($0, state.stubs.hits(of: $0)) } }
    }
}
