import SDCReactor
import Synchronization

/// The TLS settings of a listener: its certificates, and those that it asks clients for.
public struct TLSSettings: Sendable {
    /// Whether clients that start with plain HTTP are served too; the first byte tells them apart.
    public var acceptsPlain: Bool
    /// Whether HTTP/2 is offered to clients that ask for it (ALPN).
    public var offersHTTP2: Bool
    /// Which certificates clients must send.
    public var clientCertificates: ClientCertificates
    /// Decides how to answer a ClientHello. Called on the loops' threads, once per handshake, so by several at a time
    /// if there are several workers. A decision that takes longer returns `later`.
    public var onClientHello: @Sendable (ClientHello) -> ClientHelloAction

    public init(
        acceptsPlain: Bool = false, offersHTTP2: Bool = true, clientCertificates: ClientCertificates = .ignored,
        onClientHello: @escaping @Sendable (ClientHello) -> ClientHelloAction
    ) {
        self.acceptsPlain = acceptsPlain
        self.offersHTTP2 = offersHTTP2
        self.clientCertificates = clientCertificates
        self.onClientHello = onClientHello
    }

    /// The policy for client certificates. `trust` is PEM with one or several authorities.
    public enum ClientCertificates: Sendable {
        /// The server asks for none.
        case ignored
        /// A client may send a certificate. One that no authority of `trust` has issued fails the handshake.
        case asked(trust: [UInt8])
        /// A certificate issued by an authority of `trust` is required; without one, the handshake fails.
        case required(trust: [UInt8])
    }
}

/// A client's ClientHello message.
public struct ClientHello: Sendable {
    /// The requested server name (SNI), in lower case; nil without SNI.
    public let serverName: String?
    /// The listener that accepted the connection.
    public let origin: Request.Origin

    package init(serverName: String?, origin: Request.Origin) {
        self.serverName = serverName
        self.origin = origin
    }
}

/// How the server answers a ClientHello.
public enum ClientHelloAction: Sendable {
    /// Continue the handshake with this certificate.
    case identity(TLSIdentity)
    /// Continue the handshake with this certificate, in TLS 1.1 or older only, which today's clients reject.
    case oldVersion(TLSIdentity)
    /// Reset the connection.
    case reset
    /// Send nothing until the client leaves.
    case stall
    /// Send bytes that are not TLS, then close.
    case garbage
    /// Suspend the handshake until the action is given, within the time for any handshake. The closure is called at
    /// once and must not block: it hands its argument to the code that will decide.
    case later(@Sendable (PendingClientHello) -> Void)
}

/// An action that a suspended handshake waits for. If this object is dropped before `give`, the connection is reset.
public final class PendingClientHello: Sendable {
    // Consumed by the caller that sets `isGiven`.
    private nonisolated(unsafe) let hello: OpaquePointer
    private let isGiven = Atomic(false)

    init(_ hello: OpaquePointer) {
        self.hello = hello
    }

    /// Resumes the handshake, unless it has ended. Only the first call counts; `later` means a reset. Any thread.
    public func answer(_ action: ClientHelloAction) {
        guard !isGiven.exchange(true, ordering: .acquiringAndReleasing) else { return }
        cr_hello_answer(hello, action.raw)
    }

    deinit {
        answer(.reset)
    }
}

extension ClientHelloAction {
    /// The action for the loop, with a retained certificate.
    var raw: cr_tls_hello_action {
        switch self {
        case .identity(let identity):
            cr_tls_hello_action(kind: CR_HELLO_IDENTITY, identity: cr_identity_retain(identity.raw))
        case .oldVersion(let identity):
            cr_tls_hello_action(kind: CR_HELLO_OLD_VERSION, identity: cr_identity_retain(identity.raw))
        case .stall: cr_tls_hello_action(kind: CR_HELLO_STALL, identity: nil)
        case .garbage: cr_tls_hello_action(kind: CR_HELLO_GARBAGE, identity: nil)
        case .reset, .later: cr_tls_hello_action(kind: CR_HELLO_RESET, identity: nil)
        }
    }
}
