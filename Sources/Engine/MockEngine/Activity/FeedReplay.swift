/// The events that a reader missed, as far as they are still kept.
struct FeedReplay {
    /// The events in the journal whose requests were sent to other readers, the newest first.
    let told: [ServeEvent]
    /// The sequences of those whose responses have not been sent.
    let open: Set<UInt64>
    /// The last request that was evicted from the journal.
    let lastEvicted: UInt64
    /// The changes that were sent and are kept, the oldest first.
    let changes: [NumberedChange]
    /// The current position of the other readers.
    let now: FeedPosition

    /// The largest number of bytes of missed events that is sent; older events are left out.
    private static let mostBytes = 8 * 1024 * 1024

    /// The missed events.
    /// - Parameter position: the reader's position; nil if it is from another run, so that everything is new.
    func bytes(from position: FeedPosition?, _ types: Set<FeedEvent.Kind>, _ writer: FeedWriter) -> [UInt8] {
        // A position ahead of everything is also from another run.
        let known = position.flatMap { $0.request <= now.request ? $0 : nil }
        var from = known ?? FeedPosition(request: 0, change: 0, answered: 0)
        let missedChanges = changes.filter { from.isBare ? $0.served >= from.request : $0.number > from.change }
        from.change = missedChanges.first.map { $0.number - 1 } ?? now.change
        var parts: [[UInt8]] = []
        var size = 0
        var lastLost = lastEvicted > from.request ? lastEvicted : 0

        // The newest come first while they fit; the oldest are dropped.
        var rest = missedChanges[...]
        func add(_ part: [UInt8]) {
            parts.append(part)
            size += part.count
        }
        func addChanges(notBefore sequence: UInt64) {
            while let change = rest.last, change.served >= sequence, size <= Self.mostBytes {
                rest.removeLast()
                guard types.contains(FeedEvent.change(change.change).kind) else { continue }
                let place = place(change.served, change.number)
                add(writer.bytes(.change(change.change), place))
            }
        }
        for event in told where event.sequence > from.answered {
            let sequence = event.sequence
            addChanges(notBefore: sequence)
            if size > Self.mostBytes {
                lastLost = max(lastLost, sequence)
                break
            }
            let change = rest.last?.number ?? from.change
            let isNew = sequence > from.request
            if event.end != nil, !open.contains(sequence), types.contains(.response) {
                add(writer.bytes(.response(event), isNew ? place(sequence, change) : from))
            }
            guard isNew, types.contains(.request) else { continue }
            var place = place(sequence, change)
            place.answered = min(place.answered, sequence - 1)
            add(writer.bytes(.request(event), place))
        }
        addChanges(notBefore: 0)
        let isLost = known == nil || lastLost > 0 || hasLostChanges(position, rest)
        let gap = isLost ? writer.gap(FeedGap(isOfAnotherRun: known == nil, requestsUpTo: lastLost), from) : []
        return parts.reversed().reduce(into: gap) { $0 += $1 }
    }

    /// A position within the replay.
    private func place(_ request: UInt64, _ change: UInt64) -> FeedPosition {
        FeedPosition(request: request, change: change, answered: min(request, now.answered))
    }

    private func hasLostChanges(_ position: FeedPosition?, _ rest: ArraySlice<NumberedChange>) -> Bool {
        guard rest.isEmpty else { return true }
        guard let position, !position.isBare, let first = changes.first else { return false }
        return first.number > position.change + 1
    }
}
