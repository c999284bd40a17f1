import Matching
public import StubModel
import Synchronization

/// Explanations and near misses of requests. Nothing is recorded.
extension Session {
    var visibleStubs: VisibleStubs {
        bringUpToDate()
        return state.withLock { $0.snapshot.stubs }
    }

    /// The stubs nearest to a request that a client describes.
    /// - Parameter now: nanoseconds since 1970, for a description without a time.
    public func nearMisses(to logged: LoggedRequest, now: UInt64) -> RequestNearMisses {
        let request = DescribedRequest(logged, now: now)
        let shown = logged.shown(of: request)
        let nearest = NearMissSearch(stubs: visibleStubs).nearest(request, .notes)
        return RequestNearMisses(request: shown, nearest: nearest)
    }

    /// The stub that would answer a request, the reason, and the stubs that it precedes.
    /// - Parameter now: nanoseconds since 1970, for a description without a time.
    public func explanation(of logged: LoggedRequest, now: UInt64) -> Explanation {
        Explanation(DescribedRequest(logged.completed(), now: now, isWhole: true), visibleStubs, files: files)
    }

    /// The requests in the journal nearest to a pattern, the nearest first.
    /// - Throws: if the pattern cannot be compiled.
    public func nearMisses(to pattern: RequestPattern) throws(StubRefusal) -> [MissedRequest] {
        let compiled = try compile(pattern)
        let near = events.map { event -> (event: ServeEvent, distance: Double) in
            var views = RequestViews(event.request)
            return (event, compiled.distance(event.request, &views, below: .infinity) ?? 1)
        }
        let nearest = near.sorted { $0.distance < $1.distance }.prefix(NearMissSearch.count)
        return nearest.map { event, _ in
            var views = RequestViews(event.request)
            return MissedRequest(event: event, pattern: pattern, compiled.evaluate(event.request, &views, .notes))
        }
    }

    /// The nearest stubs for each unmatched request in the journal, the newest first.
    public func nearMissesOfUnmatched() -> [RequestNearMisses] {
        let search = NearMissSearch(stubs: visibleStubs)
        let unmatched = events.filter(\.isUnmatched).prefix(Self.mostUnmatched)
        return unmatched.map { event in
            RequestNearMisses(
                request: LoggedRequest(event.request), nearest: search.nearest(event.request, .notes))
        }
    }

    /// The most unmatched requests in the answer; each costs a search.
    private static var mostUnmatched: Int { 200 }
}
