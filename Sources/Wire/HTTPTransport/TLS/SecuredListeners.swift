import SDCReactor

/// What listeners with the same settings share: the loops' workers resume each other's sessions.
final class SecuredListeners {
    private let raw: OpaquePointer

    /// Makes settings ready.
    /// - Parameter place: the address and port, for the error.
    /// - Throws: that TLS cannot be used in this process, or what is wrong with the settings.
    init(_ settings: TLSSettings, at place: String) throws(TransportError) {
        let greeter = Unmanaged.passRetained(Greeter(settings.greeting))
        let (raw, problem) = withProblem { problem in
            settings.clientCertificates.trust.withPEM { trust, length in
                var config = cr_tls_config(
                    accepts_plain: settings.acceptsPlain,
                    offers_http2: settings.offersHTTP2 ? cr_http2_is_available : nil,
                    client_certificates: settings.clientCertificates.raw, trust: trust, trust_length: length,
                    greet: { Greeter.at($0).greet($1, $2, $3) }, context: greeter.toOpaque(),
                    free_context: { Greeter.release($0) })
                return cr_tls_settings_new(&config, problem)
            }
        }
        guard let raw else {
            greeter.release()
            throw TransportError("listen on \(place) with TLS", because: problem)
        }
        self.raw = raw
    }

    /// Secures further connections of a listener, which has accepted none yet.
    func secure(_ listener: OpaquePointer) {
        cr_listener_use_tls(listener, raw)
    }

    /// Calls `body` with the settings.
    func withRaw<Result>(_ body: (OpaquePointer) -> Result) -> Result { body(raw) }

    deinit {
        cr_tls_settings_release(raw)
    }
}

/// The context of the callback that asks for a greeting.
private final class Greeter: Sendable {
    private let greeting: @Sendable (TLSHello) -> TLSGreeting

    init(_ greeting: @escaping @Sendable (TLSHello) -> TLSGreeting) {
        self.greeting = greeting
    }

    func greet(
        _ name: UnsafePointer<CChar>?, _ origin: UnsafePointer<cr_origin>?, _ hello: OpaquePointer?
    ) -> cr_tls_greeting {
        guard let origin, let hello else { preconditionFailure("a hello without a listener") }
        let greeting = greeting(
            TLSHello(serverName: name.map { String(cString: $0) }, origin: Request.Origin(origin.pointee)))
        guard case .later(let begin) = greeting else { return greeting.raw }
        begin(AwaitedGreeting(hello))
        return cr_tls_greeting(kind: CR_GREET_LATER, identity: nil)
    }

    static func at(_ context: UnsafeMutableRawPointer?) -> Greeter {
        guard let context else { preconditionFailure("a callback without its context") }
        return Unmanaged<Greeter>.fromOpaque(context).takeUnretainedValue()
    }

    static func release(_ context: UnsafeMutableRawPointer?) {
        guard let context else { return }
        Unmanaged<Greeter>.fromOpaque(context).release()
    }
}

extension TLSSettings.ClientCertificates {
    fileprivate var trust: [UInt8] {
        switch self {
        case .ignored: []
        case .asked(let trust), .required(let trust): trust
        }
    }

    fileprivate var raw: cr_client_certificates {
        switch self {
        case .ignored: CR_CLIENT_CERTIFICATES_IGNORED
        case .asked: CR_CLIENT_CERTIFICATES_ASKED
        case .required: CR_CLIENT_CERTIFICATES_REQUIRED
        }
    }
}
