import SDChannels
import SDHTTPMessages
import SDJournal
import SDPlatform
public import SDStubModel
import SDStubs
import Synchronization

/// The properties of a session to create.
public struct SessionRequest: Sendable {
    public var name: String?
    /// Whether it inherits the default session's stubs and settings.
    public var inherits = true
    /// The seed of random values; nil derives one from the daemon's.
    public var seed: UInt64?
    /// The settings; nil for the inherited ones, or without inheritance for the defaults.
    public var settings: GlobalSettings?
    /// The server that gets unmatched requests; nil for the one of the settings.
    public var passThrough: ProxyDefinition?
    /// The idle time in milliseconds after which the session ends.
    public var ttl: Int64 = 3_600_000
    /// The session whose admin API created it; nil for none.
    public var origin: Session?

    public init() {}
}

/// The sessions of the process: the default one, which never ends, and those that tests create.
///
/// No session's lock is taken under the registry's, so that a lookup of one session does not wait for another.
public final class SessionRegistry: Sendable {
    /// The default session, for requests that name none.
    public let base: Session
    private let clock: @Sendable () -> Int64
    private let schedule: Schedule
    private let state = Mutex(State())
    /// Trims journals, on a background thread.
    private let journalWork = WorkQueue(name: "journals")
    /// The observers of sessions that are created and end.
    let observers = Mutex<[ObjectIdentifier: any SessionsObserver]>([:])
    /// Whether no session was ever created, so that no host name can belong to one.
    private let isUnused = Atomic(true)
    private let endsByOthersFlag = Atomic(false)

    fileprivate struct State {
        var issued: UInt64 = 0
        var alive: [UInt64: LiveSession] = [:]
        var ended = LastEnded()
        var past = PastSessions()
        /// The clock time of the next sweep for expired sessions.
        var nextSweep = Int64.max
    }

    /// Calls `work` after the given milliseconds.
    public typealias Schedule = @Sendable (_ milliseconds: Int64, _ work: @escaping @Sendable () -> Void) -> Void

    /// The session that an id names.
    public enum Entry: Sendable {
        case alive(LiveSession)
        case ended(SessionID, name: String?)
    }

    /// Makes a registry.
    /// - Parameter schedule: how to sweep for expired sessions; with the default, they end when a session is next
    ///   looked up.
    public init(base: Session, schedule: @escaping Schedule = { _, _ in }) {
        self.base = base
        self.schedule = schedule
        clock = base.options.clock
        base.shared.journalQuota.whenExceeded { [weak self] in
            guard let self else { return }
            journalWork.add { self.trimJournals() }
        }
        base.memory.add(
            MemoryLedger.Reclaimer("body files") { [weak self] _ in
                self?.base.files.forgetContents()
                for session in self?.allSessions ?? [] { session.forgetRenderedFiles() }
            })
        base.memory.add(
            MemoryLedger.Reclaimer("the oldest messages of the journals") { [weak self] _ in
                for session in self?.allSessions ?? [] { session.channels.trimForMemory() }
            })
        base.shared.inheritors.set { [weak self] in self?.inheritors ?? [] }
        let quota = base.shared.journalQuota
        base.memory.add(
            MemoryLedger.Reclaimer("the oldest requests of the journals") { [weak self] bytes in
                quota.shrink(by: bytes)
                for session in self?.allSessions ?? [] { session.trimJournal() }
            } isOver: {
                quota.relax()
            })
    }

    /// The default session, and all open ones.
    package var allSessions: [Session] { [base] + state.withLock { $0.alive.values.map(\.session) } }

    private var inheritors: [Session] {
        state.withLock { $0.alive.values.map(\.session).filter { $0.parent != nil } }
    }

    /// Trims the journals that exceed their share of the daemon's quota.
    private func trimJournals() {
        let alive = state.withLock { Array($0.alive.values) }
        base.trimJournal()
        for live in alive where base.shared.journalQuota.isExceeded { live.session.trimJournal() }
        base.shared.journalQuota.trimmed()
    }

    /// Makes later changes of stubs write files here, or only follow the files that exist: the latter for changes that
    /// were requested at another replica.
    /// - Parameter time: the time of a change from before this replica's start, in nanoseconds since 1970; no file
    ///   follows it.
    package func savesStubs(_ saves: Bool, since time: UInt64? = nil) {
        base.shared.storePart = saves ? .asked : time.map { .joining(since: $0) } ?? .following
    }

    /// The stub files that were left unchanged while older changes were replayed, each with the time, in nanoseconds
    /// since 1970, at which the replayed change removed it.
    package func takeLeftFiles() -> [String: UInt64] { base.shared.unwrittenFiles.takeLeft() }

    // MARK: Making

    /// Issues the id of a new session.
    public func issueID() -> SessionID {
        state.withLock { state in
            state.issued += 1
            return SessionID(number: state.issued)
        }
    }

