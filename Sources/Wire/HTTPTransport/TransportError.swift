#if canImport(Glibc)
    private import Glibc
#elseif canImport(Darwin)
    private import Darwin
#endif

/// A failed system call, with the attempted operation and the system's reason; or a TLS problem.
public struct TransportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The attempted operation, such as "listen on 127.0.0.1:8080".
    public let operation: String
    /// The value of errno; EPROTO for a TLS problem.
    public let code: Int32
    /// The system's text for `code`.
    public let reason: String

    /// Makes an error of the current errno, or of `code`.
    init(_ operation: String, code: Int32 = errno) {
        self.operation = operation
        self.code = code
        reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// Makes an error for a TLS problem.
    init(_ operation: String, because problem: TLSProblem) {
        self.operation = operation
        code = EPROTO
        reason = problem.description
    }

    /// Makes the error of an operation on a loop that has ended.
    init(ended operation: String) {
        self.init(operation, code: ECANCELED)
    }

    public var isAddressInUse: Bool { code == EADDRINUSE }

    /// Whether the system denies permission, as for ports below 1024 without root.
    public var isNotPermitted: Bool { code == EACCES }

    public var description: String { "cannot \(operation): \(reason)" }
}
