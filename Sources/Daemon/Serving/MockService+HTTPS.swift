import SDCertificates
import SDCommand
import SDHTTPTransport
import SDMockEngine
import SDStubModel
import SDUpstream

/// How listeners of the service are secured.
extension MockService {
    /// The settings of a listener. What its clients are shown is decided for each: a fault of TLS that their session has,
    /// or a certificate for the name that they ask for.
    /// - Parameter acceptsPlain: whether clients may begin with plain HTTP, too.
    func security(acceptsPlain: Bool) -> TLSSettings {
        TLSSettings(
            acceptsPlain: acceptsPlain, offersHTTP2: options.securedHTTP2, clientCertificates: identities.ofClients
        ) { [identities, sessions] hello in
            identities.greeting(
                for: hello.serverName, sessions?.tlsFault(origin: hello.origin, serverName: hello.serverName))
        }
    }
}

extension MockService {
    /// Lets calls to other servers show the certificates of `--https-truststore` that have keys, and trust its authorities where
    /// they trust anybody.
    /// - Throws: if they cannot be shown, which is logged.
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

extension ServerIdentities {
    /// What a client is answered to its hello.
    fileprivate func greeting(for name: String?, _ fault: TLSFault?) -> TLSGreeting {
        switch fault {
        case nil: greeting(for: name) { .identity($0) }
        case .reset: .reset
        case .stall: .stall
        case .garbage: .garbage
        case .oldVersion: greeting(for: name) { .oldVersion($0) }
        // The names of the other faults are those of the defects of certificates.
        case let fault?: greeting(for: name, defect: CertificateDefect(rawValue: fault.rawValue)) { .identity($0) }
        }
    }
}
