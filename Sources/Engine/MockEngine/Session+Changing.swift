package import SDAnswering
import SDIndexing
import SDJournal
public import SDMatching
import SDPlatform
public import SDStubModel
public import SDStubs
import Synchronization

/// All callers change the stubs of a session through this extension.
///
/// A change that needs no disk is made at once, under the session's lock. One that needs it, or touches many stubs, is
/// planned and written on a background thread, without the lock, and then applied in one step; until then the session
/// serves the old stubs, and other changes of the same stubs wait. Stubs are compiled before the lock is taken.
extension Session {
    /// The outcome of a change: whether the stubs that it names existed, or why it was refused.
    public typealias ChangeOutcome = Result<Bool, StubRefusal>

    /// Makes a change, at once or in the background.
    /// - Parameter done: called on another thread with the outcome of a change that uses the disk or waits for another
    ///   change.
    /// - Returns: the outcome of a change that was made at once; nil if `done` will be called.
    public func perform(
        _ change: StubChange, orLater done: @escaping @Sendable (ChangeOutcome) -> Void
    ) -> ChangeOutcome? {
        // Without a store, there is nothing to save.
        if case .saveAll = change, store == nil { return .success(true) }
        let prepared = isSlow(change) || mayTouchMany(change) ? nil : prepare(change, within: nil)
        let (result, isToStart) = state.withLock { state -> (Result<StubPlan, StubRefusal>?, Bool) in
            if let prepared, !needsDisk(change, state.stubs),
                state.pendingChanges.isEmpty
                    || !state.pendingChanges.touches(change.scope(in: state.stubs, state.pendingChanges))
            {
                return (makeAtOnce(change, prepared, &state), false)
            }
            let scope = change.scope(in: state.stubs, state.pendingChanges)
            state.pendingChanges.add(scope)
            return (nil, changes.append { [self] in make(change, prepared, within: scope, done) })
        }
        if isToStart { changes.start() }
        if result != nil { chargeRemovedStubs() }
        if let result { tell(of: change, result) }
        return result?.map(\.wasThere)
    }

    /// Makes a change, and blocks until it is made. Must not be called on a loop, nor by the `then` of a reset.
    /// - Throws: why the change is refused, or that it could not be stored.
    @discardableResult
    func perform(_ change: StubChange) throws(StubRefusal) -> Bool {
        let later = Monitor<ChangeOutcome?>(nil)
        if let outcome = perform(change, orLater: { outcome in later.change { $0 = outcome } }) {
            return try outcome.get()
        }
        later.wait { $0 != nil }
        return try later.change { $0 }?.get() ?? false
    }

    /// Whether the stub exists, or a change in progress may add it.
    public func mayHave(_ id: StubMapping.ID) -> Bool {
        bringUpToDate()
        return state.withLock { $0.stubs.stub(id) != nil || $0.pendingChanges.touches(id) }
    }

    /// Runs work that reads stub files again, after all changes in progress.
    public func runAfterPendingChanges(_ work: @escaping @Sendable () -> Void) {
        changes.add(work)
    }

    /// Checks, in the background, whether a change could be saved. Nothing is changed.
    /// - Parameter then: called on another thread with the reason for a failure; nil if it could be saved.
    package func rehearse(_ change: StubChange, then: @escaping @Sendable (StubRefusal?) -> Void) {
        changes.add { [self] in then(obstacle(to: change)) }
    }

    private func obstacle(to change: StubChange) -> StubRefusal? {
        guard let store = store(for: .trying) else { return nil }
        let stubs = state.withLock { $0.stubs }
        do throws(StubRefusal) {
            let steps = StubFileSteps(try StubPlan(change, prepare(change, within: nil), stubs, newBudget), stubs)
            if !steps.isEmpty { _ = try steps.run(RecordedStubStore(store: store, recordings: recordings)) }
            return nil
        } catch .notStored(let reason) {
            return .notStored(reason)
        } catch {
            // The change itself will be refused.
            return nil
        }
    }

    /// The store for changes of this server's own callers, or for those replayed from another replica.
    func store(for part: ReplicatedStubStore.Part) -> (any StubStore)? {
        guard let ownStore, shared.replication != nil else { return ownStore }
        return ReplicatedStubStore(ownStore, shared.unwrittenFiles, part) { [weak self] in self?.warned($0) }
    }

    // MARK: Where a change is made

