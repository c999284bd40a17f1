import SDBasics
import SDJSON
import SDStubModel

/// Finds states of scenarios that no stub sets.
enum ScenarioLint {
    private static let first = "Started"

    /// - Parameter others: the states that message stubs set, by scenario name.
    static func findings(in stubs: [any LintedStub], besides others: [String: Set<String>]) -> [StubFinding] {
        var reached = others
        let parts = stubs.compactMap { stub in
            let mapping = stub.mapping
            return mapping.scenarioName == nil ? nil : (stub, mapping)
        }
        for (_, mapping) in parts {
            if let name = mapping.scenarioName, let state = mapping.newScenarioState {
                reached[name, default: []].insert(state)
            }
        }
        return parts.compactMap { stub, mapping in
            guard let name = mapping.scenarioName, let state = mapping.requiredScenarioState, state != first,
                reached[name]?.contains(state) != true
            else { return nil }
            let known = (reached[name] ?? []).union([first]).sorted()
            return StubFinding(
                .unreachableState, of: stub.reference, at: JSONPointer(["requiredScenarioState"]),
                "no stub moves the scenario \(quoted(name)) to the state \(quoted(state)); only the admin API can set it",
                expected: "one of \(known.joined(separator: ", ")), or a stub that moves to it",
                suggestion: nearestName(to: state, among: known))
        }
    }

    private static func quoted(_ text: String) -> String { JSONValue.string(text).compactText }
}
