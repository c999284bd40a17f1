import SDAnswering
import SDJSON
import SDJournal
public import SDMatching
import SDPlatform
public import SDStubModel
import SDStubs
import Synchronization

/// Selects stubs by their metadata or their use.
extension Session {
    /// The stubs whose metadata, as JSON in WireMock's layout, pass the matcher; missing metadata are `null`.
    /// - Throws: if matching exceeds the budget of a call.
    public func stubs(withMetadata matcher: CompiledMatcher, now: UInt64) throws(StubRefusal) -> [StubMapping] {
        bringUpToDate()
        let test = MetadataTest(matcher, now: now, newBudget)
        let found = allStubs.filter(test.passes)
        try test.budget.check("Matching metadata")
        return found.map(\.currentMapping)
    }

    /// The stubs that have not answered since they were added or last reset.
    public var unmatchedStubs: [StubMapping] {
        stubsWithHits.filter { $0.hits.matches == 0 }.map(\.stub.currentMapping)
    }
}