    /// Whether a change uses the disk or is slow to prepare, whichever stubs it touches.
    private func isSlow(_ change: StubChange) -> Bool {
        switch change {
        case .add(let mapping), .replace(let mapping): store != nil && mapping.persistent == true
        case .importAll, .saveAll: true
        case .reset(let then): then != nil
        case .remove, .removeLike, .removeWithMetadata, .removeUnmatched, .removeAll: false
        }
    }

    /// Whether a change of existing stubs may touch more stubs than may be changed under the lock.
    private func mayTouchMany(_ change: StubChange) -> Bool {
        switch change {
        case .add, .replace, .remove, .importAll, .saveAll: false
        case .removeLike, .removeWithMetadata, .removeUnmatched, .removeAll, .reset:
            state.withLock { $0.stubs.visible.maxCount > Self.maxUnderLock }
        }
    }

    private func needsDisk(_ change: StubChange, _ stubs: StubSet) -> Bool {
        guard store != nil else { return false }
        switch change {
        case .remove(let id): return stubs.stub(id)?.isSaved == true
        case .removeLike, .removeWithMetadata, .removeUnmatched, .removeAll: return !stubs.files.isEmpty
        case .add, .replace, .importAll, .saveAll, .reset: return false
        }
    }

    // MARK: Making a change

    /// Counts the memory that the session's stubs free once it is released.
    func noteEnd() {
        FreedMemory.add(state.withLock { $0.stubs.visible.own.count } * CompiledStub.minSize)
    }

    /// Compiles a change's stubs and examines the existing ones, without the session's lock.
    /// - Parameter scope: the stubs that a save may touch; nil for all.
    private func prepare(_ change: StubChange, within scope: Set<StubMapping.ID>?) -> PreparedChange {
        var prepared = PreparedChange()
        switch change {
        case .add(let mapping), .replace(let mapping): prepared.compiled = [compile(edited(mapping))]
        case .importAll(let document): prepared.compiled = document.mappings.map { compile(edited($0)) }
        case .saveAll:
            let stubs = state.withLock { $0.stubs }
            let unsaved = stubs.all.filter { $0.file == nil || stubs.originals[$0.id] != nil }
            for stub in unsaved where scope?.contains(stub.id) ?? true {
                var mapping = stub.mapping
                mapping.persistent = true
                prepared.seen.append((stub, []))
                prepared.compiled.append(compile(mapping))
            }
        case .removeLike, .removeWithMetadata:
            let budget = newBudget
            let conditions = change.conditions(budget)
            for stub in state.withLock({ $0.stubs.visible }).all {
                // A model with an id rarely needs its condition: only if no stub has that id.
                prepared.seen.append((stub, conditions.map { $0.id == nil ? $0.holds(stub) : nil }))
            }
            prepared.refusal = budget.exhaustion?.refusal(of: "Matching metadata")
        case .remove, .removeUnmatched, .removeAll, .reset: break
        }
        return prepared
    }

    /// The mapping as the new version of the stub with its id. A route for GET that also answers HEAD keeps doing so.
    func edited(_ mapping: StubMapping) -> StubMapping {
        guard mapping.request.method.isForGet,
            state.withLock({ $0.stubs.stub(mapping.id) })?.answersHead == true
        else { return mapping }
        var mapping = mapping
        mapping.answersHead = true
        return mapping
    }

    private func makeAtOnce(
        _ change: StubChange, _ prepared: PreparedChange, _ state: inout State
    ) -> Result<StubPlan, StubRefusal> {
        self.change(&state) { state in
            Result { () throws(StubRefusal) in
                var plan = try StubPlan(change, prepared, state.stubs, newBudget)
                plan.number = changeNumber
                if case .reset = change { goBackToFiles(&state, &plan) }
                state.stubs.apply(plan, savedIn: [:], keepsFiles: store != nil)
                return plan
            }
        }
    }

    /// Makes a change on a background thread, after all earlier ones.
    private func make(
        _ change: StubChange, _ prepared: PreparedChange?, within scope: Set<StubMapping.ID>?,
        _ done: @Sendable (ChangeOutcome) -> Void
    ) {
        let result = editing.withLock { _ in
            Result { () throws(StubRefusal) in
                try makeInBackground(change, prepared ?? prepare(change, within: scope))
            }
        }
        tell(of: change, result)
        if case .reset(let then?) = change { then() }
        state.withLock { $0.pendingChanges.remove(scope) }
        done(result.map(\.wasThere))
    }

