import Bytes
import Matching
import StubModel
import TestSupport

@testable import MockEngine

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

struct IndexTestRequest: MatchableRequest {
    let method: ArraySlice<UInt8>
    let url: ArraySlice<UInt8>
    let headers: [(name: [UInt8], value: ArraySlice<UInt8>)]
    private let questionMark: Int?

    init(_ method: String = "GET", _ url: String, headers: [(String, String)] = []) {
        self.method = method.bytes
        self.url = url.bytes
        self.headers = headers.map { (Array($0.lowercased().utf8), $1.bytes) }
        questionMark = self.url.firstIndex(of: UInt8(ascii: "?"))
    }

    var authority: ArraySlice<UInt8>? { nil }
    var body: ArraySlice<UInt8> { [] }
    var isSecure: Bool { false }
    var peer: String { "127.0.0.1" }
    var localPort: UInt16 { 8080 }
    var wallTime: UInt64 { 0 }
    var path: ArraySlice<UInt8> { url[..<(questionMark ?? url.endIndex)] }
    var query: ArraySlice<UInt8>? { questionMark.map { url[($0 + 1)...] } }

    func forEachHeaderValue(_ name: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool) {
        for header in headers where header.name == name {
            if !body(header.value) { return }
        }
    }
}

extension StubIndex {
    func firstMatch(_ request: IndexTestRequest) -> Stub? {
        var views = RequestViews(request)
        return finder.firstMatch(request, &views)
    }

    /// All stubs in order.
    var listed: [Stub] { stubs.all }
}
