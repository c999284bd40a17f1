import Synchronization

/// A session beside the first, while it lives: a server of its own to those who name it.
public final class LiveSession: Sendable {
    public let id: SessionID
    /// Free text for people; nil where none was given.
    public let name: String?
    public let session: Session
    public let inherits: Bool
    /// Nanoseconds since 1970.
    public let createdAt: UInt64
    /// It ends after so many milliseconds without a request.
    public let ttl: Int64
    private let clock: @Sendable () -> Int64
    private let used: Atomic<Int64>
    private let door: (any SessionDoor)?

    init(
        id: SessionID, name: String?, session: Session, inherits: Bool, door: (any SessionDoor)?, createdAt: UInt64,
        ttl: Int64,
        clock: @escaping @Sendable () -> Int64
    ) {
        self.id = id
        self.name = name
        self.session = session
        self.inherits = inherits
        self.door = door
        self.createdAt = createdAt
        self.ttl = ttl
        self.clock = clock
        used = Atomic(clock())
    }

    /// Somebody asked it.
    public func touch() {
        used.store(clock(), ordering: .relaxed)
    }

    /// Milliseconds since somebody asked it.
    public var idleTime: Int64 { max(clock() - used.load(ordering: .relaxed), 0) }

    /// When it will have been idle for too long, by the clock; `Int64.max` for never. It is not idle while an answer of it
    /// is under way, or somebody waits for something in it.
    var deadline: Int64 {
        if session.isBusy { touch() }
        let sum = used.load(ordering: .relaxed).addingReportingOverflow(ttl)
        return sum.overflow ? .max : sum.partialValue
    }

    /// The port of its own, if it has one.
    public var port: UInt16? { door?.port }

    func end() {
        door?.close()
        session.stopActivity()
        session.clearJournal()
    }
}

/// A listener of a session's own.
public protocol SessionDoor: Sendable {
    var port: UInt16 { get }
    /// Nobody comes in any more. Those who are in stay connected. To be called once or more.
    func close()
}
