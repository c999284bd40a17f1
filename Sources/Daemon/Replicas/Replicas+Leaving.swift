import SDAdminAPI
import SDMockEngine
import SDPlatform

/// Replicas that leave in order, and replicas that die.
extension Replicas {
    /// Another replica has handed in everything, and has left.
    func left(_ other: String) {
        guard other != id else { return }
        let (member, tokens) = state.change { state in
            let member = state.members.first { $0.id == other } ?? state.missing[other]?.member
            state.members.removeAll { $0.id == other }
            state.missing[other] = nil
            state.died[other] = nil
            state.mute = nil
            if state.left.count < Self.maxMembers { state.left[other] = state.sharedTime }
            return (member, Array(state.awaited.keys))
        }
        tell(.info("replica \(other) has left"))
        for token in tokens { answered(token, by: other, nil) }
        if let member { endAnswers(of: [member]) }
    }

    /// Ends the exchanges of replicas that have left or died, once everything that they handed in is read.
    func endAnswers(of gone: [ReplicaOverview.Member]) {
        handing.add { [weak self] in
            guard let self else { return }
            _ = readJournal()
            let living = living
            for member in gone {
                for number in member.numbers {
                    sessions.replicaLeft(number, unless: { living.give(number, $0) })
                }
            }
        }
    }

    /// Ends exchanges of replicas that had already left or died when this was learned.
    func endAnswers() {
        handing.add { [weak self] in self?.endAnswersOfNobody() }
    }

    /// Like `endAnswers()`, on the hand-in thread, and only if a batch was read.
    func endAnswersOfNobody() {
        let isToLook = state.change { state in
            guard state.hasReadBatch, state.isReady else { return false }
            state.hasReadBatch = false
            return true
        }
        guard isToLook else { return }
        let living = living
        let recent = SystemCalls.wallClockMilliseconds() - Self.newcomer
        // A replica that has just joined may not be known yet; its exchanges are checked again.
        let isLeft = sessions.endAnswers { number, time in
            living.give(number, time) ? .given : time > recent ? .unknown : .over
        }
        if isLeft { state.change { $0.hasReadBatch = true } }
    }

    /// The time after which a new replica is known, in milliseconds.
    private static let newcomer: Int64 = 3_000

    private var living: Living {
        state.change { Living(members: $0.members + $0.missing.values.map(\.member)) }
    }

    /// The replicas that may be answering.
    private struct Living {
        let members: [ReplicaOverview.Member]
        /// How far the clock may have been set since a replica started, in milliseconds.
        private static let tolerance: Int64 = 10

        /// Whether one of them is answering an exchange.
        /// - Parameters:
        ///   - number: the replica's number.
        ///   - time: when the request was received, in milliseconds since 1970.
        func give(_ number: UInt64, _ time: Int64) -> Bool {
            members.contains { $0.numbers.contains(number) && $0.startedAt - Self.tolerance <= time }
        }
    }
}

extension Replicas.State {
    /// How long a replica without heartbeats may take to come back, and all of them after an outage of the shared
    /// server, in nanoseconds.
    private static let (patience, returning): (UInt64, UInt64) = (800_000_000, 3_000_000_000)

    /// Updates the set of live replicas.
    /// - Returns: the replicas that are now dead, and the ids of those wrongly taken for dead.
    mutating func learn(
        members told: [ReplicaOverview.Member], own: String
    ) -> (dead: [ReplicaOverview.Member], again: [String]) {
        let living = told.filter { left[$0.id] == nil }
        for member in members where member.id != own && !living.contains(where: { $0.id == member.id }) {
            missing[member.id] = (member, .now)
        }
        let wasFirst = members.first?.id == own
        members = living
        // The first one turns out to have died before it lost the journal: this one hands in what that one knew.
        if !wasFirst, members.first?.id == own, let lostJournal, lostJournal.elapsedNanoseconds < Self.returning {
            hasLostJournal = true
        }
        var again: [String] = []
        for member in living {
            missing[member.id] = nil
            if died.removeValue(forKey: member.id) != nil { again.append(member.id) }
        }
        guard returned.elapsedNanoseconds >= Self.returning else { return ([], again) }
        let dead = missing.values.filter { $0.since.elapsedNanoseconds >= Self.patience }.map(\.member)
        for member in dead {
            missing[member.id] = nil
            if died.count < Replicas.maxMembers { died[member.id] = sharedTime }
        }
        return (dead, again)
    }

    /// The names of replicas that have not answered.
    /// - Parameter done: the ids of those that have.
    func silent(_ done: Set<String>, own: String) -> [String] {
        let named = (members.map(\.id) + missing.keys.sorted()).filter { $0 != own && !done.contains($0) }
        return named.isEmpty ? died.keys.filter { !done.contains($0) }.sorted() : named
    }
}
