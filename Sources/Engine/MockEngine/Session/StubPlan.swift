import JSON
import Matching
import StubModel

/// The dear part of a change, done before the session's lock is taken: stubs are compiled, and looked through.
struct PreparedChange: Sendable {
    /// Those of the change, in its order; of a save those that are to be marked.
    var compiled: [Result<CompiledStub, StubRefusal>] = []
    /// The stubs that were there, each with what was found out: whether it meets the change's conditions, in their order. Nil
    /// stands for what was not looked at.
    var seen: [(stub: CompiledStub, passes: [Bool?])] = []
}

/// What a change comes to, as the stubs stand when it is looked at.
struct StubPlan: Sendable {
    /// To be added, or put in the places of the stubs that have their ids, in this order.
    var puts: [CompiledStub] = []
    /// To be removed behind that.
    var removals: [CompiledStub] = []
    /// Nothing is to be left, of what is inherited neither.
    var removesInherited = false
    /// What the change names was there.
    var wasThere = true
    /// How many requests were served until a reset.
    var servedBefore: UInt64 = 0

    /// - Throws: why the change is refused.
    init(_ change: StubChange, _ prepared: PreparedChange, _ stubs: StubSet) throws(StubRefusal) {
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
            removals = Self.meetingConditions(of: change, prepared, stubs)
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
        // The first of the document is to be matched first, so it is added last.
        for (mapping, stub) in zip(document.mappings, prepared.compiled).reversed() {
            let isNew = stubs.stub(mapping.id) == nil && added.insert(mapping.id).inserted
            guard isNew || document.duplicatePolicy == .overwrite else { continue }
            puts.append(try stub.get())
        }
        guard document.deleteAllNotInImport else { return }
        let kept = Set(document.mappings.map(\.id))
        removals = stubs.all.filter { !kept.contains($0.id) }
    }

    /// What was edited since it was looked at is looked at again.
    private static func meetingConditions(
        of change: StubChange, _ prepared: PreparedChange, _ stubs: StubSet
    ) -> [CompiledStub] {
        var doomed: [CompiledStub] = []
        var ids: Set<StubMapping.ID> = []
        for (place, condition) in change.conditions.enumerated() {
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

/// What a stub has to be like to be removed.
struct StubCondition {
    /// Of the one stub that is meant, if it is there.
    var id: StubMapping.ID?
    let holds: (CompiledStub) -> Bool
}

extension StubChange {
    var conditions: [StubCondition] {
        switch self {
        case .removeLike(let models):
            models.map { model in
                StubCondition(id: model.hasID ? model.stub.id : nil) { $0.mapping.request == model.stub.request }
            }
        case .removeWithMetadata(let matcher, let now):
            [StubCondition { $0.metadata(pass: matcher, now) }]
        default: []
        }
    }
}

extension StubSet {
    /// - Parameter files: the files that hold the plan's persistent stubs from now on.
    mutating func apply(_ plan: StubPlan, savedIn files: [StubMapping.ID: String], keepsFiles: Bool) {
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
    /// It is persistent, and stands in a file.
    var isSaved: Bool { file != nil && mapping.persistent == true }

    func metadata(pass matcher: CompiledMatcher, _ now: UInt64) -> Bool {
        let text = mapping.metadata.map { JSONValue.object($0).prettyBytes } ?? Array("null".utf8)
        return matcher.matches(text, now: now)
    }
}
