public import Matching
public import StubModel
import Synchronization

/// Stubs chosen by what they say of themselves, or by what they did.
extension Session {
    /// The stubs whose metadata, written as JSON in WireMock's layout, pass the matcher; `null` stands for none.
    public func stubs(withMetadata matcher: CompiledMatcher, now: UInt64) -> [StubMapping] {
        bringUpToDate()
        return state.withLock { $0.stubs.all }.filter { $0.metadata(pass: matcher, now) }.map(\.currentMapping)
    }

    /// The stubs that have answered nothing since they came or since the last reset.
    public var unmatchedStubs: [StubMapping] {
        stubsWithHits.filter { $0.hits.matches == 0 }.map(\.stub.currentMapping)
    }
}
