/// The changes that stand in the log, as far as one that joins needs them, the oldest first.
///
/// Each replica keeps them, so that they can be written again where the shared server has lost them.
struct LogHistory: Sendable {
    struct Entry: Sendable {
        let place: LogPlace
        /// The number that it has drawn for a session; nil for most.
        let number: UInt64?
        let bytes: [UInt8]
        let effect: ChangeEffect
    }

    private(set) var entries: [Entry] = []
    private(set) var byteCount = 0

    /// The places of what nobody needs who joins: what a later change undoes, and what acted only at its moment.
    var void: [LogPlace] {
        var void: [LogPlace] = []
        var ended: Set<String?> = []
        var hasEndedAll = false
        /// The kinds of changes of each session that a later one undoes.
        var undone: [String?: Set<ChangeEffect.Subject>] = [:]
        var set: Set<ChangeEffect.Key> = []
        var removed: [ChangeEffect.Key: LogPlace] = [:]
        for entry in entries.reversed() {
            let effect = entry.effect
            let isOfEnded = effect.session != nil && (hasEndedAll || ended.contains(effect.session))
            var isVoid = isOfEnded || undone[effect.session]?.contains(effect.subject) == true
            switch effect.action {
            case .momentary: isVoid = true
            case .begins(let session): if hasEndedAll || ended.contains(session) { isVoid = true }
            case .ends(let session):
                ended.insert(session)
                isVoid = true
            case .endsAll:
                hasEndedAll = true
                isVoid = true
            case .undoes(let subjects, let leavesNothing):
                undone[effect.session, default: []].formUnion(subjects)
                if leavesNothing { isVoid = true }
            case .sets(let name):
                let key = ChangeEffect.Key(session: effect.session, name: name)
                if removed[key] != nil || !set.insert(key).inserted { isVoid = true }
            case .creates(let name):
                // The last change of it says what it is, or that it is gone.
                if set.contains(ChangeEffect.Key(session: effect.session, name: name)) {
                    isVoid = true
                } else if let place = removed.removeValue(forKey: ChangeEffect.Key(session: effect.session, name: name))
                {
                    isVoid = true
                    void.append(place)
                }
            case .removes(let name):
                let key = ChangeEffect.Key(session: effect.session, name: name)
                if set.contains(key) || removed[key] != nil { isVoid = true } else { removed[key] = entry.place }
            case .adds: break
            }
            if isVoid { void.append(entry.place) }
        }
        return void
    }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        byteCount += entry.bytes.count
    }

    mutating func remove(_ places: Set<LogPlace>) {
        entries.removeAll { places.contains($0.place) }
        byteCount = entries.reduce(0) { $0 + $1.bytes.count }
    }
}
