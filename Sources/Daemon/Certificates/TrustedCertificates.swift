/// The file of authorities that a program reads, as `SSL_CERT_FILE` and its kind name one.
public enum TrustedCertificates {
    /// The certificates of a file in PEM with those of another behind them. Whatever else the files hold, such as a key, is
    /// left out.
    /// - Returns: nil if the first file holds no certificate.
    public static func file(_ bytes: [UInt8], adding others: [UInt8]) -> [UInt8]? {
        let known = certificates(in: bytes)
        return known.isEmpty ? nil : known + certificates(in: others)
    }

    private static func certificates(in bytes: [UInt8]) -> [UInt8] {
        PEMBlock.all(in: bytes).filter(\.isCertificate).flatMap(\.bytes)
    }
}
