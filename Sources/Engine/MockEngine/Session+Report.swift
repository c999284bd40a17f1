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

/// The scope of a report.
public struct ReportQuestion: Sendable {
    /// What fails the verdict.
    public var failOn = FailOn.usual
    /// Requests whose paths match one of these are excluded everywhere.
    public var ignored: [PathGlob] = []
    /// Whether inherited stubs can be reported as unused or unmet.
    public var countsInherited = false
    /// Whether the command of a run, the only reader of the answers, has ended.
    public var hasCommandEnded = false
    /// The child sessions, whose requests and uses of the session's stubs count; nil to leave them out.
    public var childRecords: ChildSessionRecords?
    /// The stubs of the session that may be unmet, also if a child session has used them in part.
    var counted: Set<StubMapping.ID> = []

    public init() {}
}

/// The session's report for the end of a test.
extension Session {
    public func report(_ question: ReportQuestion = ReportQuestion()) -> SessionReport {
        let childUses = question.childRecords?.uses ?? [:]
        let stubs = stubsWithHits.map {
            (stub: $0.stub, hits: $0.hits, uses: $0.hits.toReport + (childUses[$0.stub.id] ?? 0))
        }
        let seen = state.withLock { $0.seen }
        let events = seen.events.filter { !question.ignores($0.request.path) }
        let ignored = question.ignored.isEmpty ? [] : seen.events.filter { question.ignores($0.request.path) }
        let troubles = troubles.findings { question.ignores($0[...]) }
        let ignoredServed =
            ignored.count { !$0.isUnmatched && $0.failure == nil } + troubles.ignoredUnmatched + troubles.ignoredFailed

        var report = Report()
        report.failOn = question.failOn
        report.wasReset = seen.began != nil
        report.served = max(seen.served - ignoredServed, 0)
        report.passedThrough = seen.passedThrough
        report.ignored = ignoredServed
        report.evicted = seen.evicted
        report.isRecorded = keepsJournal
        report.unmatchedCount = max(seen.unmatched - troubles.ignoredUnmatched, 0)
        report.failedCount = max(seen.failed - troubles.ignoredFailed, 0)
        let unmatched = events.filter(\.isUnmatched)
        let failed = events.filter { $0.failure != nil }
        // The nearest stub was computed when the first request of each kind arrived.
        let known = Dictionary(
            uniqueKeysWithValues: troubles.unmatched.compactMap { kind in
                kind.nearest.map { (kind.sequence, $0.stub.id) }
            })
        report.unmatched = troubles.unmatched
        question.childRecords?.addOwners(to: &report.unmatched, unmatched, newBudget)
        report.failed = troubles.failed
        let open = OpenAnswers(of: self, events, after: seen.servedBefore)
        let kinds = RequestKinds(events, most: Report.most, open: open.sequences, redaction)
        report.asked = kinds.findings { _ in false }.asked
        report.askedLeft = max(report.served - report.asked.sum(of: \.count), 0)
        var stats = seen.stats.adding(events)
        report.add(stats, question)
        report.add(open.kinds, question)
        report.add(webhookLedger)
        question.childRecords?.addTimes(to: &stats)
        report.timings = Timings(stats.times)
        let counted = question.countsInherited ? Set(stubs.map(\.stub.id)) : seen.ownStubs
        report.add(refusals.findings { question.ignores($0[...]) })
        if question.childRecords != nil { report.add(childRefusals.findings { question.ignores($0[...]) }) }
        addStubs(stubs, counted: counted, to: &report)
        addVerifications(to: &report)
        addContracts(to: &report, withChildren: question.childRecords != nil)
        var ofChildren = question
        ofChildren.counted = counted
        question.childRecords?.add(to: &report, ofChildren)
        report.hide(redaction.redactedURL)
        let unused = ReportedStub.all(stubs, unwritten: shared.unwrittenFiles.names).filter {
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

    /// The session's own stubs with their hit counts, without inherited ones.
    func ownStubsWithHits(_ ids: Set<StubMapping.ID>) -> [(stub: CompiledStub, hits: HitCount)] {
        state.withLock { state in
            state.stubs.visible.own.stubs.all.filter { ids.contains($0.id) }.map { ($0, state.stubs.hits(of: $0)) }
        }
    }

    /// Resets the report: later reports count only new requests.
    /// - Parameter time: the time of the call, in nanoseconds since 1970.
    public func beginReport(at time: UInt64) {
        state.withLock { state in
            state.reported = ReportBaseline(state, at: time)
            state.stubs.beginReport()
            state.journal.stats.reset(after: state.served)
            state.ended = EndedSessions()
            // Under the lock, so that later decisions are recorded after the reset.
            troubles.reset(after: state.served)
        }
        notes?.forget([.refusal, .violations, .acts])
        verifications.removeAll()
        webhookLedger.beginReport()
        contractLedger.reset()
        childContracts.reset()
        refusals.reset()
        childRefusals.reset()
    }

    // MARK: Stubs

    func addStubs(
        _ stubs: [(stub: CompiledStub, hits: HitCount, uses: Int)], counted: Set<StubMapping.ID>,
        to report: inout Report
    ) {
        for part in ReportedStub.all(stubs, unwritten: shared.unwrittenFiles.names) {
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
            // If only other sessions used the stub, each of them reports what it has left.
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
    /// The remaining uses of a stub that should be used up; nil for none.
    func unmet(_ matches: Int) -> Report.Unmet? {
        // Only stubs with conditions can have a limit of uses.
        guard lifecycle != nil else { return nil }
        let reference = StubReference(self)
        let name = reference.name ?? reference.key
        if let times = mapping.times, let left = lifecycle?.use?.timesLeft, left > 0 {
            return Report.Unmet(
                kind: .times, name: name, text: "answered \(times - left) of \(times) times", stub: reference)
        }
        guard let sequence = mapping.responses, sequence.select != .random else { return nil }
        let sent = sequence.per == nil ? matches : lifecycle?.use?.maxSent ?? 0
        guard sent < sequence.entries.count else { return nil }
        let whose = sequence.per.map { " for any value of \($0.text)" } ?? ""
        return Report.Unmet(
            kind: .responses, name: name, text: "sent \(sent) of its \(sequence.entries.count) responses\(whose)",
            stub: reference)
    }
}

/// A report with the requests as they arrived. Lists hold only the first entries, oldest first.
public struct SessionReport: Sendable {
    public var report: Report
    /// Unmatched requests, each with the nearest stub at the time of the answer, if known.
    public let unmatched: [(event: ServeEvent, nearest: StubMapping.ID?)]
    /// Requests whose stub could not be served.
    public let failed: [ServeEvent]
    /// Stubs that have not answered any request.
    public let unused: [(stub: StubReference, request: RequestPattern)]
    /// The time of the last reset of the report, in nanoseconds since 1970; nil if it was never reset.
    public let began: UInt64?
}
