import SDHTTPTransport
import SDPlatform

/// The checks for each call and each tunnel to another server.
extension Upstream {
    /// The allowed addresses, or why there are none.
    typealias Admitted = @Sendable (Result<[String], UpstreamProblem>) -> Void

    /// Why a host is denied whatever its addresses; nil if these decide.
    func refusal(of host: TargetHost, _ place: String) -> UpstreamProblem? {
        if settings.isForbidden {
            return UpstreamProblem(.forbidden, "\(place) is not called: --no-upstream forbids calls to other servers")
        }
        return rules.refusal(of: host).map { UpstreamProblem(.denied, "\(place) may not be called: \($0)") }
    }

    /// Resolves a host, and checks its addresses.
    /// - Parameters:
    ///   - place: the host and port, for messages.
    ///   - timeout: the time limit, in nanoseconds.
    ///   - done: called once, on the loop's thread, perhaps before this returns.
    func admit(
        _ host: TargetHost, _ place: String, on loop: Loop, within timeout: UInt64, _ done: @escaping Admitted
    ) {
        if let refusal = refusal(of: host, place) { return done(.failure(refusal)) }
        find(host, place, on: loop, within: timeout) { [self] found in
            guard case .success(let addresses) = found else { return done(found) }
            let admitted = rules.admitted(addresses, of: host)
            guard admitted.isEmpty else { return done(.success(admitted)) }
            let reason = rules.refusal(of: addresses, of: host)
            done(.failure(UpstreamProblem(.denied, "\(place) may not be called: \(reason)")))
        }
    }

    /// Resolves a host without checking it: the upstream proxy's.
    func find(
        _ host: TargetHost, _ place: String, on loop: Loop, within timeout: UInt64, _ done: @escaping Admitted
    ) {
        if let addresses = resolver.known(host) { return done(.success(addresses)) }
        let waiting = DeferredAnswer(done)
        let limit = loop.after(nanoseconds: min(timeout, 10_000_000_000)) {
            waiting.give(
                .failure(UpstreamProblem(.unknownHost, "the addresses of \(host.text) were not found in time")))
        }
        resolver.ask(host.text) { answer in
            loop.perform {
                limit.cancel()
                waiting.give(Self.found(answer, host.text, place))
            }
        }
    }

    private static func found(
        _ answer: NameResolver.Answer, _ host: String, _ place: String
    ) -> Result<[String], UpstreamProblem> {
        switch answer {
        case .success(let addresses) where !addresses.isEmpty: return .success(addresses)
        case .success, .failure(.unknown):
            return .failure(UpstreamProblem(.unknownHost, "the host name \(host) of \(place) is unknown"))
        case .failure(.failed(let reason)):
            return .failure(UpstreamProblem(.unknownHost, "the addresses of \(host) cannot be found: \(reason)"))
        }
    }
}

/// An answer with a timeout. Used on its loop's thread only.
private final class DeferredAnswer: Sendable {
    private nonisolated(unsafe) var done: Upstream.Admitted?

    init(_ done: @escaping Upstream.Admitted) {
        self.done = done
    }

    func give(_ answer: Result<[String], UpstreamProblem>) {
        done.take()?(answer)
    }
}
