/// The certificate that a client showed when it connected. The listener has verified who issued it.
public final class ClientCertificate: Sendable {
    /// The name of its owner, as in RFC 2253: `CN=alice,O=Example`.
    public let subject: String
    /// The name of the authority that issued it, in the same form.
    public let issuer: String
    /// The serial number in hexadecimal digits, such as `01AF`.
    public let serialNumber: String
    /// The SHA-256 of its DER form in lower-case hexadecimal digits.
    public let fingerprint: String
    /// The times between which it is valid, in seconds since 1970.
    public let notBefore, notAfter: Int64
    /// Its alternative names, each with its kind: `DNS:alice.example`, `IP:127.0.0.1`, `email:…`, `URI:…`.
    public let alternativeNames: [String]
    /// The certificate in PEM.
    public let pem: String

    package init(
        subject: String, issuer: String, serialNumber: String, fingerprint: String, notBefore: Int64, notAfter: Int64,
        alternativeNames: [String], pem: String
    ) {
        self.subject = subject
        self.issuer = issuer
        self.serialNumber = serialNumber
        self.fingerprint = fingerprint
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.alternativeNames = alternativeNames
        self.pem = pem
    }
}
