package import SDAnswering
import SDStubModel
import Synchronization

/// Adding and removing stubs with conditions.
extension StubSet {
    /// Counts a stub that is added, and assigns its scenario and deadline.
    package mutating func bound(_ stub: CompiledStub) -> CompiledStub {
        stub.faultsAreMade(by: changeNumber)
        guard let lifecycle = stub.lifecycle else { return stub }
        conditionalCount += 1
        let mapping = stub.mapping
        let scenario = mapping.scenarioName.map { scenarios.join($0, change: changeNumber) }
        let isKnown = lifecycle.use != nil && lifecycle.step?.scenario === scenario
        let bound = isKnown ? stub : CompiledStub(stub, lifecycle: boundLifecycle(lifecycle, mapping, scenario))
        if let use = bound.lifecycle?.use, use.deadline != .max {
            expiringCount += 1
            expiries.insert(stub.id, deadline: use.deadline, alive: expiringCount) { id, deadline in
                byID[id]?.lifecycle?.use?.deadline == deadline
            }
        }
        return bound
    }

    private func boundLifecycle(_ lifecycle: StubLifecycle, _ mapping: StubMapping, _ scenario: LiveScenario?)
        -> StubLifecycle
    {
        let step = scenario.map {
            ScenarioStep($0, required: mapping.requiredScenarioState, next: mapping.newScenarioState)
        }
        let use =
            lifecycle.use
            ?? StubUse(
                times: mapping.times,
                deadline: mapping.ttlMilliseconds.map { clock().addingReportingOverflow(Int64($0)).partialValue }
                    ?? .max, change: changeNumber)
        return StubLifecycle(lifecycle, step: step, use: use)
    }

    /// Discounts a stub that is removed.
    package mutating func release(_ stub: CompiledStub) {
        guard let lifecycle = stub.lifecycle else { return }
        conditionalCount -= 1
        if lifecycle.canExpire { expiringCount -= 1 }
        if let step = lifecycle.step { scenarios.leave(step.scenario.name) }
    }

    /// The stubs of scenarios, oldest first.
    var stubsOfScenarios: [CompiledStub] {
        guard conditionalCount > 0 else { return [] }
        return all.filter { $0.lifecycle?.step != nil }.sorted { $0.sequence < $1.sequence }
    }

    /// Whether a stub has expired.
    package var hasExpired: Bool { expiringCount > 0 && expiries.next <= clock() }

    /// Removes the expired stubs from the set, but not from their files.
    package mutating func removeExpired() {
        guard hasExpired else { return }
        let now = clock()
        while let (id, deadline) = expiries.popFirst(until: now) {
            guard let stub = byID[id], stub.lifecycle?.use?.deadline == deadline else { continue }
            // The base also removes an inherited stub; a stub that replaces it becomes visible.
            if isInherited(stub) { take(stub) } else { remove(id) }
        }
        // A scenario that has ended with them must not pass its state to later stubs.
        scenarios.removeEmpty()
    }

    /// Restarts all sequences of responses. Called under the session's lock.
    /// - Parameter change: the number of the replicated change; 0 for none.
    package func restartSequences(by change: UInt64) {
        guard conditionalCount > 0 else { return }
        for stub in all where stub.lifecycle?.responses != nil {
            stub.lifecycle?.use?.restartSequence()
            if change != 0 { stub.lifecycle?.use?.sequenceChange.store(change, ordering: .relaxed) }
        }
    }

    /// Resets use counters, `times` and the positions in responses.
    mutating func renewLives() {
        guard conditionalCount > 0 else { return }
        for stub in all {
            if let lifecycle = stub.lifecycle { exchange(stub, for: CompiledStub(stub, lifecycle: lifecycle.renewed)) }
        }
    }
}
