public import SDMatching
import SDPlatform
public import SDStubModel
public import SDWireValues

extension Request: MatchableRequest {
    public var methodBit: MethodSet { MethodSet(word: methodWord) }

    public func certificateValues(_ field: CertificateField) -> [String] {
        clientCertificate?.values(of: field) ?? []
    }
}

extension ClientCertificate {
    /// The values of a certificate field; several only for alternative names.
    public func values(of field: CertificateField) -> [String] {
        func time(_ seconds: Int64) -> String { Timestamp(milliseconds: seconds * 1_000).wholeSeconds }
        return switch field {
        case .subject: [subject]
        case .issuer: [issuer]
        case .serialNumber: [serialNumber]
        case .fingerprint: [fingerprint]
        case .notBefore: [time(notBefore)]
        case .notAfter: [time(notAfter)]
        case .alternativeNames: alternativeNames
        case .pem: [pem]
        }
    }
}
