package import SDAnswering
package import SDCapture
package import SDChannels
public import SDHTTPMessages
public import SDJournal
public import SDPlatform
package import SDRecords
import SDReports
import SDStubModel
public import SDStubs
import Synchronization

/// The owner of all state that requests read and change: stubs, journal, settings. There is no other mutable state.
///
/// A request's stub, use counters and journal position are decided under the session's one lock, so two requests never
/// see the same state. Matching runs before that, on a snapshot, and is repeated in the rare case that the stubs
/// changed in between; the response is made after it, without the lock.
public final class Session: Sendable {
    let options: SessionOptions
    package let files: any BodyFileSource
    /// The body files, for reading and changing.
    public let bodies: any BodyFileStore
    let ownStore: (any StubStore)?
    /// The store of the session's stubs; nil for a session that does not save them.
    var store: (any StubStore)? { store(for: shared.storePart) }
    /// The session whose stubs and settings this one also serves; nil for a session without inheritance. Its lock may
    /// be taken under this one's, never the other way round.
    let parent: Session?
    /// The session whose admin API created this one; nil for none.
    let origin: Session?
    /// The session's own port; nil for none.
    let endpoint: (any SessionEndpoint)?
    /// Stubs, journal, settings, scenarios and the random generator: the one point of order. Under it: the parent's state
    /// and innermost locks.
    let state: Mutex<State>
    /// The lock for changing stub files and for applying changed ones: one thread at a time. Held while the disk works,
    /// so never taken on a loop. Under it: the session's state, the stub store and the watch.
    let editing = Mutex(())
    /// Makes the changes of stubs that use the disk, on a background thread.
    let changes = WorkQueue(name: "stubs")
    /// Writes and lists body files, on a background thread.
    public let bodyWork = WorkQueue(name: "body files")
    /// Reads and examines large lists of stubs and large journals, on a background thread.
    public let heavyWork = WorkQueue(name: "lists")
    /// The ids of the session's events.
    public let eventIDs: EventIDs
    let generation = Atomic<UInt64>(0)
    /// The time scale, as the bits of a `Double`. Changed under the lock.
    private let timeScaleBits: Atomic<UInt64>
    /// Incremented when a stub may have become eligible or ineligible while the set of stubs stayed the same. Changed
    /// under the lock.
    let conditions = Atomic<UInt64>(0)
    /// The state that stubs store for later requests.
    package let states: StateStore
    /// The gate to state and collections that replicas share; nil if they share none.
    let dataGate = Mutex<DataGate?>(nil)
    let caches: SnapshotCaches
    /// What events share about files that are served without a stub.
    let servedFiles = ServedFiles()
    package let activity: SessionActivity
    package let feeds = EventFeeds()
    package let gateTable = GateTable()
    package let streamTable = StreamTable()
    /// The unmatched and failed requests, for reports.
    let troubles: FailedRequests
    /// What requests used of the session's contracts.
    let contractLedger = ContractCounters()
    /// What requests of child sessions used of their contracts.
    let childContracts = ContractCounters()
    let refusals: RefusalCounters
    /// The refusals in child sessions.
    let childRefusals: RefusalCounters
    /// The verifications that did not hold.
    package let verifications: VerificationLog
    /// The results of the session's webhooks.
    package let webhookLedger: WebhookCounters
    /// The changes of these ledgers that other replicas do not know yet; nil without replicas.
    package let notes: CounterNotes?
    package let recordings = SessionRecorder()
    /// The session's WebSockets and other channels, with the message stubs.
    package let channels: Channels
    let requestTriggers = RequestTriggers()
    package let journaling: JournalOptions
    let trouble: (any EngineLog)?
    /// The resources that all sessions share.
    let shared: SharedResources
    /// What loaded files state besides their stubs; the folder's for the default session.
    let loaded: LoadedFiles
    /// The quota of `shared`, kept here because every request uses it.
    let journalQuota: JournalQuota
    /// The last comparison of the stubs with each other.
    let standings = Mutex<StubRelations?>(nil)
    /// The body files that were reported as missing.
    let missingBodies = Mutex<Set<String>>([])

