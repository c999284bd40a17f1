import SDAnswering
public import SDStubModel

/// A scenario as the admin API shows it.
public struct ScenarioStatus: Sendable {
    public let name: String
    public let state: String
    /// The states that its stubs require or set, each once, in order of occurrence.
    public let possibleStates: [String]
    /// The stubs of the scenario, oldest first.
    public let mappings: [StubMapping]
}

extension StubSet {
    package var scenarioStatuses: [ScenarioStatus] {
        var members: [String: [CompiledStub]] = [:]
        for stub in stubsOfScenarios {
            if let step = stub.lifecycle?.step { members[step.scenario.name, default: []].append(stub) }
        }
        for name in messageScenarios.keys where members[name] == nil { members[name] = [] }
        return members.sorted { $0.key < $1.key }.compactMap { name, stubs in
            scenarios[name].map { scenario in
                let mappings = stubs.map(\.currentMapping)
                let states = possibleStates(mappings, messageScenarios[name] ?? [])
                return ScenarioStatus(name: name, state: scenario.state, possibleStates: states, mappings: mappings)
            }
        }
    }

    private func possibleStates(_ mappings: [StubMapping], _ others: [String]) -> [String] {
        var seen: Set<String> = []
        let states = mappings.flatMap { [$0.requiredScenarioState, $0.newScenarioState] }.compactMap(\.self) + others
        return states.filter { seen.insert($0).inserted }
    }

    /// Replaces the scenarios that message stubs name. Called under the session's lock.
    package mutating func takeMessageScenarios(_ named: [String: [String]]) {
        for name in named.keys where messageScenarios[name] == nil { _ = scenarios.join(name, change: changeNumber) }
        for name in messageScenarios.keys where named[name] == nil { scenarios.leave(name) }
        messageScenarios = named
        scenarios.removeEmpty()
    }
}
