/// The version of HTTP that a request was sent in, in the order of their age.
public enum HTTPVersion: UInt8, Sendable, Comparable {
    case http10, http11, http2

    init(major: UInt8, minor: UInt8) {
        self = major > 1 ? .http2 : minor > 0 ? .http11 : .http10
    }

    /// The name as request lines and logs have it, such as `HTTP/1.1`; WireMock's name `HTTP/2.0` for HTTP/2.
    public var name: String {
        switch self {
        case .http10: "HTTP/1.0"
        case .http11: "HTTP/1.1"
        case .http2: "HTTP/2.0"
        }
    }

    public static func < (left: HTTPVersion, right: HTTPVersion) -> Bool { left.rawValue < right.rawValue }
}
