public import Matching
public import StubModel

/// A change of a session's stubs, as a value: one place makes all changes, in their order.
public enum StubChange: Sendable {
    /// Adds a stub as the newest of its priority, and writes it to the disk if it is persistent.
    case add(StubMapping)
    /// Edits the stub that has the mapping's id; it keeps its place.
    case replace(StubMapping)
    /// Removes a stub, and takes it out of its file if it is persistent.
    case remove(StubMapping.ID)
    /// Removes the stub that has the mapping's id, or else every stub with an equal request pattern: for each in turn.
    case removeLike([(stub: StubMapping, hasID: Bool)])
    /// Removes the stubs whose metadata, written as JSON in WireMock's layout, pass the matcher; `null` stands for none.
    case removeWithMetadata(CompiledMatcher, now: UInt64)
    /// Removes the stubs that have answered nothing since they came or since the last reset.
    case removeUnmatched
    /// Removes all stubs, and the files of those that are persistent. Files written by hand stay.
    case removeAll
    /// Adds and edits stubs by a document: all of it, or nothing.
    case importAll(StubImport)
    /// Marks persistent, and writes to the disk, what the disk has not: the stubs of the admin API and its edits. A file
    /// written by hand that says what is served stays as it is.
    case saveAll
    /// Goes back to what the files say, see `Session.dropAllButFiles`, and does `then`, which may read the files again.
    case reset(then: (@Sendable () -> Void)?)

    /// The stubs that no other change may touch until this one has ended; nil for all.
    func scope(in stubs: StubSet, _ begun: BegunChanges) -> Set<StubMapping.ID>? {
        switch self {
        case .add(let mapping), .replace(let mapping): [mapping.id]
        case .remove(let id): [id]
        case .importAll(let document):
            document.deleteAllNotInImport ? nil : Set(document.mappings.map(\.id))
        // What comes while the others are saved is not waited for, and not saved.
        case .saveAll: begun.touchesAll ? nil : begun.ids.union(stubs.byID.keys)
        case .removeLike, .removeWithMetadata, .removeUnmatched, .removeAll, .reset: nil
        }
    }
}

/// What the changes touch that were begun and have not ended. What would touch the same waits for them.
struct BegunChanges {
    private var counts: [StubMapping.ID: Int] = [:]
    private var wholeCount = 0
    private var count = 0

    var ids: Set<StubMapping.ID> { Set(counts.keys) }
    var touchesAll: Bool { wholeCount > 0 }
    var isEmpty: Bool { count == 0 }

    /// - Parameter scope: nil for all stubs.
    func meet(_ scope: Set<StubMapping.ID>?) -> Bool {
        guard !isEmpty, let scope, !touchesAll else { return !isEmpty }
        return !scope.isDisjoint(with: counts.keys)
    }

    func meet(_ id: StubMapping.ID) -> Bool {
        touchesAll || counts[id] != nil
    }

    mutating func add(_ scope: Set<StubMapping.ID>?) {
        count += 1
        guard let scope else {
            wholeCount += 1
            return
        }
        for id in scope { counts[id, default: 0] += 1 }
    }

    mutating func remove(_ scope: Set<StubMapping.ID>?) {
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
