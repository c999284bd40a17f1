import SDStubModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Answers from a real service.
extension Stub.Answer {
    /// Forwards the request to another server: `.proxy(to: "https://staging.example.com")`.
    ///
    /// The request's path and query are appended to the base URL. Delays, faults and gates apply to the server's
    /// answer; status, headers and body are the server's own.
    /// - Parameter baseURL: begins with `http://` or `https://`; it may have a path, and expressions if the answer is a
    ///   ``template(_:)``.
    public static func proxy(to baseURL: String) -> Stub.Answer {
        Stub.Answer().changing {
            $0.proxyBaseUrl = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        }
    }

    /// Forwards the request to another server.
    public static func proxy(to baseURL: URL) -> Stub.Answer { proxy(to: baseURL.absoluteString) }
}
