public import SDHTTPTransport
package import SDJournal
package import SDStubModel
import Synchronization

/// The gates of a session: waiting requests, and open gates.
///
/// A waiter is removed from the table exactly once: by a release, by its timeout, or because its client has
/// disconnected.
package final class GateTable: Sendable {
    /// A request whose answer, or the rest of it, waits; or a message that waits to be sent.
    package struct Waiter: Sendable {
        package let subject: Subject
        package let loop: Loop
        /// The start of the wait, in monotonic nanoseconds.
        package let since: UInt64
        /// Resumes it, on the thread of its loop.
        package let resume: @Sendable (GateVerdict) -> Void
    }

    package enum Subject: Sendable {
        /// - Parameters:
        ///   - request: the request with its whole body, of which the event may have only the beginning.
        ///   - isInStream: whether a part of the answer was sent.
        case request(ServeEvent, Request, isInStream: Bool)
        case message(WaitingMessage)
    }

    /// Identifies a waiter in the table.
    package struct Ticket: Sendable {
        fileprivate let gate: String
        fileprivate let number: UInt64
    }

    /// The state of a gate.
    package struct Shown: Sendable {
        package let name: String
        package let isOpen: Bool
        /// The waiters, in order of arrival.
        let waiters: [Waiter]
    }

    private struct Gate {
        var isOpen = false
        var waiters: [UInt64: Waiter] = [:]
        /// The numbers of the waiters in order of arrival; some may have left.
        var line: [UInt64] = []
        var first = 0

        var isForgotten: Bool { !isOpen && waiters.isEmpty }

        mutating func append(_ waiter: Waiter, _ number: UInt64) {
            waiters[number] = waiter
            line.append(number)
            // Compacts the list once more than half of its entries have left.
            if line.count > 64, line.count > 2 * waiters.count {
                line = line[first...].filter { waiters[$0] != nil }
                first = 0
            }
        }

        /// Removes the first waiters that pass the filter, at most `count`.
        mutating func dequeue(_ count: Int, where isWanted: (Waiter) -> Bool) -> [Waiter] {
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

    /// Adds a waiter.
    /// - Returns: its ticket; nil if the gate is open.
    package func enqueue(at gate: String, _ waiter: Waiter) -> Ticket? {
        state.withLock { state in
            state.last += 1
            let number = state.last
            return state.change(gate) { gate in
                if !gate.isOpen { gate.append(waiter, number) }
                return gate.isOpen
            } ? nil : Ticket(gate: gate, number: number)
        }
    }

    /// Removes a waiter, because it has timed out or its client has disconnected.
    /// - Returns: false if it was removed before.
    package func cancel(_ ticket: Ticket) -> Bool {
        state.withLock { state in
            state.change(ticket.gate) { $0.waiters.removeValue(forKey: ticket.number) != nil }
        }
    }

    // MARK: Releasing

    /// Removes the waiters to release, in order of arrival.
    package func dequeue(at gate: String, _ count: Int, where isWanted: (Waiter) -> Bool) -> [Waiter] {
        state.withLock { state in state.change(gate) { $0.dequeue(count, where: isWanted) } }
    }

    /// Opens a gate: no request waits there until it is closed.
    /// - Returns: the waiters to release.
    package func open(_ gate: String) -> [Waiter] {
        state.withLock { state in
            state.change(gate) { gate in
                gate.isOpen = true
                return gate.dequeue(.max) { _ in true }
            }
        }
    }

    /// Closes a gate.
    /// - Returns: whether it was open.
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

    // MARK: Listing

    /// The gates with waiters, and the open ones, by name.
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

    /// The gates at which requests wait, by the sequence numbers of their events.
    package var names: [UInt64: String] {
        state.withLock { state in
            var names: [UInt64: String] = [:]
            for (name, gate) in state.gates {
                for waiter in gate.waiters.values {
                    if case .request(let event, _, _) = waiter.subject { names[event.sequence] = name }
                }
            }
            return names
        }
    }
}

/// A message that waits at a gate until it is sent on a WebSocket.
public struct WaitingMessage: Sendable {
    /// The message's id in the journal of messages.
    public let id: String
    /// The id of its channel.
    public let channel: String
    /// The request that opened the channel.
    public let request: Request
    public let bytes: [UInt8]
    public let isText: Bool

    package init(id: String, channel: String, request: Request, bytes: [UInt8], isText: Bool) {
        self.id = id
        self.channel = channel
        self.request = request
        self.bytes = bytes
        self.isText = isText
    }
}

/// The result of a request's wait at a gate.
package enum GateVerdict: Sendable {
    /// The stub's answer continues.
    case go
    /// Another answer replaces the stub's.
    case answer(ReplacementResponse)
    case fail(Fault)
    /// The wait has timed out.
    case timedOut(GateHold)
}
