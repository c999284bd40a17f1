/// The authority that issues what listeners show to clients. It is made once, and kept in a folder of its user: clients
/// that trust it trust every later certificate.
public struct CertificateAuthority: Sendable {
    /// Its certificate in PEM, for clients to trust.
    public let certificate: [UInt8]

    /// Takes the authority of a folder, and makes it there if there is none. Several processes may do so at once: all get
    /// the same.
    /// - Throws: if the folder cannot be used, or has half an authority.
    public init(folder: String) throws(CertificateProblem) {
        throw CertificateProblem("certificates are not built yet")
    }

    /// Makes an authority that lives as long as the process.
    /// - Throws: if OpenSSL is not there.
    public static func temporary() throws(CertificateProblem) -> CertificateAuthority {
        throw CertificateProblem("certificates are not built yet")
    }

    /// Issues a certificate.
    /// - Parameters:
    ///   - name: the host name or address that it is for; nil for a client that names none: it is then for
    ///     `localhost`, `*.localhost` and the loopback addresses.
    ///   - defect: what clients are to object to; nil for nothing.
    public func issue(for name: String?, defect: CertificateDefect? = nil) throws(CertificateProblem)
        -> IssuedCertificate
    {
        throw CertificateProblem("certificates are not built yet")
    }
}

/// A certificate, with its chain and its key.
public struct IssuedCertificate: Sendable, Equatable {
    /// PEM: the certificate, then those that lead to its authority.
    public var chain: [UInt8]
    /// PEM: the private key, not encrypted.
    public var key: [UInt8]

    public init(chain: [UInt8], key: [UInt8]) {
        self.chain = chain
        self.key = key
    }
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
    /// Its key is shorter than any client accepts.
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
