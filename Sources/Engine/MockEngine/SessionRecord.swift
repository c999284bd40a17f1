import SDAnswering
import SDBasics
import SDJournal
import SDMatching
import SDReports
import SDStubModel
import SDStubs
import Synchronization

/// What reports tell of a session that was begun through another one: not its journal, but how many requests there were, the
/// first kinds of them, and what was wrong.
struct SessionRecord: Sendable {
    /// The session's place in the order of all.
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
    let troubles: TroubleLedger
    let webhooks: WebhookLedger
    var tally: EventTally
    var asked: AskedKinds
    /// Answers that have not ended; none of a session that has.
    let open: KindTally<Report.Open>
    /// What is told of its own stubs.
    let stubs: Report
    /// What it has left of the uses of stubs that it inherits and has used.
    let partUsed: [PartUsed]
    /// The first of its own stubs that answered nothing.
    private(set) var unused: [UnusedStub]
    /// How often it used stubs that the other one has, too.
    let uses: [StubMapping.ID: Int]

    /// The most stubs without a use that are kept.
    private static let mostUnused = 20
    /// The most kinds of requests that are kept.
    private static let mostAsked = 50

    /// - Parameter stub: the stub of an id that the other session shows.
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
        tally = seen.tally.closing(with: seen.events)
        let open = hasEnded ? nil : OpenAnswers(of: session, seen.events, after: seen.servedBefore)
        self.open = open?.kinds ?? KindTally()
        asked = AskedKinds(seen.events, most: Self.mostAsked, open: open?.sequences ?? [], redaction)
        var report = Report()
        report.isBegunAnew = seen.began != nil
        var uses = session.state.withLock { $0.stubs.inheritedUses }
        let own = session.ownStubsWithHits(seen.ownStubs)
        session.addStubs(
            own.map { ($0.stub, $0.hits, $0.hits.toReport) }, counted: seen.ownStubs, to: &report)
        session.addVerifications(to: &report)
        // The other session has noted what contracts do not allow in this one.
        report.contractCount = session.contractLedger.violations
        // The stubs of a file that both have read are the same.
        for (copy, hits) in own where hits.matches > 0 && copy.file == nil {
            guard let stub = stub(copy.id), stub.file != nil, stub.mapping == copy.mapping else { continue }
            uses[copy.id, default: 0] += hits.matches
        }
        unused = Array(own.lazy.filter { $0.hits.toReport == 0 }.prefix(Self.mostUnused).map { UnusedStub($0.stub) })
        stubs = report
        partUsed = session.partUsed
        self.uses = uses
    }

    /// Keeps the first of its unused stubs only.
    mutating func cutUnused(to most: Int) { unused = Array(unused.prefix(most)) }

    /// Whether there is anything to tell beside its requests.
    var hasTroubles: Bool {
        unmatched + failed > 0 || stubs.unmetCount + partUsed.count > 0 || webhooks.findings.bad > 0
    }

    /// Its report.
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
        report.add(tally.adding([]), question)
        report.add(open, question)
        return report
    }
}

/// A stub that answered nothing, as far as it tells which requests it is for.
struct UnusedStub: Sendable {
    let reference: StubReference
    let pattern: CompiledPattern

    init(_ stub: CompiledStub) {
        (reference, pattern) = (StubReference(stub), stub.pattern)
    }
}

extension Report {
    /// Adds what became of webhooks.
    mutating func add(_ ledger: WebhookLedger) {
        let found = ledger.findings
        webhooks += found.webhooks
        webhookCount += found.bad
        pendingWebhooks += found.pending
    }

    /// Adds the answers that broke off, slow ones, and faults.
    mutating func add(_ tally: EventTally, _ question: ReportQuestion) {
        let (broken, brokenCount) = tally.aborted.findings { question.ignores($0[...]) }
        aborted += broken
        abortedCount += brokenCount
        if let limit = question.failOn.slowLimit {
            let (answers, count) = tally.slow.findings(over: limit, of: tally.times.all) { question.ignores($0[...]) }
            slow += answers
            slowCount += count
        }
        let (acted, actedCount) = tally.faults.findings { question.ignores($0[...]) }
        faults += acted.prefix(Report.most)
        faultCount += actedCount
    }
}
