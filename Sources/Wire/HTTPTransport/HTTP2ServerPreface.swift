import SDCReactor

/// The server's side of an HTTP/2 connection preface.
public enum HTTP2ServerPreface: Sendable, Equatable {
    case normal
    /// Without SETTINGS, which the client waits for; its requests are not answered.
    case noSettings
    /// Bytes that are not a frame, after which the connection closes.
    case garbage

    var raw: cr_http2_server_preface {
        switch self {
        case .normal: CR_HTTP2_PREFACE_NORMAL
        case .noSettings: CR_HTTP2_PREFACE_NO_SETTINGS
        case .garbage: CR_HTTP2_PREFACE_GARBAGE
        }
    }
}

extension HTTPVersion {
    /// The reason why HTTP/2 is unavailable, with the package to install; nil if it is available. The first call loads
    /// the library.
    public static var http2Problem: String? { cr_http2_unavailable().map { String(cString: $0) } }
}
