import SDCReactor

/// How a connection of HTTP/2 begins.
public enum HTTP2Greeting: Sendable, Equatable {
    case normal
    /// Without the SETTINGS that the client waits for: what it asks is not answered.
    case noSettings
    /// With bytes that are no frame, and then it closes.
    case garbage

    var raw: cr_greeting {
        switch self {
        case .normal: CR_GREETING_NORMAL
        case .noSettings: CR_GREETING_NO_SETTINGS
        case .garbage: CR_GREETING_GARBAGE
        }
    }
}

extension HTTPVersion {
    /// Why connections cannot speak HTTP/2, with the package to install; nil if they can. Loads the library at the first
    /// call.
    public static var http2Problem: String? { cr_http2_unavailable().map { String(cString: $0) } }
}
