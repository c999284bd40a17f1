package import Synchronization

/// One of several processes that act as one mock server with one journal.
public struct Replica: Sendable, Hashable {
    /// The name of the mock server, which all of its replicas share.
    public let name: String
    /// The number, unique among the live replicas: 0 to `highest`. Random until one is assigned.
    public let number: UInt64

    public static let highest: UInt64 = 255

    public init(name: String, number: UInt64 = .random(in: 0...highest)) {
        self.name = name
        self.number = min(number, Self.highest)
    }
}

/// The journals of all sessions of a replica: the events that the other replicas do not know yet.
///
/// Each session's `JournalOutbox` stores its events until `takeBatch` takes them, so that a request costs the loop no
/// more than an entry in a list. Another replica adds a batch to its own journals by `SessionRegistry.ingest`.
public final class SharedJournal: Sendable {
    private let currentNumber: Atomic<UInt64>
    package let name: String
    /// The largest number of waiting bytes of all sessions together.
    package let limit: Int
    /// The bytes of the waiting events. It only enforces a limit, so relaxed ordering suffices.
    package let waitingBytes = Atomic(0)
    package let droppedCount = Atomic<UInt64>(0)
    /// The outboxes that are not empty. Locked under the lock of a session, but only for the first event that waits.
    package let listed = Mutex<[JournalOutbox]>([])
    /// The sessions whose ledgers have waiting notes.
    package let noted = Mutex<[any JournalOwner]>([])

    package init(_ replica: Replica, limit: Int = 64 << 20) {
        currentNumber = Atomic(replica.number)
        numbers = Mutex([replica.number])
        name = replica.name
        self.limit = limit
    }

    /// The number of the current or last change, and of the last complete one; both grow.
    private let begun = Atomic<UInt64>(0)
    private let complete = Atomic<UInt64>(0)
    package var begunChange: UInt64 { begun.load(ordering: .relaxed) }
    package var completeChange: UInt64 { complete.load(ordering: .relaxed) }

    /// Marks the start, and the end, of a change: all replicas apply changes in one order, with the same numbers.
    public func begins(change number: UInt64) { begun.store(number, ordering: .relaxed) }
    public func made(change number: UInt64) { complete.store(number, ordering: .relaxed) }

    /// The number of this replica, which is part of its sequence numbers. It may change: when the replica has joined
    /// the others, or if they took it for dead.
    public var number: UInt64 {
        get { currentNumber.load(ordering: .relaxed) }
        set {
            let number = min(newValue, Replica.highest)
            currentNumber.store(number, ordering: .relaxed)
            numbers.withLock { _ = $0.insert(number) }
        }
    }

    /// All numbers that this process has had.
    private let numbers: Mutex<Set<UInt64>>
    package func hasHad(number: UInt64) -> Bool { numbers.withLock { $0.contains(number) } }

    /// The number of events that other replicas will never get, because the limit of waiting bytes was reached.
    public var dropped: UInt64 { droppedCount.load(ordering: .relaxed) }

    /// The approximate number of bytes of the events that are still to be sent.
    public var pendingBytes: Int { waitingBytes.load(ordering: .relaxed) }
}
