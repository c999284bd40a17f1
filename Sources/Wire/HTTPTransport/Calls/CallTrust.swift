import SDCReactor

/// The trust settings and client certificates of calls over TLS. Connections are reused only by calls with the same
/// object.
package final class CallTrust: Sendable {
    // Immutable except for its reference count, which is atomic.
    nonisolated(unsafe) let raw: OpaquePointer

    /// Reads the file of authorities: call it on a thread that may block.
    /// - Parameters:
    ///   - checks: whether to verify the server's certificate and name.
    ///   - authorities: a PEM file of trusted authorities; nil for OpenSSL's default locations.
    ///   - credentials: the client certificates; nil for none.
    /// - Throws: the reason, such as a missing library.
    package init(checks: Bool, authorities: String?, _ credentials: TLSCredentials?) throws(TLSProblem) {
        let (raw, problem) = withProblem { problem in
            withOptionalText(authorities) { authorities in
                var config = cr_trust_config(
                    checks: checks, authorities: authorities, credentials: credentials?.raw)
                return cr_trust_new(&config, problem)
            }
        }
        guard let raw else { throw problem }
        self.raw = raw
    }

    deinit {
        cr_trust_release(raw)
    }
}

/// Calls `body` with the text as a C string, or with NULL.
private func withOptionalText<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    guard let text else { return body(nil) }
    return text.withCString { body($0) }
}
