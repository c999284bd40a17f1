import SDMatching
import SDPlatform
import SDStubModel
import SDTestSupport

@testable import SDIndexing

/// A stub that consists of its pattern and rank.
final class IndexTestStub: IndexedStub {
    let pattern: CompiledPattern
    let priority: Int
    let sequence: UInt64
    let isShapeExact: Bool

    init(_ pattern: RequestPattern, priority: Int = 5, sequence: UInt64) throws {
        self.pattern = try CompiledPattern(pattern)
        isShapeExact = pattern.url.isTemplateOfWholeSegments
        self.priority = priority
        self.sequence = sequence
    }
}

extension StubIndex {
    func firstMatch(_ request: TestRequest) -> Stub? {
        var views = RequestViews(request)
        return finder.firstMatch(request, &views)
    }

    /// All stubs in order.
    var listed: [Stub] { stubs.all }
}
