package import SDAnswering
package import SDIndexing
package import SDJournal
package import SDMatching
package import SDRecords
package import SDStubModel
package import SDWireValues

/// The immutable data from which a session's requests are served, shared by all loops.
package final class SessionSnapshot: Sendable {
    package let generation: UInt64
    package let stubs: VisibleStubs
    /// The lookup of the session's own stubs.
    let finder: StubFinder<CompiledStub>
    package let settings: GlobalSettings
    /// The stub that proxies unmatched requests; nil for none.
    package let passThrough: CompiledStub?
    /// The session's faults.
    package let faults: [ActiveFault]
    /// The own stubs with conditions besides their patterns.
    package let conditional: PersistentMap<StubOrder, CompiledStub>
    let conditionalCount: Int
    /// Whether some stubs, own or inherited, are slow to write.
    let hasLongStubs: Bool
    /// The collections of records that the stubs serve, own and inherited.
    package let resources: ResourceTable
    /// The own stubs that serve collections.
    let resourceStubs: [StubMapping.ID: CompiledStub]

    /// Makes a snapshot.
    /// - Parameter generation: a number greater than that of the previous snapshot.
    package init(
        generation: UInt64, _ stubs: StubSet, settings: GlobalSettings, faults: [ActiveFault] = [],
        passThrough: CompiledStub? = nil
    ) {
        self.generation = generation
        self.stubs = stubs.visible
        finder = stubs.index.finder
        self.settings = settings
        self.faults = faults
        self.passThrough = passThrough
        conditional = stubs.conditional
        conditionalCount = stubs.conditionalCount
        hasLongStubs = stubs.hasLongStubs
        resourceStubs = stubs.resources
        let inherited = stubs.inheritedResources
        let serving = (resourceStubs.values + inherited).sorted { $0.order < $1.order }
        resources = serving.isEmpty ? .none : ResourceTable(serving.compactMap(\.resource))
    }

    private init() {
        generation = .max
        stubs = VisibleStubs(own: StubIndex(), inherited: nil)
        finder = StubIndex<CompiledStub>().finder
        settings = GlobalSettings()
        faults = []
        passThrough = nil
        conditional = PersistentMap()
        conditionalCount = 0
        hasLongStubs = false
        resourceStubs = [:]
        resources = .none
    }

    /// A placeholder for a snapshot that has not been made yet.
    package static let none = SessionSnapshot()

    package var isConditional: Bool { conditionalCount > 0 }

    /// The stub that answers a request, or nil. Own stubs for which `isEligible` is false are skipped.
    /// - Parameter isForHead: whether to consider only stubs for GET that also answer HEAD.
    package func firstMatch(
        _ request: Request, _ views: inout RequestViews, isForHead: Bool = false,
        where isEligible: (CompiledStub) -> Bool = { _ in true }
    ) -> CompiledStub? {
        if isForHead { return firstForHead(request, &views, isEligible) }
        if views.methodBit == .other, request.isConnect { return firstForConnect(request, &views, isEligible) }
        guard let inherited = stubs.inherited else {
            return finder.firstMatch(request, &views, where: isEligible)
        }
        var search = StubSearch<CompiledStub, _>(request)
        inherited.search(&search, &views)
        finder.search(&search, &views, isEligible)
        return search.best?.stub
    }

    /// A stub for any method sends a body, and would be taken for a tunnel; the stub must name CONNECT.
    private func firstForConnect(
        _ request: Request, _ views: inout RequestViews, _ isEligible: (CompiledStub) -> Bool
    ) -> CompiledStub? {
        var search = StubSearch<CompiledStub, _>(request)
        stubs.inherited?.search(&search, &views, where: \.pattern.namesMethods)
        finder.search(&search, &views) { $0.pattern.namesMethods && isEligible($0) }
        return search.best?.stub
    }

    private func firstForHead(
        _ request: Request, _ views: inout RequestViews, _ isEligible: (CompiledStub) -> Bool
    ) -> CompiledStub? {
        var asGet = views
        asGet.methodBit = .get
        defer {
            asGet.methodBit = .head
            views = asGet
        }
        var search = StubSearch<CompiledStub, _>(request)
        stubs.inherited?.search(&search, &asGet, where: \.answersHead)
        finder.search(&search, &asGet) { $0.answersHead && isEligible($0) }
        return search.best?.stub
    }
}

/// Each worker's own reference to the snapshot, so that reading stubs takes no lock: a worker checks the generation
/// counter, and gets a new snapshot only if the counter has changed.
package final class SnapshotCaches: Sendable {
    private struct Slot {
        private(set) var snapshot: SessionSnapshot
        /// Slots of different workers must not share a cache line.
        private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0)

        init(_ snapshot: SessionSnapshot) {
            self.snapshot = snapshot
        }
    }

    // A slot is accessed only by its worker's thread. Array elements would share one owner, so this is a raw buffer.
    private nonisolated(unsafe) let slots: UnsafeMutableBufferPointer<Slot>

    package init(workers: Int, _ snapshot: SessionSnapshot) {
        slots = .allocate(capacity: max(workers, 1))
        slots.initialize(repeating: Slot(snapshot))
    }

    deinit {
        slots.deinitialize().deallocate()
    }

    /// The worker's snapshot, replaced by `refresh` if it is older than `generation`.
    package func snapshot(worker: Int, generation: UInt64, refresh: () -> SessionSnapshot) -> SessionSnapshot {
        if slots[worker].snapshot.generation != generation { slots[worker] = Slot(refresh()) }
        return slots[worker].snapshot
    }
}
