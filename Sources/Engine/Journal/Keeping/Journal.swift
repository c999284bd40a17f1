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
        /// The largest number of bytes kept of a request's body.
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
    /// The number of bytes that gzip bodies may decompress to where they are shown.
    private var inflatedByteCount = 0
    /// The number of bytes to read where all events are shown.
    package var shownByteCount: Int { byteCount + inflatedByteCount }
    /// A ring buffer, whose oldest event is at `start`.
    private var ring: [Slot] = []
    private var start = 0
    package private(set) var count = 0
    /// How many requests the session has decided, those of other replicas among them: the arrival of the last event.
    package private(set) var served: UInt64 = 0
    /// What other replicas are still to be told, and what is known of theirs; nil if this is the only journal of the
    /// session.
    package var outbox: JournalOutbox?
    /// The sequence of the last event dropped for lack of room since the journal was last emptied; 0 if none was.
    package private(set) var lastEvicted: UInt64 = 0
    /// The latest arrival of an event dropped for lack of room since the journal was last emptied; 0 if none was.
    package private(set) var lastEvictedArrival: UInt64 = 0
    /// The number of events dropped for lack of room since the journal was last emptied.
    package private(set) var evictedCount = 0
    /// What reports tell of the events that it has dropped.
    package var tally = EventTally()

    /// The responses that events keep.
    private var responses = SharedCharges()
    /// The stubs' responses that are no longer served and that events keep.
    private var departed = SharedCharges()

    /// The events that were set aside while others are inserted.
    private var aside: ArraySlice<Slot> = []

    /// An event with what it is charged for, so that dropping the oldest event need not look at it first.
    private struct Slot {
        var event: ServeEvent?
        var size = 0
        /// The response that the event keeps and that is charged once for all of its events.
        var response: ObjectIdentifier?
        /// The response of the event's stub, which costs the journal nothing as long as it is served.
        var stubResponse: ObjectIdentifier?

        /// Takes an event. In its place, because a slot that is made elsewhere and copied counts references once more.
        mutating func fill(_ event: ServeEvent, size: Int) {
            self.event = event
            self.size = size
            response = nil
            stubResponse = event.matchedStub?.answerID
        }
    }

    /// - Parameter quota: the bytes that it shares with other journals; nil if it is alone.
    package init(limits: Limits, quota: JournalQuota? = nil) {
        self.limits = limits
        share = JournalShare(of: quota ?? JournalQuota(limit: limits.bytes))
    }

    /// Counts a request that the session decides.
    /// - Parameter time: when it came, in nanoseconds since 1970.
    /// - Returns: its sequence.
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

    /// The highest sequence so far.
    package var lastSequence: UInt64 { outbox?.last ?? served }

    /// The number of requests whose answers have not ended.
    /// - Parameter ended: the number of those that were decided here and have.
    package func underWay(ended: UInt64) -> Int {
        let own = served - (outbox?.ingested ?? 0)
        return (own > ended ? Int(clamping: own - ended) : 0) + (outbox?.open.count ?? 0)
    }

    package mutating func append(_ event: ServeEvent) {
        guard limits.events > 0 else { return tally.add(unrecorded: event) }
        event.request.isCountedElsewhere()
        let size = event.byteCount
        let others = share.others
        while count > 0, count == limits.events || isTooMuch(byteCount + size, others) { evictOldest() }
        if count == ring.count { grow() }
        ring[place(count)].fill(event, size: size)
        count += 1
        byteCount += size
        inflatedByteCount += event.inflatedSize
        share.set(byteCount)
        outbox?.add(event, size)
    }

    /// Begins to add events of other places among those that are here: those behind them are set aside, so that as many as come
    /// at once are added in one pass. Nothing else is done with the journal until `endInserting`.
    /// - Parameter sequence: that of the first.
    package mutating func beginInserting(from sequence: UInt64) {
        let first = firstNumber(from: sequence)
        aside = (first..<count).map { ring[place($0)] }[...]
        for number in first..<count { ring[place(number)] = Slot() }
        count = first
    }

    /// Adds an event in the order of sequences, or puts it in the place of the one with its sequence. There is no limit until
    /// `endInserting`. Cheap where sequences increase.
    package mutating func insert(_ event: ServeEvent, size: Int) {
        guard limits.events > 0 else { return tally.add(unrecorded: event) }
        while let next = aside.first, (next.event?.sequence ?? 0) <= event.sequence {
            appendSlot(next)
            aside.removeFirst()
        }
        if let known = number(of: event.sequence).map(place) {
            _ = discharge(known)
            ring[known].fill(event, size: size)
        } else {
            appendSlot(Slot())
            let number = firstNumber(from: event.sequence, among: count - 1)
            for later in (number + 1..<count).reversed() { ring.swapAt(place(later), place(later - 1)) }
            ring[place(number)].fill(event, size: size)
        }
        byteCount += size
        inflatedByteCount += event.inflatedSize
    }

    /// Puts back what was set aside, and drops the oldest events for which there is no room.
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

    /// Whether this journal has to give way at this number of bytes.
    private func isTooMuch(_ bytes: Int, _ others: Int) -> Bool {
        bytes > limits.bytes || others + bytes > share.quota.limit && bytes > share.quota.fairPart
    }

    /// Drops the oldest events of a journal that has grown, except the newest.
    private mutating func shrink() {
        let others = share.others
        while count > 1, isTooMuch(byteCount, others) { evictOldest() }
        share.set(byteCount)
    }

    /// Drops the oldest events for others, down to the fair part.
    /// - Parameter most: the largest number of events.
    /// - Returns: whether there are more to drop.
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

    /// Counts what it has dropped for lack of room among that of all journals.
    package func reportEvicted() { share.reportEvicted() }

    /// Removes all events.
    /// - Returns: the events, for the caller to free without the session's lock: that takes time for thousands.
    package mutating func removeAll() -> [ServeEvent] {
        for number in 0..<count { letGo(place(number)) }
        let events = (0..<count).compactMap { ring[place($0)].event }
        ring = []
        responses = SharedCharges()
        departed = SharedCharges()
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

    /// Removes single events.
    package mutating func remove(_ sequences: Set<UInt64>) {
        outbox?.forget(sequences)
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

    /// The event of a sequence; nil if it is not kept.
    package func event(_ sequence: UInt64) -> ServeEvent? {
        if let number = number(of: sequence) { return ring[place(number)].event }
        var (low, high) = (aside.startIndex, aside.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if aside[middle].event?.sequence ?? 0 < sequence { low = middle + 1 } else { high = middle }
        }
        return low < aside.endIndex && aside[low].event?.sequence == sequence ? aside[low].event : nil
    }

    /// Records that an event has grown, and drops the oldest events if necessary.
    package mutating func charge(_ bytes: Int, for event: ServeEvent) {
        outbox?.changed(event)
        grow(event, by: bytes)
    }

    /// The same for an event of another replica.
    package mutating func grow(_ event: ServeEvent, by bytes: Int) {
        guard let number = number(of: event.sequence) else { return }
        ring[place(number)].size += bytes
        byteCount += bytes
        shrink()
    }

    /// Charges a response that an event keeps, unless another event keeps it already, and drops the oldest events if
    /// necessary.
    package mutating func charge(_ response: ServedResponse, for event: ServeEvent) {
        guard let number = number(of: event.sequence), ring[place(number)].response == nil else { return }
        let id = ObjectIdentifier(response)
        byteCount += responses.add(id, size: response.byteCount)
        ring[place(number)].response = id
        shrink()
    }

    /// The numbers of events that keep responses of stubs, for those that any event keeps.
    package func users(of responses: Set<ObjectIdentifier>) -> [ObjectIdentifier: Int] {
        var users: [ObjectIdentifier: Int] = [:]
        for number in 0..<count {
            if let response = ring[place(number)].stubResponse, responses.contains(response) {
                users[response, default: 0] += 1
            }
        }
        return users
    }

    /// Charges responses of stubs that are no longer served for as long as events keep them, and drops the oldest events
    /// if necessary.
    /// - Parameter sizes: their sizes in bytes.
    package mutating func charge(departed sizes: [ObjectIdentifier: Int]) {
        for (response, users) in users(of: Set(sizes.keys)) {
            byteCount += departed.set(response, users: users, size: sizes[response] ?? 0)
        }
        shrink()
    }

    /// Releases the event at a place of the ring, and what it was charged for.
    private mutating func drop(_ place: Int) {
        letGo(place)
        ring[place].event = nil
    }

    /// Releases what the event at a place of the ring was charged for. An event that is still read, as by a client that
    /// takes a list slowly, counts among the answers from now on.
    private mutating func letGo(_ place: Int) {
        if let event = ring[place].event { tally.add(dropped: event) }
        let size = discharge(place)
        guard !isKnownUniquelyReferenced(&ring[place].event) else { return }
        ring[place].event?.outlivesJournal(MemoryCharge(size, to: share.quota.memory.account(.answers)))
    }

    /// Releases what an event was charged for.
    /// - Returns: the number of bytes.
    private mutating func discharge(_ place: Int) -> Int {
        var size = ring[place].size
        if let response = ring[place].response { size += responses.release(response) }
        if !departed.isEmpty, let response = ring[place].stubResponse { size += departed.release(response) }
        byteCount -= size
        // Most journals have no gzip body, and need not look at the event.
        if inflatedByteCount > 0 { inflatedByteCount -= ring[place].event?.inflatedSize ?? 0 }
        return size
    }

    /// The index of an event, counted from the oldest; sequences increase, with gaps for removed events.
    private func number(of sequence: UInt64) -> Int? {
        // Most lookups are for an event that has just been added.
        if count > 0, ring[place(count - 1)].event?.sequence == sequence { return count - 1 }
        let first = firstNumber(from: sequence)
        return first < count && ring[place(first)].event?.sequence == sequence ? first : nil
    }

    /// The index, counted from the oldest, of the first event with at least this sequence.
    /// - Parameter most: how many of the oldest are looked at; nil for all.
    private func firstNumber(from sequence: UInt64, among most: Int? = nil) -> Int {
        var low = 0
        var high = most ?? count
        while low < high {
            let middle = (low + high) / 2
            if ring[place(middle)].event?.sequence ?? 0 < sequence { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The events, the newest first, as the admin API lists them.
    package func newestFirst() -> [ServeEvent] {
        (0..<count).reversed().compactMap { ring[place($0)].event }
    }

    /// The events after an arrival, the oldest first.
    package func events(after arrival: UInt64) -> [ServeEvent] {
        guard outbox == nil else { return newestFirst().reversed().filter { $0.arrival > arrival } }
        return (firstNumber(from: arrival &+ 1)..<count).compactMap { ring[place($0)].event }
    }

    /// The first events after an arrival, in the order of arrival.
    /// - Parameter most: the largest number of events.
    package func arrivals(after arrival: UInt64, most: Int) -> [ServeEvent] {
        guard outbox == nil else {
            return Array(events(after: arrival).sorted { $0.arrival < $1.arrival }.prefix(most))
        }
        let first = firstNumber(from: arrival &+ 1)
        return (first..<min(first + most, count)).compactMap { ring[place($0)].event }
    }

    /// The events with these arrivals that are kept.
    package func events(arrived arrivals: [UInt64]) -> [ServeEvent] {
        guard outbox != nil else { return arrivals.compactMap(event) }
        let arrivals = Set(arrivals)
        return arrivals.isEmpty ? [] : newestFirst().reversed().filter { arrivals.contains($0.arrival) }
    }

    /// The index in the ring of an event counted from the oldest.
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
