import SDJSON
package import SDJournal
package import SDPlatform
import SDStubModel
import Synchronization

/// The part of a stub's conditions that all replicas share: its scenario, its `times` and the position in its sequence.
/// A server decides about them; the values here are a copy.
extension StubLifecycle {
    /// Whether replicas must agree on its use.
    package var isShared: Bool {
        if let step, step.requiredState != nil || step.nextState != nil { return true }
        return use?.times != nil || responses?.end != nil
    }

    /// Whether the stub may answer, apart from its shared part and the session's state.
    /// - Parameter clock: called only if the time matters.
    package func isOpenHere(_ clock: () -> Int64) -> Bool {
        guard isEnabled, let use else { return false }
        return use.deadline == .max || clock() < use.deadline
    }

    /// Records that the stub answers by the replicas' decision. Called under the session's lock.
    /// - Parameters:
    ///   - place: the index of the response; nil if it is not shared.
    ///   - value: the request's value, if the sequence is kept per value.
    ///   - isCurrent: whether the sequence was not restarted meanwhile.
    /// - Returns: the response that answers; nil for the stub's own.
    package func answer(
        at place: Int?, to value: [UInt8]?, isCurrent: Bool, _ generator: inout SeededGenerator
    ) -> CompiledStub? {
        guard let responses, let use else { return nil }
        guard let place, responses.stubs.indices.contains(place) else {
            let answering = responses.current(use, value, &generator)
            responses.advance(use, value, &generator)
            return answering
        }
        guard isCurrent else { return responses.stubs[place] }
        let next = responses.next(after: place, &generator)
        if let value {
            use.setPosition(next, of: value, sent: place)
        } else {
            use.setPosition(next)
        }
        return responses.stubs[place]
    }
}

extension SequencedResponses {
    /// The index of the last response, and whether the first follows it; nil for a random order.
    package var end: (last: Int, isLoop: Bool)? {
        if case .inOrder(let last, let isLoop) = order { (last, isLoop) } else { nil }
    }
}

extension LiveScenario {
    /// Sets the state that the replicas share. Called only under the session's lock.
    package func takeOver(state: String) {
        if let number = knownNumber(of: state) { _ = move(to: number) }
    }
}

extension CompiledStub {
    /// Sets the change that made the faults of its responses.
    /// - Parameter change: its number; 0 for none.
    package func faultsAreMade(by change: UInt64) {
        response.faults?.isMade(by: change)
        for stub in lifecycle?.responses?.stubs ?? [] { stub.response.faults?.isMade(by: change) }
    }

    /// Identifies the faults of one of its responses, and since when they count. The same on all replicas.
    package func owner(ofFaults program: FaultProgram) -> String {
        let place = lifecycle?.responses?.stubs.firstIndex { $0.response.faults === program } ?? 0
        return "\(id.lowercasedString):\(program.life { mapping.json().compactBytes }):\(place)"
    }

    /// Distinguishes its use from that of earlier stubs with the same id: the number of the change that made it, or for
    /// a stub of a file or a copy a hash of its mapping. The same on all replicas.
    package var life: String {
        guard let use = lifecycle?.use else { return "0" }
        if use.change != 0 { return String(use.change) }
        var mark = use.mark.load(ordering: .relaxed)
        if mark == 0 {
            // FNV-1a.
            mark = mapping.json().compactBytes.reduce(0xCBF2_9CE4_8422_2325) {
                ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
            }
            use.mark.store(mark, ordering: .relaxed)
        }
        return "m" + String(mark, radix: 36)
    }
}
