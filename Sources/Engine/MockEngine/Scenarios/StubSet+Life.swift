import StubModel

/// Stubs that answer under conditions come and go.
extension StubSet {
    /// Counts a stub that comes in, and binds it to its scenario and its time.
    mutating func bound(_ stub: CompiledStub) -> CompiledStub {
        guard let life = stub.life else { return stub }
        conditionalCount += 1
        let mapping = stub.mapping
        let scenario = mapping.scenarioName.map { scenarios.join($0) }
        let isKnown = life.use != nil && life.step?.scenario === scenario
        let bound = isKnown ? stub : CompiledStub(stub, life: boundLife(life, mapping, scenario))
        if let use = bound.life?.use, use.deadline != .max {
            mortalCount += 1
            expiries.insert(stub.id, deadline: use.deadline, alive: mortalCount) { id, deadline in
                byID[id]?.life?.use?.deadline == deadline
            }
        }
        return bound
    }

    private func boundLife(_ life: StubLife, _ mapping: StubMapping, _ scenario: Scenario?) -> StubLife {
        let step = scenario.map {
            ScenarioStep($0, required: mapping.requiredScenarioState, next: mapping.newScenarioState)
        }
        let use =
            life.use
            ?? StubUse(
                times: mapping.times,
                deadline: mapping.ttlMilliseconds.map { clock().addingReportingOverflow(Int64($0)).partialValue }
                    ?? .max)
        return StubLife(life, step: step, use: use)
    }

    /// Counts a stub that goes.
    mutating func release(_ stub: CompiledStub) {
        guard let life = stub.life else { return }
        conditionalCount -= 1
        if life.isMortal { mortalCount -= 1 }
        if let step = life.step { scenarios.leave(step.scenario.name) }
    }

    /// The stubs of scenarios, the oldest first.
    var stubsOfScenarios: [CompiledStub] {
        guard conditionalCount > 0 else { return [] }
        return all.filter { $0.life?.step != nil }.sorted { $0.sequence < $1.sequence }
    }

    /// Some stub's time has come.
    var hasExpired: Bool { mortalCount > 0 && expiries.next <= clock() }

    /// Removes the stubs whose time has come. Those of files are in their files still.
    mutating func removeExpired() {
        guard hasExpired else { return }
        let now = clock()
        while let (id, deadline) = expiries.popFirst(until: now) {
            guard let stub = byID[id], stub.life?.use?.deadline == deadline else { continue }
            // The base removes an inherited one too; what it adds in its place is seen again.
            if isInherited(stub) { take(stub) } else { remove(id) }
        }
        // A scenario that has ended with them is not to live on in the stubs that come next.
        scenarios.removeEmpty()
    }

    /// Counts, times and turns begin anew.
    mutating func renewLives() {
        guard conditionalCount > 0 else { return }
        for stub in all {
            if let life = stub.life { exchange(stub, for: CompiledStub(stub, life: life.renewed)) }
        }
    }
}
