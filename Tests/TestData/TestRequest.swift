public import SDMatching
import SDPlatform
public import SDStubModel

/// A request for matchers, written as text: `GET /a?b=c` and header lines.
public struct TestRequest: MatchableRequest, Sendable {
    public let method: ArraySlice<UInt8>
    public let url: ArraySlice<UInt8>
    public let headers: [(name: [UInt8], value: ArraySlice<UInt8>)]

    public let body: ArraySlice<UInt8>
    public var authority: ArraySlice<UInt8>? { nil }
    public var isSecure = false
    public var omissions: RequestOmissions = []
    /// What the client's certificate says.
    public var certificate: [CertificateField: [String]] = [:]
    public func certificateValues(_ field: CertificateField) -> [String] { certificate[field] ?? [] }
    public var peer: String { "127.0.0.1" }
    public var localPort: UInt16 { 8080 }
    /// The first second of 2026, in UTC.
    public var wallTime: UInt64 { 1_767_225_600_000_000_000 }

    public init(
        _ method: String = "GET", _ url: String = "/", headers: [(String, String)] = [],
        body: some Sequence<UInt8> = []
    ) {
        self.body = Array(body)[...]
        self.method = method.bytes
        self.url = (url.hasSuffix("?") ? String(url.dropLast()) : url).bytes
        // The transport passes values on without the white space around them.
        self.headers = headers.map { name, value in
            let start = value.firstIndex { $0 != " " } ?? value.endIndex
            let end = value.lastIndex { $0 != " " }.map(value.index(after:)) ?? start
            return (Array(name.lowercased().utf8), String(value[start..<end]).bytes)
        }
    }

    private var questionMark: Int? { url.firstIndex(of: UInt8(ascii: "?")) }
    public var path: ArraySlice<UInt8> { url[..<(questionMark ?? url.endIndex)] }
    public var query: ArraySlice<UInt8>? { questionMark.map { url[($0 + 1)...] } }

    public func forEachHeaderValue(_ name: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool) {
        for header in headers where header.name == name {
            if !body(header.value) { return }
        }
    }
}
