extension Stub {
    /// What can be required of the certificate that a client shows.
    public enum CertificateField: String, Sendable, CaseIterable {
        /// The name of its owner, as in RFC 2253: `CN=alice,O=Example`.
        case subject
        /// The name of the authority that issued it, in the same form.
        case issuer
        /// The serial number in hexadecimal digits.
        case serialNumber
        /// The SHA-256 of its DER form in lower-case hexadecimal digits.
        case fingerprint
        /// The time from which it is valid, such as `2026-01-31T09:30:00Z`.
        case notBefore
        /// The time until which it is valid.
        case notAfter
        /// The alternative names, each with its kind: `DNS:alice.example`.
        case alternativeNames
        /// The certificate in PEM.
        case pem
    }
}
