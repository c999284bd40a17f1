/// A certificate with its chain and its private key, ready to be shown to clients by any number of listeners.
public final class TLSIdentity: Sendable {
    /// Reads a certificate.
    /// - Parameters:
    ///   - chain: PEM: the certificate, then those that lead to its authority.
    ///   - key: PEM: the private key, not encrypted.
    /// - Throws: what is wrong with them, such as a key that belongs to another certificate.
    public init(chain: [UInt8], key: [UInt8]) throws(TLSProblem) {
        throw TLSProblem("TLS is not built yet")
    }
}

/// Why TLS cannot be used, or a certificate cannot be shown.
public struct TLSProblem: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String

    package init(_ description: String) {
        self.description = description
    }

    /// Why this process cannot secure any listener, such as a library that is not installed, with the package that has it;
    /// nil if it can. Any thread; the first call may take some milliseconds.
    public static var ofThisProcess: TLSProblem? { TLSProblem("TLS is not built yet") }
}
