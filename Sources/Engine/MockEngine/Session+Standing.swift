public import SDAnswering
import SDLinting
public import SDStubModel
import SDStubs
import Synchronization

/// A stub in a list for people: its use, and whether it can answer at all.
public struct StubStatus: Sendable {
    public let reference: StubReference
    public let hits: HitCount
    public let isEnabled: Bool
    /// The number of requests that it can still answer; nil for no limit.
    public let timesLeft: Int?
    /// The stub with precedence that takes all of its requests; nil if there is none, or this was not computed.
    public let hiddenBy: StubReference?
    /// Whether the stub differs from its file.
    public let isEdited: Bool
    public let isPersistent: Bool
}

/// What depends on the stubs alone, and is valid until they change.
struct StubRelations: Sendable {
    var generation: UInt64
    var hiddenBy: [StubMapping.ID: StubReference] = [:]
    var edited: Set<StubMapping.ID> = []
    var persistent: Set<StubMapping.ID> = []

    /// The largest number of stubs that are compared with each other.
    static let maxCompared = 20_000
}

extension Session {
    /// All stubs in order of precedence, each with its use and its standing.
    public var stubStatuses: [StubStatus] {
        let stubs = stubsWithHits
        let standings = standings(of: stubs.map(\.stub))
        return stubs.map { stub, hits in
            StubStatus(
                reference: StubReference(stub), hits: hits, isEnabled: stub.lifecycle?.isEnabled ?? true,
                timesLeft: stub.lifecycle?.use.flatMap { $0.times == nil ? nil : $0.timesLeft },
                hiddenBy: standings.hiddenBy[stub.id], isEdited: standings.edited.contains(stub.id),
                isPersistent: standings.persistent.contains(stub.id))
        }
    }

    private func standings(of stubs: [CompiledStub]) -> StubRelations {
        let generation = currentGeneration
        if let known = standings.withLock({ $0 }), known.generation == generation { return known }
        var found = StubRelations(generation: generation)
        if stubs.count <= StubRelations.maxCompared { found.hiddenBy = StubFinding.hidden(in: stubs) }
        let set = state.withLock { $0.stubs }
        let own = set.inherited == nil ? [] : set.ownIDs
        for stub in stubs {
            let mapping = stub.mapping
            if mapping.persistent == true { found.persistent.insert(stub.id) }
            let inherited = own.contains(stub.id) ? set.inherited?.find(stub.id) : nil
            let original = set.originals[stub.id] ?? inherited.flatMap { $0.file == nil ? nil : $0 }
            if let original, original.mapping != mapping { found.edited.insert(stub.id) }
        }
        standings.withLock { [found] in $0 = found }
        return found
    }
}
