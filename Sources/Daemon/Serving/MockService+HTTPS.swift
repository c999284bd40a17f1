import SDCertificates
import SDCommand
import SDHTTPTransport
import SDMockEngine
import SDStubModel
import SDUpstream

/// The TLS settings of the service's listeners.
extension MockService {
    /// The settings of a listener. For each handshake they choose the TLS fault of the client's session, or a
    /// certificate for the requested name.
    /// - Parameter acceptsPlain: whether clients may also use plain HTTP.
    func security(acceptsPlain: Bool) -> TLSSettings {
        TLSSettings(
            acceptsPlain: acceptsPlain, offersHTTP2: options.securedHTTP2, clientCertificates: identities.ofClients
        ) { [identities, sessions] hello in
            identities.clientHelloAction(
                for: hello.serverName, sessions?.tlsFault(origin: hello.origin, serverName: hello.serverName))
        }
    }
}

extension MockService {
    /// Lets calls to other servers use the client certificates of `--https-truststore`, and trust its authorities in
    /// addition.
    /// - Throws: if they cannot be used, which is logged.
    package func showCertificate() throws(StartFailure) {
        do throws(CertificateProblem) {
            try readCertificate()
        } catch {
            throw failure(
                ["cannot show a client certificate to other servers: \(error)"], fix: "stuntdouble help serve")
        }
    }

    private func readCertificate() throws(CertificateProblem) {
        var found = identities.trustStore
        if found == nil { found = try identities.readTrust() }
        guard let store = found else { return }
        if store.own.isEmpty, !options.servesHTTPS, !options.isForwardProxy {
            log.warning(
                "--https-truststore has no effect: it has no key that could be shown to other servers, and HTTPS is served with "
                    + "--https-port or --tls auto only")
        }
        do throws(TLSProblem) {
            var own: [TLSIdentity] = []
            for issued in store.own { own.append(try TLSIdentity(chain: issued.chain, key: issued.key)) }
            session.upstream.use(try TLSCredentials(own: own, authorities: store.authorities))
        } catch {
            throw CertificateProblem("\(options.trustStore ?? ""): \(error)")
        }
    }
}

extension ServerCertificates {
    /// The action for a ClientHello.
    fileprivate func clientHelloAction(for name: String?, _ fault: TLSFault?) -> ClientHelloAction {
        switch fault {
        case nil: clientHelloAction(for: name) { .identity($0) }
        case .reset: .reset
        case .stall: .stall
        case .garbage: .garbage
        case .oldVersion: clientHelloAction(for: name) { .oldVersion($0) }
        // The other TLS faults have the names of the certificate defects.
        case let fault?:
            clientHelloAction(for: name, defect: CertificateDefect(rawValue: fault.rawValue)) { .identity($0) }
        }
    }
}