    private func makeInBackground(_ change: StubChange, _ prepared: PreparedChange) throws(StubRefusal) -> StubPlan {
        bringUpToDate()
        // No other change touches these stubs: those that would are waiting.
        let stubs = state.withLock { $0.stubs }
        var plan = try StubPlan(change, prepared, stubs, newBudget)
        plan.number = changeNumber
        if case .reset = change {
            goBackToFiles(many: stubs.visible.maxCount > Self.maxUnderLock, &plan)
            return plan
        }
        var files: [StubMapping.ID: String] = [:]
        if let store {
            let steps = StubFileSteps(plan, stubs)
            if !steps.isEmpty { files = try steps.run(RecordedStubStore(store: store, recordings: recordings)) }
        }
        let touched = plan.puts.count + plan.removals.count + (plan.removesInherited ? stubs.byID.count : 0)
        if touched <= Self.maxUnderLock {
            self.change { [files, plan] state in state.stubs.apply(plan, savedIn: files, keepsFiles: store != nil) }
        } else {
            applyToCopy(change, files, &plan)
        }
        return plan
    }

    /// Applies a plan that touches many stubs. All other changes wait meanwhile.
    private func applyToCopy(_ change: StubChange, _ files: [StubMapping.ID: String], _ plan: inout StubPlan) {
        state.withLock { $0.pendingChanges.add(nil) }
        defer { state.withLock { $0.pendingChanges.remove(nil) } }
        let puts = Set(plan.puts.map(\.id))
        var isUnmatched = false
        // A stub that was removed from its file is removed in any case.
        if case .removeUnmatched = change, store == nil || !plan.removals.contains(where: \.isSaved) {
            isUnmatched = true
        }
        changeCopy(takingOver: puts.contains) { stubs in
            // A stub that has answered meanwhile stays.
            if isUnmatched { plan.removals = plan.removals.filter { stubs.hits(of: $0).matches == 0 } }
            stubs.apply(plan, savedIn: files, keepsFiles: store != nil)
        } holds: { state in
            !isUnmatched || plan.removals.allSatisfy { state.stubs.hits(of: $0).matches == 0 }
        }
    }

    /// Resets the stubs to the files.
    /// - Parameter many: whether there are many stubs.
    private func goBackToFiles(many: Bool, _ plan: inout StubPlan) {
        if many {
            changeCopy {
                $0.restoreFiles()
            } commit: {
                forgetUse(&$0, &plan)
            }
        } else {
            change { goBackToFiles(&$0, &plan) }
        }
    }

    package func compile(_ mapping: borrowing StubMapping, line: Int? = nil) -> Result<CompiledStub, StubRefusal> {
        if mapping.cors != nil { shared.folder.cors.isUsed.store(true, ordering: .relaxed) }
        if mapping.response.proxyBaseUrl != nil { shared.sendsOn.store(true, ordering: .relaxed) }
        if mapping.response.proxyHttp2 == true { shared.callsInHTTP2.store(true, ordering: .relaxed) }
        // The closure of `Result(catching:)` would copy the mapping.
        do throws(StubRefusal) {
            return .success(
                try CompiledStub(
                    mapping, sequence: 0, file: nil, line: line, options: options.response, files: files))
        } catch {
            return .failure(error)
        }
    }

    // MARK: Notifying

    /// Notifies the listeners of a change, and warns of missing body files. Must not be called under the session's
    /// lock.
    private func tell(of change: StubChange, _ result: Result<StubPlan, StubRefusal>) {
        guard case .success(let plan) = result, plan.wasThere else { return }
        if case .joining(let time) = shared.storePart {
            for file in plan.removals.compactMap(\.file) { shared.unwrittenFiles.leave(file, removedAt: time) }
        }
        switch change {
        case .add(let mapping), .replace(let mapping):
            tellMissingBodyFiles(of: [mapping])
            if case .add = change {
                changed(.stub(.added, .init(mapping)))
            } else {
                changed(.stub(.edited, .init(mapping)))
            }
        case .remove, .removeLike, .removeWithMetadata, .removeUnmatched: tellRemoved(plan.removals)
        case .removeAll: changed(.allStubsRemoved)
        case .importAll:
            tellMissingBodyFiles(of: plan.puts.map(\.mapping))
            changed(.imported(plan.puts.count))
        case .saveAll: break
        case .reset: wentBackToFiles(served: plan.servedBefore)
        }
    }
}
