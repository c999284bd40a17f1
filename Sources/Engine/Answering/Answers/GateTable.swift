package import SDHTTPTransport
package import SDJournal
package import SDStubModel
import Synchronization

/// The gates of a session: the requests that wait at them, and which stand open.
///
/// A waiter is taken out of the table once, by the call that lets it go, by its time-out, or because its client has
/// left: so none is let go twice, and none is forgotten.
package final class GateTable: Sendable {
    /// A request whose answer, or the rest of it, waits.
    package struct Waiter: Sendable {
        package let event: ServeEvent
        /// The request with its whole body, of which the event may have only the beginning.
        package let request: Request
        package let stream: HeldStream
        /// Whether a part of the answer has been sent.
        package let isInStream: Bool
        /// The time at which it began to wait, in monotonic nanoseconds.
        package let since: UInt64
        /// Lets it go, on the thread of its loop.
        package let pass: @Sendable (GateVerdict) -> Void
    }

    /// The place of a waiter in the table.
    package struct Ticket: Sendable {
        fileprivate let gate: String
        fileprivate let number: UInt64
    }

    /// A gate as the table knows it.
    package struct Shown: Sendable {
        package let name: String
        package let isOpen: Bool
        /// The waiters, the first to come first.
        let waiters: [Waiter]
    }

    private struct Gate {
        var isOpen = false
        var waiters: [UInt64: Waiter] = [:]
        /// The numbers of the waiters in the order in which they came, and of some that have left.
        var line: [UInt64] = []
        var first = 0

        var isForgotten: Bool { !isOpen && waiters.isEmpty }

        mutating func append(_ waiter: Waiter, _ number: UInt64) {
            waiters[number] = waiter
            line.append(number)
            // Those who have left take no more room than those who wait.
            if line.count > 64, line.count > 2 * waiters.count {
                line = line[first...].filter { waiters[$0] != nil }
                first = 0
            }
        }

        /// Takes the first waiters that are wanted out, as many as `count`.
        mutating func take(_ count: Int, where isWanted: (Waiter) -> Bool) -> [Waiter] {
            var taken: [Waiter] = []
            var index = first
            while index < line.count, taken.count < count {
                if let waiter = waiters[line[index]], isWanted(waiter) {
                    waiters[line[index]] = nil
                    taken.append(waiter)
                }
                index += 1
            }
            while first < line.count, waiters[line[first]] == nil { first += 1 }
            return taken
        }

        var ordered: [Waiter] { line[first...].compactMap { waiters[$0] } }
    }

    private struct State {
        var gates: [String: Gate] = [:]
        var last: UInt64 = 0

        mutating func change<Result>(_ name: String, _ body: (inout Gate) -> Result) -> Result {
            var gate = gates.removeValue(forKey: name) ?? Gate()
            let result = body(&gate)
            if !gate.isForgotten { gates[name] = gate }
            return result
        }
    }

    private let state = Mutex(State())

    package init() {}

    // MARK: Waiting

    /// Lets a request wait.
    /// - Returns: its ticket; nil if the gate stands open.
    package func wait(at gate: String, _ waiter: Waiter) -> Ticket? {
        state.withLock { state in
            state.last += 1
            let number = state.last
            return state.change(gate) { gate in
                if !gate.isOpen { gate.append(waiter, number) }
                return gate.isOpen
            } ? nil : Ticket(gate: gate, number: number)
        }
    }

    /// Takes a waiter out, since its time is over or its client has left.
    /// - Returns: false if it was taken out already.
    package func leave(_ ticket: Ticket) -> Bool {
        state.withLock { state in
            state.change(ticket.gate) { $0.waiters.removeValue(forKey: ticket.number) != nil }
        }
    }

    // MARK: Letting go

    /// Takes out the waiters to be let go, the first to come first.
    package func take(at gate: String, _ count: Int, where isWanted: (Waiter) -> Bool) -> [Waiter] {
        state.withLock { state in state.change(gate) { $0.take(count, where: isWanted) } }
    }

    /// Opens a gate: no request waits there until it is closed.
    /// - Returns: those who waited.
    package func open(_ gate: String) -> [Waiter] {
        state.withLock { state in
            state.change(gate) { gate in
                gate.isOpen = true
                return gate.take(.max) { _ in true }
            }
        }
    }

    /// Closes a gate.
    /// - Returns: whether it stood open.
    package func close(_ gate: String) -> Bool {
        state.withLock { state in
            state.change(gate) { gate in
                defer { gate.isOpen = false }
                return gate.isOpen
            }
        }
    }

    /// Closes all gates.
    package func closeAll() {
        state.withLock { state in
            for name in state.gates.keys.map(\.self) { state.change(name) { $0.isOpen = false } }
        }
    }

    // MARK: Showing

    /// The gates with waiters and those that stand open, by name.
    package var all: [Shown] {
        state.withLock { state in
            state.gates.sorted { $0.key < $1.key }.map {
                Shown(name: $0.key, isOpen: $0.value.isOpen, waiters: $0.value.ordered)
            }
        }
    }

    package func gate(_ name: String) -> Shown {
        state.withLock { state in
            let gate = state.gates[name] ?? Gate()
            return Shown(name: name, isOpen: gate.isOpen, waiters: gate.ordered)
        }
    }

    /// The gates at which requests wait, by the sequences of their events.
    package var names: [UInt64: String] {
        state.withLock { state in
            var names: [UInt64: String] = [:]
            for (name, gate) in state.gates {
                for waiter in gate.waiters.values { names[waiter.event.sequence] = name }
            }
            return names
        }
    }
}

/// The decision about a request that waits at a gate.
package enum GateVerdict: Sendable {
    /// It goes on as its stub says.
    case go
    /// It is answered otherwise.
    case answer(ReplacementResponse)
    case fail(Fault)
    /// Its time is over.
    case timedOut(GateHold)
}
