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
        ) { [identities, sessions] hello in
            identities.greeting(
                for: hello.serverName, sessions?.tlsFault(origin: hello.origin, serverName: hello.serverName))
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
