internal import SDPlatform
internal import Synchronization

/// The authority that issues listeners' certificates. It is created once and stored in the user's folder: clients that
/// trust it trust all later certificates.
public struct CertificateAuthority: Sendable {
    /// Its certificate in PEM, for clients to trust.
    public let certificate: [UInt8]
    /// Warnings about its files, as sentences for the log.
    public let warnings: [String]

    let issuer: Issuer
    private let helpers = Helpers()

    /// Reads the authority of a folder, or creates one. Safe for several processes at once: all get the same authority.
    /// - Throws: if the folder is unusable, or one of the two files is missing.
    public init(folder: String) throws(CertificateProblem) {
        let files = AuthorityFiles(folder: folder)
        let issuer = if let issuer = try files.read() { issuer } else { try files.make() }
        self.init(issuer, warnings: files.warnings())
    }

    /// Creates an authority that lives as long as the process.
    /// - Throws: if OpenSSL is not installed.
    public static func temporary() throws(CertificateProblem) -> CertificateAuthority {
        CertificateAuthority(try Issuer.made(named: Self.name), warnings: [])
    }

    /// Reads an authority from a key store.
    /// - Throws: if its certificate or key cannot be read.
    public init(_ stored: IssuedCertificate) throws(CertificateProblem) {
        guard let certificate = Certificate(pem: stored.chain), let key = PrivateKey(pem: stored.key, password: "")
        else {
            throw CertificateProblem("the certificate authority of the key store cannot be read")
        }
        self.init(
            Issuer(certificate: certificate, key: key, pem: try certificate.pem()), warnings: stored.warnings)
    }

    private init(_ issuer: Issuer, warnings: [String]) {
        self.issuer = issuer
        self.certificate = issuer.pem
        self.warnings = warnings
    }

    /// The name of a new authority, which tells users in a list of authorities whose it is.
    static var name: String {
        "Stunt Double local CA (\(SystemCalls.userName())@\(SystemCalls.hostName()))"
    }

    /// Whether certificates can be issued for a name.
    public static func isName(_ name: String) -> Bool { (try? HostName(name)) != nil }

    /// Issues a certificate.
    /// - Parameters:
    ///   - name: the host name or address; nil for a client without SNI, whose certificate is for `localhost`,
    ///     `*.localhost` and the loopback addresses.
    ///   - defect: the intended defect; nil for none.
    /// - Throws: if the name is invalid, or OpenSSL fails.
    public func issue(for name: String?, defect: CertificateDefect? = nil) throws(CertificateProblem)
        -> IssuedCertificate
    {
        let host = try HostName(name)
        let now = SystemCalls.wallClockMilliseconds() / 1000
        let validity =
            switch defect {
            case .expired: now - 31 * Self.day..<now - Self.day
            case .notYetValid: now + Self.day..<now + 31 * Self.day
            // Valid since yesterday: clocks in containers and simulators are often behind.
            default: now - Self.day..<now + 396 * Self.day
            }
        let names = defect == .wrongHost ? ["wrong-host.invalid"] : host.names
        let key = defect == .weakKey ? try helpers.weakKey() : try helpers.usualKey()
        let issuer: Issuer? =
            switch defect {
            case .selfSigned: nil
            case .untrustedAuthority: try helpers.stranger()
            case .missingIntermediate: try helpers.intermediate(of: self.issuer)
            default: self.issuer
            }
        let certificate = try Certificate(
            .server, commonName: names.first.flatMap { $0.utf8.count <= 64 ? $0 : nil }, names: names,
            validity: validity, key: key.key, issuer: issuer.map { ($0.certificate, $0.key) })
        // With the issuer in the chain, a client can tell this from a missing issuer.
        let rest = defect == .untrustedAuthority ? issuer?.pem ?? [] : []
        return IssuedCertificate(chain: try certificate.pem() + rest, key: key.pem)
    }

    static let day: Int64 = 86_400
}

/// A certificate that issues others, with its key.
struct Issuer: Sendable {
    let certificate: Certificate
    let key: PrivateKey
    let pem: [UInt8]

    /// Creates an issuer that is valid for ten years.
    /// - Parameter issuer: nil for a self-signed one.
    static func made(named name: String, by issuer: Issuer? = nil) throws(CertificateProblem) -> Issuer {
        try OpenSSL.check()
        let now = SystemCalls.wallClockMilliseconds() / 1000
        let key = try PrivateKey.onCurve()
        let certificate = try Certificate(
            issuer == nil ? .authority : .intermediate, commonName: String(name.prefix(64)),
            validity: now - CertificateAuthority.day..<now + 3_652 * CertificateAuthority.day, key: key,
            issuer: issuer.map { ($0.certificate, $0.key) })
        return Issuer(certificate: certificate, key: key, pem: try certificate.pem())
    }
}

/// The key of issued certificates.
private struct LeafKey: Sendable {
    let key: PrivateKey
    let pem: [UInt8]

    init(_ key: PrivateKey) throws(CertificateProblem) {
        self.key = key
        pem = try key.pem()
    }
}

/// Further keys and issuers, each created once, on first use.
private final class Helpers: Sendable {
    private struct State {
        var usualKey: LeafKey?
        var weakKey: LeafKey?
        var stranger: Issuer?
        var intermediate: Issuer?
    }

    private let state = Mutex(State())

    /// An RSA key of 768 bits: Java, Chromium, and OpenSSL at security level 1 accept 1024.
    func weakKey() throws(CertificateProblem) -> LeafKey {
        try once(\.weakKey) { () throws(CertificateProblem) in try LeafKey(.rsa(bits: 768)) }
    }

    /// The key shared by all other certificates: creating, writing and reading a key takes most of the time.
    func usualKey() throws(CertificateProblem) -> LeafKey {
        try once(\.usualKey) { () throws(CertificateProblem) in try LeafKey(.onCurve()) }
    }

    func stranger() throws(CertificateProblem) -> Issuer {
        try once(\.stranger) { () throws(CertificateProblem) in
            try Issuer.made(named: "Stunt Double CA that nobody trusts")
        }
    }

    func intermediate(of root: Issuer) throws(CertificateProblem) -> Issuer {
        try once(\.intermediate) { () throws(CertificateProblem) in
            try Issuer.made(named: "Stunt Double intermediate CA", by: root)
        }
    }

    /// Created outside the lock: two threads may both create the value; one result is dropped.
    private func once<Value: Sendable>(
        _ place: any WritableKeyPath<State, Value?> & Sendable, _ make: () throws(CertificateProblem) -> Value
    ) throws(CertificateProblem) -> Value {
        if let value = state.withLock({ $0[keyPath: place] }) { return value }
        let made = try make()
        return state.withLock { state in
            let value = state[keyPath: place] ?? made
            state[keyPath: place] = value
            return value
        }
    }
}
