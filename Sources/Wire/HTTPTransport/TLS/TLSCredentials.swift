import SDCReactor

/// The client certificates for calls to other servers, and authorities to trust in addition to the default ones.
public final class TLSCredentials: Sendable {
    /// Immutable except for its reference count, which is atomic.
    nonisolated(unsafe) let raw: OpaquePointer
    /// Whether there is a client certificate.
    package let hasOwn: Bool

    /// - Parameters:
    ///   - own: the client certificates; the first one that suits the server is used.
    ///   - authorities: certificates in PEM; may be empty.
    /// - Throws: why one of them cannot be used.
    public init(own: [TLSIdentity], authorities: [UInt8]) throws(TLSProblem) {
        let identities = own.map { Optional($0.raw) }
        let (raw, problem) = withProblem { problem in
            authorities.withPEM { cr_credentials_new(identities, identities.count, $0, $1, problem) }
        }
        guard let raw else { throw problem }
        self.raw = raw
        hasOwn = !own.isEmpty
    }

    deinit {
        cr_credentials_release(raw)
    }
}

/// The client certificate sent to a server in a handshake.
package enum SentCertificate: Sendable {
    /// The server did not ask for a certificate.
    case notAsked
    /// The server asked for a certificate, and none suits it.
    case none
    case certificate

    init(_ raw: cr_presented_cert) {
        self =
            switch raw {
            case CR_CERT_PRESENTED: .certificate
            case CR_CERT_NONE: .none
            default: .notAsked
            }
    }
}
