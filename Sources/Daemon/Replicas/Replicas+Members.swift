import SDAdminAPI
import SDJournal
import SDMockEngine
import SDPlatform
import SDRedis
import Synchronization

/// Heartbeats, and what the other replicas' heartbeats tell.
extension Replicas {
    func keepBeating() {
        schedule(Self.beat) { [weak self] in
            // On its own thread, so that no other work waits for the reply.
            self?.life.add { [weak self] in
                guard let self, !state.change({ $0.isClosed }) else { return }
                beat()
                keepBeating()
            }
        }
    }

    private func beat() {
        guard sayAlive() else { return lost() }
        if !state.change({ $0.isReady }) { changes.add { [weak self] in self?.join() } }
        publishUse()
        publishDecisions()
        let beats = state.change { state in
            state.beats += 1
            return state.beats
        }
        if beats.isMultiple(of: 8) {
            state.change { state in
                state.mute = nil
                state.died = state.died.filter { $0.value > state.sharedTime - Self.deathMemory }
                state.left = state.left.filter { $0.value > state.sharedTime - Self.deathMemory }
            }
            endAnswers()
            dropVoid()
            // In case a message was lost, the changes are only late.
            fetch()
        }
        if beats.isMultiple(of: 64) {
            keepSessions()
            forgetDecisions()
        }
    }

    /// The shared server has rejected a heartbeat, though connected.
    private func lost() {
        let isNews = state.change { state in
            defer { state.isReady = false }
            guard state.isReady, !state.isClosed else { return false }
            state.problem = state.refusal ?? "it does not answer"
            state.complained = .now
            return true
        }
        let isLong = state.change { state in
            state.complained.map { $0.elapsedNanoseconds > Self.complaintPause } ?? false && !state.isClosed
        }
        if isLong { complain() }
        if isNews {
            tell(
                .warning(
                    "the shared server \(address) accepts no heartbeats; requests that need a shared decision are rejected"
                ))
        }
    }

    /// The shared server's reply to a heartbeat.
    private struct Signs {
        let number: Int
        /// The server's time in milliseconds.
        let now: Int64
        let epoch: String
        var members: [ReplicaOverview.Member] = []
        /// Whether the log is complete.
        let isWhole: Bool
        /// The identity of the stream of batches, and its last place.
        let run: String?
        let last: LogPosition
        /// How many members exceed the maximum and were ignored.
        let over: Int

        init?(_ parts: [RedisValue]) {
            guard parts.count == 8, let number = parts[0].int, let now = parts[1].text.flatMap(Int64.init),
                let epoch = parts[2].text, let living = parts[3].list, let run = parts[5].text
            else { return nil }
            (self.number, self.now, self.epoch) = (Int(clamping: number), now, epoch)
            isWhole = parts[4].int == 1
            self.run = run.isEmpty ? nil : run
            last = parts[6].text.flatMap(LogPosition.init) ?? .start
            over = Int(clamping: parts[7].int ?? 0)
            for at in stride(from: 0, to: living.count - 1, by: 2) {
                guard let id = living[at].text, let text = living[at + 1].text,
                    let member = MemberText.member(id: id, text, now: now)
                else { continue }
                members.append(member)
            }
            members.sort { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }
        }
    }

    /// Sends a heartbeat, and learns which replicas are alive.
    func sayAlive() -> Bool {
        let files = fingerprint.withLock { $0 }?() ?? ""
        let known = state.change { state -> (says: MemberText, made: LogPosition)? in
            state.identity.fingerprint = files
            // A replica that has left does not come back.
            guard !state.isClosed else { return nil }
            let says = MemberText(
                state.identity, number: state.number, numbers: state.numbers, hasHistory: state.wasReady)
            return (says, state.made)
        }
        guard let (says, made) = known else { return false }
        let command = SharedScript.beat.command(
            [keys.members, keys.numbers, keys.epoch, keys.log, keys.about, keys.journal, keys.journalAbout],
            [
                id, says.text, String(Self.death), String(Self.keep), Self.randomText(), made.description,
                String(Self.maxMembers),
            ].map { Array($0.utf8) })
        guard let signs = ask(command)?.list.flatMap(Signs.init) else { return false }
        learn(from: signs)
        return true
    }

