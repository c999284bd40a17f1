import SDCReactor

/// A certificate with its chain and private key, for any number of listeners.
public final class TLSIdentity: Sendable {
    /// Immutable except for its reference count, which is atomic.
    nonisolated(unsafe) let raw: OpaquePointer

    /// Reads a certificate.
    /// - Parameters:
    ///   - chain: PEM: the certificate, followed by its intermediates.
    ///   - key: PEM: the private key, not encrypted.
    /// - Throws: the reason, such as a key that belongs to another certificate.
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

/// The reason why TLS is unavailable, or a certificate cannot be used.
public struct TLSProblem: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String

    package init(_ description: String) {
        self.description = description
    }

    /// The reason why this process cannot use TLS, such as a library that is not installed, with the package to
    /// install; nil if it can. Any thread; the first call may take some milliseconds.
    public static var ofThisProcess: TLSProblem? {
        cr_tls_unavailable().map { TLSProblem(String(cString: $0)) }
    }
}

/// Calls `make` with a buffer for the text of a problem, and returns the text with the result.
func withProblem<Result>(_ make: (UnsafeMutablePointer<CChar>?) -> Result) -> (Result, TLSProblem) {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CR_TLS_PROBLEM_ROOM)) { room in
        room.initialize(repeating: 0)
        let result = make(room.baseAddress)
        return (result, TLSProblem(room.baseAddress.map { String(cString: $0) } ?? ""))
    }
}

extension [UInt8] {
    /// Calls `body` with the bytes as C characters, and their number.
    func withPEM<Result>(_ body: (UnsafePointer<CChar>?, Int) -> Result) -> Result {
        withUnsafeBytes { body($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count) }
    }
}
