import SDAnswering
public import SDJournal
public import SDStubModel
import SDStubs
import Synchronization

/// A session's report for the end of a test.
extension Session {
    /// The largest number of entries of a kind in a report.
    private static var maxReported: Int { 100 }

    /// The report.
    /// - Parameter unusedStubsFail: whether the session fails if a stub was not used.
    public func report(unusedStubsFail: Bool) -> SessionReport {
        let stubs = stubsWithHits
        let own = state.withLock { $0.stubs.ownIDs }
        let unused = stubs.filter { $0.hits.matches == 0 && own.contains($0.stub.id) }.map(\.stub)
        let (served, unmatchedCount, failedCount) = counts
        let search = NearMissSearch(stubs: visibleStubs, session: self)
        let events = Array(events.reversed())
        let unmatched = events.filter(\.isUnmatched).prefix(Self.maxReported)
        let budget = newBudget
        let failed = events.filter { $0.failure != nil }.prefix(Self.maxReported)
        let hasPassed = unmatchedCount == 0 && failedCount == 0 && (unused.isEmpty || !unusedStubsFail)
        return SessionReport(
            served: served, passedThrough: passedThrough, unmatchedCount: unmatchedCount,
            unmatched: unmatched.map { ($0, search.nearest($0.request, count: 1, [], budget, by: .beginning).first) },
            failedCount: failedCount,
            failed: Array(failed), unusedCount: unused.count,
            unused: unused.prefix(Self.maxReported).map { (StubReference($0), $0.mapping.request) },
            hasPassed: hasPassed)
    }
}

/// A report of what a session has seen, for the end of a test. Lists hold the first entries only, the oldest first.
public struct SessionReport: Sendable {
    public let served: UInt64
    /// The number of requests that were sent on, because no stub and no file answered.
    public let passedThrough: UInt64
    public let unmatchedCount: UInt64
    /// Unmatched requests with the nearest stub of each.
    public let unmatched: [(event: ServeEvent, nearest: NearMiss?)]
    public let failedCount: UInt64
    /// Requests whose stub could not be served.
    public let failed: [ServeEvent]
    public let unusedCount: Int
    /// Stubs that have answered nothing, without inherited ones.
    public let unused: [(stub: StubReference, request: RequestPattern)]
    /// Whether every request was matched and served and, if unused stubs count, every stub was used.
    public let hasPassed: Bool
}
