import SDAnswering
import SDJournal
import SDStubModel
import SDStubs
import Synchronization

/// A session beside the base that has not ended: a separate server for requests that name it.
public final class LiveSession: Sendable {
    public let id: SessionID
    /// A label; nil if none was given.
    public var name: String? { label?.text }
    /// The same, counted for as long as anything has it.
    let label: SessionName?
    public let session: Session
    public let inherits: Bool
    /// The time at which it began, in nanoseconds since 1970.
    public let createdAt: UInt64
    /// The time in milliseconds without a request after which it ends.
    public let ttl: Int64
    /// The one through which it was begun; nil for the first.
    private let parent: LiveSession?
    private let clock: @Sendable () -> Int64
    private let used: Atomic<Int64>
    private let usedElsewhere = Atomic(Int64.min)
    /// What had come, before its report began, to the session through which it was begun.
    let meanwhile: Mutex<Meanwhile>
    private let endpoint: (any SessionEndpoint)?

    init(
        id: SessionID, label: SessionName?, session: Session, inherits: Bool, endpoint: (any SessionEndpoint)?,
        createdAt: UInt64,
        ttl: Int64, parent: LiveSession?,
        clock: @escaping @Sendable () -> Int64
    ) {
        self.id = id
        self.label = label
        self.session = session
        self.inherits = inherits
        self.endpoint = endpoint
        self.createdAt = createdAt
        self.ttl = ttl
        self.parent = parent
        self.clock = clock
        used = Atomic(clock())
        meanwhile = Mutex(Meanwhile(of: session.origin))
    }

    /// Records that the session was used, and with it those through which it was begun.
    public func touch() {
        let now = clock()
        var next: LiveSession? = self
        while let live = next {
            live.used.store(now, ordering: .relaxed)
            next = live.parent
        }
    }

    /// Records that the session was used on another server, and with it those through which it was begun.
    func touchElsewhere() {
        let now = clock()
        var next: LiveSession? = self
        while let live = next {
            live.used.store(now, ordering: .relaxed)
            live.usedElsewhere.store(now, ordering: .relaxed)
            next = live.parent
        }
    }

    /// Whether it was used here within the last milliseconds.
    func wasUsed(within milliseconds: Int64) -> Bool {
        touchIfBusy()
        return idleTime <= milliseconds
            && used.load(ordering: .relaxed) != usedElsewhere.load(ordering: .relaxed)
    }

    /// Records that it is used if it has an answer in flight or a waiting call.
    func touchIfBusy() {
        if session.isBusy { touch() }
    }

    /// The time in milliseconds since it was last used.
    public var idleTime: Int64 { max(clock() - used.load(ordering: .relaxed), 0) }

    /// The time by the clock at which it will have been idle for too long; `Int64.max` for never. It is not idle while
    /// it has an answer in flight or a waiting call.
    var deadline: Int64 {
        touchIfBusy()
        return lastDeadline
    }

    /// The same by what was recorded last.
    var lastDeadline: Int64 {
        let sum = used.load(ordering: .relaxed).addingReportingOverflow(ttl)
        return sum.overflow ? .max : sum.partialValue
    }

    /// The session's own port, if it has one.
    public var port: UInt16? { endpoint?.port }

    /// The port where it speaks TLS, if it has one.
    public var httpsPort: UInt16? { endpoint?.httpsPort }

    /// The name without what is secret in it.
    public var shownName: String? { name.map(session.redaction.shownURL) }

    /// - Returns: what is told of it from now on; nil if it belongs to nobody.
    func end() -> SessionRecord? {
        endpoint?.close()
        session.stopActivity()
        let record = leaveRecord()
        session.clearJournal()
        session.noteEnd()
        return record
    }
}

extension LiveSession {
    /// What reports tell of it.
    /// - Parameter origin: the session in whose report it stands.
    func record(for origin: Session, hasEnded: Bool) -> SessionRecord {
        SessionRecord(self, hasEnded: hasEnded) { id in origin.reportedStub(id) }
    }

    /// Leaves what is to be told of it, and of the sessions that were begun through it, to the one that it was begun through.
    private func leaveRecord() -> SessionRecord? {
        let others = session.state.withLock { state in
            state.isOver = true
            defer { state.ended = EndedSessions() }
            return state.ended
        }
        guard let origin = session.livingOrigin else { return nil }
        let record = record(for: origin, hasEnded: true)
        origin.state.withLock { state in
            state.ended.add(record)
            state.ended.add(others)
        }
        return record
    }
}

extension Session {
    /// The session that it was begun through, or in place of one that is over that one's own; nil for none.
    var livingOrigin: Session? {
        var next = origin
        while let one = next, one.state.withLock({ $0.isOver }) { next = one.origin }
        return next
    }

    /// Whether it was begun through another one, or through one that was.
    func isBegun(through other: Session) -> Bool {
        var next = origin
        while let one = next {
            if one === other { return true }
            next = one.origin
        }
        return false
    }

    /// The stub of an id, for comparing.
    func reportedStub(_ id: StubMapping.ID) -> CompiledStub? { state.withLock { $0.stubs.stub(id) } }
}

/// The listeners on a session's own ports.
public protocol SessionEndpoint: Sendable {
    /// The port for plain HTTP; nil if there is none.
    var port: UInt16? { get }
    /// The port for TLS, which may be the same one; nil if there is none.
    var httpsPort: UInt16? { get }
    /// Stops accepting; open connections stay open. May be called more than once.
    func close()
    /// Changes what becomes of connections; open ones stay open.
    /// - Parameter done: called once it is changed, or with the reason why it cannot be.
    func change(to state: PortState, _ done: @escaping @Sendable (PortProblem?) -> Void)
}
