import SDAnswering
import SDJournal
import SDOutgoingCalls
import SDPlatform
import SDRequestTemplates
import SDStubModel
import SDStubs
import SDUpstream
import Synchronization

/// The resources that the sessions of one daemon share.
final class SharedResources: Sendable {
    /// The process's memory that grows with the actions of clients.
    let memory: MemoryLedger
    /// What is shared with other replicas; nil for a single server.
    let replication: Replication?
    /// The bytes of all journals.
    let journalQuota: JournalQuota
    /// The outcomes of the requests of all sessions.
    let requests = RequestCounters()
    /// The time of the start, in milliseconds since 1970.
    let startedAt = SystemCalls.wallClockMilliseconds()
    /// What the files of the daemon's folder state besides their stubs.
    let folder = LoadedFiles()
    /// Lists the sessions that inherit the default session's stubs; set by the registry.
    let inheritors = SettableClosure<[Session]>()
    /// Lists the stub files with errors, each with its first one; set by the reader of the files.
    let brokenFiles = SettableClosure<[String]>()
    /// Whether a session has, or ever had, a fault that slows uploads.
    let limitsUploads = Atomic(false)
    /// Whether a stub, setting or option has ever named an HTTP/2 server to call.
    let callsInHTTP2: Atomic<Bool>
    /// Whether requests are, or ever were, proxied.
    let sendsOn: Atomic<Bool>
    /// Whether the warning about another server's page with the admin API's origin was logged.
    let hasWarnedOfPages = Atomic(false)
    /// Whether a session has, or ever had, a connection fault.
    let breaksConnections = Atomic(false)
    /// The number of kinds of requests in all `FailedRequests`. It only enforces a limit, so relaxed ordering suffices.
    let failedKinds = Atomic(0)
    /// The largest number of kinds in all sessions together, so that clients cannot fill the memory.
    private static let maxFailedKinds = 4_000
    /// The threads for requests that are too expensive to be matched on a loop.
    let matching = WorkQueue(name: "matching", threads: min(max(SystemCalls.processorCount, 2), 8))
    /// The threads for work that is known to be slow, so that other requests do not wait for it.
    let expensiveWork = WorkQueue(name: "contracts", threads: min(max(SystemCalls.processorCount, 2), 8))

    /// The processor time that requests may take on the loops.
    let loopAllowance = LoopAllowance()

    let waiting = WaitingWork()

    /// The events that other replicas do not know yet; nil without replicas.
    let journal: SharedJournal?

    /// Calls to other servers, for proxied requests and webhooks.
    let upstream: Upstream
    /// Forwards unmatched requests to this server as a proxy; nil if it is none. It is in no index.
    let forward: CompiledStub?

    /// The webhooks that have not ended.
    let webhooks = WebhookQueue()

    /// The files that other replicas have written.
    let unwrittenFiles = UnwrittenFiles()
    /// How the current changes treat files.
    private let partOfStore = Mutex(ReplicatedStubStore.Part.asked)
    var storePart: ReplicatedStubStore.Part {
        get { partOfStore.withLock { $0 } }
        set { partOfStore.withLock { $0 = newValue } }
    }

    /// The key that signs tokens, made on first use.
    let signingKey = SigningKey()

    /// Reserves a slot for one more kind; false if the limit is reached.
    func reserveFailedKind() -> Bool {
        if failedKinds.add(1, ordering: .relaxed).newValue <= Self.maxFailedKinds { return true }
        failedKinds.subtract(1, ordering: .relaxed)
        return false
    }

    init(_ options: SessionOptions, _ memory: MemoryLedger) {
        self.memory = memory
        journal = options.replica.map { SharedJournal($0) }
        replication = options.replication
        upstream = Upstream(options.upstream)
        callsInHTTP2 = Atomic(!options.upstream.http2Servers.isEmpty)
        sendsOn = Atomic(options.isForwardProxy)
        forward =
            options.isForwardProxy
            ? try? CompiledStub(
                StubMapping(id: StubMapping().id, response: ResponseDefinition()), sequence: 0, file: nil,
                responder: ProxyResponder(forwarding: options.response), options: options.response) : nil
        journalQuota = JournalQuota(limit: options.journalBytes, in: memory)
    }
}
