import SDHTTPMessages
import SDJournal
import SDPlatform
public import SDStubModel
import Synchronization

/// The properties of a session to begin.
public struct SessionRequest: Sendable {
    public var name: String?
    /// Whether it serves the first session's stubs and settings beside its own.
    public var inherits = true
    /// The seed of random values; nil draws one from the daemon's.
    public var seed: UInt64?
    /// The settings; nil for the inherited ones or, without inheritance, for those of a fresh server.
    public var settings: GlobalSettings?
    /// Where requests go that nothing answers; nil for what the settings say.
    public var passThrough: ProxyDefinition?
    /// The milliseconds without a request after which the session ends.
    public var ttl: Int64 = 3_600_000
    /// The session whose admin API was asked for it; nil if none was.
    public var origin: Session?

    public init() {}
}

/// The sessions of the process: the first, which never ends, and those that tests begin for themselves.
///
/// No session's lock is taken under the registry's, so that a lookup of one session does not wait for another.
public final class SessionRegistry: Sendable {
    /// The session that is meant if a request names none.
    public let base: Session
    private let clock: @Sendable () -> Int64
    private let schedule: Schedule
    private let state = Mutex(State())
    /// Trims journals, beside the loops.
    private let journalWork = WorkQueue(name: "journals")
    /// Who hears of sessions that begin and end.
    let observers = Mutex<[ObjectIdentifier: any SessionsObserver]>([:])
    /// Whether no session has begun yet, so that no host name can belong to one.
    private let isUnused = Atomic(true)
    private let endsByOthersFlag = Atomic(false)

    fileprivate struct State {
        var issued: UInt64 = 0
        var alive: [UInt64: LiveSession] = [:]
        var ended = LastEnded()
        var past = PastSessions()
        /// The time, by the clock, of the next sweep for forgotten sessions.
        var nextSweep = Int64.max
    }

    /// Calls the work after that many milliseconds.
    public typealias Schedule = @Sendable (_ milliseconds: Int64, _ work: @escaping @Sendable () -> Void) -> Void

    /// The session that an id stands for.
    public enum Entry: Sendable {
        case alive(LiveSession)
        case ended(SessionID, name: String?)
    }

