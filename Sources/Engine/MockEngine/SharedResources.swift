import SDAnswering
import SDJournal
import SDOutgoingCalls
import SDPlatform
import SDRequestTemplates
import SDStubModel
import SDUpstream
import Synchronization

/// The resources that the sessions of one daemon share.
final class SharedResources: Sendable {
    /// The memory that grows with what clients do.
    let memory: MemoryLedger
    /// What is shared with other replicas; nil for a server of its own.
    let replication: Replication?
    /// The bytes of all journals.
    let journalQuota: JournalQuota
    /// What the requests of all sessions came to.
    let requests = RequestCounters()
    /// The time of the start, in milliseconds since 1970.
    let startedAt = SystemCalls.wallClockMilliseconds()
    /// What the files of the daemon's folder state beside their stubs.
    let folder = LoadedFiles()
    /// Lists the sessions that inherit the first one's stubs; set by the registry, which makes them.
    let inheritors = LateClosure<[Session]>()
    /// Lists the stub files that have errors, each with its first one; set by whoever reads them.
    let brokenFiles = LateClosure<[String]>()
    /// Whether a session has, or had, a fault that slows uploads.
    let limitsUploads = Atomic(false)
    /// Whether some server is called in HTTP/2, or was, by a stub, a setting or an option.
    let callsInHTTP2: Atomic<Bool>
    /// Whether requests are sent on to some server, or were.
    let sendsOn: Atomic<Bool>
    /// Whether it was told that another server's page has the origin of the admin API.
    let hasWarnedOfPages = Atomic(false)
    /// Whether a session has, or had, a fault of connections.
    let breaksConnections = Atomic(false)
    /// The number of kinds of requests that the sessions' `TroubleLedger`s keep. Only a limit, so that nothing has to agree with
    /// it at once.
    let keptTroubles = Atomic(0)
    /// The most kinds that all sessions keep together, so that clients cannot fill the memory with them.
    private static let mostTroubles = 4_000
    /// The threads for requests that are too expensive to be matched on a loop.
    let matching = WorkQueue(name: "matching", threads: min(max(SystemCalls.processorCount, 2), 8))
    /// The threads for what is known to take long, so that others do not wait for it.
    let dear = WorkQueue(name: "contracts", threads: min(max(SystemCalls.processorCount, 2), 8))

    /// The processor time that requests may take on the loops.
    let loopAllowance = LoopAllowance()

    let waiting = WaitingWork()

    /// What other replicas are still to be told; nil if there are none.
    let journal: SharedJournal?

    /// Calls to other servers, of proxied requests and webhooks.
    let upstream: Upstream
    /// Sends on what nothing answers of requests to this server as a proxy; nil if it is none. It is in no index.
    let forward: CompiledStub?

    /// The webhooks that have not ended.
    let webhooks = WebhookQueue()

    /// Whether stubs are saved to files: not while a change is made that another server, which was asked for it, saves.
    private let savesStubsFlag = Atomic(true)
    var savesStubs: Bool { savesStubsFlag.load(ordering: .relaxed) }

    /// Makes changes of which nothing is saved, until `ends` is called.
    func beginUnsaved() { savesStubsFlag.store(false, ordering: .relaxed) }
    func endUnsaved() { savesStubsFlag.store(true, ordering: .relaxed) }

    /// The key that tokens are signed with, made when it is first needed.
    let signingKey = SigningKey()

    /// Takes a place for one more kind; false if there is none.
    func takesTrouble() -> Bool {
        if keptTroubles.add(1, ordering: .relaxed).newValue <= Self.mostTroubles { return true }
        keptTroubles.subtract(1, ordering: .relaxed)
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
