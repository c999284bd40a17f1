import SDJournal
import SDReports
import SDStubModel

/// What reports tell of the sessions that were begun through one and have ended, in a bounded memory. Of those for which there
/// is no room, the numbers count.
struct EndedSessions: Sendable {
    private(set) var records: [SessionRecord] = []
    /// The times of the answers of all.
    private(set) var times = EventTally()
    /// How often they used stubs of the session.
    private(set) var uses: [StubMapping.ID: Int] = [:]
    private var left = Left()

    /// The most sessions that are kept one by one; those with something to tell take the place of others.
    private static let most = 2_000
    /// The most kinds of requests of all of them.
    private static let mostAsked = 5_000
    private var askedCount = 0
    /// The most unused stubs of all of them.
    private static let mostUnused = 2_000
    private var unusedCount = 0

    /// Those that are kept by their numbers alone.
    private struct Left {
        var count = 0
        var counts = Report()
        var unmatchedPaths = PathCounts()
        var failedPaths = PathCounts()
        var tally = EventTally()
        /// Those of their webhooks that fail, or may yet.
        var webhooks: [WebhookLedger] = []
    }

    mutating func add(_ record: SessionRecord) {
        var record = record
        times.addTimes(of: record.tally)
        record.tally.dropTimes()
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
        record.asked.cut(to: max(Self.mostAsked - askedCount, 0))
        askedCount += record.asked.count
        record.cutUnused(to: max(Self.mostUnused - unusedCount, 0))
        unusedCount += record.unused.count
        records.append(record)
    }

    private mutating func leave(_ record: SessionRecord) {
        left.count += 1
        left.counts.isBegunAnew = left.counts.isBegunAnew || record.stubs.isBegunAnew
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
        left.tally.add(record.tally.adding([]), of: record.test)
        if record.webhooks.findings.bad > 0 { left.webhooks.append(record.webhooks) }
    }

    /// Takes over the sessions that were begun through one of them.
    mutating func add(_ others: EndedSessions) {
        for record in others.records { keepTimeless(record) }
        times.addTimes(of: others.times)
        uses.merge(others.uses, uniquingKeysWith: +)
        left.count += others.left.count
        left.counts.addCounts(of: others.left.counts)
        left.unmatchedPaths.add(others.left.unmatchedPaths)
        left.failedPaths.add(others.left.failedPaths)
        left.tally.add(others.left.tally)
        left.webhooks += others.left.webhooks
    }

    /// Takes a record whose times and uses were added already.
    private mutating func keepTimeless(_ record: SessionRecord) {
        if records.count < Self.most { keep(record) } else { leave(record) }
    }

    /// The number of sessions.
    var count: Int { records.count + left.count }

    /// The number of their webhooks that are still to be sent, or to be answered.
    var pendingWebhooks: Int {
        records.sum { $0.webhooks.pendingCount } + left.webhooks.sum { $0.pendingCount }
    }

    /// Adds those that are kept by their numbers alone to a report.
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
        part.add(left.tally, question)
        for webhooks in left.webhooks { part.add(webhooks) }
        report.begun.count += left.count
        report.begun.served += part.served
        report.begun.unmatched += part.unmatchedCount
        report.begun.failed += part.failedCount
        report.addCounts(of: part)
        report.aborted += part.aborted
        report.slow += part.slow
        report.faults += part.faults
        report.webhooks += part.webhooks
    }
}

/// The sessions that were begun through one, as they are at one moment.
public struct BegunRecords: Sendable {
    var live: [SessionRecord] = []
    var ended = EndedSessions()

    init() {}

    /// How often they used stubs of the session.
    var uses: [StubMapping.ID: Int] {
        live.reduce(into: ended.uses) { $0.merge($1.uses, uniquingKeysWith: +) }
    }

    /// Adds them to the report of the session, but for times.
    func add(to report: inout Report, _ question: ReportQuestion) {
        for record in (live + ended.records).sorted(by: { $0.number < $1.number }) {
            report.add(record.report(question), of: record.test, hasEnded: record.hasEnded)
        }
        ended.addLeft(to: &report, question)
        report.slow.sort { $0.time > $1.time }
    }

    /// Adds the times of their answers.
    func addTimes(to tally: inout EventTally) {
        tally.addTimes(of: ended.times)
        for record in live { tally.addTimes(of: record.tally) }
    }
}
