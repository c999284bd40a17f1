import SDBudget
import SDJSON
import SDJournal
public import SDMatching
public import SDStubModel
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

/// A matcher of stubs' metadata, written as JSON in WireMock's layout; absent metadata is `null`.
struct MetadataTest {
    private let matcher: CompiledMatcher
    private let now: UInt64
    let budget: WorkBudget
    /// Whether stubs without metadata pass, as most are.
    private let absencePasses: Bool

    init(_ matcher: CompiledMatcher, now: UInt64, _ budget: WorkBudget) {
        self.matcher = matcher
        self.now = now
        self.budget = budget
        absencePasses = matcher.matches(Array("null".utf8), now: now, budget)
    }

    /// Whether a stub passes; false once the budget is spent.
    func passes(_ stub: CompiledStub) -> Bool {
        guard !budget.isSpent else { return false }
        guard let metadata = stub.metadata else { return absencePasses }
        return matcher.matches(JSONValue.object(metadata).prettyBytes, now: now, budget)
    }
}
