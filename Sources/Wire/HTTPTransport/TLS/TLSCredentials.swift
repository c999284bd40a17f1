import SDCReactor

/// What calls to other servers show to those that ask for a certificate, and whom they trust beside those that others trust.
public final class TLSCredentials: Sendable {
    /// Immutable but for its count of references, which is atomic.
    nonisolated(unsafe) let raw: OpaquePointer
    /// Whether there is anything to be shown.
    package let hasOwn: Bool

    /// - Parameters:
    ///   - own: of several, the first is shown that suits the server.
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

/// What a server was shown in a handshake in which this process is the client.
package enum ShownCertificate: Sendable {
    /// The server has not asked for a certificate.
    case notAsked
    /// It has, and none suits it.
    case none
    case certificate

    init(_ raw: cr_shown) {
        self =
            switch raw {
            case CR_SHOWN_ONE: .certificate
            case CR_SHOWN_NONE: .none
            default: .notAsked
            }
    }
}
