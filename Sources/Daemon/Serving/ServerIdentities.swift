import SDCertificates
import SDCommand
import SDHTTPTransport
import SDPlatform
import Synchronization

/// The certificates that a service shows to its clients: that of a key store, or what the local authority issues for
/// each name. Nothing is made before `begin` or `ready`.
final class ServerIdentities: Sendable {
    /// What every certificate comes from.
    private struct Source: Sendable {
        /// The certificate of the key store, if there is one.
        let stored: TLSIdentity?
        /// What the authority has issued; nil with a key store.
        let issued: IssuedCertificates<TLSIdentity>?
    }

    private enum State {
        case idle, working
        case done(Result<Source, CertificateProblem>)
    }

    private let options: ServeOptions
    private let log: Log
    private let state = Monitor(State.idle)
    private let trust = Mutex<[UInt8]>([])
    private let substitute = Mutex<IssuedCertificates<TLSIdentity>?>(nil)
    private let making = WorkQueue(name: "certificates")

    init(_ options: ServeOptions, _ log: Log) {
        self.options = options
        self.log = log
    }

    // MARK: Making

    /// Makes what is needed first, on a thread of its own.
    func begin() {
        guard takeWork() else { return }
        do throws(SystemError) {
            try SystemThread(name: "certificates") { [self] in make() }.detach()
        } catch {
            make()
        }
    }

    /// Waits until handshakes can be answered.
    /// - Throws: why they cannot.
    func ready() throws(CertificateProblem) {
        if takeWork() { make() }
        _ = try source()
    }

    private func takeWork() -> Bool {
        state.change { state in
            guard case .idle = state else { return false }
            state = .working
            return true
        }
    }

    private func make() {
        let made = Result { () throws(CertificateProblem) in try makeSource() }
        state.change { $0 = .done(made) }
    }

    /// What certificates come from, if it is there.
    private var readySource: Source? {
        var ready: Source?
        state.wait(milliseconds: 0) { state in
            if case .done(.success(let source)) = state { ready = source }
            return true
        }
        return ready
    }

    private func source() throws(CertificateProblem) -> Source {
        var result: Result<Source, CertificateProblem>?
        state.wait { state in
            guard case .done(let made) = state else { return false }
            result = made
            return true
        }
        guard let result else { throw CertificateProblem("nothing was made") }
        return try result.get()
    }

    private func makeSource() throws(CertificateProblem) -> Source {
        if let problem = TLSProblem.ofThisProcess { throw CertificateProblem(problem.description) }
        if let path = options.trustStore {
            let found = try KeyStore.readTrust(
                try Self.read(path), path: path, form: KeyStore.Form(options.trustStoreType),
                password: options.trustStorePassword ?? Self.usualPassword)
            trust.withLock { $0 = found }
        }
        if let path = options.keyStore {
            let issued = try KeyStore.read(
                try Self.read(path), path: path, form: KeyStore.Form(options.keyStoreType),
                password: options.keyStorePassword ?? Self.usualPassword, keyPassword: options.keyPassword)
            for warning in issued.warnings { log.warning(warning) }
            return Source(stored: try Self.identity(issued), issued: nil)
        }
        let issued = IssuedCertificates(of: try makeAuthority(), form: Self.identity)
        _ = try issued.certificate(for: nil)
        return Source(stored: nil, issued: issued)
    }

    /// The authority of the user's folder, or else one that ends with the process.
    /// - Throws: if clients could read its key, or OpenSSL is not there.
    private func makeAuthority() throws(CertificateProblem) -> CertificateAuthority {
        if let path = options.authorityStore {
            let stored = try KeyStore.read(
                try Self.read(path), path: path, form: KeyStore.Form(options.authorityStoreType),
                password: options.authorityStorePassword ?? Self.usualPassword, keyPassword: nil)
            for warning in stored.warnings { log.warning(warning) }
            return try CertificateAuthority(stored)
        }
        let path: String
        do throws(CertificateProblem) {
            path = try CertificateAuthority.folder(chosen: options.stateFolder)
        } catch {
            return try substitute(for: error)
        }
        let root = options.root
        try CertificateAuthority.check(path, outside: root.layout == .free ? root.path : root.path + "/__files")
        do throws(CertificateProblem) {
            let authority = try CertificateAuthority(folder: path)
            for warning in authority.warnings { log.warning(warning) }
            return authority
        } catch {
            return try substitute(for: error)
        }
    }

