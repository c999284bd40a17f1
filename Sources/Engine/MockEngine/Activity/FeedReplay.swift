import JSON

/// What happened while a reader was away, as far as it is still known.
struct FeedReplay {
    /// The events of the journal that were told to those who were there, the newest first.
    let told: [ServeEvent]
    /// Those of them whose responses were not told yet.
    let open: Set<UInt64>
    /// The last request that the journal had no room for.
    let lastEvicted: UInt64
    /// Those that were told and are kept, the oldest first.
    let changes: [NumberedChange]
    /// Where those stand who were there.
    let now: FeedPosition

    /// So many bytes are told of what happened, the newest of it.
    private static let mostBytes = 8 * 1024 * 1024

    /// - Parameter position: nil where it is that of another run, so that all is new.
    func bytes(from position: FeedPosition?, _ types: Set<FeedEvent.Kind>, _ writer: FeedWriter) -> [UInt8] {
        // A position ahead of everything is one of another run too.
        let known = position.flatMap { $0.request <= now.request ? $0 : nil }
        var from = known ?? FeedPosition(request: 0, change: 0, answered: 0)
        let missedChanges = changes.filter { from.isBare ? $0.served >= from.request : $0.number > from.change }
        from.change = missedChanges.first.map { $0.number - 1 } ?? now.change
        var parts: [[UInt8]] = []
        var size = 0
        var lastLost = lastEvicted > from.request ? lastEvicted : 0

        // From the newest on, as long as there is room; the oldest must give way.
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
        let gap = isLost ? writer.gap(gapData(known, lastLost), from) : []
        return parts.reversed().reduce(into: gap) { $0 += $1 }
    }

    /// A position in the middle of what is told again.
    private func place(_ request: UInt64, _ change: UInt64) -> FeedPosition {
        FeedPosition(request: request, change: change, answered: min(request, now.answered))
    }

    private func hasLostChanges(_ position: FeedPosition?, _ rest: ArraySlice<NumberedChange>) -> Bool {
        guard rest.isEmpty else { return true }
        guard let position, !position.isBare, let first = changes.first else { return false }
        return first.number > position.change + 1
    }

    private func gapData(_ known: FeedPosition?, _ lastLost: UInt64) -> JSONValue {
        var json: JSONObject = ["reason": .string(known == nil ? "another run" : "no longer kept")]
        if lastLost > 0 { json["requestsUpTo"] = number(lastLost) }
        return .object(json)
    }
}
