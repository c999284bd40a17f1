import SDAnswering
public import SDStubModel

/// A scenario as the admin API shows it.
public struct ScenarioStatus: Sendable {
    public let name: String
    public let state: String
    /// The states that its stubs require or lead to, each once, in the order in which they occur.
    public let possibleStates: [String]
    /// The stubs of the scenario, the oldest first.
    public let mappings: [StubMapping]
}

extension StubSet {
    package var scenarioStatuses: [ScenarioStatus] {
        var members: [String: [CompiledStub]] = [:]
        for stub in stubsOfScenarios {
            if let step = stub.lifecycle?.step { members[step.scenario.name, default: []].append(stub) }
        }
        return members.sorted { $0.key < $1.key }.compactMap { name, stubs in
            scenarios[name].map { scenario in
                let mappings = stubs.map(\.currentMapping)
                return ScenarioStatus(
                    name: name, state: scenario.state, possibleStates: possibleStates(mappings), mappings: mappings)
            }
        }
    }

    private func possibleStates(_ mappings: [StubMapping]) -> [String] {
        var seen: Set<String> = []
        return mappings.flatMap { [$0.requiredScenarioState, $0.newScenarioState] }.compactMap(\.self)
            .filter { seen.insert($0).inserted }
    }
}
