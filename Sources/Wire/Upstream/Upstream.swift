import SDCCurl
package import SDHTTPTransport
import SDPlatform
import Synchronization

/// The calls of the process to other servers. Each runs on a loop, beside the connections of that loop.
package final class Upstream: Sendable {
    /// The field that each call carries, with the identity of the process as its value.
    package static let hopHeader = "Stunt-Double-Hop"

    package let settings: UpstreamSettings
    let rules: TargetRules
    private let proxy: ForwardingProxy?
    let resolver: NameResolver
    private let loops = Mutex<[ObjectIdentifier: LoopCalls]>([:])
    private let credentials = Mutex<TLSCredentials?>(nil)

    package convenience init(_ settings: UpstreamSettings = UpstreamSettings()) {
        let resolver = NameResolver { name in
            Result(catching: { () throws(SystemCalls.NameProblem) in try SystemCalls.addresses(of: name) })
        }
        self.init(settings, resolver)
    }

    /// - Parameter resolver: knows the addresses of names.
    init(_ settings: UpstreamSettings, _ resolver: NameResolver) {
        self.settings = settings
        rules = TargetRules(allowed: settings.allowedTargets, denied: settings.deniedTargets)
        proxy = settings.via.flatMap { ForwardingProxy($0) }
        self.resolver = resolver
    }

    deinit {
        for calls in loops.withLock({ $0.values }) {
            calls.loop.perform { calls.close() }
        }
    }

    /// Why no call can be made at all, as a sentence without a full stop; nil if calls can be made. Opens libcurl, which
    /// takes some milliseconds.
    package static var unavailable: String? {
        let reason = cu_unavailable().map { String(cString: $0) }
        isOpen.store(true, ordering: .releasing)
        return reason
    }

    /// Whether what calls show can be chosen: libcurl stands on the OpenSSL that this process loads.
    static let knowsHandshakes = cu_speaks_openssl() && TLSProblem.ofThisProcess == nil

    /// Lets further calls show certificates, and trust more authorities where they trust any.
    /// - Throws: why calls cannot show certificates.
    package func use(_ credentials: TLSCredentials) throws(TLSProblem) {
        if credentials.hasOwn {
            if let reason = Self.unavailable { throw TLSProblem(reason) }
            guard Self.knowsHandshakes else {
                throw TLSProblem(
                    "client certificates need a libcurl that stands on OpenSSL 3, and the installed one does not")
            }
        }
        self.credentials.withLock { $0 = credentials }
    }

    /// The file with the certificates that the system trusts; nil if there is none.
    package static var trustedCertificates: String? { cu_trusted_certificates().map { String(cString: $0) } }

    /// Whether libcurl was opened, or could not be.
    private static let isOpen = Atomic(false)

    /// Begins a call. Callable on any thread.
    /// - Parameter loop: on whose thread the observer is told.
    @discardableResult
    package func start(
        _ request: UpstreamRequest, on loop: Loop, _ observer: any UpstreamObserver
    ) -> UpstreamTransfer {
        let call = UpstreamCall(request, settings, loop, observer)
        if loop.isCurrent {
            prepare(call)
        } else {
            loop.perform { [self] in
                call.mayTell()
                prepare(call)
            }
        }
        return UpstreamTransfer(call)
    }

    // MARK: The steps of a call before libcurl has it, on the loop's thread

    private func prepare(_ call: UpstreamCall) {
        do throws(UpstreamProblem) {
            let target = try UpstreamTarget(call.request.url)
            call.target = target
            call.place = target.place
            call.neighbour = proxy.map { "the proxy \($0.place)" } ?? target.place
            if let refusal = refusal(of: target.host, target.place) { throw refusal }
            if settings.via != nil, proxy == nil {
                throw UpstreamProblem(.badURL, "--proxy-via has to be host:port or user:password@host:port")
            }
            if case .stream(let stream) = call.request.body { call.upload = UploadedBody(stream) }
        } catch {
            return call.fail(error)
        }
        if Self.isOpen.load(ordering: .acquiring) { return findAddresses(call) }
        resolver.prepare { [self] in
            if Self.unavailable == nil { _ = (cu_trusted_certificates(), Self.knowsHandshakes) }
            call.loop.perform { [self] in findAddresses(call) }
        }
    }

    private func findAddresses(_ call: UpstreamCall) {
        guard !call.isOver, let target = call.target else { return }
        if let reason = cu_unavailable() {
            return call.fail(UpstreamProblem(.unavailable, String(cString: reason)))
        }
        // A proxy asks for the addresses itself: here they are only judged.
        guard proxy == nil || rules.needAddresses else { return findProxy(call) }
        admit(target.host, target.place, on: call.loop, within: call.patience) { [self] admitted in
            switch admitted {
            case .success(let addresses): proxy == nil ? begin(call, addresses) : findProxy(call)
            case .failure(let problem): call.fail(problem)
            }
        }
    }

    private func findProxy(_ call: UpstreamCall) {
        guard let proxy else { return }
        find(proxy.host, call.place, on: call.loop, within: call.patience) { [self] found in
            switch found {
            case .success(let addresses): begin(call, addresses)
            case .failure(let problem): call.fail(problem)
            }
        }
    }

    private func begin(_ call: UpstreamCall, _ addresses: [String]) {
        guard !call.isOver, let target = call.target else { return }
        do throws(UpstreamProblem) {
            let calls = try calls(on: call.loop)
            if target.isSecure { call.credentials = credentials.withLock { $0 } }
            // libcurl begins nothing within what it tells.
            guard !calls.isBusy else {
                call.loop.perform { [self] in begin(call, addresses) }
                return
            }
            calls.begin(
                call, CurlRequest(call.request, target, call.upload, proxy, settings), addresses,
                port: proxy?.port ?? target.port)
            // What was said within `start` is told after it.
            call.mayTell()
        } catch {
            call.fail(error)
        }
    }

    /// The calls of a loop, made at its first call.
    private func calls(on loop: Loop) throws(UpstreamProblem) -> LoopCalls {
        let key = ObjectIdentifier(loop)
        if let calls = loops.withLock({ $0[key] }) { return calls }
        let calls = try LoopCalls(loop, connections: settings.connections)
        loops.withLock { $0[key] = calls }
        // Freed when the loop ends, and with it all that is on its way.
        let end = LoopEnd { [weak self] in
            calls.close()
            self?.loops.withLock { $0[key] = nil }
        }
        loop.after(nanoseconds: .max) { withExtendedLifetime(end) {} }
        return calls
    }
}

/// Does something when the closures of a loop are freed.
private final class LoopEnd: Sendable {
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
    }

    deinit { work() }
}

/// A call that is under way. Dropping it changes nothing.
package final class UpstreamTransfer: Sendable {
    private let call: UpstreamCall

    init(_ call: UpstreamCall) {
        self.call = call
    }

    /// Ends the call; the observer is told nothing more. Callable on any thread.
    package func cancel() {
        onLoop { $0.cancel() }
    }

    /// Takes no more of the answer for now, or goes on: what comes meanwhile waits with the other server. Callable on any
    /// thread.
    package func read(_ reads: Bool) {
        onLoop { $0.read(reads) }
    }

    private func onLoop(_ work: @escaping @Sendable (UpstreamCall) -> Void) {
        if call.loop.isCurrent { work(call) } else { call.loop.perform { [call] in work(call) } }
    }
}