    /// Sets the number of the next session, so that its id is the one that other replicas know.
    package func setNextNumber(_ number: UInt64) {
        state.withLock { $0.issued = max($0.issued, number) - 1 }
    }

    /// Creates a session.
    /// - Parameters:
    ///   - endpoint: the session's own port; nil for none.
    ///   - now: the creation time in nanoseconds since 1970.
    public func createSession(_ id: SessionID, _ request: SessionRequest, endpoint: (any SessionEndpoint)?, now: UInt64)
        -> LiveSession
    {
        let session = Session(child: id, of: base, request, endpoint: endpoint)
        let parent = request.origin?.number.flatMap { number in state.withLock { $0.alive[number] } }
        let live = LiveSession(
            id: id, label: request.name.map { SessionName($0, base.memory) }, session: session,
            inherits: request.inherits, endpoint: endpoint,
            createdAt: now,
            ttl: request.ttl, parent: parent, clock: clock)
        let deadline = live.deadline
        let isNext = state.withLock { state in
            state.alive[id.number] = live
            defer { state.nextSweep = min(state.nextSweep, deadline) }
            return deadline < state.nextSweep
        }
        isUnused.store(false, ordering: .releasing)
        if isNext { sweep(after: request.ttl) }
        notifyObservers { $0.began(live) }
        return live
    }

    private func sweep(after milliseconds: Int64) {
        schedule(milliseconds) { [weak self] in
            guard let self else { return }
            state.withLock { $0.nextSweep = .max }
            guard let next = endExpired() else { return }
            // Sessions in use keep postponing their deadlines, so shorter pauses would only add sweeps.
            let pause = max(next, Self.minPause)
            state.withLock { $0.nextSweep = min($0.nextSweep, clock() + pause) }
            sweep(after: pause)
        }
    }

    private static var minPause: Int64 { 1_000 }

    // MARK: Finding

    /// Whether no session was ever created, so that no lookup can find one.
    public var isEmpty: Bool { isUnused.load(ordering: .acquiring) }

    /// Finds a session, and ends it if it has expired; nil for a number that was never issued.
    public func find(_ id: SessionID) -> Entry? {
        let entry: Entry? = state.withLock { state in
            if let live = state.alive[id.number] { return .alive(live) }
            return id.number <= state.issued ? .ended(id, name: state.ended[id.number]?.name?.text) : nil
        }
        guard !endsByOthers, case .alive(let live) = entry, live.deadline <= clock() else { return entry }
        // A child session may be busy, which extends the deadline.
        endExpired()
        let isAlive = state.withLock { $0.alive[id.number] === live }
        return isAlive ? entry : .ended(id, name: live.name)
    }

    /// The session that records requests for an ended one: its nearest open parent, or the default session.
    public func heir(of id: SessionID) -> Session {
        state.withLock { state in
            var next = state.ended[id.number]?.origin
            while let number = next {
                if let live = state.alive[number] { return live.session }
                next = state.ended[number]?.origin
            }
            return base
        }
    }

    /// The largest number of open sessions.
    public var most: Int { base.options.maxSessions }

    /// The number of open sessions.
    public var count: Int { state.withLock { $0.alive.count } }

    /// The number of ids that were issued.
    package var issuedCount: UInt64 { state.withLock { $0.issued } }

    /// All open sessions, oldest first.
    public var all: [LiveSession] {
        endExpired()
        return state.withLock { Array($0.alive.values) }.sorted { $0.id.number < $1.id.number }
    }

    /// The open sessions that a caller may manage, oldest first: all for the default session, its descendants for
    /// another.
    public func all(through caller: Session) -> [LiveSession] {
        caller === base ? all : all.filter { $0.session.isChild(through: caller) }
    }

    /// Whether one session may name another: itself or a descendant. The default session may name any.
    public func isVisible(_ live: LiveSession, to caller: Session) -> Bool {
        caller === base || live.session === caller || live.session.isChild(through: caller)
    }

    /// The last ended sessions that a caller may see, latest first.
    public func past(through caller: Session) -> [PastSession] {
        state.withLock { $0.past.all }.reversed().filter { $0.isVisible(to: caller) }
    }

    /// The child sessions of a session, including ended ones.
    public func childRecords(through origin: Session) -> ChildSessionRecords {
        var records = ChildSessionRecords()
        // Live sessions are read first, so that none that ends meanwhile is missed.
        let live = state.withLock { Array($0.alive.values) }.filter { $0.session.isChild(through: origin) }
        records.live = live.map { $0.record(for: origin, hasEnded: false) }
        records.ended = origin.state.withLock { $0.ended }
        let ended = Set(records.ended.records.map(\.number))
        records.live.removeAll { ended.contains($0.number) }
        for one in live { records.ended.add(one.session.state.withLock { $0.ended }) }
        return records
    }

