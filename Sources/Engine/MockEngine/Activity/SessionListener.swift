/// Somebody who hears what happens in a session: a call that waits, or a stream of events. Called on whatever thread it
/// happens, by several at a time, never under the session's lock.
protocol SessionListener: AnyObject, Sendable {
    /// A request was decided and is in the journal; its answer has not begun. Each event once, not quite in the order of
    /// their sequences where there are several workers.
    func recorded(_ event: ServeEvent)
    /// Its answer has ended.
    func ended(_ event: ServeEvent)
    /// Events were taken out of the journal by a caller.
    func forgot(_ forgotten: ForgottenEvents)
    func changed(_ change: NumberedChange)
    /// The session goes, or the daemon does.
    func stopped()
}

extension SessionListener {
    func recorded(_ event: ServeEvent) {}
    func ended(_ event: ServeEvent) {}
    func forgot(_ forgotten: ForgottenEvents) {}
    func changed(_ change: NumberedChange) {}
    func stopped() {}
}

/// Which events a caller has taken out of the journal.
enum ForgottenEvents: Sendable {
    /// All up to this sequence.
    case through(UInt64)
    case these(Set<UInt64>)
}

/// Events in the order of their sequences, made of a snapshot of the journal and of what is told from then on.
///
/// Each event behind the snapshot is told exactly once, so an event that comes early waits for those before it.
struct OrderedEvents {
    /// The sequence of the next event; nil while the snapshot is still looked at.
    private(set) var next: UInt64?
    private var early: [ServeEvent] = []

    /// The last sequence that was handed out or was part of the snapshot.
    var last: UInt64 { (next ?? 1) &- 1 }

    /// Takes an event, and hands out those whose turn it is.
    mutating func take(_ event: ServeEvent) -> [ServeEvent] {
        if let next, event.sequence < next { return [] }
        // Nearly always the newest.
        let place = early.lastIndex { $0.sequence < event.sequence }.map { $0 + 1 } ?? 0
        early.insert(event, at: place)
        return due()
    }

    /// The snapshot ended with the event of `sequence`.
    mutating func begin(behind sequence: UInt64) -> [ServeEvent] {
        next = sequence &+ 1
        early.removeAll { $0.sequence <= sequence }
        return due()
    }

    private mutating func due() -> [ServeEvent] {
        guard var next else { return [] }
        var count = 0
        while count < early.count, early[count].sequence == next {
            count += 1
            next += 1
        }
        guard count > 0 else { return [] }
        defer { early.removeFirst(count) }
        self.next = next
        return Array(early.prefix(count))
    }
}
