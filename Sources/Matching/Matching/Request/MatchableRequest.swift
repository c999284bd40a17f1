import Bytes

/// What a matcher reads of a request: bytes as they came over the wire, nothing decoded.
///
/// The transport's request conforms. Every member hands out a part of the request's one block and costs no allocation.
public protocol MatchableRequest {
    /// The method's token, case kept.
    var method: ArraySlice<UInt8> { get }
    /// Path and query as sent, without scheme and authority, without fragment; `/a?` reads as `/a`.
    var url: ArraySlice<UInt8> { get }
    /// `url` up to the first `?`.
    var path: ArraySlice<UInt8> { get }
    /// What stands behind the first `?`, nil where there is none.
    var query: ArraySlice<UInt8>? { get }
    /// Host and port of an absolute-form target; nil for any other.
    var authority: ArraySlice<UInt8>? { get }
    /// The body without its transfer coding, but with its content coding.
    var body: ArraySlice<UInt8> { get }
    /// Came over TLS.
    var isSecure: Bool { get }
    /// The client's numeric address.
    var peer: String { get }
    /// The port it was received on.
    var localPort: UInt16 { get }
    /// When the request was complete: nanoseconds since 1970.
    var wallTime: UInt64 { get }
    /// Calls `body` with each value of the header in order, until it returns false. `name` is lower-case ASCII.
    func forEachHeaderValue(_ name: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool)
    /// What a description of a request does not say; empty for a request that was received.
    var omissions: RequestOmissions { get }
}

/// Parts of a request of which nothing is known. Only distances heed them, as WireMock does it.
public struct RequestOmissions: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Every URL is as far as can be.
    public static let url = RequestOmissions(rawValue: 1)
    /// Every pattern of a body is met.
    public static let body = RequestOmissions(rawValue: 2)
    /// Every scheme, host and port is as far as can be.
    public static let origin = RequestOmissions(rawValue: 4)
}

extension MatchableRequest {
    public var omissions: RequestOmissions { [] }

    /// Calls `body` with each value of the header as text, in UTF-8, until it returns false.
    func forEachHeaderText(_ name: [UInt8], _ body: (ArraySlice<UInt8>) -> Bool) {
        forEachHeaderValue(name) { body(HeaderText.utf8($0)) }
    }

    /// The first value of a header as it was sent; `name` is lower-case ASCII.
    func firstHeader(_ name: [UInt8]) -> ArraySlice<UInt8>? {
        var first: ArraySlice<UInt8>?
        forEachHeaderValue(name) { value in
            first = value
            return false
        }
        return first
    }
}
