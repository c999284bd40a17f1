import Matching

/// A request as a matcher sees it, written as text: `GET /a?b=c` and header lines.
struct TestRequest: MatchableRequest {
    let method: ArraySlice<UInt8>
    let url: ArraySlice<UInt8>
    let headers: [(name: [UInt8], value: ArraySlice<UInt8>)]

    init(_ method: String = "GET", _ url: String = "/", headers: [(String, String)] = []) {
        self.method = method.bytes
        self.url = (url.hasSuffix("?") ? String(url.dropLast()) : url).bytes
        self.headers = headers.map { (Array($0.lowercased().utf8), $1.bytes) }
    }

    private var questionMark: Int? { url.firstIndex(of: UInt8(ascii: "?")) }
    var path: ArraySlice<UInt8> { url[..<(questionMark ?? url.endIndex)] }
    var query: ArraySlice<UInt8>? { questionMark.map { url[($0 + 1)...] } }

    func forEachHeaderValue(_ name: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool) {
        for header in headers where header.name == name {
            if !body(header.value) { return }
        }
    }
}

extension CompiledPattern {
    func matches(_ request: TestRequest) -> Bool {
        var views = RequestViews(request)
        return matches(request, &views)
    }
}
