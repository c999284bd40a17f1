import SDAnswering
public import SDBasics
import SDHTTPTransport
public import SDJournal
import SDMatching
import SDPlatform
public import SDReports
public import SDStubModel
import SDStubs
import Synchronization

/// What a report is to count.
public struct ReportQuestion: Sendable {
    /// The reasons that fail the verdict.
    public var failing = FailReason.usual
    /// Requests whose paths match one of these count nowhere.
    public var ignored: [PathGlob] = []

    public init() {}
}

/// A session's report for the end of a test.
extension Session {
    /// The report.
    public func report(_ question: ReportQuestion = ReportQuestion()) -> SessionReport {
        let stubs = stubsWithHits
        let counts = counts
        let (own, sentOn, evicted) = state.withLock {
            ($0.stubs.ownIDs, $0.passedThrough, $0.journal.evictedCount)
        }
        let all = Array(events.reversed())
        let events = question.ignored.isEmpty ? all : all.filter { !question.ignores($0) }
        let ignored = question.ignored.isEmpty ? [] : all.filter(question.ignores)
        let troubles = troubles.findings { path in question.ignored.contains { $0.matches(path) } }
        let ignoredServed =
            ignored.count { !$0.isUnmatched && $0.failure == nil } + troubles.ignoredUnmatched + troubles.ignoredFailed

        var report = Report()
        report.failing = question.failing
        report.served = max(Int(clamping: counts.served) - ignoredServed, 0)
        report.passedThrough = Int(clamping: sentOn)
        report.ignored = ignoredServed
        report.evicted = evicted
        report.isRecorded = keepsJournal
        report.unmatchedCount = max(Int(clamping: counts.unmatched) - troubles.ignoredUnmatched, 0)
        report.failedCount = max(Int(clamping: counts.failed) - troubles.ignoredFailed, 0)
        let unmatched = events.filter(\.isUnmatched)
        let failed = events.filter { $0.failure != nil }
        let search = NearMissSearch(stubs: visibleStubs, session: self)
        let budget = newBudget
        let missed = unmatched.prefix(Report.most).map { event in
            (event, search.nearest(event.request, count: 1, .differences, budget, by: .beginning).first)
        }
        report.unmatched = troubles.unmatched
        report.failed = troubles.failed
        report.timings = Timings(events.compactMap(Timings.Sample.init)) { redaction.shownURL($0) }
        addStubs(stubs, own: own, to: &report)
        addFaults(events, to: &report)
        let unheld = verifications.unmet
        report.unmetCount += unheld.count
        report.unmet =
            Array(
                (unheld.map { Report.Unmet(kind: .verification, name: $0.name, text: $0.text) } + report.unmet)
                    .prefix(Report.most))
        let unused = stubs.filter { $0.hits.matches == 0 && own.contains($0.stub.id) }.prefix(Report.most)
        return SessionReport(
            report: report, unmatched: missed, failed: Array(failed.prefix(Report.most)),
            unused: unused.map { (StubReference($0.stub), $0.stub.mapping.request) })
    }

    // MARK: Stubs

    private func addStubs(
        _ stubs: [(stub: CompiledStub, hits: HitCount)], own: Set<StubMapping.ID>, to report: inout Report
    ) {
        for (stub, hits) in stubs {
            if hits.matches > 0 {
                report.usedCount += 1
                if report.used.count < Report.most {
                    report.used.append(Report.Used(stub: StubReference(stub), count: hits.matches))
                }
            }
            guard own.contains(stub.id) else { continue }
            if hits.matches == 0 {
                report.unusedCount += 1
                if report.unused.count < Report.most { report.unused.append(StubReference(stub)) }
            }
            if let unmet = stub.unmet(hits.matches) {
                report.unmetCount += 1
                if report.unmet.count < Report.most { report.unmet.append(unmet) }
            }
        }
    }

    // MARK: Faults

    private struct FaultKey: Hashable {
        let fault: String
        let source: String?
        let stub: StubReference?
    }

    private func addFaults(_ events: [ServeEvent], to report: inout Report) {
        var places: [FaultKey: Int] = [:]
        func add(_ fault: String, _ outcome: String?, _ source: String?, _ stub: StubReference?, _ count: Int = 1) {
            report.faultCount += count
            let key = FaultKey(fault: fault, source: source, stub: stub)
            if let place = places[key] {
                report.faults[place].count += count
            } else if report.faults.count < Report.most {
                places[key] = report.faults.count
                report.faults.append(
                    Report.ActedFault(fault: fault, outcome: outcome, source: source, stub: stub, count: count))
            }
        }
        for event in events {
            for fault in event.faults {
                add(fault.name, fault.then, fault.label, event.stubReference)
            }
            if let fault = event.fault { add(fault.rawValue, nil, nil, event.stubReference) }
        }
        // What acts on connections has no request.
        for (fault, acted) in faults where acted > 0 {
            guard let connection = fault.fault.connection else { continue }
            add(connection.key, nil, fault.fault.name ?? fault.id.lowercasedString, nil, acted)
        }
    }
}

extension ReportQuestion {
    fileprivate func ignores(_ event: ServeEvent) -> Bool {
        ignored.contains { $0.matches(event.request.path) }
    }
}

extension CompiledStub {
    /// What is left of the uses that the stub is meant for; nil for nothing.
    fileprivate func unmet(_ matches: Int) -> Report.Unmet? {
        let reference = StubReference(self)
        let name = reference.name ?? reference.key
        // Only stubs with conditions have what is to be used up.
        guard lifecycle != nil else { return nil }
        if let times = mapping.times, let left = lifecycle?.use?.timesLeft, left > 0 {
            return Report.Unmet(
                kind: .times, name: name, text: "answered \(times - left) of \(times) times", stub: reference)
        }
        guard let sequence = mapping.responses, sequence.select != .random, matches < sequence.entries.count else {
            return nil
        }
        return Report.Unmet(
            kind: .responses, name: name, text: "sent \(matches) of its \(sequence.entries.count) responses",
            stub: reference)
    }
}

extension Report.Nearest {
    init(_ miss: NearMiss, _ redaction: Redaction?) {
        let change = SmallestChange(of: miss, redaction)
        self.init(
            stub: miss.reference, distance: miss.distance, differences: change.differences, change: change.sentence,
            conditions: change.conditions, isFar: change.isFar)
    }
}

/// A report with the requests as they came. Lists hold the first entries only, the oldest first.
public struct SessionReport: Sendable {
    public var report: Report
    /// Unmatched requests with the nearest stub of each.
    public let unmatched: [(event: ServeEvent, nearest: NearMiss?)]
    /// Requests whose stub could not be served.
    public let failed: [ServeEvent]
    /// Stubs that have answered nothing, without inherited ones.
    public let unused: [(stub: StubReference, request: RequestPattern)]
}

extension NearMiss {
    /// The smallest change with which the stub would answer, a sentence.
    public func smallestChange(_ redaction: Redaction?) -> String { SmallestChange(of: self, redaction).sentence }
}
