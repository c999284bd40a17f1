public import StubModel
import Synchronization

/// What a session is to be like.
public struct SessionRequest: Sendable {
    public var name: String?
    /// It shows the first session's stubs and settings beside its own.
    public var inherits = true
    /// Nil draws one from the daemon's.
    public var seed: UInt64?
    /// Nil for the inherited ones, or those of a fresh server.
    public var settings: GlobalSettings?
    /// Milliseconds without a request after which it ends.
    public var ttl: Int64 = 3_600_000

    public init() {}
}

/// The sessions of the process: the first, which always lives, and those that tests make for themselves.
public final class SessionRegistry: Sendable {
    /// The one that is meant where none is named.
    public let base: Session
    private let clock: @Sendable () -> Int64
    private let schedule: Schedule
    private let state = Mutex(State())
    /// None was made yet, so that no host name can be one's.
    private let isUnused = Atomic(true)

    fileprivate struct State {
        var issued: UInt64 = 0
        var alive: [UInt64: LiveSession] = [:]
        var endedNames = EndedNames()
        /// When somebody will look for those that were forgotten, by the clock.
        var nextSweep = Int64.max
    }

    /// Calls the work so many milliseconds from now.
    public typealias Schedule = @Sendable (_ milliseconds: Int64, _ work: @escaping @Sendable () -> Void) -> Void

    /// What an id stands for.
    public enum Entry: Sendable {
        case alive(LiveSession)
        case ended(SessionID, name: String?)
    }

    /// - Parameter schedule: with the default, sessions that were forgotten end when somebody asks for one.
    public init(base: Session, schedule: @escaping Schedule = { _, _ in }) {
        self.base = base
        self.schedule = schedule
        clock = base.options.clock
    }

    // MARK: Making

    /// The id of a session that is to begin.
    public func issueID() -> SessionID {
        state.withLock { state in
            state.issued += 1
            return SessionID(number: state.issued)
        }
    }

    /// Begins a session.
    /// - Parameters:
    ///   - door: its own port; nil for none.
    ///   - now: nanoseconds since 1970.
    public func begin(_ id: SessionID, _ request: SessionRequest, door: (any SessionDoor)?, now: UInt64) -> LiveSession
    {
        let session = Session(child: id, of: base, request)
        let live = LiveSession(
            id: id, name: request.name, session: session, inherits: request.inherits, door: door, createdAt: now,
            ttl: request.ttl, clock: clock)
        let isNext = state.withLock { state in
            state.alive[id.number] = live
            defer { state.nextSweep = min(state.nextSweep, live.deadline) }
            return live.deadline < state.nextSweep
        }
        isUnused.store(false, ordering: .releasing)
        if isNext { sweep(after: request.ttl) }
        return live
    }

    private func sweep(after milliseconds: Int64) {
        schedule(milliseconds) { [weak self] in
            guard let self else { return }
            state.withLock { $0.nextSweep = .max }
            guard let next = endForgotten() else { return }
            // Sessions in use move their ends before each look.
            let pause = max(next, Self.leastPause)
            state.withLock { $0.nextSweep = min($0.nextSweep, clock() + pause) }
            sweep(after: pause)
        }
    }

    private static var leastPause: Int64 { 1_000 }

    // MARK: Finding

    /// Nothing is found, whatever is asked for.
    public var isEmpty: Bool { isUnused.load(ordering: .acquiring) }

    /// Nil for a number that no session has had.
    public func find(_ id: SessionID) -> Entry? {
        let (entry, expired) = state.withLock { state -> (Entry?, LiveSession?) in
            if let live = state.alive[id.number] {
                guard live.deadline <= clock() else { return (.alive(live), nil) }
                state.remove(live)
                return (.ended(id, name: live.name), live)
            }
            return (id.number <= state.issued ? .ended(id, name: state.endedNames[id.number]) : nil, nil)
        }
        expired?.end()
        return entry
    }

    /// All that live, the oldest first.
    public var all: [LiveSession] {
        endForgotten()
        return state.withLock { Array($0.alive.values) }.sorted { $0.id.number < $1.id.number }
    }

    // MARK: Ending

    /// False where it does not live.
    @discardableResult
    public func end(_ id: SessionID) -> Bool {
        let live = state.withLock { state in
            defer { if let live = state.alive[id.number] { state.remove(live) } }
            return state.alive[id.number]
        }
        live?.end()
        return live != nil
    }

    /// - Returns: how many.
    @discardableResult
    public func endAll() -> Int {
        let ended = state.withLock { state in
            let all = Array(state.alive.values)
            for live in all { state.remove(live) }
            return all
        }
        for live in ended { live.end() }
        return ended.count
    }

    /// Ends those that nobody asked for longer than their time to live.
    /// - Returns: the milliseconds until the next may have to; nil where none lives.
    @discardableResult
    public func endForgotten() -> Int64? {
        let now = clock()
        let (ended, next) = state.withLock { state in
            let ended = state.alive.values.filter { $0.deadline <= now }
            for live in ended { state.remove(live) }
            return (ended, state.alive.values.map(\.deadline).min())
        }
        for live in ended { live.end() }
        return next.map { max($0 - now, 0) }
    }
}

extension SessionRegistry.State {
    fileprivate mutating func remove(_ live: LiveSession) {
        alive[live.id.number] = nil
        if let name = live.name { endedNames.add(live.id.number, name) }
    }
}

/// What the sessions were called that ended last.
private struct EndedNames {
    private static let most = 10_000
    private var names: [UInt64: String] = [:]
    private var order: [UInt64] = []
    private var next = 0

    subscript(number: UInt64) -> String? { names[number] }

    mutating func add(_ number: UInt64, _ name: String) {
        names[number] = name
        if order.count < Self.most {
            order.append(number)
        } else {
            names[order[next]] = nil
            order[next] = number
            next = (next + 1) % Self.most
        }
    }
}
