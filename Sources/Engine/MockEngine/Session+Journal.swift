public import SDAnswering
public import SDJournal
package import SDMatching
import SDPlatform
public import SDStubModel
import Synchronization

extension Session: FeedKeeper {
    package var waiting: WaitingWork { shared.waiting }

    package func withJournal<Result: Sendable>(_ body: (inout Journal) -> Result) -> Result {
        state.withLock { body(&$0.journal) }
    }

    /// The number of requests that a pattern's stub has answered; nil if the pattern does not belong to exactly one
    /// stub.
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

    /// The requests that each stub has answered, whatever the journal has dropped, in the order in which stubs are
    /// tried.
    public var stubHits: [(stub: StubReference, hits: HitCount)] {
        stubsWithHits.map { (StubReference($0.stub), $0.hits) }
    }

    /// The slow answers, the oldest first.
    public func inFlight() -> InFlightRequests {
        let now = SystemCalls.monotonicNanoseconds()
        let events = activity.inFlight.events
        let gates = gateTable.names
        return InFlightRequests(
            total: max(inFlightCount, events.count),
            slow: events.map { InFlightRequest($0, gate: gates[$0.sequence], now: now) },
            webhooks: activity.following)
    }
}
