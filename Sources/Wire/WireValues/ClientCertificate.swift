import SDCReactor

#if canImport(Glibc)
    private import Glibc
#elseif canImport(Darwin)
    private import Darwin
#endif

/// The certificate that a client sent when it connected. The listener has verified its issuer.
public final class ClientCertificate: Sendable {
    /// The subject, as in RFC 2253: `CN=alice,O=Example`.
    public let subject: String
    /// The issuer, in the same form.
    public let issuer: String
    /// The serial number in hexadecimal digits, such as `01AF`.
    public let serialNumber: String
    /// The SHA-256 of its DER form in lower-case hexadecimal digits.
    public let fingerprint: String
    /// The period of validity, in seconds since 1970.
    public let notBefore, notAfter: Int64
    /// The alternative names with their kinds: `DNS:alice.example`, `IP:127.0.0.1`, `email:…`, `URI:…`.
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

extension ClientCertificate {
    /// The certificate of a connection, created at its first request and cached with the connection.
    /// - Returns: nil if memory is short.
    package static func of(_ client: OpaquePointer) -> ClientCertificate? {
        if let kept = cr_client_cert_object(client) {
            return Unmanaged<ClientCertificate>.fromOpaque(kept).takeUnretainedValue()
        }
        var details = cr_client_cert_details()
        guard cr_client_cert_describe(client, &details) else { return nil }
        defer { cr_client_cert_details_free(&details) }
        let certificate = ClientCertificate(details)
        cr_client_cert_attach(client, Unmanaged.passRetained(certificate).toOpaque()) { kept in
            if let kept { Unmanaged<ClientCertificate>.fromOpaque(kept).release() }
        }
        return certificate
    }

    private convenience init(_ details: cr_client_cert_details) {
        func text(_ words: UnsafePointer<CChar>?) -> String { words.map { String(cString: $0) } ?? "" }
        var names: [String] = []
        var place = details.names
        for _ in 0..<details.name_count {
            names.append(text(place))
            if let start = place { place = start + strlen(start) + 1 }
        }
        self.init(
            subject: text(details.subject), issuer: text(details.issuer), serialNumber: text(details.serial),
            fingerprint: withUnsafeBytes(of: details.fingerprint) { $0.map(hexadecimal).joined() },
            notBefore: details.not_before, notAfter: details.not_after, alternativeNames: names,
            pem: text(details.pem))
    }
}

private func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return byte < 16 ? "0" + digits : digits
}
