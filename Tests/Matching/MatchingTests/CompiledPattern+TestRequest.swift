import SDMatching
import SDTestSupport

extension CompiledPattern {
    func matches(_ request: TestRequest) -> Bool {
        var views = RequestViews(request)
        return matches(request, &views)
    }
}
