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

    /// Takes a text from the beginning of the path before the request is sent on: with `.removingPathPrefix("/v1")`
    /// `/v1/orders` becomes `/orders`.
    public func removingPathPrefix(_ prefix: String) -> Stub.Answer {
        changing { $0.proxyUrlPrefixToRemove = prefix }
    }

    /// Sets a header of the request that is sent on: `.proxyHeader("Authorization", "Bearer of the staging server")`.
    public func proxyHeader(_ name: String, _ values: String...) -> Stub.Answer {
        changing { $0.additionalProxyRequestHeaders.set(name, values) }
    }

    /// Takes headers out of the request that is sent on. Names compare without case.
    public func removingProxyHeaders(_ names: String...) -> Stub.Answer {
        changing { $0.removeProxyRequestHeaders += names }
    }

    /// Calls the server in HTTP/2, as those of gRPC need it: `.proxy(to: "http://localhost:50051").overHTTP2()`. With `https` it may
    /// still choose HTTP/1.1; with `http` it has to speak HTTP/2 from the first byte.
    public func overHTTP2() -> Stub.Answer {
        changing { $0.proxyHttp2 = true }
    }
}
