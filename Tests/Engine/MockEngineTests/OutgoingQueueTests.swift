import SDStubModel
import SDWebSocket
import Testing

@testable import SDChannels

/// Messages leave a channel in order, whatever each waits for.
@Suite struct OutgoingQueueTests {
    private static func outgoing(
        _ text: String, wait: UInt64 = 0, follows: Bool = false, hold: Bool = false, patience: UInt64? = nil
    ) -> Outgoing {
        var outgoing = Outgoing(.message(.text(text)))
        outgoing.wait = wait
        outgoing.follows = follows
        outgoing.hold = hold ? GateHold("gate") : nil
        outgoing.patience = patience
        return outgoing
    }

    /// All that leaves at a time, and what then is.
    private static func leaving(_ queue: inout OutgoingQueue, at now: UInt64) -> (texts: [String], then: String) {
        var texts: [String] = []
        while true {
            switch queue.step(at: now) {
            case .leave(let outgoing):
                if case .message(let message) = outgoing.content { texts.append(message.text) }
                if case .nothing = outgoing.content { texts.append("nothing, \(outgoing.end.map { "\($0)" } ?? "")") }
            case .wait(let time): return (texts, "wait \(time)")
            case .held: return (texts, "held")
            case .empty: return (texts, "empty")
            }
        }
    }

    @Test func whatIsBehindAWaitWaits() {
        var queue = OutgoingQueue()
        _ = queue.append(Self.outgoing("a", wait: 100), at: 0)
        _ = queue.append(Self.outgoing("b"), at: 10)
        #expect(Self.leaving(&queue, at: 10) == ([], "wait 90"))
        #expect(Self.leaving(&queue, at: 100) == (["a", "b"], "empty"))
        #expect(queue.byteCount == 0)
    }

    @Test func aWaitBeginsWhenAMessageIsReadyOrWhenTheOneBeforeHasLeft() {
        var queue = OutgoingQueue()
        for (text, follows) in [("a", false), ("b", false), ("c", true)] {
            _ = queue.append(Self.outgoing(text, wait: 100, follows: follows), at: 0)
        }
        #expect(Self.leaving(&queue, at: 100) == (["a", "b"], "wait 100"))
        #expect(Self.leaving(&queue, at: 200) == (["c"], "empty"))
    }

    @Test func whatIsBehindAGateWaits() {
        var queue = OutgoingQueue()
        let first = queue.append(Self.outgoing("a", hold: true), at: 0)
        _ = queue.append(Self.outgoing("b"), at: 0)
        let third = queue.append(Self.outgoing("c", wait: 50, hold: true), at: 0)
        queue.release(third, at: 10)
        #expect(Self.leaving(&queue, at: 20) == ([], "held"))
        queue.release(first, at: 30)
        #expect(Self.leaving(&queue, at: 30) == (["a", "b"], "wait 30"))
        #expect(Self.leaving(&queue, at: 60) == (["c"], "empty"))
    }

    @Test func aFailedOneEndsTheChannelInItsTurn() {
        var queue = OutgoingQueue()
        let first = queue.append(Self.outgoing("a", hold: true), at: 0)
        queue.fail(first, .nothing, .reset)
        #expect(Self.leaving(&queue, at: 0) == (["nothing, reset"], "empty"))
    }

    @Test func twoMessagesChangeTheirPlaces() {
        var queue = OutgoingQueue()
        _ = queue.append(Self.outgoing("a", patience: 100), at: 0)
        #expect(Self.leaving(&queue, at: 50) == ([], "wait 50"))
        _ = queue.append(Self.outgoing("b", patience: 100), at: 60)
        _ = queue.append(Self.outgoing("c", patience: 100), at: 60)
        #expect(Self.leaving(&queue, at: 60) == (["b", "a"], "wait 100"))
        // It has waited for another one for long enough.
        #expect(Self.leaving(&queue, at: 160) == (["c"], "empty"))
    }
}
