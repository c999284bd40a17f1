import Synchronization

/// A state machine that stubs share by its name: WireMock's scenario. It is in one state at a time, and begins as `Started`.
///
/// The state is written under the session's lock alone, and read without it by those who look for a stub. What they saw
/// counts only if nothing has moved by the time they hold the lock.
final class Scenario: Sendable {
    static let firstState = "Started"

    let name: String
    /// States are compared by number on the way to an answer.
    private let current = Atomic(0)
    private let states = Mutex(StateNames())

    private struct StateNames {
        var names = [Scenario.firstState]
        var numbers = [Scenario.firstState: 0]
    }

    init(name: String) {
        self.name = name
    }

    /// The number of a state, the same for as long as the scenario lives.
    func number(of state: String) -> Int {
        states.withLock { states in
            if let number = states.numbers[state] { return number }
            states.names.append(state)
            states.numbers[state] = states.names.count - 1
            return states.names.count - 1
        }
    }

    func isIn(_ state: Int) -> Bool {
        current.load(ordering: .acquiring) == state
    }

    var state: String {
        let number = current.load(ordering: .acquiring)
        return states.withLock { $0.names[number] }
    }

    /// Only under the session's lock. True if the scenario was in another state before.
    func move(to state: Int) -> Bool {
        current.exchange(state, ordering: .acquiringAndReleasing) != state
    }
}

/// What a stub asks of its scenario, and makes of it.
struct ScenarioStep: Sendable {
    let scenario: Scenario
    /// By number, and as the stub says it.
    private let required: (number: Int, state: String)?
    private let next: Int?

    init(_ scenario: Scenario, required: String?, next: String?) {
        self.scenario = scenario
        self.required = required.map { (scenario.number(of: $0), $0) }
        self.next = next.map(scenario.number(of:))
    }

    /// The scenario is in the state that the stub asks for, or it asks for none.
    var isOpen: Bool {
        required.map { scenario.isIn($0.number) } ?? true
    }

    var reasonToStayOut: String? {
        guard let required, !isOpen else { return nil }
        return "its scenario \"\(scenario.name)\" is in state \"\(scenario.state)\", and it wants \"\(required.state)\""
    }

    /// Only under the session's lock, for a stub that answers. True if the scenario is in another state now.
    func advance() -> Bool {
        next.map { scenario.move(to: $0) } ?? false
    }
}
