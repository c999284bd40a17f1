import SDHTTPTransport
import SDTestSupport

extension TLSIdentity {
    static func test(_ certificate: String, _ key: String) throws -> TLSIdentity {
        try TLSIdentity(chain: wire(certificate), key: wire(key))
    }

    static func localhost() throws -> TLSIdentity {
        try test(TestCertificates.localhost, TestCertificates.localhostKey)
    }
    static func other() throws -> TLSIdentity { try test(TestCertificates.other, TestCertificates.otherKey) }
}

/// A server for one test whose connections are secured, for `localhost` unless the test says otherwise.
func securedServer(
    workers: Int = 1, limits: ServerLimits = .unhurried, change: (inout TLSSettings) -> Void = { _ in },
    onClientHello: (@Sendable (ClientHello) -> ClientHelloAction)? = nil,
    serve: @escaping @Sendable (Request, consuming Reply) -> Void = answerWithEcho
) throws -> TestServer {
    let identity = try TLSIdentity.localhost()
    var settings = TLSSettings(offersHTTP2: false, onClientHello: onClientHello ?? { _ in .identity(identity) })
    change(&settings)
    return try TestServer(
        workers: workers, limits: limits, listen: { try $0.listen(address: "127.0.0.1", port: 0, tls: settings) }, serve
    )
}

/// The same, with a way to serve alone.
func securedServer(_ serve: @escaping @Sendable (Request, consuming Reply) -> Void) throws -> TestServer {
    try securedServer(serve: serve)
}

extension ServerLimits {
    /// Limits that a slow test does not reach.
    static var unhurried: ServerLimits {
        var limits = ServerLimits.patient
        limits.body = 64 << 20
        return limits
    }
}

/// The bytes of the echo of `get(path)`.
func echoOfGet(_ path: String, keep: String = "keep") -> [UInt8] {
    plainAnswer(wire("GET \(path) HTTP/1.1 \(keep)\n[Host]=[a]"))
}
