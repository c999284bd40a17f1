import SDAnswering
public import SDBasics
import SDHTTPTransport
import SDIndexing
public import SDJournal
import SDMatching
import SDPlatform
public import SDReports
public import SDStubModel
import SDStubs
import Synchronization

/// What a report is to count.
public struct ReportQuestion: Sendable {
    /// What fails the verdict.
    public var failOn = FailOn.usual
    /// Requests whose paths match one of these count nowhere.
    public var ignored: [PathGlob] = []
    /// Whether the stubs that a session inherits count among those that are unused or have uses left.
    public var countsInherited = false
    /// Whether the command of a run has ended that alone could read the answers.
    public var hasCommandEnded = false
    /// The sessions that calls to the session began, whose requests count, and that use its stubs; nil for none of this.
    public var begun: BegunRecords?
    /// The stubs of the session that may be unmet, also where a begun session has used them in part.
    var counted: Set<StubMapping.ID> = []

    public init() {}
}

/// A session's report for the end of a test.
extension Session {
    /// The report.
    public func report(_ question: ReportQuestion = ReportQuestion()) -> SessionReport {
        let begun = question.begun?.uses ?? [:]
        let stubs = stubsWithHits.map {
            (stub: $0.stub, hits: $0.hits, uses: $0.hits.toReport + (begun[$0.stub.id] ?? 0))
        }
        let seen = state.withLock { $0.seen }
        let events = seen.events.filter { !question.ignores($0.request.path) }
        let ignored = question.ignored.isEmpty ? [] : seen.events.filter { question.ignores($0.request.path) }
        let troubles = troubles.findings { question.ignores($0[...]) }
        let ignoredServed =
            ignored.count { !$0.isUnmatched && $0.failure == nil } + troubles.ignoredUnmatched + troubles.ignoredFailed

        var report = Report()
        report.failOn = question.failOn
        report.isBegunAnew = seen.began != nil
        report.served = max(seen.served - ignoredServed, 0)
        report.passedThrough = seen.passedThrough
        report.ignored = ignoredServed
        report.evicted = seen.evicted
        report.isRecorded = keepsJournal
        report.unmatchedCount = max(seen.unmatched - troubles.ignoredUnmatched, 0)
        report.failedCount = max(seen.failed - troubles.ignoredFailed, 0)
        let unmatched = events.filter(\.isUnmatched)
        let failed = events.filter { $0.failure != nil }
        // The first of each kind was compared with all stubs when it came.
        let known = Dictionary(
            uniqueKeysWithValues: troubles.unmatched.compactMap { kind in
                kind.nearest.map { (kind.sequence, $0.stub.id) }
            })
        report.unmatched = troubles.unmatched
        question.begun?.addOwners(to: &report.unmatched, unmatched, newBudget)
        report.failed = troubles.failed
        let open = OpenAnswers(of: self, events, after: seen.servedBefore)
        let kinds = AskedKinds(events, most: Report.most, open: open.sequences, redaction)
        report.asked = kinds.findings { _ in false }.asked
        report.askedLeft = max(report.served - report.asked.sum(of: \.count), 0)
        var tally = seen.tally.adding(events)
        report.add(tally, question)
        report.add(open.kinds, question)
        report.add(webhookLedger)
        question.begun?.addTimes(to: &tally)
        report.timings = Timings(tally.times)
        let counted = question.countsInherited ? Set(stubs.map(\.stub.id)) : seen.ownStubs
        report.add(refusals.findings { question.ignores($0[...]) })
        if question.begun != nil { report.add(begunRefusals.findings { question.ignores($0[...]) }) }
        addStubs(stubs, counted: counted, to: &report)
        addVerifications(to: &report)
        addContracts(to: &report, withBegun: question.begun != nil)
        var ofBegun = question
        ofBegun.counted = counted
        question.begun?.add(to: &report, ofBegun)
        report.hide(redaction.shownURL)
        let unused = ReportedStub.all(stubs).filter {
            $0.uses == 0 && counted.contains($0.stub.id) && !$0.stub.isOfContract
        }.prefix(Report.most)
        return SessionReport(
            report: report, unmatched: unmatched.prefix(Report.most).map { ($0, known[$0.sequence]) },
            failed: Array(failed.prefix(Report.most)),
            unused: unused.map { ($0.reference, $0.stub.mapping.request) }, began: seen.began)
    }

