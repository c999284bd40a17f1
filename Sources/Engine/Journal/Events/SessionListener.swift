/// Listens to the activity of a session: a waiting call or an event stream. Called on any thread, concurrently, and
/// never under the session's lock.
package protocol SessionListener: AnyObject, Sendable {
    /// Called when a request was decided and is in the journal, before its answer begins. Once for each event; with
    /// several workers not exactly in the order of arrival.
    func recorded(_ event: ServeEvent)
    /// Called when its answer has ended.
    func answerEnded(_ event: ServeEvent)
    /// Called when a webhook of a request has ended, which may be long after the request.
    func followUpEnded()
    /// Called when a caller has removed events from the journal.
    func eventsRemoved(_ forgotten: RemovedEvents)
    func changed(_ change: NumberedChange)
    /// Called with a change that is only reported live and has no number.
    func noted(_ change: SessionChange)
    /// Called when the session or the daemon ends.
    func stopped()
    /// Whether the session is in use as long as it listens.
    var keepsInUse: Bool { get }
}

extension SessionListener {
    package func recorded(_ event: ServeEvent) {}
    package func answerEnded(_ event: ServeEvent) {}
    package func followUpEnded() {}
    package func eventsRemoved(_ forgotten: RemovedEvents) {}
    package func changed(_ change: NumberedChange) {}
    package func noted(_ change: SessionChange) {}
    package func stopped() {}
    package var keepsInUse: Bool { true }
}

/// The events that a caller has removed from the journal.
package enum RemovedEvents: Sendable {
    /// All events up to this arrival.
    case through(UInt64)
    /// The events of these sequence numbers, all of which had arrived by `by`.
    case these(Set<UInt64>, by: UInt64)
}

/// Orders events by arrival, from a snapshot of the journal and the events reported after it.
///
/// Each event after the snapshot is reported exactly once, so an early one waits for those before it.
struct OrderedEvents {
    /// The arrival of the next event; nil until the snapshot has been processed.
    package private(set) var next: UInt64?
    private var early: [ServeEvent] = []

    /// The last arrival that was returned or was part of the snapshot.
    package var last: UInt64 { (next ?? 1) &- 1 }

    /// Accepts an event that is next while none waits, as nearly always.
    /// - Returns: whether it was accepted; otherwise pass it to `take`.
    package mutating func passes(_ event: ServeEvent) -> Bool {
        guard early.isEmpty, let next, event.arrival == next else { return false }
        self.next = next + 1
        return true
    }

    /// Adds an event, and returns the events that are next in order.
    package mutating func insert(_ event: ServeEvent) -> [ServeEvent] {
        if let next, event.arrival < next { return [] }
        // Nearly always the newest event.
        let place = early.lastIndex { $0.arrival < event.arrival }.map { $0 + 1 } ?? 0
        early.insert(event, at: place)
        return due()
    }

    /// Continues after the snapshot, whose last event had `arrival`.
    package mutating func start(after arrival: UInt64) -> [ServeEvent] {
        next = arrival &+ 1
        early.removeAll { $0.arrival <= arrival }
        return due()
    }

    private mutating func due() -> [ServeEvent] {
        guard var next else { return [] }
        var count = 0
        while count < early.count, early[count].arrival == next {
            count += 1
            next += 1
        }
        guard count > 0 else { return [] }
        defer { early.removeFirst(count) }
        self.next = next
        return Array(early.prefix(count))
    }
}
