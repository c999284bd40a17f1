import SDJournal
package import SDMatching
package import SDPlatform
package import SDStubModel
package import Synchronization

/// The remaining use of a stub: written only under the session's lock, and read without it during matching. A stub and
/// its copies in other places share it.
package final class StubUse: Sendable {
    /// The time on the session's clock, in milliseconds, at which the stub expires; `Int64.max` for never.
    package let deadline: Int64
    /// The number of requests to answer; nil for any number.
    package let times: Int?
    /// The number of the replicated change that made the stub; 0 for none: that of a file, and a copy.
    package let change: UInt64
    /// The number of the replicated change that began its sequence anew; 0 for none. Written under the session's lock.
    package let sequenceChange = Atomic<UInt64>(0)
    /// What stands for the mapping among replicas; 0 until it is first needed.
    let mark = Atomic<UInt64>(0)
    private let left: Atomic<Int>
    /// The index of the next response; below 0 if it is not drawn yet.
    private let next = Atomic(-1)
    /// The turns of a sequence that is kept for each value of its requests.
    // Touched only under the session's lock.
    private nonisolated(unsafe) var turns = TurnTable()
    /// The most responses that one value has got.
    private let furthest = Atomic(0)
    /// Whether a value was forgotten, and whether that was told.
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

    /// Takes over how often all replicas together have used it. Called under the session's lock.
    package func takeOver(used: Int) {
        guard let times else { return }
        let rest = max(times - max(used, 0), 0)
        if rest < left.load(ordering: .relaxed) { left.store(rest, ordering: .releasing) }
    }

    /// Takes over how many responses one value has got from all replicas together. Called under the session's lock.
    package func takeOver(mostSent: Int) {
        if mostSent > furthest.load(ordering: .relaxed) { furthest.store(mostSent, ordering: .relaxed) }
    }

    /// Sets the next response. Called under the session's lock.
    package func setPosition(_ position: Int) {
        next.store(position, ordering: .releasing)
    }

    /// The index of the next response for a value; below 0 for a new one. Called under the session's lock.
    func position(of value: [UInt8]) -> Int { turns[value] ?? -1 }

    /// Sets the next response for a value that has got the one at `sent`. Called under the session's lock.
    func setPosition(_ position: Int, of value: [UInt8], sent: Int) {
        turns[value] = position
        if sent >= furthest.load(ordering: .relaxed) { furthest.store(sent + 1, ordering: .relaxed) }
        if turns.hasForgotten { _ = loss.compareExchange(expected: .none, desired: .untold, ordering: .relaxed) }
    }

    /// Begins the sequence anew. Called under the session's lock.
    package func restartSequence() {
        setPosition(-1)
        turns = TurnTable()
    }

    /// The most responses that a value of a sequence has got which is kept for each.
    package var mostSent: Int { furthest.load(ordering: .relaxed) }

    /// Whether a value was forgotten for others, once.
    package func takesLoss() -> Bool {
        loss.load(ordering: .relaxed) == .untold
            && loss.compareExchange(expected: .untold, desired: .told, ordering: .relaxed).exchanged
    }
}

/// The responses of a stub that has several, and their order.
package struct SequencedResponses: Sendable {
    /// The responses, each as a stub with the identity of the one that they belong to; the last may be the answer after
    /// all the others.
    package let stubs: [CompiledStub]
    /// What tells the values apart for each of which the sequence is kept; nil for one sequence for all requests.
    package let key: TurnKey?
    let order: Order

    enum Order {
        case inOrder(last: Int, isLoop: Bool)
        /// The sum of the weights up to each response.
        case drawn([Int])
    }

    /// Compiles the responses.
    /// - Parameter make: compiles a response at its place in the list; nil for the answer after all of them.
    /// - Throws: what `make` throws.
    package init(
        _ sequence: ResponseSequence, _ key: TurnKey?,
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

    /// The response whose turn it is; the first is chosen here. Called only under the session's lock.
    /// - Parameter value: that of the request, if the sequence is kept for each.
    package func current(
        _ use: StubUse?, _ value: [UInt8]?, _ generator: inout SeededGenerator
    ) -> CompiledStub? {
        guard let use else { return nil }
        if let value { return stubs[max(use.position(of: value), 0)] }
        if use.position < 0 { use.setPosition(next(after: -1, &generator)) }
        return stubs.indices.contains(use.position) ? stubs[use.position] : nil
    }

    /// The response whose turn it is, without choosing one; nil where chance or the request decides.
    func shown(_ use: StubUse?) -> CompiledStub? {
        guard key == nil, case .inOrder = order else { return nil }
        let position = max(use?.position ?? 0, 0)
        return stubs.indices.contains(position) ? stubs[position] : nil
    }

    /// Moves on behind the response whose turn it is. Called only under the session's lock.
    /// - Parameter value: that of the request, if the sequence is kept for each.
    func advance(_ use: StubUse, _ value: [UInt8]?, _ generator: inout SeededGenerator) {
        if let value {
            let sent = max(use.position(of: value), 0)
            use.setPosition(next(after: sent, &generator), of: value, sent: sent)
        } else {
            use.setPosition(next(after: use.position, &generator))
        }
    }

    /// The index of the response after `position`, which is below 0 for the first.
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
