import SDPlatform
public import SDStubModel

/// A request for matchers: raw bytes, nothing decoded.
///
/// The transport's request conforms. Every member returns a slice of the request's single block, without an allocation.
public protocol MatchableRequest {
    /// The method's token in its original letter case.
    var method: ArraySlice<UInt8> { get }
    /// The bit of the method.
    var methodBit: MethodSet { get }
    /// The path and query as sent, without scheme, authority and fragment; `/a?` yields `/a`.
    var url: ArraySlice<UInt8> { get }
    /// `url` up to the first `?`.
    var path: ArraySlice<UInt8> { get }
    /// The number of bytes of `path`.
    var pathCount: Int { get }
    /// The `PathHash` of `path`.
    var pathHash: UInt64 { get }
    /// The text after the first `?`; nil without one.
    var query: ArraySlice<UInt8>? { get }
    /// The host and port of an absolute-form target; nil otherwise.
    var authority: ArraySlice<UInt8>? { get }
    /// The body without its transfer coding, but with its content coding.
    var body: ArraySlice<UInt8> { get }
    /// Whether the request came over TLS.
    var isSecure: Bool { get }
    /// The client's numeric address.
    var peer: String { get }
    /// The port on which it was received.
    var localPort: UInt16 { get }
    /// The time at which the request was complete, in nanoseconds since 1970.
    var wallTime: UInt64 { get }
    /// Calls `body` with each value of the header in order, until it returns false. `name` is lower-case ASCII.
    func forEachHeaderValue(_ name: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool)
    /// The values of a field in the client's certificate; empty without a certificate.
    func certificateValues(_ field: CertificateField) -> [String]
    /// The parts missing from a description of a request; empty for a received request.
    var omissions: RequestOmissions { get }
}

/// Unknown parts of a request. They affect only distances, as in WireMock.
public struct RequestOmissions: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Every URL is at the maximum distance.
    public static let url = RequestOmissions(rawValue: 1)
    /// Every body pattern passes.
    public static let body = RequestOmissions(rawValue: 2)
    /// Every scheme, host and port is at the maximum distance.
    public static let origin = RequestOmissions(rawValue: 4)
}

extension MatchableRequest {
    public var omissions: RequestOmissions { [] }
    public func certificateValues(_ field: CertificateField) -> [String] { [] }
    public var pathCount: Int { path.count }
    public var pathHash: UInt64 { PathHash.value(of: path.span) }
    public var methodBit: MethodSet { MethodSet(of: method) }

    /// Calls `body` with each value of the header as UTF-8 text, until it returns false.
    package func forEachHeaderText(_ name: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool) {
        forEachHeaderValue(name) { body(HeaderText.utf8($0)) }
    }

    /// The first value of a header as sent; `name` is lower-case ASCII.
    func firstHeader(_ name: [UInt8]) -> ArraySlice<UInt8>? {
        var first: ArraySlice<UInt8>?
        forEachHeaderValue(name) { value in
            first = value
            return false
        }
        return first
    }
}
