/// Certificates and keys in files of users.
public enum KeyStore {
    /// The forms that a key store may have.
    public enum Form: String, Sendable, CaseIterable {
        case pem, pkcs12, jks
    }

    /// Reads a certificate with its chain and key.
    /// - Parameters:
    ///   - path: the file, for messages.
    ///   - form: nil for what the bytes look like.
    ///   - password: opens the store; in PEM, the key.
    ///   - keyPassword: opens the key if that has a password of its own.
    /// - Throws: what was expected and found; for JKS, with the `keytool` line that converts it.
    public static func read(
        _ bytes: [UInt8], path: String, form: Form?, password: String, keyPassword: String?
    ) throws(CertificateProblem) -> IssuedCertificate {
        throw CertificateProblem("certificates are not built yet")
    }

    /// Reads the certificates of authorities that clients' certificates are issued by, as PEM.
    public static func readTrust(
        _ bytes: [UInt8], path: String, form: Form?, password: String
    ) throws(CertificateProblem) -> [UInt8] {
        throw CertificateProblem("certificates are not built yet")
    }
}
