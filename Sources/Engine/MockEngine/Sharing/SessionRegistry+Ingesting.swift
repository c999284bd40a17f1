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
    /// Adds the events of another replica's batch to the journals of the open sessions, ordered by sequence number,
    /// counts them, and notifies waiting calls and event readers.
    ///
    /// Call it once for each batch, in the order in which a replica made them; not for this replica's own batches.
    /// Called on one thread at a time, not on a loop. Events from before the journal was last emptied here are skipped.
    /// - Parameter change: the number of the last change that was applied here.
    /// - Returns: false if the replica had applied a later change; nothing has changed then.
    /// - Throws: what is wrong with the batch; nothing has changed then.
    @discardableResult
    public func ingest(_ batch: [UInt8], upTo change: UInt64 = .max) throws(BatchProblem) -> Bool {
        let read = try ReadBatch(batch, base.options.response)
        guard read.sections.allSatisfy({ $0.era <= change }) else { return false }
        for section in read.sections { session(of: section.session)?.ingest(section, of: read.replica) }
        base.shared.journalQuota.keepWithinLimit()
        return true
    }

    private func session(of id: String) -> Session? {
        if id.isEmpty { return base }
        guard let id = SessionID(id.utf8), case .alive(let live) = find(id) else { return nil }
        live.touchElsewhere()
        return live.session
    }

    /// Ends the journals' open answers of a replica that has left.
    /// - Parameters:
    ///   - number: the replica's number.
    ///   - isGiven: whether a replica that has taken over the number is giving the answer to a request received at a
    ///   time,
    ///     in milliseconds since 1970.
    ///     milliseconds since 1970.
    public func replicaLeft(_ number: UInt64, unless isGiven: (_ time: Int64) -> Bool = { _ in false }) {
        for session in allSessions {
            session.webhookLedger.left(number)
            _ = session.endAnswers { $0 == number && !isGiven($1) ? .over : .given }
        }
    }

    /// Whether a replica still gives an answer.
    public enum OpenAnswer {
        case given, over
        /// No replica is known to give the answer, but one may.
        case unknown
    }

    /// Ends the journals' open answers that no replica gives any more.
    /// - Parameter known: the state of an answer, by the number of its replica and the time at which the request was
    ///   received, in milliseconds since 1970.
    /// - Returns: whether the state of some answers is unknown.
    public func endAnswers(_ known: (_ replica: UInt64, _ time: Int64) -> OpenAnswer) -> Bool {
        var isLeft = false
        for session in allSessions where session.endAnswers(known) { isLeft = true }
        return isLeft
    }
}

/// The result of ingesting an event of another replica.
private struct IngestedEvent {
    let event: ServeEvent
    /// Whether the event is new here.
    let isNew: Bool
    /// Whether the event has ended with this batch.
    let ends: Bool
    /// Whether the event has failed with this batch.
    let fails: Bool
    /// Whether the report on the event, as an unmatched one, is new.
    let isReported: Bool
    /// The bytes by which the stored event has grown.
    var growth = 0
}

extension Session {
    fileprivate func ingest(_ section: ReadBatch.Section, of replica: UInt64) {
        if hasContracts { covers() }
        let now = UInt64(max(SystemCalls.wallClockMilliseconds(), 0)) &* 1_000_000
        let ingested = state.withLock { state -> [IngestedEvent] in
            guard let outbox = state.journal.outbox, section.era >= outbox.era else { return [] }
            guard let first = section.events.lazy.map(\.sequence).min() else { return [] }
            let stubs = section.stubs.map { $0.found(in: state, options.response) }
            state.journal.beginInserting(from: first)
            let ingested = section.events.compactMap { read in
                let found = read.stub > 0 ? stubs[read.stub - 1] : nil
                return state.ingest(read, found, outbox, activity, era: section.era, now: now)
            }
            state.journal.endInserting()
            for one in ingested where one.growth > 0 { state.journal.grow(one.event, by: one.growth) }
            return ingested
        }
        if !section.notes.isEmpty {
            let era = state.withLock { $0.journal.outbox?.era ?? 0 }
            for note in section.notes { ingest(note, isCurrent: section.era >= era, of: replica) }
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

    fileprivate func endAnswers(_ known: (UInt64, Int64) -> SessionRegistry.OpenAnswer) -> Bool {
        let (left, isUnknown) = state.withLock { state -> ([ServeEvent], Bool) in
            var (left, isUnknown): ([ServeEvent], Bool) = ([], false)
            guard let outbox = state.journal.outbox, !outbox.open.isEmpty else { return (left, false) }
            for event in outbox.open.values {
                let sequence = event.sequence
                switch known(JournalOutbox.replica(of: sequence), JournalOutbox.time(of: sequence)) {
                case .given: break
                case .unknown: isUnknown = true
                case .over: left.append(event)
                }
            }
            for event in left { outbox.open[event.sequence] = nil }
            return (left, isUnknown)
        }
        for event in left {
            event.take(
                ServeEnd(
                    outcome: .stopped, bytesSent: 0, bodyBytesSent: 0, firstByteTime: 0,
                    endTime: event.request.clockTime))
            activity.endedElsewhere(event)
        }
        return isUnknown
    }
}

extension Session.State {
    /// Adds an event of another replica, or completes a known one.
    /// - Returns: nil if nothing is new.
    fileprivate mutating func ingest(
        _ read: ReadEvent, _ found: PackedStubs.Found?, _ outbox: JournalOutbox, _ activity: SessionActivity,
        era: UInt64, now: UInt64
    ) -> IngestedEvent? {
        let former = outbox.open[read.sequence] ?? journal.event(read.sequence)
        guard let former else {
            // An event that was dropped meanwhile was counted when it arrived.
            if read.isAgain || read.isRepeated && journal.hasDropped(read.sequence) { return nil }
            return add(read, found, outbox, activity, era: era, now: now)
        }
        // The batch has an event that this replica served itself.
        if outbox.open[read.sequence] == nil, outbox.isOwn(read.sequence) { return nil }
        // Two events have the same number, because a live replica was taken for dead.
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
        _ read: ReadEvent, _ found: PackedStubs.Found?, _ outbox: JournalOutbox, _ activity: SessionActivity,
        era: UInt64, now: UInt64
    ) -> IngestedEvent {
        let event = read.event(journal.countArrival(), found, activity)
        let bytes = read.fill(event)
        outbox.ingests(read.sequence, now: now)
        if event.isUnmatched { unmatched += 1 }
        if read.extras?.isPassedThrough == true {
            passedThrough += 1
        } else if let found, let stub = found.isStandIn ? found.matched.flatMap({ stubs.stub($0.id) }) : found.matched {
            // A stub that was edited also counts the requests of its earlier versions.
            stubs.countHit(stub, elsewhereAt: event.request.wallTime)
            if !found.isStandIn { found.owner?.countHit(elsewhereAt: event.request.wallTime) }
        }
        if event.end == nil { outbox.open[read.sequence] = event }
        let fails = event.failure != nil
        if fails { countFailure(event, read) }
        // The event counts, but it was removed before it arrived.
        if !outbox.hasRemoved(event, after: era) { journal.insert(event, size: event.byteCount + bytes) }
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
