package import SDHTTPTransport
import SDPlatform
import Synchronization

/// The calls of the process to other servers. Each runs on a loop, by the loop's own client, to the server or to the
/// proxy of `--proxy-via`.
package final class Upstream: Sendable {
    /// The field in each call, with the process's id as its value.
    package static let hopHeader = "Stunt-Double-Hop"

    package let settings: UpstreamSettings
    let rules: TargetRules
    private let proxy: ForwardingProxy?
    let resolver: NameResolver
    private let quota: CallQuota
    /// The counts of its calls.
    package let counters = CallCounters()
    private let loops = Mutex<[ObjectIdentifier: LoopClients]>([:])
    private let security = Mutex(Security())

    /// The client certificates and the trust for TLS.
    private struct Security {
        var credentials: TLSCredentials?
        /// By whether certificates are verified; created by the first call of each kind.
        var trusts: [Bool: CallTrust] = [:]
    }

    package convenience init(_ settings: UpstreamSettings = UpstreamSettings()) {
        let resolver = NameResolver { name in
            Result(catching: { () throws(SystemCalls.NameProblem) in try SystemCalls.addresses(of: name) })
        }
        self.init(settings, resolver)
    }

    /// - Parameter resolver: resolves names.
    init(_ settings: UpstreamSettings, _ resolver: NameResolver) {
        self.settings = settings
        rules = TargetRules(allowed: settings.allowedTargets, denied: settings.deniedTargets)
        proxy = settings.via.flatMap { ForwardingProxy($0) }
        self.resolver = resolver
        quota = CallQuota(settings.limits)
    }

    deinit {
        for clients in loops.withLock({ $0.values }) {
            clients.loop.perform { clients.close() }
        }
    }

    /// Adds client certificates and authorities for further calls.
    package func use(_ credentials: TLSCredentials) {
        security.withLock { $0 = Security(credentials: credentials) }
    }

    /// The number of open connections, and of the idle ones among them.
    package var connections: (open: Int, idle: Int) { (quota.open, quota.idle) }

    /// The file with the system's trusted certificates; nil if there is none.
    package static let trustedCertificates: String? =
        ([
            SystemCalls.environmentVariable("SSL_CERT_FILE"), "/etc/ssl/certs/ca-certificates.crt",
            "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
            "/opt/homebrew/etc/ca-certificates/cert.pem", "/usr/local/etc/ca-certificates/cert.pem",
        ] as [String?]).lazy.compactMap { $0 }.first(where: SystemCalls.isReadable)

    /// Starts a call. Callable on any thread.
    /// - Parameter loop: the loop on whose thread the observer is called.
    @discardableResult
    package func start(
        _ request: UpstreamRequest, on loop: Loop, _ observer: any UpstreamObserver
    ) -> UpstreamTransfer {
        let call = UpstreamCall(request, settings, loop, observer, counters)
        if loop.isCurrent { prepare(call) } else { loop.perform { [self] in prepare(call) } }
        return UpstreamTransfer(call)
    }

    // MARK: Preparing a call, on the loop's thread

    private func prepare(_ call: UpstreamCall) {
        do throws(UpstreamProblem) {
            let target = try call.request.readTarget()
            (call.targetLabel, call.host, call.isSecure) = (target.place, target.host.text, target.isSecure)
            if let refusal = refusal(of: target.host, target.place) { throw refusal }
            if settings.via != nil, proxy == nil {
                throw UpstreamProblem(.badURL, "--proxy-via has to be host:port or user:password@host:port")
            }
            if proxy == nil, rules.isEmpty, target.host.known != nil {
                secure(call, target, target.host.knownAddresses)
            } else {
                findAddresses(call, target) { [self] found in
                    switch found {
                    case .success(let addresses): secure(call, target, ServerAddress.read(addresses))
                    case .failure(let problem): call.refuse(problem)
                    }
                }
            }
        } catch {
            call.refuse(error)
        }
    }

    /// Finds the addresses to connect to. With a proxy these are the proxy's, and the server's are only checked.
    private func findAddresses(_ call: UpstreamCall, _ target: UpstreamTarget, _ done: @escaping Admitted) {
        let timeout = UInt64(call.stallTimeout) * 1_000_000
        guard let proxy else { return admit(target.host, target.place, on: call.loop, within: timeout, done) }
        call.proxy = proxy
        let findProxy: @Sendable () -> Void = { [self] in
            find(proxy.host, "the proxy \(proxy.place)", on: call.loop, within: timeout) { found in
                done(found.mapError { UpstreamProblem($0.kind, $0.message + " (--proxy-via)", proxy: proxy.place) })
            }
        }
        guard rules.needAddresses else { return findProxy() }
        admit(target.host, target.place, on: call.loop, within: timeout) { admitted in
            if case .success = admitted { findProxy() } else { done(admitted) }
        }
    }

    private func secure(_ call: UpstreamCall, _ target: UpstreamTarget, _ addresses: [ServerAddress]) {
        guard target.isSecure else { return begin(call, target, addresses, nil) }
        let checks = call.request.checksCertificate && !settings.trusts(target)
        let (credentials, known) = security.withLock { ($0.credentials, $0.trusts[checks]) }
        call.credentials = credentials
        if let known { return begin(call, target, addresses, known) }
        // Creating the trust reads files.
        resolver.prepare { [self] in
            let made = makeTrust(checks: checks, credentials)
            call.loop.perform { [self] in
                switch made {
                case .success(let trust): begin(call, target, addresses, trust)
                case .failure(let problem):
                    let kind = TLSProblem.ofThisProcess == nil ? UpstreamProblem.Kind.insecure : .unavailable
                    call.refuse(UpstreamProblem(kind, "\(target.place) cannot be called: \(problem)"))
                }
            }
        }
    }

    private func makeTrust(checks: Bool, _ credentials: TLSCredentials?) -> Result<CallTrust, TLSProblem> {
        do throws(TLSProblem) {
            let authorities = checks ? settings.trustedAuthorities ?? Self.trustedCertificates : nil
            let trust = try CallTrust(checks: checks, authorities: authorities, credentials)
            return .success(
                security.withLock { security in
                    guard security.credentials === credentials else { return trust }
                    // Calls that start at the same time share a trust, and with it their connections.
                    if let other = security.trusts[checks] { return other }
                    security.trusts[checks] = trust
                    return trust
                })
        } catch {
            return .failure(error)
        }
    }

    private func begin(
        _ call: UpstreamCall, _ target: UpstreamTarget, _ addresses: [ServerAddress], _ trust: CallTrust?
    ) {
        guard !call.isOver else { return }
        do throws(UpstreamProblem) {
            LoopCall.begin(
                call, target, addresses, trust, settings, proxy, try clients(on: call.loop).caller(quota))
        } catch {
            call.refuse(error)
        }
    }

    // MARK: Loops

    /// The clients of a loop, created at its first call.
    private func clients(on loop: Loop) -> LoopClients {
        let key = ObjectIdentifier(loop)
        if let clients = loops.withLock({ $0[key] }) { return clients }
        let clients = LoopClients(loop)
        loops.withLock { $0[key] = clients }
        // Released when the loop ends, and with it all calls in progress.
        let end = LoopEnd { [weak self] in
            clients.close()
            self?.loops.withLock { $0[key] = nil }
        }
        loop.after(nanoseconds: .max) { withExtendedLifetime(end) {} }
        return clients
    }
}

