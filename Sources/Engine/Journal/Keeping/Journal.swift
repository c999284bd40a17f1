import SDHTTPTransport
import SDPlatform

/// The serve events of a session, limited in number and in bytes; the oldest are dropped first.
package struct Journal {
    /// The limits of a journal.
    package struct Limits: Sendable, Equatable {
        /// The largest number of events; 0 keeps none.
        package var events = 10_000
        /// The largest number of bytes, of this journal and of all that share its quota.
        package var bytes = 64 * 1024 * 1024
        /// The largest number of stored bytes of a request's body.
        package var body = Int.max

        package init(events: Int = 10_000, bytes: Int = 64 * 1024 * 1024, body: Int = .max) {
            self.events = events
            self.bytes = bytes
            self.body = body
        }
    }

    package let limits: Limits
    private let share: JournalShare
    package private(set) var byteCount = 0
    /// The largest decompressed size of all gzip bodies, in bytes.
    private var inflatedByteCount = 0
    /// The number of bytes to read for showing all events.
    package var shownByteCount: Int { byteCount + inflatedByteCount }
    /// A ring buffer, whose oldest event is at `start`.
    private var ring: [Slot] = []
    private var start = 0
    package private(set) var count = 0
    /// The number of requests that were decided, including those of other replicas: the arrival of the last event.
    package private(set) var served: UInt64 = 0
    /// The events to send to other replicas, and what is known of theirs; nil without replicas.
    package var outbox: JournalOutbox?
    /// The sequence number of the last event evicted since the journal was last emptied; 0 if none was.
    package private(set) var lastEvicted: UInt64 = 0
    /// The latest arrival of an event evicted since the journal was last emptied; 0 if none was.
    package private(set) var lastEvictedArrival: UInt64 = 0
    /// The number of events evicted since the journal was last emptied.
    package private(set) var evictedCount = 0
    /// The statistics of dropped events, for reports.
    package var stats = EventStats()

    /// The responses that events reference.
    private var responses = SharedCharges()
    /// The stubs' responses that are no longer served but referenced by events.
    private var retired = SharedCharges()

    /// The events that are set aside during an insertion.
    private var aside: ArraySlice<Slot> = []

    /// An event with its charges, so that dropping the oldest event need not read it.
    private struct Slot {
        var event: ServeEvent?
        var size = 0
        /// The event's own response, charged once for all events that share it.
        var response: ObjectIdentifier?
        /// The response of the event's stub, which is not charged as long as it is served.
        var stubResponse: ObjectIdentifier?

        /// Stores an event in place: copying a slot would retain its references once more.
        mutating func store(_ event: ServeEvent, size: Int) {
            self.event = event
            self.size = size
            response = nil
            stubResponse = event.matchedStub?.answerID
        }
    }

    /// - Parameter quota: the quota that it shares with other journals; nil for none.
    package init(limits: Limits, quota: JournalQuota? = nil) {
        self.limits = limits
        share = JournalShare(of: quota ?? JournalQuota(limit: limits.bytes))
    }

    /// Counts a request that the session decides.
    /// - Parameter time: its arrival in nanoseconds since 1970.
    /// - Returns: its sequence number.
    package mutating func takeSequence(at time: UInt64) -> UInt64 {
        served += 1
        guard let outbox else { return served }
        return outbox.takeSequence(at: time)
    }

    /// Counts a request that another replica has decided.
    /// - Returns: its arrival.
    package mutating func countArrival() -> UInt64 {
        served += 1
        return served
    }

    /// The highest sequence number so far.
    package var lastSequence: UInt64 { outbox?.last ?? served }

    /// The number of requests that were decided here and whose answers have not ended.
    /// - Parameter ended: the number of answers that have ended.
    package func underWay(ended: UInt64) -> Int {
        let own = served - (outbox?.ingested ?? 0)
        return own > ended ? Int(clamping: own - ended) : 0
    }

    /// The events of other replicas whose answers have not ended, as far as known, oldest first.
    package var underWayElsewhere: [ServeEvent] {
        (outbox?.open.values).map { $0.sorted { $0.sequence < $1.sequence } } ?? []
    }

    package mutating func append(_ event: ServeEvent) {
        guard limits.events > 0 else { return stats.add(unrecorded: event) }
        event.request.isCountedElsewhere()
        let size = event.byteCount
        let others = share.others
        while count > 0, count == limits.events || isTooMuch(byteCount + size, others) { evictOldest() }
        if count == ring.count { grow() }
        ring[place(count)].store(event, size: size)
        count += 1
        byteCount += size
        inflatedByteCount += event.inflatedSize
        share.set(byteCount)
        outbox?.add(event, size)
    }

    /// Starts to insert events: those with later sequence numbers are set aside, so that all insertions take one pass.
    /// Nothing else may use the journal until `endInserting`.
    /// - Parameter sequence: the lowest sequence number to insert.
    package mutating func beginInserting(from sequence: UInt64) {
        let first = firstNumber(from: sequence)
        aside = (first..<count).map { ring[place($0)] }[...]
        for number in first..<count { ring[place(number)] = Slot() }
        count = first
    }

    /// Inserts an event by its sequence number, or replaces the event that has it. Limits apply only at `endInserting`.
    /// Cheap for increasing sequence numbers.
    package mutating func insert(_ event: ServeEvent, size: Int) {
        guard limits.events > 0 else { return stats.add(unrecorded: event) }
        while let next = aside.first, (next.event?.sequence ?? 0) <= event.sequence {
            appendSlot(next)
            aside.removeFirst()
        }
        if let known = number(of: event.sequence).map(place) {
            _ = discharge(known)
            ring[known].store(event, size: size)
        } else {
            appendSlot(Slot())
            let number = firstNumber(from: event.sequence, among: count - 1)
            for later in (number + 1..<count).reversed() { ring.swapAt(place(later), place(later - 1)) }
            ring[place(number)].store(event, size: size)
        }
        byteCount += size
        inflatedByteCount += event.inflatedSize
    }

    /// Puts back the events that were set aside, and evicts the oldest events past the limits.
    package mutating func endInserting() {
        for slot in aside { appendSlot(slot) }
        aside = []
        while count > limits.events { evictOldest() }
        shrink()
    }

    private mutating func appendSlot(_ slot: Slot) {
        if count == ring.count {
            ring = (0..<count).map { ring[place($0)] } + Array(repeating: Slot(), count: max(count, 64))
            start = 0
        }
        count += 1
        ring[place(count - 1)] = slot
    }

    /// Whether this journal must evict events at this number of bytes.
    private func isTooMuch(_ bytes: Int, _ others: Int) -> Bool {
        bytes > limits.bytes || others + bytes > share.quota.limit && bytes > share.quota.fairPart
    }

    /// Evicts the oldest events of a journal that has grown, except the newest.
    private mutating func shrink() {
        let others = share.others
        while count > 1, isTooMuch(byteCount, others) { evictOldest() }
        share.set(byteCount)
    }

    /// Evicts the oldest events in favour of other journals, down to the fair share.
    /// - Parameter most: the largest number of events to evict.
    /// - Returns: whether more events must be evicted.
    package mutating func trim(most: Int) -> Bool {
        let (quota, others) = (share.quota, share.others)
        func isTooMuch() -> Bool { count > 1 && byteCount > quota.fairPart && others + byteCount > quota.limit }
        var dropped = 0
        while dropped < most, isTooMuch() {
            evictOldest()
            dropped += 1
        }
        share.set(byteCount)
        return isTooMuch()
    }

    /// Adds its evicted events to the count of all journals.
    package func reportEvicted() { share.reportEvicted() }

    /// Removes all events.
    /// - Returns: the events. The caller frees them outside the session's lock, because that is slow for thousands.
    package mutating func removeAll() -> [ServeEvent] {
        for number in 0..<count { letGo(place(number)) }
        let events = (0..<count).compactMap { ring[place($0)].event }
        ring = []
        responses = SharedCharges()
        retired = SharedCharges()
        start = 0
        count = 0
        byteCount = 0
        inflatedByteCount = 0
        lastEvicted = 0
        lastEvictedArrival = 0
        outbox?.forgetAll()
        evictedCount = 0
        share.set(0)
        return events
    }

    /// Queues its events again for other replicas that may have dropped them.
    /// - Parameter all: whether to include events of other replicas.
    package mutating func requeue(all: Bool) {
        guard let outbox else { return }
        outbox.repeatWaiting()
        let waiting = outbox.waitingEvents
        for number in 0..<count {
            guard let event = ring[place(number)].event, event.end != nil, !waiting.contains(ObjectIdentifier(event)),
                all || outbox.isOwn(event.sequence)
            else { continue }
            outbox.addAgain(event, ring[place(number)].size)
        }
    }

    /// Whether a repeated event of another replica was stored here before and has been dropped.
    package func hasDropped(_ sequence: UInt64) -> Bool { limits.events == 0 || sequence <= lastEvicted }

    /// Removes single events, and later ones that other replicas send before they know of the removal.
    package mutating func remove(
        _ sequences: Set<UInt64>, like isRemoved: @escaping @Sendable (ServeEvent) -> Bool = { _ in false }
    ) {
        outbox?.forget(sequences, like: isRemoved)
        var kept: [Slot] = []
        for number in 0..<count {
            let place = place(number)
            if let event = ring[place].event, !sequences.contains(event.sequence) {
                kept.append(ring[place])
            } else {
                drop(place)
            }
        }
        ring = kept
        start = 0
        count = kept.count
        share.set(byteCount)
    }

    /// The event of a sequence number; nil if it is not stored.
    package func event(_ sequence: UInt64) -> ServeEvent? {
        if let number = number(of: sequence) { return ring[place(number)].event }
        var (low, high) = (aside.startIndex, aside.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if aside[middle].event?.sequence ?? 0 < sequence { low = middle + 1 } else { high = middle }
        }
        return low < aside.endIndex && aside[low].event?.sequence == sequence ? aside[low].event : nil
    }

    /// Records that an event has grown, and evicts the oldest events if necessary.
    package mutating func charge(_ bytes: Int, for event: ServeEvent) {
        outbox?.changed(event)
        grow(event, by: bytes)
    }

    /// Records that an event of another replica has grown, and evicts the oldest events if necessary.
    package mutating func grow(_ event: ServeEvent, by bytes: Int) {
        guard let number = number(of: event.sequence) else { return }
        ring[place(number)].size += bytes
        byteCount += bytes
        shrink()
    }

    /// Charges an event's response, unless another event has it already, and evicts the oldest events if necessary.
    package mutating func charge(_ response: ServedResponse, for event: ServeEvent) {
        guard let number = number(of: event.sequence), ring[place(number)].response == nil else { return }
        let id = ObjectIdentifier(response)
        byteCount += responses.add(id, size: response.byteCount)
        ring[place(number)].response = id
        shrink()
    }

    /// For each of the stubs' responses that events reference, the number of these events.
    package func users(of responses: Set<ObjectIdentifier>) -> [ObjectIdentifier: Int] {
        var users: [ObjectIdentifier: Int] = [:]
        for number in 0..<count {
            if let response = ring[place(number)].stubResponse, responses.contains(response) {
                users[response, default: 0] += 1
            }
        }
        return users
    }

    /// Charges stubs' responses that are no longer served for as long as events reference them, and evicts the oldest
    /// events if necessary.
    /// - Parameter sizes: the sizes of the responses in bytes.
    package mutating func charge(retired sizes: [ObjectIdentifier: Int]) {
        for (response, users) in users(of: Set(sizes.keys)) {
            byteCount += retired.set(response, users: users, size: sizes[response] ?? 0)
        }
        shrink()
    }

    /// Removes the event at an index of the ring, and releases its charges.
    private mutating func drop(_ place: Int) {
        letGo(place)
        ring[place].event = nil
    }

    /// Releases the charges of the event at an index of the ring. An event that is still referenced, as by a client
    /// that reads a list slowly, is charged to the answers from now on.
    private mutating func letGo(_ place: Int) {
        if let event = ring[place].event { stats.add(dropped: event) }
        let size = discharge(place)
        guard !isKnownUniquelyReferenced(&ring[place].event) else { return }
        ring[place].event?.outlivesJournal(MemoryCharge(size, to: share.quota.memory.account(.answers)))
    }

    /// Releases the charges of an event.
    /// - Returns: the number of bytes.
    private mutating func discharge(_ place: Int) -> Int {
        var size = ring[place].size
        if let response = ring[place].response { size += responses.release(response) }
        if !retired.isEmpty, let response = ring[place].stubResponse { size += retired.release(response) }
        byteCount -= size
        // Most journals have no gzip body, and need not read the event.
        if inflatedByteCount > 0 { inflatedByteCount -= ring[place].event?.inflatedSize ?? 0 }
        return size
    }

    /// The index of an event, counted from the oldest; sequence numbers increase, with gaps for removed events.
    private func number(of sequence: UInt64) -> Int? {
        // Most lookups are for an event that has just been added.
        if count > 0, ring[place(count - 1)].event?.sequence == sequence { return count - 1 }
        let first = firstNumber(from: sequence)
        return first < count && ring[place(first)].event?.sequence == sequence ? first : nil
    }

    /// The index, counted from the oldest, of the first event with at least this sequence number.
    /// - Parameter most: the number of the oldest events to search; nil for all.
    private func firstNumber(from sequence: UInt64, among most: Int? = nil) -> Int {
        var low = 0
        var high = most ?? count
        while low < high {
            let middle = (low + high) / 2
            if ring[place(middle)].event?.sequence ?? 0 < sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The events, newest first, as the admin API lists them.
    package func newestFirst() -> [ServeEvent] {
        (0..<count).reversed().compactMap { ring[place($0)].event }
    }

    /// The events after an arrival, oldest first.
    package func events(after arrival: UInt64) -> [ServeEvent] {
        guard outbox == nil else { return newestFirst().reversed().filter { $0.arrival > arrival } }
        return (firstNumber(from: arrival &+ 1)..<count).compactMap { ring[place($0)].event }
    }

    /// The first events after an arrival, ordered by arrival.
    /// - Parameter most: the largest number of events.
    package func arrivals(after arrival: UInt64, most: Int) -> [ServeEvent] {
        guard outbox == nil else {
            return Array(events(after: arrival).sorted { $0.arrival < $1.arrival }.prefix(most))
        }
        let first = firstNumber(from: arrival &+ 1)
        return (first..<min(first + most, count)).compactMap { ring[place($0)].event }
    }

    /// The stored events with these arrivals.
    package func events(arrived arrivals: [UInt64]) -> [ServeEvent] {
        guard outbox != nil else { return arrivals.compactMap(event) }
        let arrivals = Set(arrivals)
        return arrivals.isEmpty ? [] : newestFirst().reversed().filter { arrivals.contains($0.arrival) }
    }

    /// The ring index of an event counted from the oldest.
    private func place(_ number: Int) -> Int {
        let place = start + number
        return place < ring.count ? place : place - ring.count
    }

    private mutating func evictOldest() {
        if let event = ring[start].event { noteEvicted(event) }
        share.evicted += 1
        drop(start)
        start = place(1)
        count -= 1
    }

    private mutating func noteEvicted(_ event: ServeEvent) {
        lastEvicted = max(lastEvicted, event.sequence)
        lastEvictedArrival = max(lastEvictedArrival, event.arrival)
        evictedCount += 1
    }

    private mutating func grow() {
        var larger = (0..<count).map { ring[place($0)] }
        larger += Array(repeating: Slot(), count: min(max(count, 64), limits.events - count))
        ring = larger
        start = 0
    }
}