    /// The state that the lock guards.
    struct State {
        var stubs = StubSet()
        var settings = GlobalSettings() {
            didSet { hasDelays = settings.delays != nil }
        }
        /// Whether the settings delay responses whose stub has no delays.
        private(set) var hasDelays = false
        /// Whether the settings are the session's own instead of inherited ones.
        var hasOwnSettings = false
        var journal: Journal
        var generator: SeededGenerator
        /// Whether stubs' answers are checked against contracts.
        var holdsAnswers = false
        /// The session's faults, in the order in which they act.
        var faults: [ActiveFault] = []
        var faultLedger: FaultCounters
        /// The faults of the port that were last applied.
        var portFaults: [StubMapping.ID] = []
        /// The factor of all delays.
        var timeScale: Double
        let clock: @Sendable () -> Int64
        /// Whether other replicas take part in counting for faults.
        let isReplica: Bool
        /// The number of decided requests.
        var served: UInt64 { journal.served }
        /// The number of served requests that neither a stub nor a file answered.
        var unmatched: UInt64 = 0
        /// The number of served requests whose matched stub could not be served.
        var failed: UInt64 = 0
        /// The number of served requests that were proxied because neither a stub nor a file answered.
        var passedThrough: UInt64 = 0
        /// The counts at the last reset of the report; they do not count.
        var reported = ReportBaseline()
        /// The value of `served` at the last change.
        var servedBeforeChange: UInt64 = 0
        /// The number of changes of the session itself.
        var changes: UInt64 = 0
        /// The number of the replicated change that last reset the session; 0 for none.
        var lastReset: UInt64 = 0
        /// Whether a table of all stubs is being rebuilt in the background.
        var isRebuildingTable = false
        /// The number of changes before which no table is rebuilt for changes alone.
        var nextTableRebuild: UInt64 = 0
        var snapshot: SessionSnapshot
        /// The changes of stubs that wait for the disk or for each other.
        var pendingChanges = PendingChanges()
        /// The child sessions that have ended.
        var ended = EndedSessions()
        /// Whether the session itself has ended.
        var isOver = false
        /// The collections of records that requests have touched.
        var data: SessionData
    }

    /// Makes a session.
    /// - Parameters:
    ///   - parent: the session whose stubs and settings this one inherits; nil for none.
    ///   - memory: counts the journal, and output that readers have not consumed.
    public convenience init(
        options: SessionOptions = SessionOptions(), files: any BodyFileSource & BodyFileStore = NoBodyFiles(),
        store: (any StubStore)? = nil, log: (any RequestLog)? = nil, trouble: (any EngineLog)? = nil,
        inheriting parent: Session? = nil, memory: MemoryLedger = MemoryLedger()
    ) {
        self.init(
            options: options, files: files, store: store, log: log, trouble: trouble, inheriting: parent,
            sharing: SharedResources(options, memory))
    }

    /// Makes a session that shares resources with others.
    init(
        options: SessionOptions, files: any BodyFileSource & BodyFileStore, store: (any StubStore)? = nil,
        log: (any RequestLog)?, trouble: (any EngineLog)?, inheriting parent: Session?,
        origin: Session? = nil, endpoint: (any SessionEndpoint)? = nil, sharing shared: SharedResources
    ) {
        self.options = options
        self.files = files
        bodies = files
        ownStore = store
        self.parent = parent
        self.origin = origin
        self.endpoint = endpoint
        activity = SessionActivity(
            log: log, label: options.label, bodyLimit: options.journalBodyLimit,
            isForwardProxy: options.isForwardProxy, counters: shared.requests)
        self.trouble = trouble
        journaling = JournalOptions(
            isKept: options.keepsJournal, bodyLimit: options.journalBodyLimit,
            responseBodyLimit: options.loggedResponseBodyLimit, redactions: options.redactions,
            matchBudget: options.matchBudget)
        self.shared = shared
        notes = shared.journal.map { CounterNotes($0) }
        verifications = VerificationLog(notes)
        webhookLedger = WebhookCounters(notes)
        loaded = options.label == nil ? shared.folder : LoadedFiles()
        troubles = FailedRequests(shared)
        refusals = RefusalCounters(shared)
        channels = Channels(
            options.channels,
            Channels.Limits(
                events: options.journalEvents, bytes: options.journalBytes, isKept: options.keepsJournal),
            inheriting: parent?.channels, activity, shared.memory)
        childRefusals = RefusalCounters(shared, most: Report.maxOfAll)
        journalQuota = shared.journalQuota
        let limits = Journal.Limits(
            events: options.keepsJournal ? options.journalEvents : 0, bytes: options.journalBytes,
            body: options.keepsJournal ? options.journalBodyLimit : .max)
        eventIDs =
            shared.journal.map { EventIDs(ofReplicas: $0.name, session: options.label ?? "") } ?? EventIDs()
        var stubs = parent.map { $0.inheritableStubs } ?? StubSet()
        stubs.clock = options.clock
        // A child's snapshot is made for its first request.
        let first = parent == nil ? SessionSnapshot(generation: 0, stubs, settings: GlobalSettings()) : .none
        state = Mutex(
            State(
                stubs: stubs, journal: Journal(limits: limits, quota: shared.journalQuota),
                generator: SeededGenerator(seed: options.seed), faultLedger: FaultCounters(now: options.clock()),
                timeScale: options.timeScale, clock: options.clock, isReplica: shared.replication != nil,
                snapshot: first,
                data: SessionData(shared.memory)))
        states = StateStore(limits: options.stateLimits, shared.memory)
        timeScaleBits = Atomic(options.timeScale.bitPattern)
        caches = SnapshotCaches(workers: options.workers, first)
        if let replication = shared.replication {
            dataGate.withLock { $0 = DataGate(self, replication) }
            states.noteChanges()
            state.withLock { $0.data.noted = [:] }
        }
        if let journal = shared.journal {
            let outbox = JournalOutbox(journal)
            outbox.owner = self
            notes?.belong(to: self)
            state.withLock { $0.journal.outbox = outbox }
        }
        requestTriggers.follow(self)
        if parent?.channels.hasRequestStubs.load(ordering: .relaxed) == true { activity.add(requestTriggers) }
        // Settings from the options enter a snapshot only when the next one is published.
        if parent == nil, options.passThrough != nil { change { _ in } }
    }

