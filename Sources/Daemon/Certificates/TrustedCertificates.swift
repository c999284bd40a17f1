/// Files of authorities, as named by `SSL_CERT_FILE` and similar variables.
public enum TrustedCertificates {
    /// The certificates of one PEM file followed by those of another; other content, such as keys, is left out.
    /// - Returns: nil if the first file has no certificate.
    public static func file(_ bytes: [UInt8], adding others: [UInt8]) -> [UInt8]? {
        let known = certificates(in: bytes)
        return known.isEmpty ? nil : known + certificates(in: others)
    }

    private static func certificates(in bytes: [UInt8]) -> [UInt8] {
        PEMBlock.all(in: bytes).filter(\.isCertificate).flatMap(\.bytes)
    }
}