    /// Adds the verifications that did not hold.
    func addVerifications(to report: inout Report) {
        let unheld = verifications.unmet
        report.unmetCount += unheld.count
        report.unmet =
            Array(
                (unheld.map { Report.Unmet(kind: .verification, name: $0.name, text: $0.text) } + report.unmet)
                    .prefix(Report.most))
    }

    /// Its own stubs with the requests that each has answered, without inherited ones.
    func ownStubsWithHits(_ ids: Set<StubMapping.ID>) -> [(stub: CompiledStub, hits: HitCount)] {
        state.withLock { state in
            state.stubs.visible.own.stubs.all.filter { ids.contains($0.id) }.map { ($0, state.stubs.hits(of: $0)) }
        }
    }

    /// Begins the report anew: what was seen so far counts no more.
    /// - Parameter time: the time of the call, in nanoseconds since 1970.
    public func beginReport(at time: UInt64) {
        state.withLock { state in
            state.reported = ReportedCounts(state, at: time)
            state.stubs.beginReport()
            state.journal.tally.begin(after: state.served)
            state.ended = EndedSessions()
            // Under the lock, so that what is decided from now on is noted after it.
            troubles.begin(after: state.served)
        }
        verifications.removeAll()
        webhookLedger.beginReport()
        contractLedger.begin()
        begunContracts.begin()
        refusals.begin()
        begunRefusals.begin()
    }

    // MARK: Stubs

    func addStubs(
        _ stubs: [(stub: CompiledStub, hits: HitCount, uses: Int)], counted: Set<StubMapping.ID>,
        to report: inout Report
    ) {
        for part in ReportedStub.all(stubs) {
            if part.uses > 0 {
                report.usedCount += 1
                if report.used.count < Report.most {
                    report.used.append(Report.Used(stub: part.reference, count: part.uses))
                }
            } else if counted.contains(part.stub.id), !part.stub.isOfContract {
                report.unusedCount += 1
                if report.unused.count < Report.most { report.unused.append(part.reference) }
            }
        }
        for (stub, hits, uses) in stubs where counted.contains(stub.id) {
            // What only other sessions used has its uses in those, each of which tells what it has left.
            if hits.matches > 0 || uses == 0, let unmet = stub.unmet(hits.matches) {
                report.unmetCount += 1
                if report.unmet.count < Report.most { report.unmet.append(unmet) }
            }
        }
    }
}

extension ReportQuestion {
    func ignores(_ path: ArraySlice<UInt8>) -> Bool { ignored.contains { $0.matches(path) } }
}

extension CompiledStub {
    /// What is left of the uses that the stub is meant for; nil for nothing.
    func unmet(_ matches: Int) -> Report.Unmet? {
        // Only stubs with conditions have what is to be used up.
        guard lifecycle != nil else { return nil }
        let reference = StubReference(self)
        let name = reference.name ?? reference.key
        if let times = mapping.times, let left = lifecycle?.use?.timesLeft, left > 0 {
            return Report.Unmet(
                kind: .times, name: name, text: "answered \(times - left) of \(times) times", stub: reference)
        }
        guard let sequence = mapping.responses, sequence.select != .random else { return nil }
        let sent = sequence.per == nil ? matches : lifecycle?.use?.mostSent ?? 0
        guard sent < sequence.entries.count else { return nil }
        let whose = sequence.per.map { " for any value of \($0.text)" } ?? ""
        return Report.Unmet(
            kind: .responses, name: name, text: "sent \(sent) of its \(sequence.entries.count) responses\(whose)",
            stub: reference)
    }
}

/// A report with the requests as they came. Lists hold the first entries only, the oldest first.
public struct SessionReport: Sendable {
    public var report: Report
    /// Unmatched requests, each with the stub that came nearest to it when it was answered, if that is known.
    public let unmatched: [(event: ServeEvent, nearest: StubMapping.ID?)]
    /// Requests whose stub could not be served.
    public let failed: [ServeEvent]
    /// Stubs that have answered nothing.
    public let unused: [(stub: StubReference, request: RequestPattern)]
    /// The time at which the report was begun anew, in nanoseconds since 1970; nil if it never was.
    public let began: UInt64?
}
