package import SDCReactor

extension Request {
    /// What the requests that come to one listener have in common.
    public struct Origin: Sendable, Equatable {
        /// What connections of a listener may begin with.
        public enum Security: Sendable, Equatable {
            case plain
            case secured
            /// Either, as the first byte says.
            case plainOrSecured
        }

        /// The tag of the listener: the number of a session, `adminTag`, or 0 for an ordinary one.
        public let tag: UInt64
        /// The port; 0 for a Unix socket.
        public let port: UInt16
        /// What connections may begin with; `isSecure` says what that of the request has begun with.
        public let security: Security

        /// The tag of listeners that are for the admin API alone.
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

    /// The number of the session whose own listener accepted the connection; 0 for any other listener.
    public var sessionTag: UInt64 { isOnAdminPort ? 0 : origin.tag }

    /// Whether the listener is for the admin API alone.
    public var isOnAdminPort: Bool { origin.tag == Origin.adminTag }
}
