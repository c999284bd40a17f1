/// Why a command has no reply, or a connection is not there.
public struct RedisFailure: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: Sendable, Equatable {
        /// There is no connection, and none could be made.
        case unreachable
        /// The server takes the connection for no user of it, or is too old.
        case refused
        /// The reply did not come in time. The command may have been carried out.
        case timedOut
        /// What came is not the protocol.
        case malformed
        /// A reply is larger than the limit.
        case tooLarge
        /// The connection ended before the reply came. The command may have been carried out.
        case closed
        /// Too much waits for the server.
        case full
    }

    public var kind: Kind
    /// One sentence for logs and health, without a full stop, and without the password.
    public var text: String

    public init(_ kind: Kind, _ text: String) {
        (self.kind, self.text) = (kind, text)
    }

    public var description: String { text }
}
