public import Matching
public import StubModel
import Synchronization

/// Choosing stubs by their metadata or by their use.
extension Session {
    /// The stubs whose metadata, written as JSON in WireMock's layout, pass the matcher; absent metadata is written
    /// `null`.
    public func stubs(withMetadata matcher: CompiledMatcher, now: UInt64) -> [StubMapping] {
        bringUpToDate()
        return state.withLock { $0.stubs.all }.filter { $0.metadata(pass: matcher, now) }.map(\.currentMapping)
    }

    /// The stubs that have answered nothing since they were added or since the last reset.
    public var unmatchedStubs: [StubMapping] {
        stubsWithHits.filter { $0.hits.matches == 0 }.map(\.stub.currentMapping)
    }
}
