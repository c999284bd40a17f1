public import SDAnswering
public import SDJournal
package import SDMatching
import SDPlatform
public import SDStubModel
import Synchronization

extension Session: FeedOwner {
    package var waiting: WaitingWork { shared.waiting }

    package func withJournal<Result: Sendable>(_ body: (inout Journal) -> Result) -> Result {
        state.withLock { body(&$0.journal) }
    }

    /// The number of requests that a pattern's stub has answered; nil unless the pattern belongs to exactly one stub.
    package func matches(of pattern: RequestPattern, _ compiled: CompiledPattern) -> Int? {
        let stubs = stubsWithHits.filter { stub, _ in
            stub.pattern.methods == compiled.methods && stub.pattern.place == compiled.place
                && stub.mapping.request == pattern
        }
        return stubs.count == 1 ? stubs.first?.hits.matches : nil
    }

    func tellRemoved(_ stubs: [CompiledStub]) {
        for stub in stubs { changed(.stub(.removed, .init(stub.mapping))) }
    }

    /// The number of requests that each stub has answered, including dropped events, in order of precedence.
    public var stubHits: [(stub: StubReference, hits: HitCount)] {
        stubsWithHits.map { (StubReference($0.stub), $0.hits) }
    }

    /// The requests in flight, oldest first.
    /// - Parameter everywhere: whether those of other replicas count.
    public func inFlight(everywhere: Bool = false) -> InFlightRequests {
        let now = SystemCalls.monotonicNanoseconds()
        let (matching, ended) = (activity.matching, activity.ended)
        var events = activity.inFlight.events
        var (total, others) = withJournal { ($0.underWay(ended: ended), everywhere ? $0.underWayElsewhere : []) }
        total = max(matching + total, events.count) + others.count
        others.append(contentsOf: events)
        events = others.isEmpty ? [] : others.sorted { $0.sequence < $1.sequence }
        let gates = gateTable.names
        return InFlightRequests(
            total: total, slow: events.map { InFlightRequest($0, gate: gates[$0.sequence], now: now) },
            webhooks: activity.following)
    }
}
