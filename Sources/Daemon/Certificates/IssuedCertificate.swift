/// A certificate, with its chain and its key.
public struct IssuedCertificate: Sendable, Equatable {
    /// PEM: the certificate, then those that lead to its authority.
    public var chain: [UInt8]
    /// PEM: the private key, not encrypted.
    public var key: [UInt8]
    /// What is odd about it, as sentences for the log.
    public var warnings: [String]

    public init(chain: [UInt8], key: [UInt8], warnings: [String] = []) {
        self.chain = chain
        self.key = key
        self.warnings = warnings
    }
}

/// A certificate of a key store.
public struct StoredCertificate: Sendable {
    public let issued: IssuedCertificate
    let certificate: Certificate

    /// Whether it is for a host.
    public func isFor(_ host: String) -> Bool { certificate.isFor(host) }
}

/// What a trust store holds.
public struct TrustStore: Sendable, Equatable {
    /// PEM: the certificates of those who are trusted.
    public var authorities: [UInt8]
    /// The certificates whose keys are in it, to be shown to servers that ask for one, in its order.
    public var own: [IssuedCertificate]
}

/// What is wrong with a certificate on purpose.
public enum CertificateDefect: String, Sendable, CaseIterable {
    /// It was valid until yesterday.
    case expired
    /// It will be valid from tomorrow on.
    case notYetValid
    /// It is for another host.
    case wrongHost
    /// It has issued itself.
    case selfSigned
    /// It was issued by an authority that nobody trusts.
    case untrustedAuthority
    /// Its key is shorter than any client accepts: RSA with 768 bits. OpenSSL shows it only at security level 0.
    case weakKey
    /// The chain lacks the certificate between it and the authority.
    case missingIntermediate
}

/// Why a certificate, a key store or an authority cannot be had.
public struct CertificateProblem: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String

    package init(_ description: String) {
        self.description = description
    }
}
