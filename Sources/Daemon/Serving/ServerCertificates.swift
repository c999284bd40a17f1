import SDCertificates
import SDCommand
import SDHTTPTransport
import SDPlatform
import Synchronization

/// The service's certificates: from a key store, or issued by the local authority for each name. Nothing is created
/// before `begin` or `ready`.
final class ServerCertificates: Sendable {
    /// The source of certificates.
    private struct Source: Sendable {
        /// The key store's certificates; empty without one.
        let stored: [(certificate: StoredCertificate, identity: TLSIdentity)]
        /// The authority's issued certificates; nil with a key store.
        let issued: IssuedCertificates<TLSIdentity>?

        /// The key store's certificate for a name, or its first one.
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

    /// Starts to create what is needed first, on its own thread.
    func begin() {
        guard takeWork() else { return }
        do throws(SystemError) {
            try SystemThread(name: "certificates") { [self] in make() }.detach()
        } catch {
            make()
        }
    }

    /// Waits until handshakes can be answered.
    /// - Throws: the reason why they cannot.
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

    /// The source, if it is ready.
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

    /// Creates everything, so that all problems are reported at once.
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

    /// The content of `--https-truststore`; nil without the option. Also read without TLS listeners, because its keys
    /// are client certificates for other servers.
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

    /// The authority in the user's folder, or else one that lives as long as the process.
    /// - Throws: if clients could read its key, or OpenSSL is missing.
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

    // MARK: Certificates for clients

    /// The action for a ClientHello: at once with a cached certificate, or later, when it has been issued. An invalid
    /// name gets the certificate for no name.
    /// - Parameters:
    ///   - name: the requested name; nil without SNI.
    ///   - defect: the intended defect; nil for none.
    ///   - action: makes the action from the certificate.
    func clientHelloAction(
        for name: String?, defect: CertificateDefect? = nil,
        _ action: @escaping @Sendable (TLSIdentity) -> ClientHelloAction
    ) -> ClientHelloAction {
        let name = name.flatMap { CertificateAuthority.isName($0) ? $0 : nil }
        if let known = known(for: name, defect) { return action(known) }
        return .later { [self] awaited in
            issue(for: name, defect) { [log] outcome in
                switch outcome {
                case .success(let identity): awaited.answer(action(identity))
                case .failure(let problem):
                    log.repeated(
                        .error, cause: "certificate", "a handshake ends without a certificate: \(problem)")
                    awaited.answer(.reset)
                }
            }
        }
    }

    private func known(for name: String?, _ defect: CertificateDefect?) -> TLSIdentity? {
        guard let source = readySource else { return nil }
        if defect == nil, let stored = source.stored(for: name) { return stored }
        return try? (source.issued ?? substitute.withLock { $0 })?.known(for: name, defect: defect)
    }

    /// Issues a certificate on a thread, which may wait for what `begin` creates.
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

    /// The issuer of defective certificates beside a key store.
    private func ofOtherAuthority() throws(CertificateProblem) -> IssuedCertificates<TLSIdentity> {
        if let made = substitute.withLock({ $0 }) { return made }
        let made = IssuedCertificates(of: try CertificateAuthority.temporary(), form: Self.identity)
        substitute.withLock { $0 = made }
        return made
    }

    /// The policy for client certificates.
    var ofClients: TLSSettings.ClientCertificates {
        guard let trust = trustStore?.authorities else { return .ignored }
        return options.requiresClientCertificate ? .required(trust: trust) : .asked(trust: trust)
    }

    /// The content of `--https-truststore`.
    var trustStore: TrustStore? { trust.withLock { $0 } }

    /// The authority's certificate in PEM; nil if no authority was needed.
    var authorityCertificate: [UInt8]? { readySource?.issued?.authority.certificate }
}
