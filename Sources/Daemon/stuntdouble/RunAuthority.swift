import SDCertificates
import SDCommand
import SDPlatform

/// The file with the certificate of the authority that issues those of a run's daemon for HTTPS: that of the user's
/// folder, or where the daemon has an authority that ends with it, one of the run's own.
struct RunAuthority {
    let path: String
    private let isMade: Bool

    /// The file; nil where users have certificates of their own, or it cannot be written, which is told.
    init?(_ options: ServeOptions, _ client: AdminClient) {
        guard options.servesHTTPS, options.keyStore == nil, options.authorityStore == nil,
            let certificate = try? client.ask("GET", "/certs/wiremock-ca.crt").body
        else { return nil }
        if let path = Self.usersPath(options), Self.content(path) == certificate {
            self.path = path
            isMade = false
            return
        }
        // The folder is the user's alone, so nobody puts another authority there.
        guard let folder = RunPlace.folder() else {
            Console.note("STUNTDOUBLE_CA is not set: there is no folder for the certificate of the authority")
            return nil
        }
        path = "\(folder)/ca-\(SystemCalls.processIdentifier).pem"
        isMade = true
        do throws(SystemError) {
            try SystemCalls.replaceFile(path, with: certificate)
        } catch {
            Console.note("STUNTDOUBLE_CA is not set: cannot write \(path): \(error.reason)")
            return nil
        }
    }

    /// Removes the file if it is the run's own.
    func remove() {
        if isMade { try? SystemCalls.removeFile(path) }
    }

    private static func usersPath(_ options: ServeOptions) -> String? {
        guard let folder = try? CertificateAuthority.folder(chosen: options.stateFolder) else { return nil }
        let path = CertificateAuthority.certificatePath(in: folder)
        return (try? SystemCalls.resolve(path)) ?? path
    }

    private static func content(_ path: String) -> [UInt8]? {
        guard let file = try? SystemCalls.open(path, .read) else { return nil }
        return try? SystemCalls.readAll(file, limit: 1 << 20)
    }
}
