import StubModel

/// What a session's requests are served from: immutable, and shared by all loops.
final class SessionSnapshot: Sendable {
    let generation: UInt64
    let index: StubIndex<CompiledStub>
    /// Of the index, for requests.
    let finder: StubFinder<CompiledStub>
    let settings: GlobalSettings
    /// Some of its stubs answer only under conditions beside their patterns.
    let isConditional: Bool

    init(
        generation: UInt64, index: StubIndex<CompiledStub>, settings: GlobalSettings, isConditional: Bool = false
    ) {
        self.generation = generation
        self.index = index
        finder = index.finder
        self.settings = settings
        self.isConditional = isConditional
    }
}

/// Each worker's own reference to the snapshot, so that reading stubs takes no lock: a worker looks at the generation
/// counter, and asks for a new snapshot only when it has moved.
final class SnapshotCaches: Sendable {
    private final class Slot {
        var snapshot: SessionSnapshot
        /// Slots of different workers must not share a cache line.
        private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0)

        init(_ snapshot: SessionSnapshot) {
            self.snapshot = snapshot
        }
    }

    // A slot is touched by its worker's thread alone.
    private nonisolated(unsafe) let slots: [Slot]

    init(workers: Int, _ snapshot: SessionSnapshot) {
        slots = (0..<max(workers, 1)).map { _ in Slot(snapshot) }
    }

    /// The worker's snapshot, brought up to `generation` by `refresh` where it is older.
    func snapshot(worker: Int, generation: UInt64, refresh: () -> SessionSnapshot) -> SessionSnapshot {
        let slot = slots[worker]
        if slot.snapshot.generation != generation { slot.snapshot = refresh() }
        return slot.snapshot
    }
}
