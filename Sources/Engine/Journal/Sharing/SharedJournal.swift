package import Synchronization

/// One of several processes that are one mock server, and have one journal.
public struct Replica: Sendable, Hashable {
    /// The name of the mock server, which all of its replicas have.
    public let name: String
    /// Its number, which no other one has that lives: 0 to `highest`. Until it has been given one, any by chance.
    public let number: UInt64

    public static let highest: UInt64 = 255

    public init(name: String, number: UInt64 = .random(in: 0...highest)) {
        self.name = name
        self.number = min(number, Self.highest)
    }
}

/// The journals of all sessions of a process that is one of several replicas: what of them the others have still to be told.
///
/// Each session's `JournalOutbox` keeps its events until `takeBatch` takes them, so that a request costs the loop no more than
/// an entry in a list. Another replica adds a batch to its own journals by `SessionRegistry.ingest`.
public final class SharedJournal: Sendable {
    private let currentNumber: Atomic<UInt64>
    package let name: String
    /// The most bytes that wait in all sessions together.
    package let limit: Int
    /// The bytes of the events that wait. Only a limit, so that nothing has to agree with it at once.
    package let waitingBytes = Atomic(0)
    package let droppedCount = Atomic<UInt64>(0)
    /// The outboxes that are not empty. Taken under the lock of a session, but only for the first event that waits.
    package let listed = Mutex<[JournalOutbox]>([])

    package init(_ replica: Replica, limit: Int = 64 << 20) {
        currentNumber = Atomic(replica.number)
        name = replica.name
        self.limit = limit
    }

    /// The numbers of the change that is being made, or was the last, and of the last that is complete; both grow.
    private let begun = Atomic<UInt64>(0)
    private let complete = Atomic<UInt64>(0)
    package var begunChange: UInt64 { begun.load(ordering: .relaxed) }
    package var completeChange: UInt64 { complete.load(ordering: .relaxed) }

    /// Begins a change, and has made it: all replicas make changes in one order, with the same numbers.
    public func begins(change number: UInt64) { begun.store(number, ordering: .relaxed) }
    public func made(change number: UInt64) { complete.store(number, ordering: .relaxed) }

    /// The number of this replica, which the sequences of its events have. It may get another one: when it has joined the
    /// others, or if they took it for dead.
    public var number: UInt64 {
        get { currentNumber.load(ordering: .relaxed) }
        set { currentNumber.store(min(newValue, Replica.highest), ordering: .relaxed) }
    }

    /// The number of events that the other replicas will never know of, since there was no room to keep them for these.
    public var dropped: UInt64 { droppedCount.load(ordering: .relaxed) }

    /// The bytes of the events that are still to be handed in, about.
    public var pendingBytes: Int { waitingBytes.load(ordering: .relaxed) }
}
