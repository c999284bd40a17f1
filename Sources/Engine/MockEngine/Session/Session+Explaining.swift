public import JSON
import Matching
public import StubModel
import Synchronization

/// Explanations and near misses of requests. Nothing is recorded.
extension Session {
    var visibleStubs: VisibleStubs {
        bringUpToDate()
        return state.withLock { $0.snapshot.stubs }
    }

    /// The answer to `near-misses/request`.
    public func nearMisses(to logged: LoggedRequest, now: UInt64) -> JSONValue {
        let request = DescribedRequest(logged, now: now)
        let shown = logged.shown(of: request)
        let nearest = NearMissSearch(stubs: visibleStubs).nearest(request, .notes)
        return ["nearMisses": .array(nearest.map { $0.json(shown) })]
    }

    /// The answer to `explain`: the stub that would answer a request, the reason, and the stubs that it precedes. An
    /// addition to WireMock's admin API.
    public func explanation(of logged: LoggedRequest, now: UInt64) -> JSONValue {
        Explanation(DescribedRequest(logged.completed(), now: now, isWhole: true), visibleStubs, files: files).json
    }

    /// The answer to `near-misses/request-pattern`: the requests in the journal nearest to a pattern.
    /// - Throws: if the pattern cannot be compiled.
    public func nearMisses(to pattern: RequestPattern) throws(StubRefusal) -> JSONValue {
        let compiled = try compile(pattern)
        let near = events.map { event -> (event: ServeEvent, distance: Double) in
            var views = RequestViews(event.request)
            return (event, compiled.distance(event.request, &views, below: .infinity) ?? 1)
        }
        let nearest = near.sorted { $0.distance < $1.distance }.prefix(NearMissSearch.count)
        return [
            "nearMisses": .array(
                nearest.map { event, _ in
                    var views = RequestViews(event.request)
                    return [
                        "request": LoggedRequest(event.request).json, "requestPattern": pattern.json,
                        "matchResult": compiled.evaluate(event.request, &views, .notes).matchResult,
                    ]
                })
        ]
    }

    /// The answer to `requests/unmatched/near-misses`: the nearest stubs for each unmatched request in the journal, the
    /// newest first.
    public func nearMissesOfUnmatched() -> JSONValue {
        let search = NearMissSearch(stubs: visibleStubs)
        let unmatched = events.filter(\.isUnmatched).prefix(Self.mostUnmatched)
        return [
            "nearMisses": .array(
                unmatched.flatMap { event in
                    let logged = LoggedRequest(event.request)
                    return search.nearest(event.request, .notes).map { $0.json(logged) }
                })
        ]
    }

    /// The most unmatched requests in the answer; each costs a search.
    private static var mostUnmatched: Int { 200 }
}
