package import SDCReactor

extension Request {
    /// Facts shared by all requests to a listener.
    public struct Origin: Sendable, Equatable {
        /// The protocols that a listener accepts.
        public enum Security: Sendable, Equatable {
            case plain
            case secured
            /// Either, by the first byte.
            case plainOrSecured
        }

        /// The tag of the listener: a session's number, `adminTag`, or 0 for an ordinary one.
        public let tag: UInt64
        /// The port; 0 for a Unix socket.
        public let port: UInt16
        /// The protocols that it accepts; `isEncrypted` says whether this request's connection uses TLS.
        public let security: Security

        /// The tag of listeners for the admin API only.
        public static let adminTag = UInt64.max

        package init(tag: UInt64, port: UInt16, security: Security = .plain) {
            self.tag = tag
            self.port = port
            self.security = security
        }

        package init(_ raw: cr_origin) {
            tag = raw.tag
            port = raw.port
            security =
                switch cr_security(UInt32(raw.security)) {
                case CR_SECURED: .secured
                case CR_PLAIN_OR_SECURED: .plainOrSecured
                default: .plain
                }
        }
    }

    /// The port on which the request was received; 0 for a Unix socket.
    public var localPort: UInt16 { origin.port }

    /// The number of the session whose own listener accepted the connection; 0 for other listeners.
    public var sessionTag: UInt64 { isOnAdminPort ? 0 : origin.tag }

    /// Whether the listener is for the admin API only.
    public var isOnAdminPort: Bool { origin.tag == Origin.adminTag }
}
