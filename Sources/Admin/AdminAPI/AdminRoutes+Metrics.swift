import SDBasics
import SDHTTPMessages
import SDHTTPTransport
import SDJournal
import SDMockEngine
import SDPlatform

/// `/__admin/metrics`: metrics of the daemon with all its sessions, for monitoring systems. An addition to WireMock's
/// admin API.
///
/// Labels have a small, fixed set of values: no URLs, stubs or sessions.
enum MetricsRoutes {
    static let all: [AdminRoute] = [AdminRoute("GET", "/metrics", metrics).forAllSessions.anyQuery]

    private static func metrics(_ call: AdminCall) -> PlainResponse {
        let accept = call.request.header(Array("accept".utf8)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        var text = MetricsText(
            accept.lowercased().contains(text: "application/openmetrics-text") ? .openMetrics : .prometheus)
        let engine = call.sessions.metrics
        text.addProcess(version: call.options.version, startedAt: engine.startedAt)
        text.addRequests(engine)
        text.addSessions(engine)
        text.addMemory(call.sessions.base.memory)
        text.addConnections(call.daemon.clients)
        text.addCalls(engine)
        if let replicas = call.daemon.replicas { text.addReplicas(replicas.overview) }
        return text.response
    }
}

extension MetricsText {
    fileprivate mutating func addProcess(version: String, startedAt: Int64) {
        gauge("stuntdouble_build_info", "The version, as a label; always 1", Sample(1, ("version", version)))
        gauge(
            "process_start_time_seconds", "The time of the start, in seconds since 1970",
            Sample(seconds: Double(startedAt) / 1_000))
        counter(
            "process_cpu_seconds", "The processor time of the process",
            Sample(seconds: Double(SystemCalls.processorNanoseconds()) / 1_000_000_000))
    }

    fileprivate mutating func addRequests(_ engine: EngineMetrics) {
        let requests = engine.requests
        let durations = RequestCounters.Outcome.allCases.map { ($0.rawValue, requests.durations(of: $0)) }
        counter(
            "stuntdouble_requests", "Requests with finished responses, by what answered them",
            durations.map { Sample($1.count, ("outcome", $0)) })
        counter(
            "stuntdouble_responses",
            "The same, by the class of the status; other where no response was made, or one above 599",
            zip(["other", "1xx", "2xx", "3xx", "4xx", "5xx"], requests.statuses).map { Sample($1, ("status", $0)) })
        self.durations(
            "stuntdouble_request_duration",
            "The time from a request's receipt to the last byte of its answer, with the delays that stubs ask for",
            by: "outcome", durations)
        gauge(
            "stuntdouble_requests_in_flight", "Requests with unfinished responses", Sample(engine.inFlight))
        counter(
            "stuntdouble_responses_aborted", "Answers that did not come to their end, by reason",
            Self.abortions.map { Sample(requests.count(of: $0), ("reason", $1)) })
        counter(
            "stuntdouble_faults", "Faults that have acted on answers, connections and ports, by kind",
            requests.faultCounts.map { Sample($0.count, ("fault", $0.kind)) })
    }

    private static let abortions: [(ServeEnd.Outcome, String)] = [
        (.faultApplied, "fault"), (.clientDisconnected, "client_gone"), (.clientStalled, "client_stalled"),
        (.targetGone, "target_gone"), (.cancelled, "cancelled"), (.refused, "refused"), (.stopped, "stopped"),
    ]

    fileprivate mutating func addSessions(_ engine: EngineMetrics) {
        gauge("stuntdouble_sessions", "Sessions that are live, beside the daemon's own", Sample(engine.sessions.live))
        counter("stuntdouble_sessions_begun", "Sessions created", Sample(engine.sessions.created))
        gauge(
            "stuntdouble_stubs", "Stubs of the daemon, and those that sessions have of their own",
            Sample(engine.stubs.daemon, ("owner", "daemon")), Sample(engine.stubs.sessions, ("owner", "sessions")))
        gauge(
            "stuntdouble_journal_requests", "Requests in the journals of all sessions", Sample(engine.journal.requests))
        gauge("stuntdouble_journal_bytes", "The memory of the journals of all sessions", Sample(engine.journal.bytes))
        counter(
            "stuntdouble_journal_evicted_requests", "Requests that journals have dropped for lack of room",
            Sample(engine.journal.evicted))
        gauge("stuntdouble_waiting_calls", "Calls of the admin API that wait for requests", Sample(engine.waitingCalls))
    }

    fileprivate mutating func addMemory(_ memory: MemoryLedger) {
        gauge(
            "stuntdouble_memory_bytes", "The memory that grows with what clients do, by who holds it",
            MemoryHolder.allCases.map { Sample(memory.bytes(of: $0), ("holder", $0.rawValue)) })
        gauge(
            "stuntdouble_memory_limit_bytes", "The most of it that all holders may have together (--max-memory)",
            Sample(memory.limit))
    }

    fileprivate mutating func addConnections(_ clients: (open: Int, accepted: UInt64)) {
        gauge("stuntdouble_connections", "Connections of clients that are open", Sample(clients.open))
        counter(
            "stuntdouble_connections_accepted", "Connections of clients that were accepted", Sample(clients.accepted))
    }

    /// Metrics of calls to other servers.
    fileprivate mutating func addCalls(_ engine: EngineMetrics) {
        let (upstream, webhooks) = (engine.upstream, engine.webhooks)
        counter(
            "stuntdouble_upstream_calls", "Calls to other servers, for proxied requests and webhooks",
            Sample(upstream.calls))
        counter(
            "stuntdouble_upstream_failures", "Calls to other servers that failed, by reason",
            upstream.failures.map { Sample($0.count, ("reason", $0.reason)) })
        gauge(
            "stuntdouble_upstream_connections", "Connections to other servers that are open",
            Sample(max(upstream.connections.open - upstream.connections.idle, 0), ("state", "active")),
            Sample(upstream.connections.idle, ("state", "idle")))
        counter(
            "stuntdouble_webhooks", "Webhooks that have ended, by result",
            Sample(webhooks.sent, ("result", "sent")), Sample(webhooks.failed, ("result", "failed")))
        gauge("stuntdouble_webhooks_in_flight", "Webhooks that have not ended", Sample(webhooks.pending))
    }
    fileprivate mutating func addReplicas(_ overview: ReplicaOverview) {
        gauge(
            "stuntdouble_replicas", "Replicas that are one mock server with this one, itself among them",
            Sample(overview.members.count))
        gauge(
            "stuntdouble_replica_ready", "Whether it has the changes of the others (1) or not (0)",
            Sample(overview.isReady ? 1 : 0))
        counter(
            "stuntdouble_replica_dropped_events", "Events that could not be sent to the other replicas in time",
            Sample(overview.dropped))
    }
}
