import SDJournal
import SDReports
import SDStubModel

/// What reports say about ended child sessions, in bounded memory. Sessions past the limit are kept as totals.
struct EndedSessions: Sendable {
    private(set) var records: [SessionRecord] = []
    /// The response times of all ended sessions.
    private(set) var times = EventStats()
    /// How often all of them used stubs of the parent session.
    private(set) var uses: [StubMapping.ID: Int] = [:]
    private var left = Left()

    /// The largest number of sessions stored one by one; sessions with problems displace others.
    private static let most = 2_000
    /// The largest number of kinds of requests, over all sessions.
    private static let maxAsked = 5_000
    private var askedCount = 0
    /// The largest number of unused stubs, over all sessions.
    private static let maxUnused = 2_000
    private var unusedCount = 0

    /// The totals of sessions that are not stored one by one.
    private struct Left {
        var count = 0
        var counts = Report()
        var unmatchedPaths = PathCounts()
        var failedPaths = PathCounts()
        var stats = EventStats()
        /// The ledgers of sessions with webhooks that have failed or may still fail.
        var webhooks: [WebhookCounters] = []
    }

    mutating func add(_ record: SessionRecord) {
        var record = record
        times.addTimes(of: record.stats)
        record.stats.dropTimes()
        uses.merge(record.uses, uniquingKeysWith: +)
        guard records.count >= Self.most else { return keep(record) }
        guard record.hasTroubles, let good = records.firstIndex(where: { !$0.hasTroubles }) else {
            return leave(record)
        }
        let other = records.remove(at: good)
        askedCount -= other.asked.count
        unusedCount -= other.unused.count
        leave(other)
        keep(record)
    }

    private mutating func keep(_ record: SessionRecord) {
        var record = record
        record.asked.cut(to: max(Self.maxAsked - askedCount, 0))
        askedCount += record.asked.count
        record.cutUnused(to: max(Self.maxUnused - unusedCount, 0))
        unusedCount += record.unused.count
        records.append(record)
    }

    private mutating func leave(_ record: SessionRecord) {
        left.count += 1
        left.counts.wasReset = left.counts.wasReset || record.stubs.wasReset
        left.counts.served += record.served
        left.counts.unmatchedCount += record.unmatched
        left.counts.failedCount += record.failed
        left.counts.passedThrough += record.passedThrough
        left.counts.evicted += record.evicted
        left.counts.usedCount += record.stubs.usedCount
        left.counts.unusedCount += record.stubs.unusedCount
        left.counts.unmetCount += record.stubs.unmetCount + record.partUsed.count
        left.unmatchedPaths.add(record.troubles.paths.unmatched)
        left.failedPaths.add(record.troubles.paths.failed)
        left.stats.add(record.stats.adding([]), of: record.test)
        if record.webhooks.findings.bad > 0 { left.webhooks.append(record.webhooks) }
    }

    /// Takes over the ended child sessions of an ended child.
    mutating func add(_ others: EndedSessions) {
        for record in others.records { keepTimeless(record) }
        times.addTimes(of: others.times)
        uses.merge(others.uses, uniquingKeysWith: +)
        left.count += others.left.count
        left.counts.addCounts(of: others.left.counts)
        left.unmatchedPaths.add(others.left.unmatchedPaths)
        left.failedPaths.add(others.left.failedPaths)
        left.stats.add(others.left.stats)
        left.webhooks += others.left.webhooks
    }

    /// Adds a record whose times and uses are already counted.
    private mutating func keepTimeless(_ record: SessionRecord) {
        if records.count < Self.most { keep(record) } else { leave(record) }
    }

    /// The number of sessions.
    var count: Int { records.count + left.count }

    /// The number of webhooks that are still to be sent or answered.
    var pendingWebhooks: Int {
        records.sum { $0.webhooks.pendingCount } + left.webhooks.sum { $0.pendingCount }
    }

    /// Adds the sessions that are kept as totals to a report.
    func addLeft(to report: inout Report, _ question: ReportQuestion) {
        guard left.count > 0 else { return }
        var part = left.counts
        let unmatched = left.unmatchedPaths.sum { question.ignores($0[...]) }
        let failed = left.failedPaths.sum { question.ignores($0[...]) }
        part.ignored = unmatched + failed
        part.served -= part.ignored
        part.unmatchedCount -= unmatched
        part.failedCount -= failed
        part.askedLeft = part.served
        part.add(left.stats, question)
        for webhooks in left.webhooks { part.add(webhooks) }
        report.childSessions.count += left.count
        report.childSessions.served += part.served
        report.childSessions.unmatched += part.unmatchedCount
        report.childSessions.failed += part.failedCount
        report.addCounts(of: part)
        report.aborted += part.aborted
        report.slow += part.slow
        report.faults += part.faults
        report.webhooks += part.webhooks
    }
}

/// The child sessions of a session, at one moment.
public struct ChildSessionRecords: Sendable {
    var live: [SessionRecord] = []
    var ended = EndedSessions()

    init() {}

    /// How often they used stubs of the parent session.
    var uses: [StubMapping.ID: Int] {
        live.reduce(into: ended.uses) { $0.merge($1.uses, uniquingKeysWith: +) }
    }

    /// Adds the child sessions to the parent's report, except for response times.
    func add(to report: inout Report, _ question: ReportQuestion) {
        for record in (live + ended.records).sorted(by: { $0.number < $1.number }) {
            report.add(record.report(question), of: record.test, hasEnded: record.hasEnded)
        }
        ended.addLeft(to: &report, question)
        report.slow.sort { $0.time > $1.time }
    }

    /// Adds the response times of the child sessions.
    func addTimes(to stats: inout EventStats) {
        stats.addTimes(of: ended.times)
        for record in live { stats.addTimes(of: record.stats) }
    }
}
