import SDCCurl
package import SDHTTPTransport

/// The calls of the process to other servers. Each runs on a loop, beside the connections of that loop.
package final class Upstream: Sendable {
    package let settings: UpstreamSettings

    package init(_ settings: UpstreamSettings = UpstreamSettings()) {
        self.settings = settings
    }

    /// Why no call can be made at all, as a sentence without a full stop; nil if calls can be made. Opens libcurl.
    package static var unavailable: String? { cu_unavailable().map { String(cString: $0) } }

    /// Begins a call. Callable on any thread.
    /// - Parameter loop: on whose thread the observer is told.
    @discardableResult
    package func start(
        _ request: UpstreamRequest, on loop: Loop, _ observer: any UpstreamObserver
    ) -> UpstreamTransfer {
        loop.perform {
            observer.upstreamEnds(.failure(UpstreamProblem(.unavailable, "calls to other servers are not built yet")))
        }
        return UpstreamTransfer()
    }
}

/// A call that is under way. Dropping it changes nothing.
package final class UpstreamTransfer: Sendable {
    init() {}

    /// Ends the call; the observer is told nothing more. Callable on any thread.
    package func cancel() {}

    /// Takes no more of the answer for now, or goes on: what comes meanwhile waits with the other server. Callable on any
    /// thread.
    package func read(_ reads: Bool) {}
}
