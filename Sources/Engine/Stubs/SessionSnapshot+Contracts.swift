package import SDAnswering
import SDIndexing
package import SDMatching
import SDPlatform
import SDStubModel
package import SDWireValues

extension SessionSnapshot {
    /// The stub of an OpenAPI document for a request whose path has unnecessary escapes, as some clients send: paths of
    /// documents are compared decoded.
    package func firstOfContract(_ request: Request, _ views: inout RequestViews) -> CompiledStub? {
        guard request.path.contains(UInt8(ascii: "%")) else { return nil }
        let plain = PlainPathRequest(request)
        guard plain.path != request.path else { return nil }
        var own = RequestViews(plain, budget: views.budget)
        own.wallTime = views.wallTime
        if let stub = first(plain, &own, where: \.isOfContract) { return stub }
        guard views.methodBit == .head else { return nil }
        own.methodBit = .get
        return first(plain, &own) { $0.isOfContract && $0.answersHead }
    }

    private func first(
        _ request: PlainPathRequest, _ views: inout RequestViews, where isEligible: (CompiledStub) -> Bool
    ) -> CompiledStub? {
        var search = StubSearch<CompiledStub, _>(request)
        stubs.inherited?.search(&search, &views, where: isEligible)
        finder.search(&search, &views, isEligible)
        return search.best?.stub
    }
}

/// A request whose path has no unnecessary escapes.
private struct PlainPathRequest: MatchableRequest {
    private let request: Request
    let url: ArraySlice<UInt8>
    let pathCount: Int

    init(_ request: Request) {
        self.request = request
        let path = URLEscaping.plainPath(request.path)
        pathCount = path.count
        url = (path + request.url.dropFirst(request.pathCount))[...]
    }

    var path: ArraySlice<UInt8> { url[..<pathCount] }
    var method: ArraySlice<UInt8> { request.method }
    var query: ArraySlice<UInt8>? { request.query }
    var authority: ArraySlice<UInt8>? { request.authority }
    var body: ArraySlice<UInt8> { request.body }
    var isSecure: Bool { request.isSecure }
    var peer: String { request.peer }
    var localPort: UInt16 { request.localPort }
    var wallTime: UInt64 { request.wallTime }

    func forEachHeaderValue(_ name: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool) {
        request.forEachHeaderValue(name, body)
    }

    func certificateValues(_ field: CertificateField) -> [String] { request.certificateValues(field) }
}
