import StubModel

/// Stubs of scenarios come and go.
extension StubSet {
    /// Counts a stub that comes in, and binds it to its scenario.
    mutating func bound(_ stub: CompiledStub) -> CompiledStub {
        guard let life = stub.life else { return stub }
        conditionalCount += 1
        let mapping = stub.mapping
        guard let name = mapping.scenarioName else { return stub }
        let scenario = scenarios.join(name)
        if life.step?.scenario === scenario { return stub }
        let step = ScenarioStep(
            scenario, required: mapping.requiredScenarioState, next: mapping.newScenarioState)
        return CompiledStub(stub, life: StubLife(step: step))
    }

    /// Counts a stub that goes.
    mutating func release(_ stub: CompiledStub) {
        guard let life = stub.life else { return }
        conditionalCount -= 1
        if let step = life.step { scenarios.leave(step.scenario.name) }
    }

    /// The stubs of scenarios, the oldest first.
    var stubsOfScenarios: [CompiledStub] {
        guard conditionalCount > 0 else { return [] }
        return all.filter { $0.life?.step != nil }.sorted { $0.sequence < $1.sequence }
    }
}
