/// The stored events that a reader missed, oldest first, written in parts. Its position is that of the reader.
package struct FeedReplay {
    /// The stored events and changes at one moment.
    package struct Kept {
        /// The largest number of events that are read under a lock.
        static let maxEvents = 256

        /// The events after the last one that was sent, oldest first.
        package let events: [ServeEvent]
        /// Whether these are all.
        package let isWhole: Bool
        /// The events whose requests were sent without their responses.
        package let answered: [ServeEvent]
        /// The arrivals of requests whose responses were not sent to any reader.
        package let open: Set<UInt64>
        /// The arrival of the last request that was evicted from the journal.
        package let lastEvicted: UInt64
        /// The sequence number of the last evicted event, in the order of the journal.
        package let lastEvictedSequence: UInt64
        /// The stored changes that were sent, oldest first.
        package let changes: [NumberedChange]
        /// The position of the other readers.
        package let now: FeedPosition

        /// The largest number of events that a replay has still to send.
        package func count(for replay: FeedReplay) -> Int {
            events.count + answered.count + changes.count { $0.number > replay.change }
        }
    }

    private let types: Set<FeedEvent.Kind>
    let form: FeedForm
    /// The arrival of the last request that the reader knew.
    private let known: UInt64
    /// The arrival of the last request that the replay has reached. It starts with those that the reader knew without
    /// their responses.
    private(set) var walked: UInt64
    /// The arrivals up to `walked` whose responses were not sent, ascending.
    private(set) var unanswered: [UInt64] = []
    /// The number of the last change that was sent.
    private var change: UInt64
    private var isOfAnotherRun: Bool

    /// Makes the replay for a reader.
    /// - Parameters:
    ///   - position: the reader's position; nil if it is of another run, so that everything is new.
    ///   - now: the position of the other readers.
    ///   - changes: the stored changes, oldest first.
    package init(
        from position: FeedPosition?, _ types: Set<FeedEvent.Kind>, _ form: FeedForm = FeedForm(), now: FeedPosition,
        changes: [NumberedChange]
    ) {
        self.types = types
        self.form = form
        // A position ahead of everything is also from another run.
        let from = position.flatMap { $0.request <= now.request ? $0 : nil }
        isOfAnotherRun = from == nil
        known = from?.request ?? 0
        walked = min(from?.answered ?? 0, known)
        if let from, from.isBare {
            let missed = changes.first { $0.served >= from.request && $0.number <= now.change }
            change = missed.map { $0.number - 1 } ?? now.change
        } else {
            change = min(from?.change ?? 0, now.change)
        }
    }

    /// The position of the reader once it has read what was written.
    package var position: FeedPosition {
        FeedPosition(
            request: max(known, walked), change: change,
            answered: unanswered.first.map { min($0 - 1, walked) } ?? walked)
    }

    /// Writes the next missed events.
    /// - Parameter size: the number of bytes at which to stop.
    /// - Returns: the bytes, and whether all stored events are written.
    package mutating func write(_ kept: Kept, size: Int, _ writer: FeedWriter) -> (bytes: [UInt8], isAll: Bool) {
        var bytes = gap(kept, writer)
        for event in kept.answered where event.end != nil && !kept.open.contains(event.arrival) {
            guard bytes.count < size else { return (bytes, false) }
            unanswered.removeAll { $0 == event.arrival }
            add(.response(event), to: &bytes, writer)
        }
        // The others were evicted, or are sent to all readers when they end.
        unanswered.removeAll { !kept.open.contains($0) }
        var changes = kept.changes.drop { $0.number <= change }
        for event in kept.events where event.arrival > walked {
            guard add(&changes, before: event.arrival, to: &bytes, size, writer), bytes.count < size else {
                return (bytes, false)
            }
            walked = event.arrival
            unanswered.append(walked)
            if walked > known { add(.request(event), to: &bytes, writer) }
            guard event.end != nil, !kept.open.contains(walked) else { continue }
            unanswered.removeLast()
            add(.response(event), to: &bytes, writer)
        }
        guard kept.isWhole, add(&changes, before: .max, to: &bytes, size, writer) else { return (bytes, false) }
        walked = max(walked, kept.now.request)
        return (bytes, true)
    }

    /// The notice that events are lost; empty if none are.
    private mutating func gap(_ kept: Kept, _ writer: FeedWriter) -> [UInt8] {
        let lastLost = kept.lastEvicted > position.request ? kept.lastEvicted : 0
        let firstKept = kept.changes.first?.number ?? 0
        guard isOfAnotherRun || lastLost > 0 || firstKept > change + 1 else { return [] }
        let gap = FeedGap(isOfAnotherRun: isOfAnotherRun, requestsUpTo: lastLost > 0 ? kept.lastEvictedSequence : 0)
        isOfAnotherRun = false
        walked = max(walked, lastLost)
        change = max(change, firstKept &- (firstKept > 0 ? 1 : 0))
        return writer.gap(gap, position)
    }

    /// Adds the changes that were made before a request.
    /// - Returns: false if there is no room for all of them.
    private mutating func add(
        _ changes: inout ArraySlice<NumberedChange>, before arrival: UInt64, to bytes: inout [UInt8], _ size: Int,
        _ writer: FeedWriter
    ) -> Bool {
        while let next = changes.first, next.served < arrival {
            guard bytes.count < size else { return false }
            changes.removeFirst()
            change = next.number
            add(.change(next.change), to: &bytes, writer)
        }
        return true
    }

    private func add(_ event: FeedEvent, to bytes: inout [UInt8], _ writer: FeedWriter) {
        if types.contains(event.kind) { bytes += writer.bytes(event, position) }
    }
}
