import SDJournal
package import SDMatching
package import SDPlatform
package import SDStubModel
import Synchronization

/// The remaining use of a stub: written only under the session's lock, and read without it during matching. A stub and
/// its copies in other places share it.
package final class StubUse: Sendable {
    /// The time on the session's clock, in milliseconds, at which the stub expires; `Int64.max` for never.
    package let deadline: Int64
    /// The number of requests to answer; nil for any number.
    package let times: Int?
    private let left: Atomic<Int>
    /// The index of the next response; below 0 if it is not drawn yet.
    private let next = Atomic(-1)

    /// Makes the state of an unused stub.
    package init(times: Int?, deadline: Int64) {
        self.deadline = deadline
        self.times = times
        left = Atomic(times ?? .max)
    }

    package var timesLeft: Int { left.load(ordering: .acquiring) }
    package var position: Int { next.load(ordering: .acquiring) }

    /// Counts a request, and returns whether none is left. Called under the session's lock.
    func countDown() -> Bool {
        left.subtract(1, ordering: .releasing).newValue == 0
    }

    /// Sets the next response. Called under the session's lock.
    func setPosition(_ position: Int) {
        next.store(position, ordering: .releasing)
    }
}

/// The responses of a stub that has several, and their order.
package struct SequencedResponses: Sendable {
    /// The responses, each as a stub with the identity of the one that they belong to; the last may be the answer after
    /// all the others.
    package let stubs: [CompiledStub]
    private let order: Order

    private enum Order {
        case inOrder(last: Int, isLoop: Bool)
        /// The sum of the weights up to each response.
        case drawn([Int])
    }

    /// Compiles the responses.
    /// - Parameter make: compiles a response at its place in the list; nil for the answer after all of them.
    /// - Throws: what `make` throws.
    package init(
        _ sequence: ResponseSequence, make: (ResponseDefinition, Int?) throws(StubRefusal) -> CompiledStub
    ) throws(StubRefusal) {
        var stubs: [CompiledStub] = []
        for (index, entry) in sequence.entries.enumerated() { stubs.append(try make(entry.response, index)) }
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
    }

    private static var ended: ResponseDefinition {
        var response = ResponseDefinition(status: 404)
        response.headers = [ResponseHeader("Content-Type", ["text/plain;charset=UTF-8"])]
        response.body = "All responses of this stub have been sent, and it does not repeat them.\n"
        return response
    }

    /// The response whose turn it is; the first is chosen here. Called only under the session's lock.
    package func current(_ use: StubUse?, _ generator: inout SeededGenerator) -> CompiledStub? {
        guard let use else { return nil }
        if use.position < 0 { use.setPosition(next(after: -1, &generator)) }
        return stubs.indices.contains(use.position) ? stubs[use.position] : nil
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
