import SDAnswering
package import SDExplaining
import SDHTTPTransport
public import SDJournal
public import SDMatching
public import SDMockEngine
import SDPlatform
public import SDStubModel
import SDStubs

/// Explanations and near misses of requests. Nothing is recorded.
extension Session {
    /// The stubs nearest to a request that a client describes.
    /// - Parameter now: nanoseconds since 1970, for a description without a time.
    /// - Throws: if that takes more than the budget of a call.
    public func nearMisses(to logged: LoggedRequest, now: UInt64) throws(StubRefusal) -> RequestNearMisses {
        let request = DescribedRequest(logged, now: now)
        let shown = logged.shown(of: request)
        let (search, budget) = (NearMissSearch(self), newBudget)
        let nearest = search.nearest(request, .notes, budget)
        try budget.check("The search for near misses", among: search.stubs)
        return RequestNearMisses(request: shown, nearest: nearest)
    }

    /// The stub that would answer a request, the reason, and the stubs that it precedes.
    /// - Parameters:
    ///   - now: nanoseconds since 1970, for a description without a time.
    ///   - drafts: stubs that count as if they were added, each in the place of the one that has its id; the first is tried
    ///     first.
    /// - Throws: if that takes more than the budget of a call, or a draft cannot be served.
    public func explanation(
        of logged: LoggedRequest, now: UInt64, with drafts: [StubMapping] = []
    ) throws(StubRefusal) -> Explanation {
        let budget = newBudget
        let search = try drafts.isEmpty ? NearMissSearch(self) : self.search(with: drafts)
        let request = DescribedRequest(logged.completed(), now: now, isWhole: true)
        var explanation = Explanation(request, search, of: self, budget)
        try budget.check("The explanation", among: search.stubs)
        explanation.render(for: request, in: self)
        return explanation
    }

    /// The same of a request in the journal, as far as its body is kept.
    /// - Throws: if that takes more than the budget of a call.
    public func explanation(of event: ServeEvent) throws(StubRefusal) -> Explanation {
        let (search, budget) = (NearMissSearch(self), newBudget)
        let explanation = Explanation(event.request, search, of: self, budget)
        try budget.check("The explanation", among: search.stubs)
        return explanation
    }

    private func search(with drafts: [StubMapping]) throws(StubRefusal) -> NearMissSearch {
        var compiled: [CompiledStub] = []
        for draft in drafts { compiled.append(try compiledDraft(draft)) }
        return NearMissSearch(self, among: stubs(with: compiled).visible)
    }

    /// The requests in the journal nearest to a pattern, the nearest first.
    /// - Throws: if the pattern cannot be compiled, or that takes more than the budget of a call.
    public func nearMisses(to pattern: RequestPattern) throws(StubRefusal) -> [MissedRequest] {
        let compiled = try compile(pattern)
        let budget = newBudget
        var near: [(event: ServeEvent, distance: Double)] = []
        for event in events where !budget.isSpent {
            var views = RequestViews(event.request, budget: budget)
            near.append((event, compiled.distance(event.request, &views, below: .infinity) ?? 1))
        }
        let nearest = near.sorted { $0.distance < $1.distance }.prefix(NearMissSearch.count)
        let missed = nearest.map { event, _ in
            var views = RequestViews(event.request, budget: budget)
            return MissedRequest(event: event, compiled.evaluate(event.request, &views, of: pattern, .notes))
        }
        try budget.check("The search for near misses")
        return missed
    }

    /// The nearest stubs for each unmatched request in the journal, the newest first.
    /// - Throws: if that takes more than the budget of a call.
    public func nearMissesOfUnmatched() throws(StubRefusal) -> [RequestNearMisses] {
        let (search, budget) = (NearMissSearch(self), newBudget)
        // A request whose stubs could not be matched has no near misses either.
        let unmatched = events.filter { $0.isUnmatched && $0.failure == nil }.prefix(Self.maxUnmatched)
        let found = unmatched.map { event in
            // All of them are in memory at once, so of gzip bodies only a little is decompressed.
            let shown = max(event.request.body.count, ShownText.longest)
            return RequestNearMisses(
                request: LoggedRequest(event.request, bodyLimit: shown),
                nearest: search.nearest(event.request, .notes, budget))
        }
        try budget.check("The search for near misses", among: search.stubs)
        return found
    }

    /// The most unmatched requests in the answer; each costs a search.
    private static var maxUnmatched: Int { 200 }

    /// The unmatched requests of a report with the nearest stub of each.
    package func nearest(to report: SessionReport) -> [(event: ServeEvent, nearest: NearMiss?)] {
        let (search, budget) = (NearMissSearch(self), newBudget)
        return report.unmatched.map { event, known in
            let miss = known.flatMap { search.miss(of: $0, event.request, budget) }
            return (event, miss ?? search.nearest(event.request, count: 1, .differences, budget, by: .people).first)
        }
    }

    /// The result of a call that verified or waited, once it is kept for reports whether that held.
    package func noted(_ result: VerificationResult) -> VerificationResult {
        if result.isRecorded {
            verifications.note(
                result.expectations.map { ($0.expectation, $0.met.count, $0.isOK) }, holds: result.holds,
                unexpected: result.unexpectedCount, redaction)
        }
        return result
    }
}
