import SDAnswering
import SDJournal
import SDStubModel
public import SDStubs
import Synchronization

/// The reason why a scenario was not changed.
public enum ScenarioRefusal: Error, Sendable, Hashable {
    /// No stub names the scenario.
    case unknown(String)
    /// A state that none of the scenario's stubs requires or sets; nil if the call omits the state.
    case unsupported(String, state: String?)
}

/// Scenarios as the admin API sees them.
extension Session {
    /// The scenarios, ordered by name.
    public var scenarios: [ScenarioStatus] {
        bringUpToDate()
        takeMessageScenarios()
        return state.withLock { $0.stubs.scenarioStatuses }
    }

    /// Resets every scenario to its first state, and restarts every sequence of responses.
    public func resetScenarios() {
        bringUpToDate()
        state.withLock { state in
            state.stubs.restartSequences(by: changeNumber)
            for scenario in state.stubs.scenarios.all { move(scenario, to: LiveScenario.firstState) }
        }
        changed(.scenariosReset)
    }

    /// Resets one scenario to its first state.
    /// - Throws: for an unknown scenario.
    public func resetScenario(_ name: String) throws(ScenarioRefusal) {
        bringUpToDate()
        takeMessageScenarios()
        try state.withLock { state throws(ScenarioRefusal) in
            guard let scenario = state.stubs.scenarios[name] else { throw .unknown(name) }
            move(scenario, to: LiveScenario.firstState)
        }
        changed(.scenario(name, state: LiveScenario.firstState))
    }

    /// Sets a scenario's state.
    /// - Parameter newState: one of the scenario's possible states.
    /// - Throws: for an unknown scenario, and a state that is missing or not possible.
    public func setScenario(_ name: String, to newState: String?) throws(ScenarioRefusal) {
        bringUpToDate()
        takeMessageScenarios()
        let state = try state.withLock { state throws(ScenarioRefusal) in
            guard let scenario = state.stubs.scenarios[name] else { throw .unknown(name) }
            let status = state.stubs.scenarioStatuses.first { $0.name == name }
            guard let newState, let status, status.possibleStates.contains(newState) else {
                throw .unsupported(name, state: newState)
            }
            move(scenario, to: newState)
            return newState
        }
        changed(.scenario(name, state: state))
    }

    func move(_ scenario: LiveScenario, to state: String) {
        let change = changeNumber
        if change != 0 { scenario.change.store(change, ordering: .relaxed) }
        if scenario.move(to: scenario.number(of: state)) { conditions.add(1, ordering: .releasing) }
    }
}
