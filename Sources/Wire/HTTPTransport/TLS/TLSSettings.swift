import SDCReactor
import Synchronization

/// How a listener is secured: what its clients are shown, and what they have to show.
public struct TLSSettings: Sendable {
    /// Whether clients that begin with plain HTTP are served too, as their first byte says.
    public var acceptsPlain: Bool
    /// Whether HTTP/2 is offered to clients that ask for it (ALPN).
    public var offersHTTP2: Bool
    /// The certificates that clients have to show.
    public var clientCertificates: ClientCertificates
    /// Decides what a client is shown, by what it said first. Called on the loops' threads, once for each handshake, and
    /// so by several at a time if there are several workers. What takes longer than a loop has time for is `later`.
    public var greeting: @Sendable (TLSHello) -> TLSGreeting

    public init(
        acceptsPlain: Bool = false, offersHTTP2: Bool = true, clientCertificates: ClientCertificates = .ignored,
        greeting: @escaping @Sendable (TLSHello) -> TLSGreeting
    ) {
        self.acceptsPlain = acceptsPlain
        self.offersHTTP2 = offersHTTP2
        self.clientCertificates = clientCertificates
        self.greeting = greeting
    }

    /// The certificates that clients show. `trust` is PEM with the certificates of authorities, one or several.
    public enum ClientCertificates: Sendable {
        /// None is asked for.
        case ignored
        /// A client may show one; one that no authority of `trust` has issued ends the handshake.
        case asked(trust: [UInt8])
        /// Without a certificate that an authority of `trust` has issued, the handshake ends.
        case required(trust: [UInt8])
    }
}

/// What a client says first.
public struct TLSHello: Sendable {
    /// The name of the server that it asks for (SNI), in lower case; nil if it names none.
    public let serverName: String?
    /// The listener that accepted the connection.
    public let origin: Request.Origin

    package init(serverName: String?, origin: Request.Origin) {
        self.serverName = serverName
        self.origin = origin
    }
}

/// What a client is answered to its hello.
public enum TLSGreeting: Sendable {
    /// The handshake goes on with a certificate.
    case identity(TLSIdentity)
    /// The handshake goes on with a certificate, but only in TLS 1.1 or older, which today's clients refuse.
    case oldVersion(TLSIdentity)
    /// The connection is reset.
    case reset
    /// Nothing comes, until the client leaves.
    case stall
    /// Bytes come that are no TLS, and the connection closes.
    case garbage
    /// The handshake waits for the greeting, as long as any may take. The closure is called at once; it must not wait, but
    /// hand its argument to whoever knows.
    case later(@Sendable (AwaitedGreeting) -> Void)
}

/// A greeting that a handshake waits for. If it is dropped before it was given, the connection is reset.
public final class AwaitedGreeting: Sendable {
    // Given away by whoever changes `isGiven`.
    private nonisolated(unsafe) let hello: OpaquePointer
    private let isGiven = Atomic(false)

    init(_ hello: OpaquePointer) {
        self.hello = hello
    }

    /// Lets the handshake go on, unless it has ended; only the first call counts, and `later` is a reset. Any thread.
    public func give(_ greeting: TLSGreeting) {
        guard !isGiven.exchange(true, ordering: .acquiringAndReleasing) else { return }
        cr_hello_answer(hello, greeting.raw)
    }

    deinit {
        give(.reset)
    }
}

extension TLSGreeting {
    /// The greeting for the loop, with an identity that is retained for it.
    var raw: cr_tls_greeting {
        switch self {
        case .identity(let identity):
            cr_tls_greeting(kind: CR_GREET_IDENTITY, identity: cr_identity_retain(identity.raw))
        case .oldVersion(let identity):
            cr_tls_greeting(kind: CR_GREET_OLD_VERSION, identity: cr_identity_retain(identity.raw))
        case .stall: cr_tls_greeting(kind: CR_GREET_STALL, identity: nil)
        case .garbage: cr_tls_greeting(kind: CR_GREET_GARBAGE, identity: nil)
        case .reset, .later: cr_tls_greeting(kind: CR_GREET_RESET, identity: nil)
        }
    }
}