    private func learn(from signs: Signs) {
        let (isLost, changed, isCrowd) = state.change { state in
            let isLost = state.epoch.map { $0 != signs.epoch } ?? false || state.isReady && !signs.isWhole
            if isLost { state.loseDecisions(id) }
            state.number = signs.number
            state.epoch = signs.epoch
            state.sharedTime = signs.now
            if signs.number >= 0 { state.numbers.insert(UInt64(signs.number)) }
            if isLost || !state.isReady { state.returned = .now }
            let changed = state.learn(members: signs.members, own: id)
            state.learn(run: signs.run)
            if state.run != nil, signs.last < state.handedIn { state.loseJournal() }
            if isLost { state.isReady = false }
            let isCrowd = signs.over > 0 && !state.isCrowded
            state.isCrowded = signs.over > 0
            return (isLost, changed, isCrowd)
        }
        sessions.sharedJournal?.number = UInt64(clamping: signs.number)
        if isCrowd {
            tell(.warning("there are more than \(Self.maxMembers) replicas; \(signs.over) of them are passed over"))
        }
        for member in changed.dead {
            tell(.warning("replica \(member.id) has died; requests that it had not handed in are missing here"))
        }
        for id in changed.again { tell(.info("replica \(id) is there again")) }
        if !changed.dead.isEmpty { endAnswers(of: changed.dead) }
        compareFiles()
        if isLost {
            tell(.warning("the shared server has lost what replicas had in common; they write it again"))
            publish(to: keys.everybody, "lost")
            changes.add { [weak self] in self?.join() }
        }
    }

    /// The number of heartbeats for which stub files may differ, since each replica reads the folder for itself.
    private static let beatsOfReading = 5

    /// Logs once that the replicas' stub files differ, and that they are equal again.
    private func compareFiles() {
        let (isNews, isOver) = state.change { state in
            let before = state.beatsOfDifference
            let differ = Set(state.members.map(\.fingerprint)).count > 1
            state.beatsOfDifference = differ ? before + 1 : 0
            return (before + 1 == Self.beatsOfReading && differ, before >= Self.beatsOfReading && !differ)
        }
        if isNews {
            tell(
                .warning(
                    "the stub files of the replicas differ: after a reset each serves its own; GET /__admin/replicas tells which"
                ))
        }
        if isOver { tell(.info("the stub files of the replicas are the same again")) }
    }

    // MARK: Decisions

    /// Announces in which sessions a decision was made here, so that all replicas know it if the shared server loses
    /// it.
    private func publishDecisions() {
        let decided = decider.withLock { $0 }?.takeDecided() ?? []
        for first in stride(from: 0, to: decided.count, by: 200) {
            let names = decided[first..<min(first + 200, decided.count)]
            publish(to: keys.everybody, (["decided"] + names).joined(separator: " "))
        }
    }

    /// Fetches decisions.
    /// - Parameter names: the ids of sessions; `-` for the default one.
    func refreshDecisions(of names: some Sequence<Substring>) {
        for name in names {
            if name == "-" {
                sessions.base.refresh { _ in }
            } else if let id = SessionID(name.utf8), case .alive(let live) = sessions.find(id) {
                live.session.refresh { _ in }
            }
        }
    }
}

extension Replicas.State {
    /// Records the identity of the stream of batches.
    mutating func learn(run told: String?) {
        if let run, run != told { loseJournal() }
        run = told
    }

    /// Hands in everything again, and reads the others' batches from the beginning.
    mutating func loseJournal() {
        hasLostJournal = true
        lostJournal = .now
        read = .start
        handedIn = .start
    }
}
