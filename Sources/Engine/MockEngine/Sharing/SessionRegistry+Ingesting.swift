import SDAnswering
import SDHTTPTransport
import SDJournal
import SDMatching
import SDPlatform
import SDReports
import SDStubModel
import SDStubs
import Synchronization

extension SessionRegistry {
    /// Adds the events of another replica's batch to the journals of the sessions that are live here, in the order of their
    /// sequences, counts them, and tells those who wait for requests or read events.
    ///
    /// Each batch once, and those of a replica in the order in which it made them; none that this replica made itself. Called
    /// on one thread at a time, not on a loop. Events of before the journal was last emptied here are passed over.
    /// - Throws: what is wrong with the batch; nothing has changed then.
    public func ingest(_ batch: [UInt8]) throws(BatchProblem) {
        for section in try ReadBatch(batch, base.options.response).sections {
            session(of: section.session)?.ingest(section)
        }
        base.shared.journalQuota.keepWithinLimit()
    }

    private func session(of id: String) -> Session? {
        if id.isEmpty { return base }
        guard let id = SessionID(id.utf8), case .alive(let live) = find(id) else { return nil }
        live.touchElsewhere()
        return live.session
    }

    /// Ends what the journals have of answers that a replica was giving when it died.
    /// - Parameter number: the replica's.
    public func replicaLeft(_ number: UInt64) {
        for session in allSessions { session.replicaLeft(number) }
    }
}

/// What has become of an event of another replica.
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
    /// The bytes by which it has grown in its place.
    var growth = 0
}

extension Session {
    fileprivate func ingest(_ section: ReadBatch.Section) {
        let now = UInt64(max(SystemCalls.wallClockMilliseconds(), 0)) &* 1_000_000
        let ingested = state.withLock { state -> [IngestedEvent] in
            guard let outbox = state.journal.outbox, section.era >= outbox.era else { return [] }
            guard let first = section.events.lazy.map(\.sequence).min() else { return [] }
            let stubs = section.stubs.map { $0.found(in: state, options.response) }
            state.journal.beginInserting(from: first)
            let ingested = section.events.compactMap { read in
                let found = read.stub > 0 ? stubs[read.stub - 1] : nil
                return state.ingest(read, found, outbox, activity, now: now)
            }
            state.journal.endInserting()
            for one in ingested where one.growth > 0 { state.journal.grow(one.event, by: one.growth) }
            return ingested
        }
        for one in ingested {
            if one.isNew { activity.recorded(one.event) }
            if one.ends { activity.endedElsewhere(one.event) }
            if one.isReported { troubles.noteUnmatched(one.event, redaction) { nearest(to: one.event) } }
            if one.fails { troubles.noteFailed(one.event, redaction) }
        }
    }

    private func nearest(to event: ServeEvent) -> Report.Nearest? {
        var views = RequestViews(event.request, budgetLimit: options.matchBudget)
        return options.unmatchedReporter(event.request, self, &views).entry(redaction)
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
                ServeEnd(
                    outcome: .stopped, bytesSent: 0, bodyBytesSent: 0, firstByteTime: 0,
                    endTime: event.request.clockTime))
            activity.endedElsewhere(event)
        }
    }
}

extension Session.State {
    /// Adds an event of another replica, or what has become of one that is known.
    /// - Returns: nil if nothing is new.
    fileprivate mutating func ingest(
        _ read: ReadEvent, _ found: HandedStubs.Found?, _ outbox: JournalOutbox, _ activity: SessionActivity,
        now: UInt64
    ) -> IngestedEvent? {
        let former = outbox.open[read.sequence] ?? journal.event(read.sequence)
        guard let former else {
            // One that has been dropped meanwhile was counted when it came.
            return read.isAgain ? nil : add(read, found, outbox, activity, now: now)
        }
        // Two that were given the same number, as one was taken for dead.
        guard former.request.wallTime == read.request.wallTime else { return nil }
        let (wasOpen, hadFailed, wasReported) = (former.end == nil, former.failure != nil, former.unmatched != nil)
        var (event, growth) = (former, 0)
        if read.isMore(of: former) {
            growth = read.fill(former)
        } else if journal.event(read.sequence) != nil {
            event = read.event(former.arrival, found, activity)
            let bytes = read.fill(event)
            journal.insert(event, size: event.byteCount + bytes)
        }
        outbox.open[read.sequence] = event.end == nil ? event : nil
        let fails = event.failure != nil && !hadFailed
        if fails { countFailure(event, read) }
        return IngestedEvent(
            event: event, isNew: false, ends: wasOpen && event.end != nil, fails: fails,
            isReported: event.unmatched != nil && !wasReported, growth: growth)
    }

    private mutating func add(
        _ read: ReadEvent, _ found: HandedStubs.Found?, _ outbox: JournalOutbox, _ activity: SessionActivity,
        now: UInt64
    ) -> IngestedEvent {
        let event = read.event(journal.countArrival(), found, activity)
        let bytes = read.fill(event)
        outbox.ingests(read.sequence, now: now)
        if event.isUnmatched { unmatched += 1 }
        if read.extras?.isPassedThrough == true {
            passedThrough += 1
        } else if let found, let stub = found.isStandIn ? found.matched.flatMap({ stubs.stub($0.id) }) : found.matched {
            // A stub that was edited since counts those of its former forms.
            stubs.countHit(stub, elsewhereAt: event.request.wallTime)
            if !found.isStandIn { found.owner?.countHit(elsewhereAt: event.request.wallTime) }
        }
        if event.end == nil { outbox.open[read.sequence] = event }
        let fails = event.failure != nil
        if fails { countFailure(event, read) }
        journal.insert(event, size: event.byteCount + bytes)
        return IngestedEvent(
            event: event, isNew: true, ends: event.end != nil, fails: fails, isReported: event.unmatched != nil)
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
