import SDAnswering
import SDChannels
import SDJournal
package import SDStubModel
import SDStubs
import Synchronization

/// The scenarios of message stubs, shared with HTTP stubs. Replicas do not share them.
extension Session {
    package func isScenario(_ name: String, in wanted: String, waits: Bool) -> Bool? {
        withScenario(name, waits: waits) { scenario in scenario.state == wanted }
    }

    package func moveScenario(_ name: String, from old: String?, to new: String, waits: Bool) -> Bool? {
        let wasMoved = withScenario(name, waits: waits) { scenario -> Bool in
            if let old, scenario.state != old { return false }
            move(scenario, to: new)
            return true
        }
        if wasMoved == true { activity.note(.scenario(name, state: new)) }
        return wasMoved
    }

    /// The state of a scenario that keeps a message stub from acting; nil if there is none or the lock is busy.
    package func scenarioInTheWay(of stub: MessageStub) -> String? {
        guard let name = stub.scenarioName, let wanted = stub.requiredScenarioState,
            let found = state.withLockIfAvailable({ $0.stubs.scenarios[name]?.state }), let state = found,
            state != wanted
        else { return nil }
        return "its scenario \"\(name)\" is in state \"\(state)\", and it requires \"\(wanted)\""
    }

    /// The states that message stubs set, by scenario name.
    var statesOfMessages: [String: Set<String>] {
        var states: [String: Set<String>] = [:]
        for stub in channels.stubs {
            guard let name = stub.stub.scenarioName, let state = stub.stub.newScenarioState else { continue }
            states[name, default: []].insert(state)
        }
        return states
    }

    /// - Returns: nil if the lock is busy and `waits` is false.
    private func withScenario(_ name: String, waits: Bool, _ work: (LiveScenario) -> Bool) -> Bool? {
        for _ in 0..<2 {
            let found =
                waits
                ? .some(state.withLock { $0.stubs.scenarios[name].map(work) })
                : state.withLockIfAvailable { $0.stubs.scenarios[name].map(work) }
            guard let found else { return nil }
            if let found { return found }
            guard waits else { return nil }
            takeMessageScenarios()
        }
        return false
    }

    /// Adds the scenarios that the current message stubs name, and drops those that none names.
    func takeMessageScenarios() {
        var named: [String: [String]] = [:]
        for stub in channels.stubs {
            guard let name = stub.stub.scenarioName else { continue }
            named[name, default: []] += [stub.stub.requiredScenarioState, stub.stub.newScenarioState].compactMap(\.self)
        }
        state.withLock { state in
            if state.stubs.messageScenarios != named { state.stubs.takeMessageScenarios(named) }
        }
    }
}
