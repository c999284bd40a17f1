import SDCertificates
import SDCommand
import SDPlatform
import SDUpstream

/// Makes the run's command trust the authority of the daemon's HTTPS certificates.
struct RunAuthority {
    /// The variables for the command. `STUNTDOUBLE_CA` names the file with the authority's certificate. Variables that
    /// programs read (such as those of curl and Node.js) name files that combine it with their default authorities.
    private(set) var variables: [String: String] = [:]
    /// The files written for the run.
    private var made: [String] = []

    /// Nil if users have their own certificates, or no file can be written, which is reported.
    init?(_ options: ServeOptions, _ client: AdminClient) {
        guard options.servesHTTPS, options.keyStore == nil, options.authorityStore == nil,
            let certificate = try? client.ask("GET", "/certs/wiremock-ca.crt").body
        else { return nil }
        // Only the user can write to the folder, so no other authority can be planted there.
        let folder = RunFiles.folder()
        let path: String
        if let users = Self.usersPath(options), (try? Self.content(users)) == certificate {
            path = users
        } else {
            guard let folder else {
                Console.info("STUNTDOUBLE_CA is not set: there is no folder for the certificate of the authority")
                return nil
            }
            guard let own = write(certificate, to: folder, for: "STUNTDOUBLE_CA") else { return nil }
            path = own
        }
        variables["STUNTDOUBLE_CA"] = path
        addVariables(of: certificate, at: path, in: folder)
    }

    /// Removes the run's own files.
    func remove() {
        for path in made { try? SystemCalls.removeFile(path) }
    }

    private mutating func addVariables(of authority: [UInt8], at path: String, in folder: String?) {
        func named(_ name: String) -> String? {
            SystemCalls.environmentVariable(name).flatMap { $0.isEmpty ? nil : $0 }
        }
        let curl = named("CURL_CA_BUNDLE")
        // curl takes an empty variable for a file name and ignores the other variables.
        let misleads = curl == nil && SystemCalls.environmentVariable("CURL_CA_BUNDLE") != nil
        // Node.js adds the file to its built-in authorities. OpenSSL and requests replace theirs, so these files
        // include the default authorities.
        let bases = [
            ("NODE_EXTRA_CA_CERTS", named("NODE_EXTRA_CA_CERTS"), isNeeded: true),
            ("SSL_CERT_FILE", Upstream.trustedCertificates, isNeeded: true),
            (
                "REQUESTS_CA_BUNDLE", named("REQUESTS_CA_BUNDLE") ?? curl ?? Upstream.trustedCertificates,
                isNeeded: false
            ),
            ("CURL_CA_BUNDLE", misleads ? Upstream.trustedCertificates : curl, isNeeded: misleads),
        ]
        var files: [String: String] = [:]
        for (name, base, isNeeded) in bases {
            guard let base else {
                if isNeeded { variables[name] = path }
                continue
            }
            if files[base] == nil {
                let content: [UInt8]
                do throws(SystemError) {
                    content = try Self.content(base)
                } catch {
                    Console.info("\(name) stays as it is: cannot read \(base): \(error.reason)")
                    continue
                }
                guard let both = TrustedCertificates.file(content, adding: authority) else {
                    Console.info("\(name) stays as it is: \(base) is no file of certificates in PEM")
                    continue
                }
                guard let folder, let file = write(both, to: folder, for: name) else { continue }
                files[base] = file
            }
            variables[name] = files[base]
        }
    }

    /// Writes a file of the run.
    /// - Returns: its path; nil if it cannot be written, which is reported.
    private mutating func write(_ bytes: [UInt8], to folder: String, for variable: String) -> String? {
        let number = made.isEmpty ? "" : "-\(made.count + 1)"
        let path = "\(folder)/ca-\(SystemCalls.processIdentifier)\(number).pem"
        do throws(SystemError) {
            try SystemCalls.replaceFile(path, with: bytes)
        } catch {
            Console.info("\(variable) is not set: cannot write \(path): \(error.reason)")
            return nil
        }
        made.append(path)
        return path
    }

    private static func usersPath(_ options: ServeOptions) -> String? {
        guard let folder = try? CertificateAuthority.folder(chosen: options.stateFolder) else { return nil }
        let path = CertificateAuthority.certificatePath(in: folder)
        return (try? SystemCalls.resolve(path)) ?? path
    }

    /// Reads a file, up to the size of a certificate store.
    private static func content(_ path: String) throws(SystemError) -> [UInt8] {
        try SystemCalls.readAll(try SystemCalls.open(path, .read), limit: 16 << 20)
    }
}
