import SDJournal
import SDReports
import SDStubModel
import SDStubs

/// The session's counts when its report was last reset.
struct ReportBaseline: Sendable {
    /// The time of the reset in nanoseconds since 1970; nil if the report was never reset.
    private(set) var time: UInt64?
    private(set) var served: UInt64 = 0
    private(set) var unmatched: UInt64 = 0
    var failed: UInt64 = 0
    var passedThrough: UInt64 = 0
    /// How often faults of connections and ports had acted.
    var acts: [StubMapping.ID: Int] = [:]

    init() {}

    init(_ state: Session.State, at time: UInt64) {
        self.time = time
        served = state.served
        unmatched = state.unmatched
        failed = state.failed
        passedThrough = state.passedThrough
        for fault in state.faults where fault.fault.earlyName != nil {
            acts[fault.id] = state.faultLedger.actedEverywhere(fault.program)
        }
    }
}

extension SessionFault {
    /// The key of a fault that acts before there is a request; nil for any other.
    fileprivate var earlyName: String? { connection?.key ?? port?.key }
}

extension Session.State {
    /// How often faults of connections and ports have acted since the baseline; no request records them.
    private func acts(of faults: [ActiveFault]) -> [Report.ActedFault] {
        faults.compactMap { fault in
            let count = faultLedger.actedEverywhere(fault.program) - (reported.acts[fault.id] ?? 0)
            guard let name = fault.fault.earlyName, count > 0 else { return nil }
            return Report.ActedFault(
                fault: name, outcome: fault.fault.port?.outcome, source: fault.fault.name ?? fault.id.lowercasedString,
                stub: nil,
                count: count)
        }
    }

    /// Stores the counts of faults that are being removed.
    mutating func noteActs(of faults: [ActiveFault]) {
        for acted in acts(of: faults) { journal.stats.faults.add(acted) }
        for fault in faults { reported.acts[fault.id] = nil }
    }

    /// The counts that a report shows now.
    var seen: ReportCounts {
        func since(_ count: UInt64, _ reported: UInt64) -> Int { Int(clamping: count - min(reported, count)) }
        var stats = journal.stats
        for acted in acts(of: faults) { stats.faults.add(acted) }
        return ReportCounts(
            events: journal.events(after: reported.served), stats: stats, ownStubs: stubs.ownIDs,
            served: since(served, reported.served), unmatched: since(unmatched, reported.unmatched),
            failed: since(failed, reported.failed), passedThrough: since(passedThrough, reported.passedThrough),
            evicted: min(journal.evictedCount, since(journal.lastEvictedArrival, reported.served)),
            began: reported.time,
            servedBefore: reported.served)
    }
}

/// The counts of a session for a report, at one moment.
struct ReportCounts: Sendable {
    /// The journal's events, oldest first.
    let events: [ServeEvent]
    /// The statistics of dropped events and of connection faults.
    let stats: EventStats
    let ownStubs: Set<StubMapping.ID>
    let served: Int
    let unmatched: Int
    let failed: Int
    let passedThrough: Int
    let evicted: Int
    let began: UInt64?
    /// The arrival number of the last event that does not count.
    let servedBefore: UInt64
}
