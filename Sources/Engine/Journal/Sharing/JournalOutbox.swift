import SDHTTPTransport
import SDPlatform
import Synchronization

/// The events of a session's journal to send to other replicas, and what is known of theirs. Used under the lock of the
/// session; only `journal.listed` is shared.
///
/// A sequence number is the time of receipt, in 1/64 ms since 2024, above eight bits with the number of the replica:
/// unique among all replicas, and below 2⁵³ until 2041, so that JSON parsers preserve it. A replica that gets more than
/// one request in that time, or knows a later number, continues from there, so that the order follows the time.
package final class JournalOutbox: @unchecked Sendable {
    package let journal: SharedJournal
    /// The session, set before it is served.
    package weak var owner: (any JournalOwner)?

    /// The highest sequence number of the session so far.
    package private(set) var last: UInt64 = 0
    /// The number of events of other replicas in the journal.
    package private(set) var ingested: UInt64 = 0
    /// Events of other replicas whose answers have not ended, by sequence number.
    package var open: [UInt64: ServeEvent] = [:]
    /// The number of the change that last emptied the journal. All replicas apply it in order, so an older event is
    /// recognised by the number of the last change before it.
    package private(set) var era: UInt64 = 0

    /// An event that waits to be sent.
    package struct Entry {
        package let event: ServeEvent
        /// The bytes that it counts as waiting.
        package let size: Int
        /// Whether other replicas know the event without its end, and its response.
        package var knowsEvent = false
        package var knowsResponse = false
        /// Whether it was sent before, and has changed since.
        package var isAgain = false
        /// Whether it was sent before, and may have been dropped by other replicas.
        package var isRepeated = false
    }

    /// A removal by a change, which also applies to events that replicas send before they have applied it.
    private struct Removal {
        let change: UInt64
        let time: UInt64
        let isRemoved: @Sendable (ServeEvent) -> Bool
    }

    /// The last removals, oldest first.
    private var removals: [Removal] = []
    /// The largest number of removals that are remembered, and for how long in nanoseconds.
    private static let (maxRemovals, removalTime): (Int, UInt64) = (256, 60_000_000_000)
    /// The number of the change up to which the sent events reflect all removals.
    package var change: UInt64 { max(era, removals.last?.change ?? 0, journal.completeChange) }

    private var waiting: [Entry] = []
    private var isListed = false

    package init(_ journal: SharedJournal) {
        self.journal = journal
    }

    // MARK: Sequence numbers

    /// The number of bits of a replica's number.
    private static let numberBits: UInt64 = 8
    package static let highest: UInt64 = 1 << 53 - 1
    private static let nanosecondsPerUnit: UInt64 = 15_625
    /// 2024-01-01T00:00:00Z in nanoseconds since 1970.
    private static let epoch: UInt64 = 1_704_067_200_000_000_000
    /// The largest lead of another replica's clock, in units: a minute. Numbers beyond are not followed.
    private static let maxAhead: UInt64 = 60 * 64_000

    /// The replica that assigned a sequence number.
    package static func replica(of sequence: UInt64) -> UInt64 { sequence & Replica.highest }

    /// The approximate time of receipt of the request with a sequence number, in milliseconds since 1970.
    package static func time(of sequence: UInt64) -> Int64 {
        Int64(clamping: epoch / 1_000_000 + sequence >> numberBits / 64)
    }

    private static func units(at time: UInt64) -> UInt64 {
        time > epoch ? (time - epoch) / nanosecondsPerUnit : 0
    }

    func takeSequence(at time: UInt64) -> UInt64 {
        let next = max(last >> Self.numberBits + 1, Self.units(at: time))
        last = min(next, Self.highest >> Self.numberBits) << Self.numberBits | journal.number
        return last
    }

    /// Counts a new event of another replica.
    /// - Parameter now: the time of this process, in nanoseconds since 1970.
    package func ingests(_ sequence: UInt64, now: UInt64) {
        ingested += 1
        if sequence > last, sequence >> Self.numberBits <= Self.units(at: now) + Self.maxAhead { last = sequence }
    }

    // MARK: Queue

    /// Queues an event that the session has decided.
    func add(_ event: ServeEvent, _ size: Int) {
        add(Entry(event: event, size: size))
    }

    private func add(_ entry: Entry) {
        guard journal.waitingBytes.load(ordering: .relaxed) + entry.size <= journal.limit else {
            journal.droppedCount.add(1, ordering: .relaxed)
            return
        }
        journal.waitingBytes.add(entry.size, ordering: .relaxed)
        waiting.append(entry)
        if !isListed { list() }
    }

    private func list() {
        isListed = true
        journal.listed.withLock { $0.append(self) }
    }

    /// Queues an event again that has changed since it was sent.
    func changed(_ event: ServeEvent) {
        guard event.duration != nil, !waiting.contains(where: { $0.event === event }) else { return }
        var entry = Entry(event: event, size: event.byteCount)
        entry.isAgain = true
        add(entry)
    }

    /// The queued events.
    var waitingEvents: Set<ObjectIdentifier> { Set(waiting.map { ObjectIdentifier($0.event) }) }

    /// Has the queued events sent as if other replicas knew nothing of them.
    func repeatWaiting() {
        for place in waiting.indices where waiting[place].isAgain || waiting[place].knowsEvent {
            waiting[place].isRepeated = true
            (waiting[place].isAgain, waiting[place].knowsEvent, waiting[place].knowsResponse) = (false, false, false)
        }
    }

    /// Queues an event that was sent before, and may have been dropped by other replicas.
    func addAgain(_ event: ServeEvent, _ size: Int) {
        var entry = Entry(event: event, size: size)
        entry.isRepeated = true
        add(entry)
    }

    /// Whether a sequence number has a replica number that this process has, or once had.
    package func isOwn(_ sequence: UInt64) -> Bool { journal.hasHad(number: Self.replica(of: sequence)) }

    /// Dequeues events whose answers have ended.
    /// - Parameters:
    ///   - all: whether to include the others, as far as they are not known yet; they stay in the queue.
    ///   - most: the number of bytes at which to stop.
    /// - Returns: the events, in the order of their decisions.
    package func take(all: Bool, most: Int) -> [Entry] {
        var (taken, kept): ([Entry], [Entry]) = ([], [])
        var (bytes, gone) = (0, 0)
        for (place, entry) in waiting.enumerated() {
            if bytes >= most {
                kept += waiting[place...]
                break
            }
            if entry.event.duration != nil {
                taken.append(entry)
                gone += entry.size
            } else {
                let hasResponse = entry.event.hasResponse
                var known = entry
                if all, !entry.knowsEvent || hasResponse && !entry.knowsResponse {
                    taken.append(entry)
                    (known.knowsEvent, known.knowsResponse, known.isAgain) = (true, hasResponse, true)
                    known.isRepeated = false
                    bytes += entry.size
                }
                kept.append(known)
                continue
            }
            bytes += entry.size
        }
        journal.waitingBytes.subtract(gone, ordering: .relaxed)
        waiting = kept
        isListed = !kept.isEmpty
        if isListed { journal.listed.withLock { $0.append(self) } }
        return taken
    }

    /// Removes the events of these sequence numbers from the queue; other replicas may know them.
    /// - Parameter isRemoved: which events are removed that other replicas have still to send.
    func forget(_ sequences: Set<UInt64>, like isRemoved: @escaping @Sendable (ServeEvent) -> Bool) {
        let now = SystemCalls.monotonicNanoseconds()
        removals.removeAll { $0.time + Self.removalTime < now }
        if removals.count == Self.maxRemovals { removals.removeFirst() }
        removals.append(Removal(change: journal.begunChange, time: now, isRemoved: isRemoved))
        guard !waiting.isEmpty else { return }
        var gone = 0
        waiting.removeAll { entry in
            guard sequences.contains(entry.event.sequence) else { return false }
            gone += entry.size
            return true
        }
        journal.waitingBytes.subtract(gone, ordering: .relaxed)
    }

    /// Whether an event was removed by a change that its replica had not applied when it sent the event.
    /// - Parameter change: the number of the last change that the replica had applied.
    package func hasRemoved(_ event: ServeEvent, after change: UInt64) -> Bool {
        removals.contains { $0.change > change && $0.isRemoved(event) }
    }

    /// Begins another era: the queue is emptied.
    func forgetAll() {
        // If changes are not numbered, as in tests, each counts as one.
        era = max(era + 1, journal.begunChange)
        open = [:]
        removals = []
        journal.waitingBytes.subtract(waiting.reduce(0) { $0 + $1.size }, ordering: .relaxed)
        waiting = []
    }

    deinit {
        journal.waitingBytes.subtract(waiting.reduce(0) { $0 + $1.size }, ordering: .relaxed)
    }
}
