package import SDJournal
import SDOutgoingCalls
import SDStubs
import SDUpstream
import Synchronization

/// The metrics of all sessions, at one moment.
package struct EngineMetrics: Sendable {
    /// The start time in milliseconds since 1970.
    package let startedAt: Int64
    /// The outcomes of requests whose answers have ended.
    package let requests: RequestCounters
    /// The number of requests whose answers have not ended.
    package fileprivate(set) var inFlight = 0
    /// The number of calls that wait for requests.
    package let waitingCalls: Int
    /// The number of open sessions besides the default one, and of all that were created.
    package let sessions: (live: Int, created: UInt64)
    /// The number of stubs of the default session, and of all other sessions' own stubs.
    package fileprivate(set) var stubs: (daemon: Int, sessions: Int)
    /// The requests in all journals, their bytes, and the number of dropped requests.
    package fileprivate(set) var journal: (requests: Int, bytes: Int, evicted: Int) = (0, 0, 0)
    /// The number of webhooks that are pending, sent and failed.
    package let webhooks: (pending: Int, sent: Int, failed: Int)
    package let upstream: UpstreamMetrics
}

/// The metrics of calls to other servers.
package struct UpstreamMetrics: Sendable {
    /// The number of calls that were started.
    package let calls: UInt64
    /// The number of failed calls, by reason.
    package let failures: [(reason: String, count: UInt64)]
    /// The number of open connections, and of idle ones among them.
    package let connections: (open: Int, idle: Int)
}

extension SessionRegistry {
    /// The metrics. Takes the lock of each session once.
    package var metrics: EngineMetrics {
        let shared = base.shared
        let sessions = allSessions
        let (begun, results) = (issuedCount, shared.webhooks.results)
        var metrics = EngineMetrics(
            startedAt: shared.startedAt, requests: shared.requests,
            waitingCalls: shared.waiting.count.load(ordering: .relaxed), sessions: (sessions.count - 1, begun),
            stubs: (base.stubCount, 0), webhooks: (shared.webhooks.pending, results.sent, results.failed),
            upstream: UpstreamMetrics(shared.upstream))
        for session in sessions { metrics.add(session, isBase: session === base) }
        metrics.journal.bytes = shared.journalQuota.byteCount
        metrics.journal.evicted = shared.journalQuota.evictedCount
        return metrics
    }
}

extension EngineMetrics {
    fileprivate mutating func add(_ session: Session, isBase: Bool) {
        inFlight += session.inFlightCount
        let (requests, stubs) = session.state.withLock { state in
            state.journal.reportEvicted()
            return (state.journal.count, state.stubs.writtenCount)
        }
        journal.requests += requests
        if !isBase { self.stubs.sessions += stubs }
    }
}

extension UpstreamMetrics {
    fileprivate init(_ upstream: Upstream) {
        calls = upstream.counters.begun
        failures = upstream.counters.failures.map { ($0.kind.word, $0.count) }
        connections = upstream.connections
    }
}

extension UpstreamProblem.Kind {
    /// The reason's label in metrics: stable across versions.
    fileprivate var word: String {
        switch self {
        case .unavailable: "unavailable"
        case .forbidden: "forbidden"
        case .denied: "denied"
        case .badURL: "bad_url"
        case .unknownHost: "unknown_host"
        case .refusedConnection: "refused_connection"
        case .timedOut: "timed_out"
        case .reset: "reset"
        case .abandoned: "client_left"
        case .insecure: "tls"
        case .malformed: "malformed"
        case .tooLarge: "too_large"
        case .other: "other"
        }
    }
}
