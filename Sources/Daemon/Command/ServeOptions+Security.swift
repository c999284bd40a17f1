/// Checks of combined HTTPS options.
extension ServeOptions {
    /// Checks what each option alone cannot show, and adds a notice for what has no effect.
    /// - Parameter namesPort: whether the command line names `--port`.
    /// - Throws: the first contradiction.
    mutating func checkSecurity(namesPort: Bool) throws(CommandLineError) {
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
        try checkReplicas()
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

    /// Adds a notice for a name without a shared server.
    /// - Throws: for a name that cannot be part of the shared server's keys and channels.
    mutating func checkReplicas() throws(CommandLineError) {
        let isName =
            (1...100).contains(sharedName.utf8.count)
            && sharedName.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
                    || "-._".utf8.contains(byte)
            }
        guard isName else {
            throw .invalidValue(
                .option("--shared-name"), found: sharedName,
                expected: "1 to 100 letters, digits, dots, dashes and underscores")
        }
        if shared == nil, sharedName != Self.usualSharedName {
            notices.append(
                "--shared-name \(sharedName) has no effect: this daemon is alone, since no --shared (STUNTDOUBLE_SHARED) names the "
                    + "server of Redis or Valkey")
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
