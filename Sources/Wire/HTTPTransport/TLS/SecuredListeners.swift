import SDCReactor

/// TLS state shared by listeners with the same settings, so that all workers resume each other's sessions.
final class SecuredListeners {
    private let raw: OpaquePointer

    /// Prepares the settings.
    /// - Parameter place: the address and port, for the error.
    /// - Throws: that TLS is unavailable, or that the settings are invalid.
    init(_ settings: TLSSettings, at place: String) throws(TransportError) {
        let handler = Unmanaged.passRetained(ClientHelloHandler(settings.onClientHello))
        let (raw, problem) = withProblem { problem in
            settings.clientCertificates.trust.withPEM { trust, length in
                var config = cr_tls_config(
                    accepts_plain: settings.acceptsPlain,
                    offers_http2: settings.offersHTTP2 ? cr_http2_is_available : nil,
                    client_certificates: settings.clientCertificates.raw, trust: trust, trust_length: length,
                    on_client_hello: { ClientHelloHandler.at($0).answer($1, $2, $3) }, context: handler.toOpaque(),
                    free_context: { ClientHelloHandler.release($0) })
                return cr_tls_settings_new(&config, problem)
            }
        }
        guard let raw else {
            handler.release()
            throw TransportError("listen on \(place) with TLS", because: problem)
        }
        self.raw = raw
    }

    /// Enables TLS on a listener that has accepted no connection yet.
    func secure(_ listener: OpaquePointer) {
        cr_listener_use_tls(listener, raw)
    }

    /// Calls `body` with the settings.
    func withRaw<Result>(_ body: (OpaquePointer) -> Result) -> Result { body(raw) }

    deinit {
        cr_tls_settings_release(raw)
    }
}

/// The context of the client hello callback.
private final class ClientHelloHandler: Sendable {
    private let onClientHello: @Sendable (ClientHello) -> ClientHelloAction

    init(_ onClientHello: @escaping @Sendable (ClientHello) -> ClientHelloAction) {
        self.onClientHello = onClientHello
    }

    func answer(
        _ name: UnsafePointer<CChar>?, _ origin: UnsafePointer<cr_origin>?, _ hello: OpaquePointer?
    ) -> cr_tls_hello_action {
        guard let origin, let hello else { preconditionFailure("a hello without a listener") }
        let action = onClientHello(
            ClientHello(serverName: name.map { String(cString: $0) }, origin: Request.Origin(origin.pointee)))
        guard case .later(let begin) = action else { return action.raw }
        begin(PendingClientHello(hello))
        return cr_tls_hello_action(kind: CR_HELLO_DEFERRED, identity: nil)
    }

    static func at(_ context: UnsafeMutableRawPointer?) -> ClientHelloHandler {
        guard let context else { preconditionFailure("a callback without its context") }
        return Unmanaged<ClientHelloHandler>.fromOpaque(context).takeUnretainedValue()
    }

    static func release(_ context: UnsafeMutableRawPointer?) {
        guard let context else { return }
        Unmanaged<ClientHelloHandler>.fromOpaque(context).release()
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
        case .asked: CR_CLIENT_CERTIFICATES_REQUESTED
        case .required: CR_CLIENT_CERTIFICATES_REQUIRED
        }
    }
}
