import SDPlatform
package import SDStubModel
package import SDWebSocket

/// A message to send on a channel, and when.
package struct Outgoing: Sendable {
    package enum Content: Sendable {
        case message(WebSocketMessage)
        /// Frames that other channels also get.
        case frames(WebSocketFrames)
        /// Bytes that need not be valid frames.
        case raw([UInt8])
        case nothing
        case close(code: Int, reason: String)
    }

    /// How the channel ends after it, without a close frame.
    package enum End: Sendable {
        case inOrder, reset
        /// The channel stays open, but nothing more is sent.
        case hang
    }

    package var content: Content
    /// How often the message is sent.
    package var count = 1
    /// The wait before it, in nanoseconds.
    package var wait: UInt64 = 0
    /// Whether the wait starts when the previous message is sent, instead of when this one is queued.
    package var follows = false
    /// The gate at which it waits, before `wait` starts.
    package var hold: GateHold?
    /// How long it waits for the next message, to be sent after that one, in nanoseconds; nil to keep its position.
    package var patience: UInt64?
    package var end: End?
    /// Charges the message while it waits.
    var charge: MemoryCharge?

    package init(_ content: Content) {
        self.content = content
    }

    /// Whether it can be sent at once.
    var isPlain: Bool { wait == 0 && hold == nil && patience == nil }

    /// The memory that it takes while it waits, in bytes.
    var byteCount: Int {
        switch content {
        case .message(let message): 200 + message.bytes.count
        case .raw(let bytes): 200 + bytes.count
        // Shared frames are charged elsewhere.
        case .frames, .nothing, .close: 200
        }
    }
}

/// The messages to send on a channel, in order: each is sent after the previous one, once its gate has released it and
/// its wait is over. A value without a clock of its own.
struct OutgoingQueue: Sendable {
    enum Step: Sendable {
        case leave(Outgoing)
        /// Nothing is due for this time, in nanoseconds.
        case wait(UInt64)
        /// Nothing is sent until a gate releases the first message, or another message is queued.
        case held
        case empty
    }

    private struct Entry: Sendable {
        var outgoing: Outgoing
        let ticket: UInt64
        var isHeld: Bool
        /// The start of its wait; nil if that has not begun.
        var since: UInt64?
    }

    private var entries: ArraySlice<Entry> = []
    private var lastTicket: UInt64 = 0
    private(set) var byteCount = 0

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// Queues a message whose wait starts at `now`.
    /// - Returns: its ticket, for its gate.
    mutating func append(_ outgoing: Outgoing, at now: UInt64) -> UInt64 {
        lastTicket += 1
        byteCount += outgoing.byteCount
        entries.append(
            Entry(
                outgoing: outgoing, ticket: lastTicket, isHeld: outgoing.hold != nil,
                since: outgoing.follows ? nil : now))
        return lastTicket
    }

    /// Whether a message still waits at its gate.
    func isHeld(_ ticket: UInt64) -> Bool {
        // Usually the last message.
        entries.lastIndex { $0.ticket == ticket }.map { entries[$0].isHeld } ?? false
    }

    /// Releases a message from its gate.
    mutating func release(_ ticket: UInt64, at now: UInt64) {
        guard let place = entries.firstIndex(where: { $0.ticket == ticket }) else { return }
        entries[place].isHeld = false
        if entries[place].since != nil { entries[place].since = now }
    }

    /// Fails a message at its gate: `content` replaces it, and the channel ends.
    mutating func fail(_ ticket: UInt64, _ content: Outgoing.Content, _ end: Outgoing.End) {
        guard let place = entries.firstIndex(where: { $0.ticket == ticket }) else { return }
        entries[place].isHeld = false
        entries[place].outgoing.content = content
        entries[place].outgoing.wait = 0
        entries[place].outgoing.patience = nil
        entries[place].outgoing.end = end
    }

    /// Removes the message that is due, or returns how long none is.
    mutating func step(at now: UInt64) -> Step {
        guard let first = entries.first else { return .empty }
        let start = entries.startIndex
        guard !first.isHeld else { return .held }
        let since = first.since ?? now
        entries[start].since = since
        if let patience = first.outgoing.patience {
            let end = since &+ patience
            guard entries.count == 1, now < end else {
                entries[start].outgoing.patience = nil
                if entries.count > 1 {
                    entries.swapAt(start, start + 1)
                    // The two are swapped; neither waits for another one.
                    entries[start].outgoing.patience = nil
                }
                return step(at: now)
            }
            return .wait(end - now)
        }
        let due = since &+ first.outgoing.wait
        guard now >= due else { return .wait(due - now) }
        entries.removeFirst()
        byteCount -= first.outgoing.byteCount
        return .leave(first.outgoing)
    }

    mutating func removeAll() { self = OutgoingQueue(lastTicket) }

    init() {}

    private init(_ lastTicket: UInt64) { self.lastTicket = lastTicket }
}
