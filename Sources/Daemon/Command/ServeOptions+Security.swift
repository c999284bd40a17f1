/// The options for HTTPS as a whole: which of them go together.
extension ServeOptions {
    /// Checks what each option alone cannot show.
    /// - Parameters:
    ///   - namesPort: whether the command line names `--port`.
    ///   - notices: gets a line for what has no effect.
    /// - Throws: the first contradiction.
    func checkSecurity(namesPort: Bool, notices: inout [String]) throws(CommandLineError) {
        if !http {
            guard httpsPort != nil else {
                throw .incomplete("--disable-http", needs: "--https-port", reason: "there would be nothing to serve")
            }
            if namesPort {
                throw .contradictory("--disable-http", "--port", reason: "--port is for HTTP, --https-port for HTTPS")
            }
            if portSecurity == .auto {
                throw .contradictory("--disable-http", "--tls auto", reason: "that takes HTTP and HTTPS on --port")
            }
        } else if let httpsPort, httpsPort == port, port != 0 {
            throw .contradictory(
                "--port \(port)", "--https-port \(port)", reason: "--port \(port) --tls auto serves both on one port")
        }
        if let adminPort, adminPort != 0, adminPort == port && http || adminPort == httpsPort {
            throw .contradictory(
                "--admin-port \(adminPort)", adminPort == httpsPort ? "--https-port \(adminPort)" : "--port \(port)",
                reason: "--admin-port is for the admin API alone")
        }
        try checkStores()
        guard !servesHTTPS else { return }
        if adminRequiresHTTPS {
            throw .incomplete(
                "--admin-api-require-https", needs: "--https-port or --tls auto",
                reason: "nothing could call the admin API")
        }
        if keyStore != nil {
            notices.append("--https-keystore has no effect: HTTPS is served with --https-port or --tls auto only")
        }
    }

    private func checkStores() throws(CommandLineError) {
        if requiresClientCertificate, trustStore == nil {
            throw .incomplete(
                "--https-require-client-cert", needs: "--https-truststore",
                reason: "its authorities say which certificates are accepted")
        }
        let ofKeyStore = [
            ("--keystore-type", keyStoreType != nil), ("--keystore-password", keyStorePassword != nil),
            ("--key-manager-password", keyPassword != nil),
        ]
        if keyStore == nil, let stray = ofKeyStore.first(where: \.1) {
            throw .incomplete(stray.0, needs: "--https-keystore", reason: "it is about that file")
        }
        let ofTrustStore = [
            ("--truststore-type", trustStoreType != nil), ("--truststore-password", trustStorePassword != nil),
        ]
        if trustStore == nil, let stray = ofTrustStore.first(where: \.1) {
            throw .incomplete(stray.0, needs: "--https-truststore", reason: "it is about that file")
        }
    }
}
