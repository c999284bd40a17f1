package import Synchronization

/// WireMock's scenario: a state machine that stubs share by name. Its initial state is `Started`.
///
/// The state is written only under the session's lock, and read without it by searches for a stub. Their result counts
/// only if nothing has changed by the time they hold the lock.
package final class LiveScenario: Sendable {
    package static let firstState = "Started"

    package let name: String
    /// The number of the replicated change that created it or last set its state; 0 for none. Written under the
    /// session's lock.
    package let change: Atomic<UInt64>
    /// The number of the current state; searches compare numbers.
    private let current = Atomic(0)
    private let states = Mutex(StateNames())

    private struct StateNames {
        var names = [LiveScenario.firstState]
        var numbers = [LiveScenario.firstState: 0]
    }

    /// - Parameter change: the number of the replicated change that creates it; 0 for none.
    package init(name: String, change: UInt64 = 0) {
        self.name = name
        self.change = Atomic(change)
    }

    /// The number of a state, which is fixed as long as the scenario exists.
    package func number(of state: String) -> Int {
        states.withLock { states in
            if let number = states.numbers[state] { return number }
            states.names.append(state)
            states.numbers[state] = states.names.count - 1
            return states.names.count - 1
        }
    }

    /// The number of a state that a stub names or that was current once; nil for any other.
    func knownNumber(of state: String) -> Int? { states.withLock { $0.numbers[state] } }

    func isIn(_ state: Int) -> Bool {
        current.load(ordering: .acquiring) == state
    }

    package var state: String {
        let number = current.load(ordering: .acquiring)
        return states.withLock { $0.names[number] }
    }

    /// Moves to a state; called only under the session's lock. Returns whether that is a change.
    package func move(to state: Int) -> Bool {
        current.exchange(state, ordering: .acquiringAndReleasing) != state
    }
}

/// The state that a stub requires, and the one that it sets.
package struct ScenarioStep: Sendable {
    package let scenario: LiveScenario
    /// The required state by number and by name.
    private let required: (number: Int, state: String)?
    private let next: Int?
    /// The name of the next state; nil for no change.
    package let nextState: String?

    package init(_ scenario: LiveScenario, required: String?, next: String?) {
        self.scenario = scenario
        self.required = required.map { (scenario.number(of: $0), $0) }
        self.next = next.map(scenario.number(of:))
        nextState = next
    }

    package var requiredState: String? { required?.state }

    /// Whether the scenario is in the required state, or none is required.
    package var isOpen: Bool {
        required.map { scenario.isIn($0.number) } ?? true
    }

    /// Whether an answer normally moves the scenario.
    package var moves: Bool { next != nil && next != required?.number }

    package var skipReason: String? {
        guard let required, !isOpen else { return nil }
        return
            "its scenario \"\(scenario.name)\" is in state \"\(scenario.state)\", and it requires \"\(required.state)\""
    }

    /// Moves the scenario when the stub answers; called only under the session's lock. Returns whether that is a
    /// change.
    func advance() -> Bool {
        next.map { scenario.move(to: $0) } ?? false
    }
}
