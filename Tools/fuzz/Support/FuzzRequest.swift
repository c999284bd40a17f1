import SDMatching

/// A request for matchers.
struct FuzzRequest: MatchableRequest {
    var method: ArraySlice<UInt8> = Array("POST".utf8)[...]
    var url: ArraySlice<UInt8>
    var headers: [(name: [UInt8], value: ArraySlice<UInt8>)] = []
    var body: ArraySlice<UInt8> = []

    init(url: [UInt8]) {
        self.url = url[...]
    }

    private var questionMark: Int? { url.firstIndex(of: UInt8(ascii: "?")) }
    var path: ArraySlice<UInt8> { url[..<(questionMark ?? url.endIndex)] }
    var query: ArraySlice<UInt8>? { questionMark.map { url[($0 + 1)...] } }
    var authority: ArraySlice<UInt8>? { nil }
    var isSecure: Bool { false }
    var peer: String { "127.0.0.1" }
    var localPort: UInt16 { 8080 }
    /// The first second of 2026, in UTC.
    var wallTime: UInt64 { 1_767_225_600_000_000_000 }

    func forEachHeaderValue(_ name: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool) {
        for header in headers where header.name == name {
            if !body(header.value) { return }
        }
    }
}
