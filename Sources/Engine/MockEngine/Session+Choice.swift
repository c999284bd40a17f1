import SDAnswering
import SDJSON
import SDJournal
public import SDMatching
import SDPlatform
public import SDStubModel
import SDStubs
import Synchronization

/// Choosing stubs by their metadata or by their use.
extension Session {
    /// The stubs whose metadata, written as JSON in WireMock's layout, pass the matcher; absent metadata is written
    /// `null`.
    /// - Throws: if that takes more than the budget of a call.
    public func stubs(withMetadata matcher: CompiledMatcher, now: UInt64) throws(StubRefusal) -> [StubMapping] {
        bringUpToDate()
        let test = MetadataTest(matcher, now: now, newBudget)
        let found = allStubs.filter(test.passes)
        try test.budget.check("Matching metadata")
        return found.map(\.currentMapping)
    }

    /// The stubs that have answered nothing since they were added or since the last reset.
    public var unmatchedStubs: [StubMapping] {
        stubsWithHits.filter { $0.hits.matches == 0 }.map(\.stub.currentMapping)
    }
}
