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
    /// - Parameter now: the time for a description without one, in nanoseconds since 1970.
    /// - Throws: if that exceeds the budget of a call.
    public func nearMisses(to logged: LoggedRequest, now: UInt64) throws(StubRefusal) -> RequestNearMisses {
        let request = DescribedRequest(logged, now: now)
        let shown = logged.redacted(of: request)
        let (search, budget) = (NearMissSearch(self), newBudget)
        let nearest = search.nearest(request, .notes, budget)
        try budget.check("The search for near misses", among: search.stubs)
        return RequestNearMisses(request: shown, nearest: nearest)
    }

    /// The stub that would answer a request, the reason, and the stubs over which it takes precedence.
    /// - Parameters:
    ///   - now: the time for a description without one, in nanoseconds since 1970.
    ///   - drafts: stubs that count as added, each replacing the stub with its id; the first takes precedence.
    /// - Throws: if that exceeds the budget of a call, or a draft cannot be served.
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

    /// The explanation of a request in the journal, with the stored part of its body.
    /// - Throws: if that exceeds the budget of a call.
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

    /// The requests in the journal nearest to a pattern, nearest first.
    /// - Throws: if the pattern cannot be compiled, or that exceeds the budget of a call.
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

    /// The nearest stubs for each unmatched request in the journal, newest first.
    /// - Throws: if that exceeds the budget of a call.
    public func nearMissesOfUnmatched() throws(StubRefusal) -> [RequestNearMisses] {
        let (search, budget) = (NearMissSearch(self), newBudget)
        // A request whose stubs could not be matched has no near misses.
        let unmatched = events.filter { $0.isUnmatched && $0.failure == nil }.prefix(Self.maxUnmatched)
        let found = unmatched.map { event in
            // All of them are in memory at once, so gzip bodies are decompressed only in part.
            let shown = max(event.request.body.count, TextPreview.longest)
            return RequestNearMisses(
                request: LoggedRequest(event.request, bodyLimit: shown),
                nearest: search.nearest(event.request, .notes, budget))
        }
        try budget.check("The search for near misses", among: search.stubs)
        return found
    }

    /// The largest number of unmatched requests in the answer; each costs a search.
    private static var maxUnmatched: Int { 200 }

    /// The unmatched requests of a report with the nearest stub of each.
    package func nearest(to report: SessionReport) -> [(event: ServeEvent, nearest: NearMiss?)] {
        let (search, budget) = (NearMissSearch(self), newBudget)
        return report.unmatched.map { event, known in
            let miss = known.flatMap { search.miss(of: $0, event.request, budget) }
            return (event, miss ?? search.nearest(event.request, count: 1, .differences, budget, by: .people).first)
        }
    }

    /// Records for reports whether a verification held, and returns its result.
    package func noted(_ result: VerificationResult) -> VerificationResult {
        if result.isRecorded {
            verifications.note(
                result.expectations.map { ($0.expectation, $0.met.count, $0.isOK) }, holds: result.holds,
                unexpected: result.unexpectedCount, redaction)
        }
        return result
    }
}
