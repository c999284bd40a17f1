import SDCertificates
import SDCommand
import SDHTTPTransport
import SDMockEngine
import SDStubModel

/// How listeners of the service are secured.
extension MockService {
    /// The settings of a listener. What its clients are shown is decided for each: a fault of TLS that their session has,
    /// or a certificate for the name that they ask for.
    /// - Parameter acceptsPlain: whether clients may begin with plain HTTP, too.
    func security(acceptsPlain: Bool) -> TLSSettings {
        TLSSettings(
            acceptsPlain: acceptsPlain, offersHTTP2: options.securedHTTP2, clientCertificates: identities.ofClients
        ) { [identities, log, sessions] hello in
            let fault = sessions?.tlsFault(origin: hello.origin, serverName: hello.serverName)
            do throws(CertificateProblem) {
                return try identities.greeting(for: hello.serverName, fault)
            } catch {
                log.repeated(.error, cause: "certificate", "a handshake ends without a certificate: \(error)")
                return .reset
            }
        }
    }
}

extension ServerIdentities {
    /// What a client is answered to its hello.
    fileprivate func greeting(for name: String?, _ fault: TLSFault?) throws(CertificateProblem) -> TLSGreeting {
        switch fault {
        case nil: .identity(try identity(for: name))
        case .reset: .reset
        case .stall: .stall
        case .garbage: .garbage
        case .oldVersion: .oldVersion(try identity(for: name))
        // The names of the other faults are those of the defects of certificates.
        case let fault?: .identity(try identity(for: name, defect: CertificateDefect(rawValue: fault.rawValue)))
        }
    }
}
