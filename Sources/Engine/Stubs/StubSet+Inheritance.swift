package import SDAnswering
import SDIndexing
package import SDStubModel
import Synchronization

/// The stubs of a session that inherits from the base session.
extension StubSet {
    /// The number of the session's first own stub, above all that the base can have.
    static let firstChildSequence: UInt64 = 3 << 62

    package init(inheriting base: SessionSnapshot, find: @escaping @Sendable (StubMapping.ID) -> CompiledStub?) {
        self.init(firstSequence: Self.firstChildSequence)
        inherited = InheritedStubs(base: base, find: find)
    }

    /// Takes over the changes of the base.
    package mutating func follow(_ base: SessionSnapshot) {
        // An expired stub of the session hides nothing any more.
        if inherited != nil { removeExpired() }
        guard inherited?.follow(base) == true, inherited?.hidesAll == false else { return }
        hideNamesakes()
        adoptConditional(of: base)
        // A stub that the base no longer has loses its hits.
        if let find = inherited?.find, let hits = inherited?.hits {
            inherited?.hits = hits.filter { find($0.key) != nil }
        }
        // A scenario that has ended in the base must not keep its state for a later one of the same name.
        scenarios.removeEmpty()
    }

    /// Hides the base's new stubs whose ids belong to stubs of the session.
    private mutating func hideNamesakes() {
        for id in ownIDs where inherited?.hidden.contains(id) == false && inherited?.find(id) != nil {
            inherited?.hide(id)
        }
    }

    /// Copies the base's conditional stubs, which have a state of their own in each session; a copy is kept while its
    /// original stays the same.
    private mutating func adoptConditional(of base: SessionSnapshot) {
        guard base.conditionalCount > 0 || inherited?.adopted.isEmpty == false, let before = inherited?.adopted else {
            return
        }
        var originals: [CompiledStub] = []
        var ids: Set<StubMapping.ID> = []
        base.conditional.visitAll { _, stub in
            originals.append(stub)
            ids.insert(stub.id)
        }
        for id in before.keys where !ids.contains(id) {
            // The stub may be shared from now on.
            inherited?.hits[id] = byID[id]?.hits
            dropAdopted(id)
        }
        let changed = originals.filter { before[$0.id] !== $0 && inherited?.hidden.contains($0.id) == false }
        // All copies leave their places before any takes a new one.
        var copies: [CompiledStub] = []
        for original in changed {
            let old = byID[original.id]
            let isSame = old != nil && before[original.id].map { $0.mapping == original.mapping } == true
            if isSame, let old, old.lifecycle?.use?.deadline == original.lifecycle?.use?.deadline {
                copies.append(CompiledStub(old, sequence: original.sequence, file: original.file, line: original.line))
            } else {
                let copy = original.unusedCopy
                copy.hits = old?.hits ?? inherited?.hits.removeValue(forKey: original.id) ?? HitCount()
                copies.append(copy)
            }
            dropAdopted(original.id)
        }
        for (original, copy) in zip(changed, copies) {
            insertInPlace(copy)
            inherited?.adopted[original.id] = original
        }
    }

    private mutating func dropAdopted(_ id: StubMapping.ID) {
        guard inherited?.adopted.removeValue(forKey: id) != nil, let copy = byID[id] else { return }
        take(copy)
    }

    /// Inserts a stub in a place that the base gave it. A stub that got this place earlier, when another of the base's
    /// had it, moves above all others.
    private mutating func insertInPlace(_ stub: CompiledStub) {
        if index.stubs.contains(stub.order),
            let holder = byID.values.first(where: { $0.order == stub.order })
        {
            exchange(holder, for: CompiledStub(holder, sequence: takeSequence(), file: nil))
            if let original = inherited?.adopted.removeValue(forKey: holder.id) { inherited?.hide(original.id) }
        }
        insert(stub)
    }

    /// Replaces a stub; a replaced inherited stub becomes the session's own.
    mutating func replaceInherited(_ old: CompiledStub, with stub: CompiledStub) {
        let new = CompiledStub(stub, sequence: old.sequence, file: nil)
        if byID[stub.id] != nil, inherited?.adopted[stub.id] == nil {
            exchange(old, for: new)
            return
        }
        dropAdopted(stub.id)
        inherited?.hide(stub.id)
        insertInPlace(new)
    }

