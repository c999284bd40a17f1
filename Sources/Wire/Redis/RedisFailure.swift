/// Why a command has no reply, or there is no connection.
public struct RedisFailure: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: Sendable, Equatable {
        /// Connecting failed.
        case unreachable
        /// The server rejects the user, or is too old.
        case refused
        /// The reply did not come in time. The command may have been executed.
        case timedOut
        /// The server does not speak the protocol.
        case malformed
        /// A reply is larger than the limit.
        case tooLarge
        /// The connection ended before the reply. The command may have been executed.
        case closed
        /// Too many bytes wait for the server.
        case full
    }

    public var kind: Kind
    /// One sentence for logs and health, without a full stop and without the password.
    public var text: String

    public init(_ kind: Kind, _ text: String) {
        (self.kind, self.text) = (kind, text)
    }

    public var description: String { text }
}
