import SDAnswering
import SDChannels
import SDJournal
import SDStubModel
import SDStubs
import Synchronization

/// An open session besides the default one: a separate server for requests that name it.
public final class LiveSession: Sendable {
    public let id: SessionID
    /// A label; nil if none was given.
    public var name: String? { label?.text }
    /// The label, counted for as long as anything references it.
    let label: SessionName?
    public let session: Session
    public let inherits: Bool
    /// The time at which the session began, in nanoseconds since 1970.
    public let createdAt: UInt64
    /// The idle time in milliseconds after which the session ends.
    public let ttl: Int64
    /// The parent session; nil for a session created through the default session.
    private let parent: LiveSession?
    private let clock: @Sendable () -> Int64
    private let used: Atomic<Int64>
    private let usedElsewhere = Atomic(Int64.min)
    /// The parent's counts at the time this session's report began.
    let parentCounts: Mutex<ParentCounts>
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
        parentCounts = Mutex(ParentCounts(of: session.origin))
    }

    /// Records that the session was used, and with it its parents.
    public func touch() {
        let now = clock()
        var next: LiveSession? = self
        while let live = next {
            live.used.store(now, ordering: .relaxed)
            next = live.parent
        }
    }

    /// Records that the session was used on another replica, and with it its parents.
    func touchElsewhere() {
        let now = clock()
        var next: LiveSession? = self
        while let live = next {
            live.used.store(now, ordering: .relaxed)
            live.usedElsewhere.store(now, ordering: .relaxed)
            next = live.parent
        }
    }

    /// Whether this replica used the session within the last milliseconds.
    func wasUsed(within milliseconds: Int64) -> Bool {
        touchIfBusy()
        return idleTime <= milliseconds
            && used.load(ordering: .relaxed) != usedElsewhere.load(ordering: .relaxed)
    }

    /// Records a use if the session has an answer in flight or a waiting call.
    func touchIfBusy() {
        if session.isBusy || session.channels.isUsed { touch() }
    }

    /// The time in milliseconds since it was last used.
    public var idleTime: Int64 { max(clock() - used.load(ordering: .relaxed), 0) }

    /// The clock time at which the session expires; `Int64.max` for never. It does not expire while it has an answer in
    /// flight or a waiting call.
    var deadline: Int64 {
        touchIfBusy()
        return lastDeadline
    }

    /// The deadline by the last recorded use.
    var lastDeadline: Int64 {
        let sum = used.load(ordering: .relaxed).addingReportingOverflow(ttl)
        return sum.overflow ? .max : sum.partialValue
    }

    /// The session's own port for plain HTTP; nil for none.
    public var port: UInt16? { endpoint?.port }

    /// The session's own port for TLS; nil for none.
    public var httpsPort: UInt16? { endpoint?.httpsPort }

    /// The name with secrets redacted.
    public var redactedName: String? { name.map(session.redaction.redactedURL) }

    /// Ends the session.
    /// - Returns: its record for later reports; nil if no parent is left.
    func end() -> SessionRecord? {
        endpoint?.close()
        session.stopActivity()
        session.channels.end()
        let record = leaveRecord()
        session.clearJournal()
        session.noteEnd()
        return record
    }
}

extension LiveSession {
    /// What reports say about the session.
    /// - Parameter origin: the session whose report contains the record.
    func record(for origin: Session, hasEnded: Bool) -> SessionRecord {
        SessionRecord(self, hasEnded: hasEnded) { id in origin.reportedStub(id) }
    }

    /// Hands the records of the session and of its ended children to the nearest open parent.
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
    /// The nearest parent session that has not ended; nil for none.
    var livingOrigin: Session? {
        var next = origin
        while let one = next, one.state.withLock({ $0.isOver }) { next = one.origin }
        return next
    }

    /// Whether the session is a descendant of another one.
    func isChild(through other: Session) -> Bool {
        var next = origin
        while let one = next {
            if one === other { return true }
            next = one.origin
        }
        return false
    }

    /// The stub of an id, to compare it with a child's.
    func reportedStub(_ id: StubMapping.ID) -> CompiledStub? { state.withLock { $0.stubs.stub(id) } }
}

/// The listeners on a session's own ports.
public protocol SessionEndpoint: Sendable {
    /// The port for plain HTTP; nil for none.
    var port: UInt16? { get }
    /// The port for TLS, which may be the same one; nil for none.
    var httpsPort: UInt16? { get }
    /// Stops accepting; open connections stay open. May be called more than once.
    func close()
    /// Changes how new connections are treated; open ones stay open.
    /// - Parameter done: called once the change is made, or with the reason why it is impossible.
    func change(to state: PortState, _ done: @escaping @Sendable (PortProblem?) -> Void)
}
