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
        /// The certificates of the key store; empty without one.
        let stored: [(certificate: StoredCertificate, identity: TLSIdentity)]
        /// What the authority has issued; nil with a key store.
        let issued: IssuedCertificates<TLSIdentity>?

        /// What the key store has for a name; for any other, its first certificate.
        func stored(for name: String?) -> TLSIdentity? {
            let own = name.flatMap { name in stored.first { $0.certificate.isFor(name) } }
            return (own ?? stored.first)?.identity
        }
    }

    private enum State {
        case idle, working
        case done(Result<Source, CertificateProblems>)
    }

    private let options: ServeOptions
    private let log: Log
    private let state = Monitor(State.idle)
    private let trust = Mutex<TrustStore?>(nil)
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
    func ready() throws(CertificateProblems) {
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
        let made = Result { () throws(CertificateProblems) in try makeSource() }
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

    private func source() throws(CertificateProblems) -> Source {
        var result: Result<Source, CertificateProblems>?
        state.wait { state in
            guard case .done(let made) = state else { return false }
            result = made
            return true
        }
        guard let result else { throw CertificateProblems(CertificateProblem("nothing was made")) }
        return try result.get()
    }

    /// Makes all of it, so that everything that is wrong is told at once.
    private func makeSource() throws(CertificateProblems) -> Source {
        if let problem = TLSProblem.ofThisProcess {
            throw CertificateProblems(CertificateProblem(problem.description))
        }
        var problems = CertificateProblems()
        let found = problems.collecting { () throws(CertificateProblem) in try readTrust() }
        trust.withLock { $0 = found }
        let source = problems.collecting { () throws(CertificateProblem) in
            guard let file = NamedStores.key(options) else { return try issuingSource() }
            var stored: [(certificate: StoredCertificate, identity: TLSIdentity)] = []
            for certificate in try KeyStore.readAll(try file.read(), file) {
                for warning in certificate.issued.warnings { log.warning(warning) }
                stored.append((certificate, try Self.identity(certificate.issued)))
            }
            return Source(stored: stored, issued: nil)
        }
        guard let source, problems.all.isEmpty else { throw problems }
        return source
    }

    private func issuingSource() throws(CertificateProblem) -> Source {
        let issued = IssuedCertificates(of: try makeAuthority(), form: Self.identity)
        _ = try issued.certificate(for: nil)
        return Source(stored: [], issued: issued)
    }

    /// What `--https-truststore` names; nil if nothing is named. It is read without the rest where nothing is served over TLS:
    /// its keys are shown to other servers.
    func readTrust() throws(CertificateProblem) -> TrustStore? {
        guard let file = NamedStores.trust(options) else { return nil }
        let found = try KeyStore.readTrust(try file.read(), file)
        for warning in found.own.flatMap(\.warnings) { log.warning(warning) }
        return found
    }

    private func readAuthority() throws(CertificateProblem) -> CertificateAuthority? {
        guard let file = NamedStores.authority(options) else { return nil }
        let stored = try KeyStore.read(try file.read(), file)
        for warning in stored.warnings { log.warning(warning) }
        return try CertificateAuthority(stored)
    }

    /// The authority of the user's folder, or else one that ends with the process.
    /// - Throws: if clients could read its key, or OpenSSL is not there.
    private func makeAuthority() throws(CertificateProblem) -> CertificateAuthority {
        if let named = try readAuthority() { return named }
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
        if defect == nil, let stored = source.stored(for: name) { return stored }
        return try? (source.issued ?? substitute.withLock { $0 })?.known(for: name, defect: defect)
    }

    /// Makes what is missing on a thread, which may wait for what `begin` makes.
    private func issue(
        for name: String?, _ defect: CertificateDefect?,
        _ body: @escaping @Sendable (Result<TLSIdentity, CertificateProblem>) -> Void
    ) {
        if let issued = readySource?.issued { return issued.whenIssued(for: name, defect: defect, body) }
        making.add { [self] in
            let source: Source
            do throws(CertificateProblems) {
                source = try self.source()
            } catch {
                return body(.failure(CertificateProblem(error.description)))
            }
            do throws(CertificateProblem) {
                if defect == nil, let stored = source.stored(for: name) { return body(.success(stored)) }
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
        guard let trust = trustStore?.authorities else { return .ignored }
        return options.requiresClientCertificate ? .required(trust: trust) : .asked(trust: trust)
    }

    /// What was read of `--https-truststore`.
    var trustStore: TrustStore? { trust.withLock { $0 } }

    /// The certificate of the authority in PEM; nil if none was needed.
    var authorityCertificate: [UInt8]? { readySource?.issued?.authority.certificate }
}
