import SDAnswering
import SDBasics
import SDJournal
import SDMatching
import SDReports
import SDStubModel
import SDStubs
import Synchronization

/// What reports say about a child session: the number of requests, their first kinds, and problems, without the
/// journal.
struct SessionRecord: Sendable {
    /// The number of the session in the order of creation.
    let number: UInt64
    var test: Report.Test { Report.Test(id: id, name: label?.text) }
    private let id: String
    private let label: SessionName?
    let hasEnded: Bool
    let served: Int
    let unmatched: Int
    let failed: Int
    let passedThrough: Int
    let evicted: Int
    let troubles: FailedRequests
    let webhooks: WebhookCounters
    var stats: EventStats
    var asked: RequestKinds
    /// Answers that have not ended; empty for an ended session.
    let open: KindCounts<Report.Open>
    /// The reported state of its own stubs.
    let stubs: Report
    /// The remaining uses of inherited stubs that it has used.
    let partUsed: [PartUsed]
    /// The first of its own unused stubs.
    private(set) var unused: [UnusedStub]
    /// How often it used the parent's stubs.
    let uses: [StubMapping.ID: Int]

    /// The largest number of unused stubs that are stored.
    private static let maxUnused = 20
    /// The largest number of kinds of requests that are stored.
    private static let maxAsked = 50

    /// - Parameter stub: looks up a stub of the parent by its id.
    init(
        _ live: LiveSession, hasEnded: Bool, _ stub: (StubMapping.ID) -> CompiledStub?
    ) {
        let session = live.session
        let redaction = session.redaction
        let seen = session.state.withLock { $0.seen }
        number = live.id.number
        (id, label) = (live.id.text, live.label)
        self.hasEnded = hasEnded
        (served, unmatched, failed) = (seen.served, seen.unmatched, seen.failed)
        (passedThrough, evicted) = (seen.passedThrough, seen.evicted)
        (troubles, webhooks) = (session.troubles, session.webhookLedger)
        stats = seen.stats.closing(with: seen.events)
        let open = hasEnded ? nil : OpenAnswers(of: session, seen.events, after: seen.servedBefore)
        self.open = open?.kinds ?? KindCounts()
        asked = RequestKinds(seen.events, most: Self.maxAsked, open: open?.sequences ?? [], redaction)
        var report = Report()
        report.wasReset = seen.began != nil
        var uses = session.state.withLock { $0.stubs.inheritedUses }
        let own = session.ownStubsWithHits(seen.ownStubs)
        session.addStubs(
            own.map { ($0.stub, $0.hits, $0.hits.toReport) }, counted: seen.ownStubs, to: &report)
        session.addVerifications(to: &report)
        // The parent has already counted this session's violations of contracts.
        report.contractCount = session.contractLedger.violations
        // Stubs that both sessions read from the same file are the same.
        for (copy, hits) in own where hits.matches > 0 && copy.file == nil {
            guard let stub = stub(copy.id), stub.file != nil, stub.mapping == copy.mapping else { continue }
            uses[copy.id, default: 0] += hits.matches
        }
        unused = Array(own.lazy.filter { $0.hits.toReport == 0 }.prefix(Self.maxUnused).map { UnusedStub($0.stub) })
        stubs = report
        partUsed = session.partUsed
        self.uses = uses
    }

    /// Keeps the first of its unused stubs only.
    mutating func cutUnused(to most: Int) { unused = Array(unused.prefix(most)) }

    /// Whether there is anything to report besides its requests.
    var hasTroubles: Bool {
        unmatched + failed > 0 || stubs.unmetCount + partUsed.count > 0 || webhooks.findings.bad > 0
    }

    /// The session's report.
    func report(_ question: ReportQuestion) -> Report {
        var report = stubs
        report.failOn = question.failOn
        report.add(partUsed, counted: question.counted)
        let found = troubles.findings { question.ignores($0[...]) }
        let (kinds, ignoredAnswers) = asked.findings { question.ignores($0[...]) }
        report.ignored = ignoredAnswers + found.ignoredUnmatched + found.ignoredFailed
        report.served = max(served - report.ignored, 0)
        report.passedThrough = passedThrough
        report.evicted = evicted
        report.unmatchedCount = max(unmatched - found.ignoredUnmatched, 0)
        report.failedCount = max(failed - found.ignoredFailed, 0)
        report.unmatched = found.unmatched
        report.failed = found.failed
        report.asked = kinds
        report.askedLeft = max(report.served - kinds.sum(of: \.count), 0)
        report.add(webhooks)
        report.add(stats.adding([]), question)
        report.add(open, question)
        return report
    }
}

/// An unused stub, with the pattern of its requests.
struct UnusedStub: Sendable {
    let reference: StubReference
    let pattern: CompiledPattern

    init(_ stub: CompiledStub) {
        (reference, pattern) = (StubReference(stub), stub.pattern)
    }
}

extension Report {
    /// Adds the results of webhooks.
    mutating func add(_ ledger: WebhookCounters) {
        let found = ledger.findings
        webhooks += found.webhooks
        webhookCount += found.bad
        pendingWebhooks += found.pending
    }

    /// Adds broken and slow answers, and faults.
    mutating func add(_ stats: EventStats, _ question: ReportQuestion) {
        let (broken, brokenCount) = stats.aborted.findings { question.ignores($0[...]) }
        aborted += broken
        abortedCount += brokenCount
        if let limit = question.failOn.slowLimit {
            let (answers, count) = stats.slow.findings(over: limit, of: stats.times.all) { question.ignores($0[...]) }
            slow += answers
            slowCount += count
        }
        let (acted, actedCount) = stats.faults.findings { question.ignores($0[...]) }
        faults += acted.prefix(Report.most)
        faultCount += actedCount
    }
}
