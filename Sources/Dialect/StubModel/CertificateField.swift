/// What can be asked of the certificate that a client showed. An addition to WireMock's request patterns.
public enum CertificateField: String, Sendable, CaseIterable {
    /// The name of its owner, as in RFC 2253: `CN=alice,O=Example`.
    case subject
    /// The name of the authority that issued it, in the same form.
    case issuer
    /// The serial number in hexadecimal digits.
    case serialNumber
    /// The SHA-256 of its DER form in hexadecimal digits.
    case fingerprint
    /// The times between which it is valid, such as `2026-01-31T09:30:00Z`.
    case notBefore, notAfter
    /// Its alternative names, each with its kind: `DNS:alice.example`.
    case alternativeNames
    /// The certificate in PEM.
    case pem

    /// The position of its matcher: only the alternative names may be several.
    package var position: ValueMatcher.Position { self == .alternativeNames ? .multiValue : .single }

    package static let names = allCases.map(\.rawValue)

    /// Names from elsewhere.
    package static let otherNames = DialectNames.clientCertificateAliases
}
