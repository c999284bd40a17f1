/// A certificate with its chain and key.
public struct IssuedCertificate: Sendable, Equatable {
    /// PEM: the certificate, followed by its intermediates.
    public var chain: [UInt8]
    /// PEM: the private key, not encrypted.
    public var key: [UInt8]
    /// Warnings about it, as sentences for the log.
    public var warnings: [String]

    public init(chain: [UInt8], key: [UInt8], warnings: [String] = []) {
        self.chain = chain
        self.key = key
        self.warnings = warnings
    }
}

/// A certificate in a key store.
public struct StoredCertificate: Sendable {
    public let issued: IssuedCertificate
    let certificate: Certificate

    /// Whether it is valid for a host.
    public func isFor(_ host: String) -> Bool { certificate.isFor(host) }
}

/// The content of a trust store.
public struct TrustStore: Sendable, Equatable {
    /// PEM: the trusted authorities.
    public var authorities: [UInt8]
    /// The certificates with keys, in order: client certificates for servers that ask for one.
    public var own: [IssuedCertificate]
}

/// An intended defect of a certificate.
public enum CertificateDefect: String, Sendable, CaseIterable {
    /// Expired yesterday.
    case expired
    /// Valid from tomorrow.
    case notYetValid
    /// Issued for another host.
    case wrongHost
    /// Self-signed.
    case selfSigned
    /// Issued by an unknown authority.
    case untrustedAuthority
    /// Its key is shorter than any client accepts: RSA with 768 bits. OpenSSL sends it at security level 0 only.
    case weakKey
    /// The intermediate certificate is missing from the chain.
    case missingIntermediate
}

/// Why a certificate, key store or authority is unavailable.
public struct CertificateProblem: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String

    package init(_ description: String) {
        self.description = description
    }
}