    /// Makes a registry.
    /// - Parameter schedule: how to sweep for forgotten sessions; with the default, they end when a session is next
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
            MemoryLedger.Relief("body files") { [weak self] _ in
                self?.base.files.forgetContents()
                for session in self?.allSessions ?? [] { session.forgetRenderedFiles() }
            })
        base.shared.inheritors.set { [weak self] in self?.inheritors ?? [] }
        let quota = base.shared.journalQuota
        base.memory.add(
            MemoryLedger.Relief("the oldest requests of the journals") { [weak self] bytes in
                quota.shrink(by: bytes)
                for session in self?.allSessions ?? [] { session.trimJournal() }
            } isOver: {
                quota.relax()
            })
    }

    var allSessions: [Session] { [base] + state.withLock { $0.alive.values.map(\.session) } }

    private var inheritors: [Session] {
        state.withLock { $0.alive.values.map(\.session).filter { $0.parent != nil } }
    }

    /// Trims the journals that take more than their fair part of the daemon's.
    private func trimJournals() {
        let alive = state.withLock { Array($0.alive.values) }
        base.trimJournal()
        for live in alive where base.shared.journalQuota.isExceeded { live.session.trimJournal() }
        base.shared.journalQuota.trimmed()
    }

    /// Has changes of stubs saved nowhere from now on, or saved again: while those of another server are made here.
    package func savesStubs(_ saves: Bool) {
        saves ? base.shared.endUnsaved() : base.shared.beginUnsaved()
    }

    // MARK: Making

    /// Issues the id of a session to begin.
    public func issueID() -> SessionID {
        state.withLock { state in
            state.issued += 1
            return SessionID(number: state.issued)
        }
    }

    /// Has the next session be this one, so that its id is the one that other servers know.
    package func willIssue(_ number: UInt64) {
        state.withLock { $0.issued = max($0.issued, number) - 1 }
    }

    /// Begins a session.
    /// - Parameters:
    ///   - endpoint: the session's own port; nil for none.
    ///   - now: nanoseconds since 1970.
    public func begin(_ id: SessionID, _ request: SessionRequest, endpoint: (any SessionEndpoint)?, now: UInt64)
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
        tell { $0.began(live) }
        return live
    }

    private func sweep(after milliseconds: Int64) {
        schedule(milliseconds) { [weak self] in
            guard let self else { return }
            state.withLock { $0.nextSweep = .max }
            guard let next = endForgotten() else { return }
            // Sessions in use keep postponing their deadlines, so shorter pauses would only look more often.
            let pause = max(next, Self.leastPause)
            state.withLock { $0.nextSweep = min($0.nextSweep, clock() + pause) }
            sweep(after: pause)
        }
    }

    private static var leastPause: Int64 { 1_000 }

    // MARK: Finding

    /// Whether no session has begun yet, so that no lookup finds one.
    public var isEmpty: Bool { isUnused.load(ordering: .acquiring) }

    /// Finds a session, and ends it if its time is over; nil for a number that no session has had.
    public func find(_ id: SessionID) -> Entry? {
        let entry: Entry? = state.withLock { state in
            if let live = state.alive[id.number] { return .alive(live) }
            return id.number <= state.issued ? .ended(id, name: state.ended[id.number]?.name?.text) : nil
        }
        guard !endsByOthers, case .alive(let live) = entry, live.deadline <= clock() else { return entry }
        // One that was begun through it may be busy.
        endForgotten()
        let isAlive = state.withLock { $0.alive[id.number] === live }
        return isAlive ? entry : .ended(id, name: live.name)
    }

    /// The session that is told what comes for one that has ended: the one through which it was begun, or in place of one
    /// that has ended, too, that one's own.
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

    /// The most sessions at a time.
    public var most: Int { base.options.maxSessions }

    /// The number of live sessions.
    public var count: Int { state.withLock { $0.alive.count } }

    /// The number of ids that were issued to sessions.
    var issuedCount: UInt64 { state.withLock { $0.issued } }

    /// All live sessions, the oldest first.
    public var all: [LiveSession] {
        endForgotten()
        return state.withLock { Array($0.alive.values) }.sorted { $0.id.number < $1.id.number }
    }

    /// The live sessions that a call to one is about, the oldest first: of the first session all, of another one those that
    /// were begun through it.
    public func all(through caller: Session) -> [LiveSession] {
        caller === base ? all : all.filter { $0.session.isBegun(through: caller) }
    }

    /// Whether a call to one session may name another: of its own, or itself. The first session may name any.
    public func isVisible(_ live: LiveSession, to caller: Session) -> Bool {
        caller === base || live.session === caller || live.session.isBegun(through: caller)
    }

    /// The last sessions that have ended and that a call to one is about, the last first.
    public func past(through caller: Session) -> [PastSession] {
        state.withLock { $0.past.all }.reversed().filter { $0.isVisible(to: caller) }
    }

    /// The sessions that were begun through one, those that have ended among them.
    public func begun(through origin: Session) -> BegunRecords {
        var begun = BegunRecords()
        // In this order, so that none is missed that ends meanwhile.
        let live = state.withLock { Array($0.alive.values) }.filter { $0.session.isBegun(through: origin) }
        begun.live = live.map { $0.record(for: origin, hasEnded: false) }
        begun.ended = origin.state.withLock { $0.ended }
        let ended = Set(begun.ended.records.map(\.number))
        begun.live.removeAll { ended.contains($0.number) }
        for one in live { begun.ended.add(one.session.state.withLock { $0.ended }) }
        return begun
    }

    /// What a report of a session and of those that were begun through it may be waited for, at less cost than the report:
    /// webhooks that are still to be sent or to be answered, and answers under way whose clients would be seen to leave.
    public func pending(of origin: Session) -> (webhooks: Int, answers: Int) {
        let live = state.withLock { Array($0.alive.values) }.map(\.session).filter { $0.isBegun(through: origin) }
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
    /// - Returns: false if it is not live.
    @discardableResult
    public func end(_ id: SessionID) -> Bool {
        let live = state.withLock { $0.alive[id.number] }
        return live.map { end([$0]) > 0 } ?? false
    }

    /// Ends all live sessions.
    /// - Returns: the number of sessions ended.
    @discardableResult
    public func endAll() -> Int {
        end(state.withLock { Array($0.alive.values) })
    }

    /// Ends the live sessions that a call to one is about.
    /// - Returns: the number of sessions ended.
    public func endAll(through caller: Session) -> Int { end(all(through: caller)) }

    /// Ends those of the sessions that are still live.
    /// - Returns: the number of sessions ended.
    @discardableResult
    private func end(_ doomed: [LiveSession]) -> Int {
        let ended = state.withLock { state in
            let alive = doomed.filter { state.alive[$0.id.number] === $0 }
            for live in alive { state.remove(live) }
            return alive
        }
        for live in ended {
            guard let record = live.end() else { continue }
            let past = PastSession(live, record, endedAt: UInt64(SystemCalls.wallClockMilliseconds()) * 1_000_000)
            state.withLock { $0.past.add(past) }
            tell { $0.ended(live, verdict: past.verdict) }
        }
        return ended.count
    }

    /// Leaves it to others to end what is forgotten: servers that have their sessions in common do so together.
    package func leaveEndingToOthers() { endsByOthersFlag.store(true, ordering: .relaxed) }
    private var endsByOthers: Bool { endsByOthersFlag.load(ordering: .relaxed) }

    /// The live sessions without a request for longer than their time to live.
    package var forgotten: [SessionID] {
        let now = clock()
        return state.withLock { Array($0.alive.values) }.filter { $0.deadline <= now }.map(\.id)
    }

    /// The live sessions that were used here within the last milliseconds.
    package func used(within milliseconds: Int64) -> [SessionID] {
        state.withLock { Array($0.alive.values) }.filter { $0.wasUsed(within: milliseconds) }.map(\.id)
    }

    /// The first session, and the live ones that were used here or elsewhere within the last milliseconds.
    package func recentlyUsed(within milliseconds: Int64) -> [Session] {
        [base] + state.withLock { Array($0.alive.values) }.filter { $0.idleTime <= milliseconds }.map(\.session)
    }

    /// Records that sessions were used elsewhere.
    package func touch(_ ids: [SessionID]) {
        for live in state.withLock({ state in ids.compactMap { state.alive[$0.number] } }) { live.touchElsewhere() }
    }

    /// Ends those sessions if there is no place for another.
    public func endForgottenIfFull() {
        if count >= most { endForgotten() }
    }

    /// Ends the sessions without a request for longer than their time to live.
    /// - Returns: the milliseconds until the next deadline; nil if no session is live.
    @discardableResult
    public func endForgotten() -> Int64? {
        if endsByOthers { return Self.leastPause }
        let now = clock()
        let alive = state.withLock { Array($0.alive.values) }
        for live in alive { live.touchIfBusy() }
        let deadlines = alive.map { ($0, $0.lastDeadline) }
        end(deadlines.filter { $0.1 <= now }.map(\.0))
        return deadlines.map(\.1).filter { $0 > now }.min().map { $0 - now }
    }
}

extension Session {
    /// The number of its id; nil for the first.
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

/// What is known of a session that has ended.
private struct EndedSession {
    let name: SessionName?
    /// The number of the session that it was begun through; nil for the first.
    let origin: UInt64?
}

/// The sessions that ended last, as far as there is anything to be known.
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
