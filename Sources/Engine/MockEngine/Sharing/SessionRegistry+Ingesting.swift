import SDAnswering
import SDHTTPTransport
import SDJournal
import SDPlatform
import SDStubModel
import SDStubs
import Synchronization

extension SessionRegistry {
    /// Adds the events of another replica's batch to the journals of the sessions that are live here, in the order of their
    /// sequences, counts them, and tells those who wait for requests or read events. Each batch once, and those of a replica
    /// in the order in which it made them; none that this replica made itself. Called on one thread at a time, not on a loop.
    /// - Throws: what is wrong with the batch; nothing has changed then.
    public func ingest(_ batch: [UInt8]) throws(BatchProblem) {
        let read = try ReadBatch(batch, base.options.response)
        for section in read.sections {
            guard let session = session(of: section.session) else { continue }
            session.ingest(section)
        }
        base.shared.journalQuota.keepWithinLimit()
    }

    private func session(of id: String) -> Session? {
        if id.isEmpty { return base }
        guard let id = SessionID(id.utf8), case .alive(let live) = find(id) else { return nil }
        return live.session
    }

    /// Ends what the journals have of answers that a replica was giving when it died.
    /// - Parameter number: the replica's.
    public func replicaLeft(_ number: UInt64) {
        for session in allSessions { session.replicaLeft(number) }
    }
}

/// An event of another replica that is in the journal now.
private struct IngestedEvent {
    let event: ServeEvent
    /// Whether nobody has been told of it.
    let isNew: Bool
    /// Whether its end was not known before.
    let ends: Bool
    /// Whether it has become one that could not be served.
    let fails: Bool
    /// Whether the report on it, as an unmatched one, was not known before.
    let isReported: Bool
}

extension Session {
    fileprivate func ingest(_ section: ReadBatch.Section) {
        let now = UInt64(max(SystemCalls.wallClockMilliseconds(), 0)) &* 1_000_000
        let ingested = state.withLock { state -> [IngestedEvent] in
            guard let outbox = state.journal.outbox, section.era >= outbox.era else { return [] }
            guard let first = section.events.lazy.map(\.sequence).min() else { return [] }
            state.journal.beginInserting(from: first)
            defer { state.journal.endInserting() }
            let stubs = section.stubs.map { $0.found(in: state, options.response) }
            return section.events.compactMap { read in
                let found = read.stub > 0 ? stubs[read.stub - 1] : nil
                return state.ingest(read, found, outbox, activity, now: now)
            }
        }
        for one in ingested {
            if one.isNew { activity.recorded(one.event) }
            if one.ends { activity.endedElsewhere(one.event) }
            if one.isReported { troubles.noteUnmatched(one.event, redaction) { nil } }
            if one.fails { troubles.noteFailed(one.event, redaction) }
        }
    }

    fileprivate func replicaLeft(_ number: UInt64) {
        let left = state.withLock { state -> [ServeEvent] in
            guard let outbox = state.journal.outbox else { return [] }
            let left = outbox.open.values.filter { JournalOutbox.replica(of: $0.sequence) == number }
            for event in left { outbox.open[event.sequence] = nil }
            return left
        }
        for event in left {
            event.take(
                ServeEnd(outcome: .stopped, bytesSent: 0, bodyBytesSent: 0, firstByteTime: 0, endTime: event.lastTime))
            activity.endedElsewhere(event)
        }
    }
}

extension ServeEvent {
    /// The time until which its answer is known to have been under way, in monotonic nanoseconds: that of its receipt.
    fileprivate var lastTime: UInt64 { request.clockTime }
}

extension Session.State {
    /// Adds an event of another replica, or what has become of one that is known.
    /// - Returns: nil if nothing is new.
    fileprivate mutating func ingest(
        _ read: ReadEvent, _ found: HandedStubs.Found?, _ outbox: JournalOutbox, _ activity: SessionActivity,
        now: UInt64
    ) -> IngestedEvent? {
        let former = outbox.open[read.sequence] ?? journal.event(read.sequence)
        // It has been dropped meanwhile, and was counted when it came.
        if former == nil, read.isAgain { return nil }
        // An end that is known is more than an event without one.
        if let former, former.end != nil, read.end == nil { return nil }
        let arrival = former?.arrival ?? journal.countArrival()
        let event = read.event(arrival, found, activity)
        if former == nil {
            outbox.ingests(read.sequence, now: now)
            count(event, read, found)
        }
        outbox.open[read.sequence] = read.end == nil ? event : nil
        let fails = event.failure != nil && former?.failure == nil
        if fails { countFailure(event, read) }
        journal.insert(event, size: event.byteCount + read.addedBytes)
        return IngestedEvent(
            event: event, isNew: former == nil, ends: event.end != nil && former?.end == nil, fails: fails,
            isReported: event.unmatched != nil && former?.unmatched == nil)
    }

    /// Counts an event that is new here.
    private mutating func count(_ event: ServeEvent, _ read: ReadEvent, _ found: HandedStubs.Found?) {
        if event.isUnmatched { unmatched += 1 }
        if read.extras?.isPassedThrough == true {
            passedThrough += 1
        } else if let found, let stub = found.matched, !found.isStandIn {
            stubs.countHit(stub, elsewhereAt: event.request.wallTime)
            found.owner?.countHit(elsewhereAt: event.request.wallTime)
        }
    }

    private mutating func countFailure(_ event: ServeEvent, _ read: ReadEvent) {
        let isPassedThrough = read.extras?.isPassedThrough == true && passedThrough > 0
        failed += 1
        if isPassedThrough { passedThrough -= 1 }
        guard event.arrival <= reported.served else { return }
        reported.failed += 1
        if isPassedThrough, reported.passedThrough > 0 { reported.passedThrough -= 1 }
    }
}