    private func substitute(for problem: CertificateProblem) throws(CertificateProblem) -> CertificateAuthority {
        let made = try CertificateAuthority.temporary()
        log.warning("\(problem); certificates are issued by an authority that ends with this process")
        return made
    }

    /// WireMock's default.
    private static let usualPassword = "password"

    private static func read(_ path: String) throws(CertificateProblem) -> [UInt8] {
        do throws(SystemError) {
            return try SystemCalls.readAll(try SystemCalls.open(path, .read), limit: 16 << 20)
        } catch {
            throw CertificateProblem("cannot read \(path): \(error.reason)")
        }
    }

    private static func identity(_ issued: IssuedCertificate) throws(CertificateProblem) -> TLSIdentity {
        do throws(TLSProblem) {
            return try TLSIdentity(chain: issued.chain, key: issued.key)
        } catch {
            throw CertificateProblem(error.description)
        }
    }

    // MARK: Showing

    /// What a client is answered to its hello: with a certificate that is there at once, with another one as soon as it was
    /// issued. One for no name where the name is none.
    /// - Parameters:
    ///   - name: the name that the client asks for; nil if it names none.
    ///   - defect: what it is to object to; nil for nothing.
    ///   - greeting: made of the certificate.
    func greeting(
        for name: String?, defect: CertificateDefect? = nil,
        _ greeting: @escaping @Sendable (TLSIdentity) -> TLSGreeting
    ) -> TLSGreeting {
        let name = name.flatMap { CertificateAuthority.isName($0) ? $0 : nil }
        if let known = known(for: name, defect) { return greeting(known) }
        return .later { [self] awaited in
            issue(for: name, defect) { [log] outcome in
                switch outcome {
                case .success(let identity): awaited.give(greeting(identity))
                case .failure(let problem):
                    log.repeated(
                        .error, cause: "certificate", "a handshake ends without a certificate: \(problem)")
                    awaited.give(.reset)
                }
            }
        }
    }

    private func known(for name: String?, _ defect: CertificateDefect?) -> TLSIdentity? {
        guard let source = readySource else { return nil }
        if defect == nil, let stored = source.stored { return stored }
        return try? (source.issued ?? substitute.withLock { $0 })?.known(for: name, defect: defect)
    }

    /// Makes what is missing on a thread, which may wait for what `begin` makes.
    private func issue(
        for name: String?, _ defect: CertificateDefect?,
        _ body: @escaping @Sendable (Result<TLSIdentity, CertificateProblem>) -> Void
    ) {
        if let issued = readySource?.issued { return issued.whenIssued(for: name, defect: defect, body) }
        making.add { [self] in
            do throws(CertificateProblem) {
                let source = try source()
                if defect == nil, let stored = source.stored { return body(.success(stored)) }
                let issued = if let own = source.issued { own } else { try ofOtherAuthority() }
                issued.whenIssued(for: name, defect: defect, body)
            } catch {
                body(.failure(error))
            }
        }
    }

    /// Certificates with a defect, beside a key store.
    private func ofOtherAuthority() throws(CertificateProblem) -> IssuedCertificates<TLSIdentity> {
        if let made = substitute.withLock({ $0 }) { return made }
        let made = IssuedCertificates(of: try CertificateAuthority.temporary(), form: Self.identity)
        substitute.withLock { $0 = made }
        return made
    }

    /// The certificates that clients have to show.
    var ofClients: TLSSettings.ClientCertificates {
        guard options.trustStore != nil else { return .ignored }
        let trust = trust.withLock { $0 }
        return options.requiresClientCertificate ? .required(trust: trust) : .asked(trust: trust)
    }

    /// The certificate of the authority in PEM; nil if none was needed.
    var authorityCertificate: [UInt8]? { readySource?.issued?.authority.certificate }
}

extension KeyStore.Form {
    fileprivate init?(_ type: StoreType?) {
        switch type {
        case .pem: self = .pem
        case .pkcs12: self = .pkcs12
        case .jks: self = .jks
        case nil: return nil
        }
    }
}
