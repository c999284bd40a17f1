/// The HTTP version of a request, in order of age.
public enum HTTPVersion: UInt8, Sendable, Comparable {
    case http10, http11, http2

    init(major: UInt8, minor: UInt8) {
        self = major > 1 ? .http2 : minor > 0 ? .http11 : .http10
    }

    /// The name in request lines and logs, such as `HTTP/1.1`; for HTTP/2 it is WireMock's `HTTP/2.0`.
    public var name: String {
        switch self {
        case .http10: "HTTP/1.0"
        case .http11: "HTTP/1.1"
        case .http2: "HTTP/2.0"
        }
    }

    public static func < (left: HTTPVersion, right: HTTPVersion) -> Bool { left.rawValue < right.rawValue }
}
