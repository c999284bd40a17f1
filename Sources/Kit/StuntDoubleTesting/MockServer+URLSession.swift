#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
    internal import Security
#endif

extension MockServer {
    /// Makes a session that trusts the server's certificates, for `httpsURL` and any other host name that leads to the
    /// server. Other certificates are verified as usual.
    ///
    /// ```swift
    /// let session = try await mock.makeURLSession()
    /// ```
    ///
    /// On Linux, Foundation trusts only the system's authorities: install the server's there once with
    /// `stuntdouble ca --install`. If `https` URLs are fixed in the code and the connection itself does not matter,
    /// ``MockRouting`` works without a certificate.
    /// - Parameter configuration: the configuration of the session.
    /// - Throws: `MockServerError` if the server has no HTTPS; on Linux also if the system does not trust its
    ///   authority.
    public func makeURLSession(_ configuration: URLSessionConfiguration = .ephemeral) async throws -> URLSession {
        guard let httpsURL else {
            throw MockServerError("the server serves no HTTPS: start it with `https: true`")
        }
        #if canImport(Security)
            let trust = try AuthorityTrust(pem: await certificateAuthority())
            return URLSession(configuration: configuration, delegate: trust, delegateQueue: nil)
        #else
            let session = URLSession(configuration: configuration)
            do {
                _ = try await session.data(from: httpsURL.appendingPathComponent("__admin/health"))
            } catch {
                session.invalidateAndCancel()
                throw MockServerError(
                    """
                    the system does not trust the server's certificate (\(error.localizedDescription)), and URLSession on \
                    this system trusts what the system trusts: install the authority once, with `stuntdouble ca --install`
                    """)
            }
            return session
        #endif
    }
}

#if canImport(Security)
    /// Accepts certificates of one authority, in addition to those that the system trusts.
    private final class AuthorityTrust: NSObject, URLSessionDelegate {
        private let certificate: Data

        /// - Throws: `MockServerError` if the text is not a PEM certificate.
        init(pem: String) throws {
            let lines = pem.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }
            guard let certificate = Data(base64Encoded: lines.joined()),
                SecCertificateCreateWithData(nil, certificate as CFData) != nil
            else { throw MockServerError("the server's authority has no certificate: \(pem.prefix(200))") }
            self.certificate = certificate
        }

        func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
                let trust = challenge.protectionSpace.serverTrust,
                let anchor = SecCertificateCreateWithData(nil, certificate as CFData),
                SecTrustSetAnchorCertificates(trust, [anchor] as CFArray) == errSecSuccess,
                SecTrustSetAnchorCertificatesOnly(trust, false) == errSecSuccess,
                SecTrustEvaluateWithError(trust, nil)
            else { return completionHandler(.performDefaultHandling, nil) }
            completionHandler(.useCredential, URLCredential(trust: trust))
        }
    }
#endif
