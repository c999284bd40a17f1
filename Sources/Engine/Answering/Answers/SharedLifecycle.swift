import SDJSON
package import SDPlatform
import SDStubModel
import Synchronization

/// The part of a stub's conditions that all replicas share: its scenario, its `times` and the place in its sequence. A
/// server decides about them, and what is known here is a copy that follows.
extension StubLifecycle {
    /// Whether replicas have to agree on its use.
    package var isShared: Bool {
        if let step, step.requiredState != nil || step.nextState != nil { return true }
        return use?.times != nil || responses?.end != nil
    }

    /// Whether the stub may answer, as far as neither its shared part nor the session's state is concerned.
    /// - Parameter clock: called only if the time matters.
    package func isOpenHere(_ clock: () -> Int64) -> Bool {
        guard isEnabled, let use else { return false }
        return use.deadline == .max || clock() < use.deadline
    }

    /// Records that the stub answers as the replicas have decided. Called under the session's lock.
    /// - Parameters:
    ///   - place: the response whose turn it is; nil if that is not decided together.
    ///   - value: that of the request, if its sequence is kept for each.
    ///   - isCurrent: whether the sequence has not begun anew since.
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
    /// The index of the last response, and whether the first follows it; nil where chance decides.
    package var end: (last: Int, isLoop: Bool)? {
        if case .inOrder(let last, let isLoop) = order { (last, isLoop) } else { nil }
    }
}

extension LiveScenario {
    /// Takes over the state that it is in for all replicas. Called only under the session's lock.
    package func takeOver(state: String) {
        if let number = knownNumber(of: state) { _ = move(to: number) }
    }
}

extension CompiledStub {
    /// What tells its use from that of stubs which had the same id before: the number of the change that made it or,
    /// for one of a file or a copy, what stands for its mapping. The same on all replicas.
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
