package import SDAnswering
import Synchronization

/// The scenarios of a session. Each exists while a stub, or a message stub, names it.
package struct ScenarioTable {
    private struct Entry {
        let scenario: LiveScenario
        var stubCount = 0
    }

    private var entries: [String: Entry] = [:]
    private var mayHaveEmpty = false

    package subscript(name: String) -> LiveScenario? {
        entries[name].flatMap { $0.stubCount > 0 ? $0.scenario : nil }
    }

    package var all: [LiveScenario] { entries.values.filter { $0.stubCount > 0 }.map(\.scenario) }

    /// Resets every scenario to its first state. Called only as part of a change of the stubs, which invalidates
    /// searches.
    package func reset() {
        for scenario in all {
            _ = scenario.move(to: scenario.number(of: LiveScenario.firstState))
            scenario.change.store(0, ordering: .relaxed)
        }
    }

    /// Counts a stub that names the scenario.
    /// - Parameter change: the number of the replicated change that adds the stub; 0 for none.
    package mutating func join(_ name: String, change: UInt64 = 0) -> LiveScenario {
        let entry = entries[name] ?? Entry(scenario: LiveScenario(name: name, change: change))
        entries[name] = Entry(scenario: entry.scenario, stubCount: entry.stubCount + 1)
        return entry.scenario
    }

    /// Discounts a stub. Only `removeEmpty` removes a scenario without stubs, so that it keeps its state while its
    /// stubs are being replaced.
    package mutating func leave(_ name: String) {
        entries[name]?.stubCount -= 1
        mayHaveEmpty = true
    }

    mutating func removeEmpty() {
        guard mayHaveEmpty else { return }
        mayHaveEmpty = false
        entries = entries.filter { $0.value.stubCount > 0 }
    }
}
