import SDCReactor

/// A certificate with its chain and its private key, ready to be shown to clients by any number of listeners.
public final class TLSIdentity: Sendable {
    /// Immutable but for its count of references, which is atomic.
    nonisolated(unsafe) let raw: OpaquePointer

    /// Reads a certificate.
    /// - Parameters:
    ///   - chain: PEM: the certificate, then those that lead to its authority.
    ///   - key: PEM: the private key, not encrypted.
    /// - Throws: what is wrong with them, such as a key that belongs to another certificate.
    public init(chain: [UInt8], key: [UInt8]) throws(TLSProblem) {
        let (raw, problem) = withProblem { problem in
            chain.withPEM { chain, chainLength in
                key.withPEM { key, keyLength in cr_identity_read(chain, chainLength, key, keyLength, problem) }
            }
        }
        guard let raw else { throw problem }
        self.raw = raw
    }

    deinit {
        cr_identity_release(raw)
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
    public static var ofThisProcess: TLSProblem? {
        cr_tls_unavailable().map { TLSProblem(String(cString: $0)) }
    }
}

/// Calls `make` with room for the text of a problem, which is returned with its result.
func withProblem<Result>(_ make: (UnsafeMutablePointer<CChar>?) -> Result) -> (Result, TLSProblem) {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CR_TLS_PROBLEM_ROOM)) { room in
        room.initialize(repeating: 0)
        let result = make(room.baseAddress)
        return (result, TLSProblem(room.baseAddress.map { String(cString: $0) } ?? ""))
    }
}

extension [UInt8] {
    /// Calls `body` with the bytes as C's characters, and their number.
    func withPEM<Result>(_ body: (UnsafePointer<CChar>?, Int) -> Result) -> Result {
        withUnsafeBytes { body($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count) }
    }
}
