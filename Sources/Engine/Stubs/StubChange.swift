import SDAnswering
public import SDMatching
public import SDStubModel

/// A change of a session's stubs, as a value: one place makes all changes, in order.
public enum StubChange: Sendable {
    /// Adds a stub as the newest of its priority, and writes it to the disk if it is persistent.
    case add(StubMapping)
    /// Replaces the stub that has the mapping's id; the new one keeps its position.
    case replace(StubMapping)
    /// Removes a stub, and takes it out of its file if it is persistent.
    case remove(StubMapping.ID)
    /// Removes, for each mapping in turn, the stub that has its id, or else every stub with an equal request pattern.
    case removeLike([(stub: StubMapping, hasID: Bool)])
    /// Removes the stubs whose metadata, as JSON in WireMock's layout, pass the matcher; missing metadata are `null`.
    case removeWithMetadata(CompiledMatcher, now: UInt64)
    /// Removes the stubs that have not answered since they were added or last reset.
    case removeUnmatched
    /// Removes all stubs, and the files of the persistent ones. Files written by hand stay.
    case removeAll
    /// Adds and replaces stubs by a document, atomically.
    case importAll(StubImport)
    /// Marks as persistent, and writes to the disk, the stubs and edits of the admin API that are not saved yet. A file
    /// written by hand is unchanged if it already describes the stubs as they are served.
    case saveAll
    /// Resets the stubs to the files, see `Session.dropAllButFiles`, and then calls `then`, which may read the files
    /// again.
    case reset(then: (@Sendable () -> Void)?)

    /// The stubs that no other change may touch until this one has ended; nil for all.
    package func scope(in stubs: StubSet, _ pendingChanges: PendingChanges) -> Set<StubMapping.ID>? {
        switch self {
        case .add(let mapping), .replace(let mapping): [mapping.id]
        case .remove(let id): [id]
        case .importAll(let document):
            document.deleteAllNotInImport ? nil : Set(document.mappings.map(\.id)).union(document.replaced)
        // A save neither waits for stubs that are added meanwhile nor saves them.
        case .saveAll: pendingChanges.touchesAll ? nil : pendingChanges.ids.union(stubs.byID.values.map(\.id))
        case .removeLike, .removeWithMetadata, .removeUnmatched, .removeAll, .reset: nil
        }
    }
}

/// The stubs that changes in progress touch. A change that touches the same stubs waits.
package struct PendingChanges {
    private var counts: [StubMapping.ID: Int] = [:]
    private var wholeCount = 0
    private var count = 0

    package init() {}

    package var ids: Set<StubMapping.ID> { Set(counts.keys) }
    var touchesAll: Bool { wholeCount > 0 }
    package var isEmpty: Bool { count == 0 }

    /// Whether a change in progress touches some of the stubs.
    /// - Parameter scope: nil for all stubs.
    package func touches(_ scope: Set<StubMapping.ID>?) -> Bool {
        guard !isEmpty, let scope, !touchesAll else { return !isEmpty }
        return !scope.isDisjoint(with: counts.keys)
    }

    package func touches(_ id: StubMapping.ID) -> Bool {
        touchesAll || counts[id] != nil
    }

    package mutating func add(_ scope: Set<StubMapping.ID>?) {
        count += 1
        guard let scope else {
            wholeCount += 1
            return
        }
        for id in scope { counts[id, default: 0] += 1 }
    }

    package mutating func remove(_ scope: Set<StubMapping.ID>?) {
        count -= 1
        guard let scope else {
            wholeCount -= 1
            return
        }
        for id in scope {
            guard let left = counts[id] else { continue }
            counts[id] = left > 1 ? left - 1 : nil
        }
    }
}
