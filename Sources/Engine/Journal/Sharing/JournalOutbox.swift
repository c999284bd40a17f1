import SDHTTPTransport
import Synchronization

/// What the other replicas are still to be told of a session's journal, and what is known of theirs. Used under the lock of the
/// session; only whether it is listed concerns others.
///
/// A sequence is the time of receipt, in 1/64 ms since 2024, above eight bits with the number of the replica: unique in all
/// replicas, and below 2⁵³ until 2041, so that JSON's readers keep it. A replica that gets more than one request in that time, or
/// knows of a later one, goes on from there, so that what follows a request in time follows it in order, too.
package final class JournalOutbox: @unchecked Sendable {
    package let journal: SharedJournal
    /// The session, set before it is served.
    package weak var keeper: (any JournalKeeper)?

    /// The highest sequence of the session so far.
    package private(set) var last: UInt64 = 0
    /// The number of events of other replicas in the journal.
    package private(set) var ingested: UInt64 = 0
    /// Events of other replicas whose answers have not ended, by their sequences.
    package var open: [UInt64: ServeEvent] = [:]
    /// The number of the change that emptied the journal last. All replicas make it in turn, so that an event of a former time is
    /// known by the number of the last change before it.
    package private(set) var era: UInt64 = 0

    /// An event that waits.
    package struct Entry {
        package let event: ServeEvent
        /// The bytes that it counts.
        package let size: Int
        /// Whether others know of it without its end, and of its response.
        package var knowsEvent = false
        package var knowsResponse = false
        /// Whether it had been handed in, and has more to tell now.
        package var isAgain = false
    }

    private var waiting: [Entry] = []
    private var isListed = false

    package init(_ journal: SharedJournal) {
        self.journal = journal
    }

    // MARK: Sequences

    /// The number of bits of a replica's number, and the bits of a whole sequence.
    private static let numberBits: UInt64 = 8
    package static let highest: UInt64 = 1 << 53 - 1
    private static let nanosecondsPerUnit: UInt64 = 15_625
    /// 2024-01-01T00:00:00Z in nanoseconds since 1970.
    private static let epoch: UInt64 = 1_704_067_200_000_000_000
    /// The units by which another replica's clock may be ahead, a minute, before this one no longer follows it.
    private static let mostAhead: UInt64 = 60 * 64_000

    /// The replica that gave a sequence.
    package static func replica(of sequence: UInt64) -> UInt64 { sequence & Replica.highest }

    private static func units(at time: UInt64) -> UInt64 {
        time > epoch ? (time - epoch) / nanosecondsPerUnit : 0
    }

    func takeSequence(at time: UInt64) -> UInt64 {
        let next = max(last >> Self.numberBits + 1, Self.units(at: time))
        last = min(next, Self.highest >> Self.numberBits) << Self.numberBits | journal.number
        return last
    }

    /// Notes an event of another replica that is new here.
    /// - Parameter now: the time here, in nanoseconds since 1970.
    package func ingests(_ sequence: UInt64, now: UInt64) {
        ingested += 1
        if sequence > last, sequence >> Self.numberBits <= Self.units(at: now) + Self.mostAhead { last = sequence }
    }

    // MARK: Waiting

    /// Adds an event that the session has decided.
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

    /// Adds an event again that has more to tell since it was handed in.
    func changed(_ event: ServeEvent) {
        guard event.duration != nil, !waiting.contains(where: { $0.event === event }) else { return }
        var entry = Entry(event: event, size: event.byteCount)
        entry.isAgain = true
        add(entry)
    }

    /// Takes events whose answers have ended.
    /// - Parameters:
    ///   - all: whether to take what is not yet known of the others, too, which stay.
    ///   - most: the number of bytes after which no more are taken.
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

    /// Forgets the events of these sequences, which others may know of.
    func forget(_ sequences: Set<UInt64>) {
        guard !waiting.isEmpty else { return }
        var gone = 0
        waiting.removeAll { entry in
            guard sequences.contains(entry.event.sequence) else { return false }
            gone += entry.size
            return true
        }
        journal.waitingBytes.subtract(gone, ordering: .relaxed)
    }

    /// Begins another era: all that waits is forgotten.
    func forgetAll() {
        // Where nobody counts changes, as in tests, each is one.
        era = max(era + 1, journal.begunChange)
        open = [:]
        journal.waitingBytes.subtract(waiting.reduce(0) { $0 + $1.size }, ordering: .relaxed)
        waiting = []
    }

    deinit {
        journal.waitingBytes.subtract(waiting.reduce(0) { $0 + $1.size }, ordering: .relaxed)
    }
}
