import SDCReactor

/// Whom calls over TLS trust, and what they show. Connections are kept for calls with the same one.
package final class CallTrust: Sendable {
    // Immutable but for its count of references, which is atomic.
    nonisolated(unsafe) let raw: OpaquePointer

    /// Reads the file of authorities, and so is made beside the loops.
    /// - Parameters:
    ///   - checks: whether the certificate of a server must be good, and its name the server's.
    ///   - authorities: the file with those that may sign certificates, PEM; nil for OpenSSL's own places.
    ///   - credentials: what is shown to servers that ask for a certificate; nil for nothing.
    /// - Throws: why it cannot be made, such as a library that is missing.
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

/// Calls `body` with the text as C has it, or with NULL.
private func withOptionalText<Result>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
    guard let text else { return body(nil) }
    return text.withCString { body($0) }
}
