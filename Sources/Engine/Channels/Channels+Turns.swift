import SDStubModel
import Synchronization

/// Whether a stub acts, and with which actions.
enum MessageTurn {
    case acts(CompiledMessageStub, [CompiledMessageAction])
    /// The stub does not act: its scenario is in another state, or its sequence is over.
    case nobody
    /// The session's lock is busy, and a loop must not wait for it.
    case waits
}

/// Sequences and scenarios of message stubs.
extension Channels {
    /// Decides whether a matching stub acts, and counts it.
    func turn(
        of stub: CompiledMessageStub, on channel: Channel?, in session: any ChannelSession, waits: Bool
    ) -> MessageTurn {
        let model = stub.stub
        if let name = model.scenarioName {
            if let new = model.newScenarioState {
                // A stub whose sequence is over does not move its scenario.
                if isOver(stub, on: channel) { return .nobody }
                switch session.moveScenario(name, from: model.requiredScenarioState, to: new, waits: waits) {
                case true?: break
                case false?: return .nobody
                case nil: return .waits
                }
            } else if let state = model.requiredScenarioState {
                switch session.isScenario(name, in: state, waits: waits) {
                case true?: break
                case false?: return .nobody
                case nil: return .waits
                }
            }
        }
        guard stub.scripts.count > 1 || model.onEnd == .stop else { return .acts(stub, stub.scripts.first ?? []) }
        return script(of: stub, on: channel).map { .acts(stub, $0) } ?? .nobody
    }

    private func isOver(_ stub: CompiledMessageStub, on channel: Channel?) -> Bool {
        guard stub.stub.onEnd == .stop else { return false }
        let id = stub.stub.id
        let turn =
            if let channel, stub.stub.per != .session {
                channel.line.withLock { $0.turns[id] }
            } else {
                state.withLock { $0.turns[id] }
            }
        return turn ?? 0 >= stub.scripts.count
    }

    /// The stub's current actions; nil if its sequence is over.
    private func script(of stub: CompiledMessageStub, on channel: Channel?) -> [CompiledMessageAction]? {
        let id = stub.stub.id
        let count = stub.scripts.count
        func next(_ turns: inout [StubMapping.ID: Int]) -> Int? {
            let turn = turns[id] ?? 0
            guard turn >= count else {
                turns[id] = turn + 1
                return turn
            }
            switch stub.stub.onEnd {
            case .loop:
                turns[id] = 1
                return 0
            case .stop: return nil
            case .repeatLast, nil: return count - 1
            }
        }
        if let channel, stub.stub.per != .session {
            return channel.line.withLock { next(&$0.turns) }.map { stub.scripts[$0] }
        }
        return state.withLock { next(&$0.turns) }.map { stub.scripts[$0] }
    }
}
