import SDCertificates
import SDCommand
import SDHTTPTransport
import SDMockEngine

/// How listeners of the service are secured.
extension MockService {
    /// The settings of a listener.
    /// - Parameter acceptsPlain: whether clients may begin with plain HTTP, too.
    func security(acceptsPlain: Bool) -> TLSSettings {
        TLSSettings(
            acceptsPlain: acceptsPlain, offersHTTP2: options.securedHTTP2, clientCertificates: identities.ofClients
        ) { [identities, log] hello in
            do throws(CertificateProblem) {
                return .identity(try identities.identity(for: hello.serverName))
            } catch {
                log.repeated(.error, cause: "certificate", "no certificate for \(hello.serverName ?? "a client"): \(error)")
                return .reset
            }
        }
    }
}
