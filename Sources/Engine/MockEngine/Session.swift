package import SDAnswering
package import SDCapture
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
    private let ownStore: (any StubStore)?
    /// Where its stubs are saved; nil for a session that saves none, and while changes are made that another server saves.
    var store: (any StubStore)? { shared.savesStubs ? ownStore : nil }
    /// The session whose stubs and settings this one also serves; nil for a session without inheritance. Its lock may
    /// be taken under this one's, never the other way round.
    let parent: Session?
    /// The session whose admin API was asked for it; nil if none was.
    let origin: Session?
    /// Its own port; nil for a session without one.
    let endpoint: (any SessionEndpoint)?
    let state: Mutex<State>
    /// The lock for changing stub files and for applying changed ones: one thread at a time. Taken before the lock of
    /// the state, and never on a loop.
    let editing = Mutex(())
    /// Makes the changes of stubs that use the disk, on a thread beside the loops.
    let changes = WorkQueue(name: "stubs")
    /// Writes and lists body files, on a thread beside the loops.
    public let bodyWork = WorkQueue(name: "body files")
    /// Reads and examines stubs and journals that are large, on a thread beside the loops.
    public let heavyWork = WorkQueue(name: "lists")
    /// The ids of the session's events.
    public let eventIDs: EventIDs
    let generation = Atomic<UInt64>(0)
    /// The part of each wait that is waited, as the bits of a number. Changed under the lock.
    private let timeScaleBits: Atomic<UInt64>
    /// Counts the moments when a stub may have become eligible or ineligible while the set of stubs stayed the same.
    /// Changed under the lock.
    let conditions = Atomic<UInt64>(0)
    /// The values that its stubs put away for later requests.
    package let states: StateStore
    /// The way to state and collections where replicas share them.
    let dataGate = Mutex<DataGate?>(nil)
    let caches: SnapshotCaches
    /// What events share of files that are served without a stub.
    let servedFiles = ServedFiles()
    package let activity: SessionActivity
    package let feeds = EventFeeds()
    package let gateTable = GateTable()
    package let streamTable = StreamTable()
    /// What a report tells of requests that were not answered as they were meant.
    let troubles: TroubleLedger
    /// What requests used of its contracts.
    let contractLedger = ContractLedger()
    /// The same of the sessions that were begun through it.
    let begunContracts = ContractLedger()
    let refusals: RefusalLedger
    /// What was refused in the sessions that were begun through it.
    let begunRefusals: RefusalLedger
    /// The verifications that were asked and did not hold.
    package let verifications = VerificationLedger()
    /// What became of its webhooks.
    package let webhookLedger = WebhookLedger()
    package let recordings = SessionRecorder()
    package let journaling: JournalOptions
    let trouble: (any EngineLog)?
    /// The resources that it shares with all other sessions.
    let shared: SharedResources
    /// What the files state beside their stubs that were loaded into it: for the base those of the folder.
    let loaded: LoadedFiles
    /// One of them, which every request asks.
    let journalQuota: JournalQuota
    /// What was found out last of its stubs among each other.
    let standings = Mutex<StubStandings?>(nil)
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
        /// Whether answers of stubs are held against contracts.
        var holdsAnswers = false
        /// The faults of the session itself, in the order in which they act.
        var faults: [ActiveFault] = []
        var faultLedger: FaultLedger
        /// The faults of the port that were last applied.
        var portFaults: [StubMapping.ID] = []
        /// The part of each wait that is waited.
        var timeScale: Double
        let clock: @Sendable () -> Int64
        /// How many requests were decided.
        var served: UInt64 { journal.served }
        /// The number of served requests that neither a stub nor a file answered.
        var unmatched: UInt64 = 0
        /// The number of served requests whose matched stub could not be served.
        var failed: UInt64 = 0
        /// The number of served requests that were sent on because no stub and no file answered.
        var passedThrough: UInt64 = 0
        /// What does not count in its report, which was begun anew.
        var reported = ReportedCounts()
        /// The value of `served` at the last change.
        var servedBeforeChange: UInt64 = 0
        /// The number of changes of the session itself.
        var changes: UInt64 = 0
        /// The number of the replicated change that reset it last; 0 for none.
        var lastReset: UInt64 = 0
        /// Whether a new table of all stubs is being made, beside the loops.
        var isSettling = false
        /// The number of changes before which none is made for changes alone.
        var nextSettling: UInt64 = 0
        var snapshot: SessionSnapshot
        /// The changes of stubs that wait for the disk or for each other.
        var begun = BegunChanges()
        /// The sessions that calls to this one began and that have ended.
        var ended = EndedSessions()
        /// Whether it has ended itself.
        var isOver = false
        /// The collections of records that requests have touched.
        var data: SessionData
    }

    /// Makes a session.
    /// - Parameters:
    ///   - parent: the session whose stubs and settings it serves beside its own; nil for none.
    ///   - memory: counts its journal, and what its readers have not taken.
    public convenience init(
        options: SessionOptions = SessionOptions(), files: any BodyFileSource & BodyFileStore = NoBodyFiles(),
        store: (any StubStore)? = nil, log: (any RequestLog)? = nil, trouble: (any EngineLog)? = nil,
        inheriting parent: Session? = nil, memory: MemoryLedger = MemoryLedger()
    ) {
        self.init(
            options: options, files: files, store: store, log: log, trouble: trouble, inheriting: parent,
            sharing: SharedResources(options, memory))
    }

    /// Makes a session beside others, with which it shares resources.
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
        loaded = options.label == nil ? shared.folder : LoadedFiles()
        troubles = TroubleLedger(shared)
        refusals = RefusalLedger(shared)
        begunRefusals = RefusalLedger(shared, most: Report.mostOfAll)
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
                generator: SeededGenerator(seed: options.seed), faultLedger: FaultLedger(now: options.clock()),
                timeScale: options.timeScale, clock: options.clock, snapshot: first,
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
            outbox.keeper = self
            state.withLock { $0.journal.outbox = outbox }
        }
        // What the options say beside the stubs comes into a snapshot with the next one.
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

    /// The part of each wait that is waited.
    package var timeScale: Double { Double(bitPattern: timeScaleBits.load(ordering: .relaxed)) }

    func publish(_ state: inout State) {
        // With more stubs, the next request has the table made without the lock.
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

    /// Whether there are so many stubs or such long ones, or so much in the journal or among the values and records of all
    /// sessions, that reading all of it takes longer than a loop may be held. Of a gzip body that is what it may
    /// decompress to.
    public var isLarge: Bool {
        let most = 512 << 10
        return memory.bytes(of: .data) > most || memory.bytes(of: .state) > most
            || state.withLock { state in
                state.stubs.isLarge || state.journal.count > 500 || state.journal.shownByteCount > most
            }
    }

    // MARK: Journal

    /// The memory of the process that grows with what clients do.
    public var memory: MemoryLedger { shared.memory }

    /// The number of requests in the journal, and their bytes.
    public var journalSize: (count: Int, bytes: Int) { state.withLock { ($0.journal.count, $0.journal.byteCount) } }

    /// The numbers of requests: answered ones, those of them without a stub or file, and those whose stub could not be
    /// served.
    public var counts: (served: UInt64, unmatched: UInt64, failed: UInt64) {
        state.withLock { ($0.served, $0.unmatched, $0.failed) }
    }

    /// Drops the oldest events while all journals take too much together, and this one more than its part.
    func trimJournal() {
        // A part at a time, so that requests need not wait for all of it.
        while state.withLock({ $0.journal.trim(most: 256) }) {}
    }

    /// Forgets what stubs keep of body files, which is made again when they are next asked for.
    func forgetRenderedFiles() {
        for stub in allStubs { stub.forgetRenderedFiles() }
    }

    public func clearJournal() {
        let (served, _) = state.withLock { ($0.served, $0.journal.removeAll()) }
        activity.forgot(.through(served))
        activity.changed(.requestsForgotten, served: served)
    }
}