    /// Removes a stub from the session; an inherited one is hidden.
    mutating func removeInherited(_ id: StubMapping.ID) {
        guard let stub = stub(id) else { return }
        if byID[id] == nil || inherited?.adopted[id] != nil { inherited?.hide(id) }
        inherited?.adopted[id] = nil
        inherited?.hits[id] = nil
        if byID[id] != nil { take(stub) }
    }

    /// Removes all stubs, and hides all that the base has or will have.
    mutating func removeAllInherited() {
        for stub in index.stubs.all { take(stub) }
        inherited?.hideAll()
        inherited?.adopted = [:]
        inherited?.hits = [:]
    }

    /// Takes the session back to what it inherits.
    mutating func restoreInherited() {
        for stub in index.stubs.all { take(stub) }
        scenarios = ScenarioTable()
        guard let base = inherited?.base else { return }
        inherited?.restore()
        follow(base)
    }

    /// The visible stubs of the base that serve collections of records.
    var inheritedResources: [CompiledStub] {
        guard let inherited, !inherited.base.resourceStubs.isEmpty else { return [] }
        return inherited.base.resourceStubs.values.filter(inherited.view.shows)
    }

    /// Whether the stub is the session's copy of one of the base's.
    func isInherited(_ stub: CompiledStub) -> Bool {
        inherited?.adopted[stub.id] != nil
    }

    /// Whether a stub of a file of the base is what a session would add, and as good as new: adding it would change nothing.
    func inherits(equalTo stub: CompiledStub) -> Bool {
        guard inherited != nil, byID[stub.id] == nil || inherited?.adopted[stub.id] != nil,
            let there = self.stub(stub.id), there.file != nil, there.mapping == stub.mapping
        else { return false }
        return there.lifecycle == nil || hits(of: there).matches == 0
    }

    /// The ids of the session's own stubs, without inherited ones.
    package var ownIDs: Set<StubMapping.ID> {
        Set(byID.values.map(\.id)).subtracting((inherited?.adopted ?? [:]).keys)
    }

    /// The number of the same.
    package var writtenCount: Int { byID.count - (inherited?.adopted.count ?? 0) }

    /// The session's copies of the base's stubs with conditions, in the order in which they are tried.
    package var adoptedStubs: [CompiledStub] {
        (inherited?.adopted.keys.compactMap { byID[$0] } ?? []).sorted { $0.sequence > $1.sequence }
    }

    // MARK: Counters

    /// Whether the stub is the base's own, whose counters belong to the base.
    private func isShared(_ stub: CompiledStub) -> Bool {
        inherited != nil && byID[stub.id] == nil
    }

    package mutating func countHit(_ stub: CompiledStub, at time: UInt64) {
        if isShared(stub) {
            inherited?.hits[stub.id, default: HitCount()].add(at: time)
        } else {
            stub.countHit(at: time)
        }
    }

    /// Counts a request that another replica answered, of which others may have been later.
    package mutating func countHit(_ stub: CompiledStub, elsewhereAt time: UInt64) {
        if isShared(stub) {
            inherited?.hits[stub.id, default: HitCount()].add(elsewhereAt: time)
        } else {
            stub.countHit(elsewhereAt: time)
        }
    }

    /// The hits of a stub in this session.
    package func hits(of stub: CompiledStub) -> HitCount {
        isShared(stub) ? inherited?.hits[stub.id] ?? HitCount() : stub.hits
    }

    /// How often the session used stubs that it inherits.
    package var inheritedUses: [StubMapping.ID: Int] {
        guard let inherited else { return [:] }
        var uses = inherited.hits.mapValues(\.matches)
        for id in inherited.adopted.keys { uses[id] = byID[id]?.hits.matches }
        return uses.filter { $0.value > 0 }
    }

    /// Begins the counts of reports anew.
    package mutating func beginReport() {
        for id in (inherited?.hits ?? [:]).keys { inherited?.hits[id]?.beginReport() }
        for stub in index.stubs.all { stub.hits.beginReport() }
    }

    package mutating func forgetHits() {
        inherited?.hits = [:]
        for stub in index.stubs.all { stub.hits = HitCount() }
    }
}

extension CompiledStub {
    /// A copy of the stub as if it had just been added, except that it keeps its deadline.
    fileprivate var unusedCopy: CompiledStub {
        let lifecycle = lifecycle.map { lifecycle in
            StubLifecycle(
                lifecycle.renewed, step: nil,
                use: StubUse(times: mapping.times, deadline: lifecycle.use?.deadline ?? .max))
        }
        let copy = CompiledStub(self, lifecycle: lifecycle)
        copy.hits = HitCount()
        return copy
    }
}
