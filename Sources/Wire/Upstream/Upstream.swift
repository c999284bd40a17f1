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

    package convenience init(_ settings: UpstreamSettings = UpstreamSettings()) {
        self.init(settings) { name in
            Result(catching: { () throws(SystemCalls.NameProblem) in try SystemCalls.addresses(of: name) })
        }
    }

    /// - Parameter lookup: the addresses of a name; called on threads of the resolver's.
    init(_ settings: UpstreamSettings, lookup: @escaping NameResolver.Lookup) {
        self.settings = settings
        rules = TargetRules(allowed: settings.allowedTargets, denied: settings.deniedTargets)
        proxy = settings.via.flatMap { ForwardingProxy($0) }
        resolver = NameResolver(lookup)
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
            guard !settings.isForbidden else {
                throw UpstreamProblem(
                    .forbidden, "\(target.place) is not called: --no-upstream forbids calls to other servers")
            }
            guard rules.allows(name: target.host) else { throw denied(target) }
            if settings.via != nil, proxy == nil {
                throw UpstreamProblem(.badURL, "--proxy-via has to be host:port or user:password@host:port")
            }
            if case .stream(let stream) = call.request.body { call.upload = UploadedBody(stream) }
        } catch {
            return call.fail(error)
        }
        if Self.isOpen.load(ordering: .acquiring) { return findAddresses(call) }
        resolver.prepare { [self] in
            if Self.unavailable == nil { _ = cu_trusted_certificates() }
            call.loop.perform { [self] in findAddresses(call) }
        }
    }

    private func denied(_ target: UpstreamTarget) -> UpstreamProblem {
        UpstreamProblem(
            .denied,
            "\(target.place) is not among the servers that may be called (--allow-proxy-targets, --deny-proxy-targets)")
    }

    private func findAddresses(_ call: UpstreamCall) {
        guard !call.isOver, let target = call.target else { return }
        if let reason = cu_unavailable() {
            return call.fail(UpstreamProblem(.unavailable, String(cString: reason)))
        }
        // Where a proxy is asked, that knows the addresses.
        let host = proxy?.host ?? target.host
        if let addresses = resolver.known(host) { return begin(call, addresses) }
        let limit = call.loop.after(nanoseconds: min(call.patience, 10_000_000_000)) {
            call.fail(UpstreamProblem(.unknownHost, "the addresses of \(host) were not found in time"))
        }
        resolver.ask(host) { [self] answer in
            call.loop.perform { [self] in
                limit.cancel()
                found(answer, of: host, for: call)
            }
        }
    }

    private func found(_ answer: NameResolver.Answer, of host: String, for call: UpstreamCall) {
        switch answer {
        case .success(let addresses) where !addresses.isEmpty: begin(call, addresses)
        case .success, .failure(.unknown):
            call.fail(UpstreamProblem(.unknownHost, "the host name \(host) of \(call.place) is unknown"))
        case .failure(.failed(let reason)):
            call.fail(UpstreamProblem(.unknownHost, "the addresses of \(host) cannot be found: \(reason)"))
        }
    }

    private func begin(_ call: UpstreamCall, _ addresses: [String]) {
        guard !call.isOver, let target = call.target else { return }
        var addresses = addresses
        if !rules.isEmpty, proxy == nil {
            let allowed = addresses.filter { rules.allows(address: $0) }
            guard !allowed.isEmpty, !addresses.contains(where: { rules.denies(address: $0) }) else {
                return call.fail(denied(target))
            }
            addresses = allowed
        }
        do throws(UpstreamProblem) {
            let calls = try calls(on: call.loop)
            let host = proxy.map { (name: $0.host, port: $0.port) } ?? (name: target.host, port: target.port)
            // libcurl begins nothing within what it tells.
            guard !calls.isBusy else {
                call.loop.perform { [self, addresses] in begin(call, addresses) }
                return
            }
            calls.begin(call, CurlRequest(call.request, target, call.upload, proxy, settings), host, addresses)
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
