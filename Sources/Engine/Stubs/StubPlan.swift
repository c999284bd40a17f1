package import SDAnswering
import SDJSON
package import SDJournal
package import SDMatching
package import SDPlatform
package import SDStubModel

/// The expensive part of a change, done before the session's lock is taken: compiling its stubs and examining the
/// existing ones.
package struct PreparedChange: Sendable {
    /// The stubs of the change, in order; for a save, those to mark as persistent.
    package var compiled: [Result<CompiledStub, StubRefusal>] = []
    /// The existing stubs, in order, each with the results of the change's conditions; nil for a condition that was not
    /// checked.
    package var seen: [(stub: CompiledStub, passes: [Bool?])] = []
    /// Why the existing stubs could not be examined; nil if they were.
    package var refusal: StubRefusal?

    package init(seen: [(stub: CompiledStub, passes: [Bool?])] = []) { self.seen = seen }
}

/// The effect of a change on the stubs at the time when it is planned.
package struct StubPlan: Sendable {
    /// The stubs to add, in this order; each replaces the stub with its id.
    package var puts: [CompiledStub] = []
    /// The stubs to remove afterwards.
    package var removals: [CompiledStub] = []
    /// Whether to remove all stubs, including inherited ones.
    package var removesInherited = false
    /// The number of the replicated change; 0 for a change of this process alone.
    package var number: UInt64 = 0
    /// Whether the stubs that the change names existed.
    package var wasThere = true
    /// The number of requests served until a reset.
    package var servedBefore: UInt64 = 0
    /// The events that a reset removed from the journal; they are freed with the plan, outside the session's lock.
    package var forgotten: [ServeEvent] = []

    /// Plans a change.
    /// - Parameter budget: for conditions on stubs that have changed since the change was prepared.
    /// - Throws: why the change is refused.
    package init(
        _ change: StubChange, _ prepared: PreparedChange, _ stubs: StubSet, _ budget: WorkBudget
    ) throws(StubRefusal) {
        switch change {
        case .add(let mapping):
            guard stubs.stub(mapping.id) == nil else { throw .duplicateID(mapping.id) }
            for stub in prepared.compiled { puts.append(try stub.get()) }
        case .replace(let mapping):
            wasThere = stubs.stub(mapping.id) != nil
            guard wasThere else { return }
            for stub in prepared.compiled { puts.append(try stub.get()) }
        case .remove(let id):
            if let stub = stubs.stub(id) { removals = [stub] } else { wasThere = false }
        case .removeLike, .removeWithMetadata:
            if let refusal = prepared.refusal { throw refusal }
            removals = Self.meetingConditions(of: change, prepared, stubs, budget)
            try budget.check("Matching metadata")
        case .removeUnmatched:
            removals = stubs.all.filter { stubs.hits(of: $0).matches == 0 }
        case .removeAll:
            removesInherited = stubs.inherited != nil
            if !removesInherited { removals = stubs.all }
        case .importAll(let document):
            try addImport(document, prepared, stubs)
        case .saveAll:
            for (seen, stub) in zip(prepared.seen, prepared.compiled) where stubs.stub(seen.stub.id) === seen.stub {
                puts.append(try stub.get())
            }
        case .reset: break
        }
    }

    private mutating func addImport(
        _ document: StubImport, _ prepared: PreparedChange, _ stubs: StubSet
    ) throws(StubRefusal) {
        var added: Set<StubMapping.ID> = []
        // The first stub of the document takes precedence, so it is added last.
        for (mapping, stub) in zip(document.mappings, prepared.compiled).reversed() {
            let isNew = stubs.stub(mapping.id) == nil && added.insert(mapping.id).inserted
            guard isNew || document.duplicatePolicy == .overwrite else { continue }
            let stub = try stub.get()
            // If the base serves an equal stub, it stays inherited: the base knows its file.
            guard !stubs.inherits(equalTo: stub) else { continue }
            puts.append(stub)
        }
        guard document.deleteAllNotInImport || !document.replaced.isEmpty else { return }
        let kept = Set(document.mappings.map(\.id))
        removals = stubs.all.filter {
            !kept.contains($0.id) && (document.deleteAllNotInImport || document.replaced.contains($0.id))
        }
    }

    /// The stubs that satisfy the change's conditions. A stub that was replaced since it was examined is examined
    /// again.
    private static func meetingConditions(
        of change: StubChange, _ prepared: PreparedChange, _ stubs: StubSet, _ budget: WorkBudget
    ) -> [CompiledStub] {
        var doomed: [CompiledStub] = []
        var ids: Set<StubMapping.ID> = []
        for (place, condition) in change.conditions(budget).enumerated() {
            if let id = condition.id, let stub = stubs.stub(id) {
                if ids.insert(id).inserted { doomed.append(stub) }
                continue
            }
            for (seen, passes) in prepared.seen {
                guard !ids.contains(seen.id), let current = stubs.stub(seen.id) else { continue }
                let known = current === seen ? passes[place] : nil
                guard known ?? condition.holds(current) else { continue }
                ids.insert(current.id)
                doomed.append(current)
            }
        }
        return doomed
    }
}

/// The condition for removing a stub.
package struct StubCondition {
    /// The id, if the condition means one existing stub.
    package var id: StubMapping.ID?
    package let holds: (CompiledStub) -> Bool
}

extension StubChange {
    /// - Parameter budget: the budget of metadata matchers. Once it is spent, no condition holds.
    package func conditions(_ budget: WorkBudget) -> [StubCondition] {
        switch self {
        case .removeLike(let models):
            models.map { model in
                StubCondition(id: model.hasID ? model.stub.id : nil) { $0.mapping.request == model.stub.request }
            }
        case .removeWithMetadata(let matcher, let now):
            [StubCondition(holds: MetadataTest(matcher, now: now, budget).passes)]
        default: []
        }
    }
}

extension StubSet {
    /// Applies a plan.
    /// - Parameter files: the files in which the plan's persistent stubs are now stored.
    package mutating func apply(_ plan: StubPlan, savedIn files: [StubMapping.ID: String], keepsFiles: Bool) {
        changeNumber = plan.number
        defer { changeNumber = 0 }
        for stub in plan.puts {
            put(stub)
            if let file = files[stub.id], stub.mapping.persistent == true { adopt(stub.id, into: file) }
        }
        if plan.removesInherited { removeAllInherited() }
        for stub in plan.removals {
            guard let current = self.stub(stub.id) else { continue }
            if keepsFiles, current.isSaved { erase(current) } else { remove(current.id) }
        }
    }
}

extension CompiledStub {
    /// Whether the stub is persistent and has a file.
    package var isSaved: Bool { file != nil && mapping.persistent == true }

}