    // MARK: Changing

    /// Runs a change of the state under the lock, and publishes a new snapshot for requests.
    /// - Throws: what `body` throws.
    func change<Result: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { chargeRemovedStubs() }
        return try state.withLock { state throws(Failure) in try change(&state, body) }
    }

    /// Runs a change of the state for a caller that holds the lock.
    /// - Throws: what `body` throws.
    func change<Result, Failure: Error>(
        _ state: inout State, _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // A change that fails half-way may have changed stubs, so a snapshot is published in any case.
        defer { publish(&state) }
        state.stubs.beginBatch()
        follow(&state)
        state.stubs.removeExpired()
        return try body(&state)
    }

    /// Removes expired stubs, which must no longer be visible, and applies changes of the inherited session.
    public func bringUpToDate() {
        parent?.bringUpToDate()
        guard state.withLock({ $0.stubs.hasExpired || isBehind($0) }) else { return }
        change { _ in }
    }

    /// The factor of all delays.
    package var timeScale: Double { Double(bitPattern: timeScaleBits.load(ordering: .relaxed)) }

    func publish(_ state: inout State) {
        // If there are more stubs, the next request has the table rebuilt outside the lock.
        state.stubs.endBatch(renewingAtMost: Self.maxUnderLock)
        state.servedBeforeChange = state.served
        state.changes += 1
        state.snapshot = SessionSnapshot(
            generation: state.changes + (state.stubs.inherited?.base.generation ?? 0), state.stubs,
            settings: state.settings, faults: state.faults,
            passThrough: passThroughStub(state.settings, instead: state.snapshot.passThrough))
        state.timeScale = state.settings.timeScale ?? options.timeScale
        timeScaleBits.store(state.timeScale.bitPattern, ordering: .relaxed)
        generation.store(state.changes, ordering: .releasing)
    }

    /// Whether reading all stubs, journal events, values and records of all sessions takes longer than a loop may be
    /// blocked. A gzip body counts with its decompressed size limit.
    public var isLarge: Bool {
        let most = 512 << 10
        return memory.bytes(of: .data) > most || memory.bytes(of: .state) > most || channels.isLarge
            || state.withLock { state in
                state.stubs.isLarge || state.journal.count > 500 || state.journal.shownByteCount > most
            }
    }

    // MARK: Journal

    /// The process's memory that grows with the actions of clients.
    public var memory: MemoryLedger { shared.memory }

    /// The number of requests in the journal, and their bytes.
    public var journalSize: (count: Int, bytes: Int) { state.withLock { ($0.journal.count, $0.journal.byteCount) } }

    /// The numbers of requests: all served ones, those that neither a stub nor a file answered, and those whose stub
    /// could not be served.
    public var counts: (served: UInt64, unmatched: UInt64, failed: UInt64) {
        state.withLock { ($0.served, $0.unmatched, $0.failed) }
    }

    /// Drops the oldest events while all journals exceed the quota and this one its share.
    func trimJournal() {
        // In slices, so that requests wait only briefly.
        while state.withLock({ $0.journal.trim(most: 256) }) {}
    }

    /// Drops the body files that stubs have cached; they are read again on demand.
    func forgetRenderedFiles() {
        for stub in allStubs { stub.forgetRenderedFiles() }
    }

    public func clearJournal() {
        let (served, _) = state.withLock { ($0.served, $0.journal.removeAll()) }
        activity.eventsRemoved(.through(served))
        activity.changed(.requestsForgotten, served: served)
    }
}
