import SDJournal
package import SDMatching
package import SDPlatform
package import SDStubModel
package import Synchronization

/// The remaining use of a stub: written only under the session's lock, and read without it during matching. A stub and
/// its copies at other positions share it.
package final class StubUse: Sendable {
    /// The time on the session's clock, in milliseconds, at which the stub expires; `Int64.max` for never.
    package let deadline: Int64
    /// The number of requests to answer; nil for no limit.
    package let times: Int?
    /// The number of the replicated change that made the stub; 0 for none, as for a stub of a file and for a copy.
    package let change: UInt64
    /// The number of the replicated change that restarted its sequence; 0 for none. Written under the session's lock.
    package let sequenceChange = Atomic<UInt64>(0)
    /// The hash of the mapping that replicas compare; 0 until it is first needed.
    let mark = Atomic<UInt64>(0)
    private let left: Atomic<Int>
    /// The index of the next response; negative until it is chosen.
    private let next = Atomic(-1)
    /// The turns of a sequence that is kept per value of its requests.
    // Touched only under the session's lock.
    private nonisolated(unsafe) var turns = SequencePositions()
    /// The largest number of responses that one value got.
    private let furthest = Atomic(0)
    /// Whether a value was dropped, and whether that was reported.
    private let loss = Atomic(Loss.none)

    private enum Loss: UInt8, AtomicRepresentable {
        case none, untold, told
    }

    /// Makes the state of an unused stub.
    package init(times: Int?, deadline: Int64, change: UInt64 = 0) {
        self.deadline = deadline
        self.times = times
        self.change = change
        left = Atomic(times ?? .max)
    }

    package var timesLeft: Int { left.load(ordering: .acquiring) }
    package var position: Int { next.load(ordering: .acquiring) }

    /// Counts a request, and returns whether none is left. Called under the session's lock.
    func countDown() -> Bool {
        left.subtract(1, ordering: .releasing).newValue == 0
    }

    /// Sets the number of uses in all replicas. Called under the session's lock.
    package func takeOver(used: Int) {
        guard let times else { return }
        let rest = max(times - max(used, 0), 0)
        if rest < left.load(ordering: .relaxed) { left.store(rest, ordering: .releasing) }
    }

    /// Sets the number of responses that one value got from all replicas. Called under the session's lock.
    package func takeOver(maxSent: Int) {
        if maxSent > furthest.load(ordering: .relaxed) { furthest.store(maxSent, ordering: .relaxed) }
    }

    /// Sets the next response. Called under the session's lock.
    package func setPosition(_ position: Int) {
        next.store(position, ordering: .releasing)
    }

    /// The index of the next response for a value; negative for a new one. Called under the session's lock.
    func position(of value: [UInt8]) -> Int { turns[value] ?? -1 }

    /// Sets the next response for a value that got the one at `sent`. Called under the session's lock.
    func setPosition(_ position: Int, of value: [UInt8], sent: Int) {
        turns[value] = position
        if sent >= furthest.load(ordering: .relaxed) { furthest.store(sent + 1, ordering: .relaxed) }
        if turns.hasForgotten { _ = loss.compareExchange(expected: .none, desired: .untold, ordering: .relaxed) }
    }

    /// Restarts the sequence. Called under the session's lock.
    package func restartSequence() {
        setPosition(-1)
        turns = SequencePositions()
    }

    /// The largest number of responses that one value of a sequence got.
    package var maxSent: Int { furthest.load(ordering: .relaxed) }

    /// Whether a value was dropped for others; true once.
    package func takesLoss() -> Bool {
        loss.load(ordering: .relaxed) == .untold
            && loss.compareExchange(expected: .untold, desired: .told, ordering: .relaxed).exchanged
    }
}

/// The responses of a stub that has several, and their order.
package struct SequencedResponses: Sendable {
    /// The responses, each compiled as a stub with the id of the owner; the last may be the answer after all others.
    package let stubs: [CompiledStub]
    /// The key whose values have separate turns; nil for one sequence for all requests.
    package let key: SequenceValueKey?
    let order: Order

    enum Order {
        case inOrder(last: Int, isLoop: Bool)
        /// The sum of the weights up to each response.
        case drawn([Int])
    }

    /// Compiles the responses.
    /// - Parameter make: compiles the response at an index of the list; nil for the answer after all of them.
    /// - Throws: what `make` throws.
    package init(
        _ sequence: ResponseSequence, _ key: SequenceValueKey?,
        make: (ResponseDefinition, Int?) throws(StubRefusal) -> CompiledStub
    ) throws(StubRefusal) {
        var stubs: [CompiledStub] = []
        var refusal: (StubMapping.ID, [ServingProblem])?
        for (index, entry) in sequence.entries.enumerated() {
            do throws(StubRefusal) {
                stubs.append(try make(entry.response, index))
            } catch .unserved(let id, let problems) {
                refusal = (id, (refusal?.1 ?? []) + problems)
            }
        }
        if let (id, problems) = refusal { throw .unserved(id, problems) }
        if sequence.select == .random {
            var sum = 0
            order = .drawn(
                sequence.entries.map { entry in
                    sum += entry.weight ?? 1
                    return sum
                })
        } else {
            if sequence.onEnd == .notFound { stubs.append(try make(Self.ended, nil)) }
            order = .inOrder(last: stubs.count - 1, isLoop: sequence.onEnd == .loop)
        }
        self.stubs = stubs
        self.key = key
    }

    private static var ended: ResponseDefinition {
        var response = ResponseDefinition(status: 404)
        response.headers = [ResponseHeader("Content-Type", ["text/plain;charset=UTF-8"])]
        response.body = "All responses of this stub have been sent, and it does not repeat them.\n"
        return response
    }

    /// The current response; the first is chosen here. Called only under the session's lock.
    /// - Parameter value: the request's value, if the sequence is kept per value.
    package func current(
        _ use: StubUse?, _ value: [UInt8]?, _ generator: inout SeededGenerator
    ) -> CompiledStub? {
        guard let use else { return nil }
        if let value { return stubs[max(use.position(of: value), 0)] }
        if use.position < 0 { use.setPosition(next(after: -1, &generator)) }
        return stubs.indices.contains(use.position) ? stubs[use.position] : nil
    }

    /// The current response, without choosing one; nil if it is random or depends on the request.
    func shown(_ use: StubUse?) -> CompiledStub? {
        guard key == nil, case .inOrder = order else { return nil }
        let position = max(use?.position ?? 0, 0)
        return stubs.indices.contains(position) ? stubs[position] : nil
    }

    /// Advances to the response after the current one. Called only under the session's lock.
    /// - Parameter value: the request's value, if the sequence is kept per value.
    func advance(_ use: StubUse, _ value: [UInt8]?, _ generator: inout SeededGenerator) {
        if let value {
            let sent = max(use.position(of: value), 0)
            use.setPosition(next(after: sent, &generator), of: value, sent: sent)
        } else {
            use.setPosition(next(after: use.position, &generator))
        }
    }

    /// The index of the response after `position`, which is negative for the first.
    package func next(after position: Int, _ generator: inout SeededGenerator) -> Int {
        switch order {
        case .inOrder(let last, let isLoop): position < last ? position + 1 : isLoop ? 0 : last
        case .drawn(let sums):
            sums.last.map { sum in
                let draw = Int.random(in: 0..<max(sum, 1), using: &generator)
                return sums.firstIndex { draw < $0 } ?? 0
            } ?? 0
        }
    }
}