    /// What a report of a session and its children can wait for, cheaper than the report: webhooks that are still to be
    /// sent or answered, and answers in progress whose clients would be seen to disconnect.
    public func pending(of origin: Session) -> (webhooks: Int, answers: Int) {
        let live = state.withLock { Array($0.alive.values) }.map(\.session).filter { $0.isChild(through: origin) }
        var (webhooks, answers) = (0, 0)
        for session in [origin] + live {
            webhooks += session.webhookLedger.pendingCount
            webhooks += session.state.withLock { $0.ended }.pendingWebhooks
            answers += session.inFlight().slow.count { $0.state != .delayed }
        }
        return (webhooks, answers)
    }

    // MARK: Ending

    /// Ends a session.
    /// - Returns: false if it is not open.
    @discardableResult
    public func deleteSession(_ id: SessionID) -> Bool {
        let live = state.withLock { $0.alive[id.number] }
        return live.map { deleteSessions([$0]) > 0 } ?? false
    }

    /// Ends all open sessions.
    /// - Returns: the number of sessions ended.
    @discardableResult
    public func endAll() -> Int {
        deleteSessions(state.withLock { Array($0.alive.values) })
    }

    /// Ends the open sessions that a caller may manage.
    /// - Returns: the number of sessions ended.
    public func endAll(through caller: Session) -> Int { deleteSessions(all(through: caller)) }

    /// Ends those of the sessions that are still open.
    /// - Returns: the number of sessions ended.
    @discardableResult
    private func deleteSessions(_ doomed: [LiveSession]) -> Int {
        let ended = state.withLock { state in
            let alive = doomed.filter { state.alive[$0.id.number] === $0 }
            for live in alive { state.remove(live) }
            return alive
        }
        for live in ended {
            guard let record = live.end() else { continue }
            let past = PastSession(live, record, endedAt: UInt64(SystemCalls.wallClockMilliseconds()) * 1_000_000)
            state.withLock { $0.past.add(past) }
            notifyObservers { $0.ended(live, verdict: past.verdict) }
        }
        return ended.count
    }

    /// Leaves ending expired sessions to the replicas, which do it together.
    package func leaveEndingToOthers() { endsByOthersFlag.store(true, ordering: .relaxed) }
    private var endsByOthers: Bool { endsByOthersFlag.load(ordering: .relaxed) }

    /// The open sessions whose idle time exceeds their time to live.
    package var forgotten: [SessionID] {
        let now = clock()
        return state.withLock { Array($0.alive.values) }.filter { $0.deadline <= now }.map(\.id)
    }

    /// The open sessions that this replica used within the last milliseconds.
    package func used(within milliseconds: Int64) -> [SessionID] {
        state.withLock { Array($0.alive.values) }.filter { $0.wasUsed(within: milliseconds) }.map(\.id)
    }

    /// Records that another replica used the sessions.
    package func touch(_ ids: [SessionID]) {
        for live in state.withLock({ state in ids.compactMap { state.alive[$0.number] } }) { live.touchElsewhere() }
    }

    /// Ends expired sessions if the limit of sessions is reached.
    public func endForgottenIfFull() {
        if count >= most { endExpired() }
    }

    /// Ends the sessions whose idle time exceeds their time to live.
    /// - Returns: the milliseconds until the next deadline; nil if no session is open.
    @discardableResult
    public func endExpired() -> Int64? {
        if endsByOthers { return Self.minPause }
        let now = clock()
        let alive = state.withLock { Array($0.alive.values) }
        for live in alive { live.touchIfBusy() }
        let deadlines = alive.map { ($0, $0.lastDeadline) }
        deleteSessions(deadlines.filter { $0.1 <= now }.map(\.0))
        return deadlines.map(\.1).filter { $0 > now }.min().map { $0 - now }
    }
}

extension Session {
    /// The number of the session's id; nil for the default session.
    fileprivate var number: UInt64? { options.label.flatMap { SessionID($0.utf8)?.number } }
}

extension SessionRegistry.State {
    fileprivate mutating func remove(_ live: LiveSession) {
        alive[live.id.number] = nil
        let origin = live.session.origin?.number
        if live.label != nil || origin != nil {
            ended.add(live.id.number, EndedSession(name: live.label, origin: origin))
        }
    }
}

/// What is stored about an ended session.
private struct EndedSession {
    let name: SessionName?
    /// The number of its parent session; nil for the default session.
    let origin: UInt64?
}

/// The last ended sessions that have a name or a parent.
private struct LastEnded {
    private static let most = 10_000
    private var sessions: [UInt64: EndedSession] = [:]
    private var order: [UInt64] = []
    private var next = 0

    subscript(number: UInt64) -> EndedSession? { sessions[number] }

    mutating func add(_ number: UInt64, _ session: EndedSession) {
        sessions[number] = session
        if order.count < Self.most {
            order.append(number)
        } else {
            sessions[order[next]] = nil
            order[next] = number
            next = (next + 1) % Self.most
        }
    }
}