/// The clients of one loop, each created at its first call. Used on the loop's thread, or after the loop has ended.
private final class LoopClients: Sendable {
    let loop: Loop
    private nonisolated(unsafe) var own: LoopCaller?

    init(_ loop: Loop) {
        self.loop = loop
    }

    func caller(_ quota: CallQuota) throws(UpstreamProblem) -> LoopCaller {
        if let own { return own }
        own = LoopCaller(loop, quota)
        guard let own else { throw UpstreamProblem(.other, "out of memory for calls to other servers") }
        return own
    }

    /// Ends all calls.
    func close() {
        own.take()?.close()
    }
}

/// Runs a closure when a loop's closures are freed.
private final class LoopEnd: Sendable {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
    }

    deinit { work() }
}

/// A call in progress. Dropping it changes nothing.
package final class UpstreamTransfer: Sendable {
    private let call: UpstreamCall

    init(_ call: UpstreamCall) {
        self.call = call
    }

    /// Ends the call; the observer is not called again. Callable on any thread.
    package func cancel() {
        onLoop { $0.cancel() }
    }

    /// Pauses or resumes reading of the answer; meanwhile its bytes wait at the server. Callable on any thread.
    package func setReading(_ reads: Bool) {
        onLoop { $0.setReading(reads) }
    }

    /// Sends bytes after a 101. On the loop's thread.
    /// - Returns: whether more may be sent at once; if not, the observer is called later.
    package func send(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBufferPointer { call.give($0) } }

    /// Ends our side after a 101, once everything is sent. Callable on any thread.
    package func finish() {
        onLoop { $0.finish() }
    }

    /// Within `upstreamAnswers` with a 101: relays bytes between the server and a client, in each direction until it
    /// ends, once the answer to the client has been sent. The observer is not called again.
    /// - Parameters:
    ///   - stream: a stream of the call's loop, whose answer ends with `end(.keepAlive)`.
    ///   - onEnd: called once, on the loop's thread.
    /// - Returns: false if the connection does not support it.
    package func join(
        _ stream: StreamingReply, onEnd: @escaping @Sendable (TunnelEnd) -> Void
    ) -> Bool {
        call.join(stream, onEnd: onEnd)
    }

    private func onLoop(_ work: @escaping @Sendable (UpstreamCall) -> Void) {
        if call.loop.isCurrent { work(call) } else { call.loop.perform { [call] in work(call) } }
    }
}
