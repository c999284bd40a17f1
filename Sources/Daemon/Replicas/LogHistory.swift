/// The changes in the log that a joining replica needs, oldest first.
///
/// Each replica keeps a copy, to write the log again if the shared server loses it.
struct LogHistory: Sendable {
    struct Entry: Sendable {
        let place: LogPosition
        /// The random number of the session that it creates; nil for most changes.
        let number: UInt64?
        let bytes: [UInt8]
        let effect: ChangeEffect
    }

    private(set) var entries: [Entry] = []
    private(set) var byteCount = 0

    /// The places of changes that a joining replica does not need: undone by a later change, or momentary.
    var void: [LogPosition] {
        var void: [LogPosition] = []
        var ended: Set<String?> = []
        var hasEndedAll = false
        /// The subjects of each session that a later change undoes.
        var undone: [String?: Set<ChangeEffect.Subject>] = [:]
        var set: Set<ChangeEffect.Key> = []
        var removed: [ChangeEffect.Key: LogPosition] = [:]
        let hasSaved = entries.contains { $0.effect.subject == .savedStubs }
        for entry in entries.reversed() {
            let effect = entry.effect
            let isOfEnded = effect.session != nil && (hasEndedAll || ended.contains(effect.session))
            let undoing = undone[effect.session] ?? []
            let isUndone =
                undoing.contains(effect.subject)
                || effect.subject == .removals && undoing.contains(hasSaved ? .savedStubs : .stubs)
            var isVoid = isOfEnded || isUndone
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
                if removed[key] != nil || (!isUndone && !set.insert(key).inserted) { isVoid = true }
            case .creates(let name):
                // A thing removed later need not be created, nor then removed. Changes of a thing need its creation.
                let key = ChangeEffect.Key(session: effect.session, name: name)
                if let place = removed.removeValue(forKey: key) {
                    isVoid = true
                    void.append(place)
                }
            case .removes(let name):
                let key = ChangeEffect.Key(session: effect.session, name: name)
                if removed[key] != nil { isVoid = true } else if !isVoid { removed[key] = entry.place }
            case .saves:
                // Earlier saved stubs survive later resets.
                if undoing.contains(.savedStubs) == false { undone[effect.session]?.remove(.stubs) }
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

    mutating func remove(_ places: Set<LogPosition>) {
        entries.removeAll { places.contains($0.place) }
        byteCount = entries.reduce(0) { $0 + $1.bytes.count }
    }
}
