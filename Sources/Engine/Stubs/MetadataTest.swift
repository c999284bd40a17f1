package import SDAnswering
import SDJSON
package import SDMatching
package import SDPlatform
import SDStubModel

/// A matcher of stubs' metadata, as JSON in WireMock's layout; missing metadata are `null`.
package struct MetadataTest {
    private let matcher: CompiledMatcher
    private let now: UInt64
    package let budget: WorkBudget
    /// Whether stubs without metadata pass; most stubs have none.
    private let absencePasses: Bool

    package init(_ matcher: CompiledMatcher, now: UInt64, _ budget: WorkBudget) {
        self.matcher = matcher
        self.now = now
        self.budget = budget
        absencePasses = matcher.matches(Array("null".utf8), now: now, budget)
    }

    /// Whether a stub passes; false once the budget is spent.
    package func passes(_ stub: CompiledStub) -> Bool {
        guard !budget.isSpent else { return false }
        guard let metadata = stub.metadata else { return absencePasses }
        return matcher.matches(JSONValue.object(metadata).prettyBytes, now: now, budget)
    }
}
