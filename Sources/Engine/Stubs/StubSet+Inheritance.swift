package import SDAnswering
import SDIndexing
package import SDStubModel
import Synchronization

/// The stubs of a session that inherits from the base session.
extension StubSet {
    /// The sequence number of the session's first own stub, above all that the base can have.
    static let firstChildSequence: UInt64 = 3 << 62

    package init(inheriting base: SessionSnapshot, find: @escaping @Sendable (StubMapping.ID) -> CompiledStub?) {
        self.init(firstSequence: Self.firstChildSequence)
        inherited = InheritedStubs(base: base, find: find)
    }

    /// Applies the changes of the base.
    package mutating func follow(_ base: SessionSnapshot) {
        // An expired stub of the session no longer hides anything.
        if inherited != nil { removeExpired() }
        guard inherited?.follow(base) == true, inherited?.hidesAll == false else { return }
        hideNamesakes()
        adoptConditional(of: base)
        // A stub that the base has removed loses its hits.
        if let find = inherited?.find, let hits = inherited?.hits {
            inherited?.hits = hits.filter { find($0.key) != nil }
        }
        // A scenario that has ended in the base must not pass its state to a later one of the same name.
        scenarios.removeEmpty()
    }

    /// Hides the base's new stubs whose ids belong to stubs of the session.
    private mutating func hideNamesakes() {
        for id in ownIDs where inherited?.hidden.contains(id) == false && inherited?.find(id) != nil {
            inherited?.hide(id)
        }
    }

    /// Copies the base's conditional stubs, which have their own state in each session; a copy stays while its original
    /// is unchanged.
    private mutating func adoptConditional(of base: SessionSnapshot) {
        guard base.conditionalCount > 0 || inherited?.localCopies.isEmpty == false, let before = inherited?.localCopies
        else {
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
        // All copies are removed before any is inserted at its new position.
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
            inherited?.localCopies[original.id] = original
        }
    }

    private mutating func dropAdopted(_ id: StubMapping.ID) {
        guard inherited?.localCopies.removeValue(forKey: id) != nil, let copy = byID[id] else { return }
        take(copy)
    }

    /// Inserts a stub at the position that the base gave it. An earlier stub at this position moves above all others.
    private mutating func insertInPlace(_ stub: CompiledStub) {
        if index.stubs.contains(stub.order),
            let holder = byID.values.first(where: { $0.order == stub.order })
        {
            exchange(holder, for: CompiledStub(holder, sequence: takeSequence(), file: nil))
            if let original = inherited?.localCopies.removeValue(forKey: holder.id) { inherited?.hide(original.id) }
        }
        insert(stub)
    }

    /// Replaces a stub; a replaced inherited stub becomes the session's own.
    mutating func replaceInherited(_ old: CompiledStub, with stub: CompiledStub) {
        let new = CompiledStub(stub, sequence: old.sequence, file: nil)
        if byID[stub.id] != nil, inherited?.localCopies[stub.id] == nil {
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
        if byID[id] == nil || inherited?.localCopies[id] != nil { inherited?.hide(id) }
        inherited?.localCopies[id] = nil
        inherited?.hits[id] = nil
        if byID[id] != nil { take(stub) }
    }

    /// Removes all stubs, and hides all that the base has or will have.
    mutating func removeAllInherited() {
        for stub in index.stubs.all { take(stub) }
        inherited?.hideAll()
        inherited?.localCopies = [:]
        inherited?.hits = [:]
    }

    /// Resets the session to what it inherits.
    mutating func restoreInherited() {
        for stub in index.stubs.all { take(stub) }
        scenarios = ScenarioTable()
        messageScenarios = [:]
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
        inherited?.localCopies[stub.id] != nil
    }

    /// Whether the base has an equal, unused stub of a file, so that adding this one would change nothing.
    func inherits(equalTo stub: CompiledStub) -> Bool {
        guard inherited != nil, byID[stub.id] == nil || inherited?.localCopies[stub.id] != nil,
            let there = self.stub(stub.id), there.file != nil, there.mapping == stub.mapping
        else { return false }
        return there.lifecycle == nil || hits(of: there).matches == 0
    }

    /// The ids of the session's own stubs, without inherited ones.
    package var ownIDs: Set<StubMapping.ID> {
        Set(byID.values.map(\.id)).subtracting((inherited?.localCopies ?? [:]).keys)
    }

    /// The number of the session's own stubs, without inherited ones.
    package var writtenCount: Int { byID.count - (inherited?.localCopies.count ?? 0) }

    /// The session's copies of the base's conditional stubs, in order of precedence.
    package var adoptedStubs: [CompiledStub] {
        (inherited?.localCopies.keys.compactMap { byID[$0] } ?? []).sorted { $0.sequence > $1.sequence }
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

    /// Counts a request that another replica answered; later requests may be counted already.
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

    /// How often the session used inherited stubs.
    package var inheritedUses: [StubMapping.ID: Int] {
        guard let inherited else { return [:] }
        var uses = inherited.hits.mapValues(\.matches)
        for id in inherited.localCopies.keys { uses[id] = byID[id]?.hits.matches }
        return uses.filter { $0.value > 0 }
    }

    /// Resets the counts of reports.
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
    /// A copy of the stub as if it had just been added, but with the same deadline.
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
