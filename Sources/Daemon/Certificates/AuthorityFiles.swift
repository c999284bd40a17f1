internal import SDPlatform

/// An authority's files in its folder: the certificate, readable by clients, and the key, readable by its owner only.
struct AuthorityFiles {
    let folder: String

    var certificatePath: String { folder + "/ca.pem" }
    var keyPath: String { folder + "/ca-key.pem" }

    /// Reads the authority; nil if there is none.
    /// - Throws: the problem with the files, and the fix.
    func read() throws(CertificateProblem) -> Issuer? {
        try OpenSSL.check()
        // Another process may be writing both files; it writes the certificate last.
        guard let pem = try read(certificatePath) else { return nil }
        guard let keyPEM = try read(keyPath) else {
            throw CertificateProblem("\(keyPath) is missing beside ca.pem: \(Self.advice(remove: certificatePath))")
        }
        guard let certificate = Certificate(pem: pem) else {
            throw CertificateProblem("\(certificatePath) holds no certificate in PEM: \(advice)")
        }
        guard let key = PrivateKey(pem: keyPEM, password: "") else {
            throw CertificateProblem("\(keyPath) holds no private key in PEM that is not encrypted: \(advice)")
        }
        guard certificate.hasKey(key) else {
            throw CertificateProblem("\(keyPath) is not the key of ca.pem beside it: \(advice)")
        }
        if let end = certificate.validity?.to, end * 1000 < SystemCalls.wallClockMilliseconds() {
            let time = Timestamp(milliseconds: end * 1000).wholeSeconds
            throw CertificateProblem("\(certificatePath) was valid until \(time): \(advice)")
        }
        return Issuer(certificate: certificate, key: key, pem: try certificate.pem())
    }

    /// Creates the authority, or reads the one that another process has created meanwhile.
    func make() throws(CertificateProblem) -> Issuer {
        do throws(SystemError) {
            try SystemCalls.makeFolders(folder, isPrivate: true)
        } catch {
            throw CertificateProblem("cannot make the folder of the local certificate authority: \(error)")
        }
        let lock = try lock()
        return try make(under: lock)
    }

    private func lock() throws(CertificateProblem) -> FileDescriptor {
        do throws(SystemError) {
            return try SystemCalls.lock(folder + "/.lock")
        } catch {
            throw CertificateProblem("cannot make a local certificate authority: \(error)")
        }
    }

    private func make(under lock: borrowing FileDescriptor) throws(CertificateProblem) -> Issuer {
        if let issuer = try read() { return issuer }
        if SystemCalls.exists(keyPath) {
            throw CertificateProblem("\(certificatePath) is missing beside ca-key.pem: \(Self.advice(remove: keyPath))")
        }
        let issuer = try Issuer.made(named: CertificateAuthority.name)
        let key = try issuer.key.pem()
        do throws(SystemError) {
            try SystemCalls.replaceFile(keyPath, with: key, durable: true, isPrivate: true)
            try SystemCalls.replaceFile(certificatePath, with: issuer.pem, durable: true)
        } catch {
            try? SystemCalls.removeFile(keyPath)
            throw CertificateProblem("cannot keep the local certificate authority: \(error)")
        }
        return issuer
    }

    /// Warnings about usable files.
    func warnings() -> [String] {
        guard let permissions = (try? SystemCalls.status(of: keyPath))?.permissions, permissions & 0o077 != 0 else {
            return []
        }
        return [
            "\(keyPath) can be read or written by other users, who can then pretend to be any host to those that trust this "
                + "authority: chmod 600 \(keyPath)"
        ]
    }

    private var advice: String {
        "put back the two files that belong together, or remove both, and a new authority is made, which clients have to "
            + "trust anew"
    }

    private static func advice(remove path: String) -> String {
        "put it back, or remove \(path), and a new authority is made, which clients have to trust anew"
    }

    private func read(_ path: String) throws(CertificateProblem) -> [UInt8]? {
        do throws(SystemError) {
            return try SystemCalls.readAll(try SystemCalls.open(path, .read), limit: 1 << 20, path: path)
        } catch {
            if error.isNotFound { return nil }
            throw CertificateProblem("cannot read the local certificate authority: \(error)")
        }
    }
}

extension CertificateAuthority {
    /// The folder of the user's authority.
    /// - Parameter chosen: the folder named by the user; nil for the default.
    /// - Throws: if there is no usable folder.
    public static func folder(chosen: String?) throws(CertificateProblem) -> String {
        try folder(chosen: chosen, environment: SystemCalls.environmentVariable, home: SystemCalls.homeFolder())
    }

    static func folder(
        chosen: String?, environment: (String) -> String?, home: String?
    ) throws(CertificateProblem) -> String {
        if let chosen { return chosen }
        // The XDG specification says to ignore a relative path.
        if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") { return state + "/stuntdouble" }
        guard let home else {
            throw CertificateProblem(
                "there is no folder for the local certificate authority, as the user has none: name one with --state-dir"
            )
        }
        #if os(macOS)
            return home + "/Library/Application Support/stuntdouble"
        #else
            return home + "/.local/state/stuntdouble"
        #endif
    }

    /// The path of the certificate in an authority's folder.
    public static func certificatePath(in folder: String) -> String { AuthorityFiles(folder: folder).certificatePath }

    /// Checks that an authority's folder is not inside a served folder, whose files any client may read.
    public static func check(_ folder: String, outside served: String) throws(CertificateProblem) {
        // For a missing folder, check the nearest existing parent.
        var (existing, rest) = (folder, "")
        while !SystemCalls.exists(existing), existing != SystemCalls.parent(of: existing) {
            rest = "/" + SystemCalls.lastName(of: existing) + rest
            existing = SystemCalls.parent(of: existing)
        }
        guard let path = try? SystemCalls.resolve(existing) + rest, let root = try? SystemCalls.resolve(served) else {
            return
        }
        guard path == root || path.hasPrefix(root == "/" ? "/" : root + "/") else { return }
        throw CertificateProblem(
            "the key of the local certificate authority must not lie in the folder that is served, and \(folder) is within "
                + "\(served): name another folder with --state-dir")
    }
}
