import SDStubModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Answers of a real service.
extension Stub.Answer {
    /// The answer of another server, to which the request is sent on: `.proxy(to: "https://staging.example.com")`.
    ///
    /// Path and query of the request are put behind the base URL. Delays, faults and gates of the answer act on what the
    /// server answers; status, headers and body are the server's own.
    /// - Parameter baseURL: begins with `http://` or `https://`; it may have a path, and expressions if the answer is a
    ///   ``template(_:)``.
    public static func proxy(to baseURL: String) -> Stub.Answer {
        Stub.Answer().changing {
            $0.proxyBaseUrl = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        }
    }

    /// The answer of another server, to which the request is sent on.
    public static func proxy(to baseURL: URL) -> Stub.Answer { proxy(to: baseURL.absoluteString) }
}
