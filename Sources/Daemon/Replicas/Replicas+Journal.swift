package import SDAdminAPI
import SDJournal
package import SDMockEngine
import SDPlatform
import SDRedis
import Synchronization

/// Requests: handed in after a short delay, or at once if another replica reads them.
extension Replicas {
    package func gather(
        _ sessions: [Session], then: @escaping @Sendable (Result<[String], ReplicaProblem>) -> Void
    ) {
        // Decisions about a request are written before its answer, so all can be fetched at once.
        let waiting = Mutex<(left: Int, result: Result<[String], ReplicaProblem>)>((sessions.count + 1, .success([])))
        let arrived: @Sendable (Result<[String], ReplicaProblem>) -> Void = { result in
            let end = waiting.withLock { waiting -> Result<[String], ReplicaProblem>? in
                waiting.left -= 1
                if case .success(let silent) = waiting.result { waiting.result = result.map { silent + $0 } }
                return waiting.left == 0 ? waiting.result : nil
            }
            if let end { then(end) }
        }
        gather(then: arrived)
        for session in sessions {
            session.refresh { problem in arrived(problem.map { .failure(ReplicaProblem($0.message)) } ?? .success([])) }
        }
    }

    /// Gets the requests of all other replicas, and calls `then` off the loops.
    /// - Parameter handsIn: whether to hand in this replica's first.
    func gather(
        handsIn: Bool = false, then: @escaping @Sendable (Result<[String], ReplicaProblem>) -> Void
    ) {
        gather(asking: "handin", nil) { [self] result in
            handing.add { [self] in
                if handsIn { handIn(all: true) }
                if case .success = result, let problem = readJournal() { return then(.failure(problem)) }
                endAnswersOfNobody()
                then(result.map { silent($0.silent) })
            }
        }
    }

    /// Asks the others a question, and calls `then` with their answers.
    func gather(
        asking word: String, _ question: String?, within milliseconds: UInt64 = Replicas.patience,
        then: @escaping @Sendable (Result<Awaited.Outcome, ReplicaProblem>) -> Void
    ) {
        let problem = state.change { state in
            state.isReady ? nil : state.reasonToBeAlone
        }
        if let problem { return then(.failure(ReplicaProblem(problem))) }
        let token = Self.randomText()
        state.change { $0.awaited[token] = Awaited(isChange: false, within: milliseconds, then: then) }
        let message = ([word, token, id] + (question.map { [$0] } ?? [])).joined(separator: " ")
        send(["PUBLISH", keys.everybody, message].map { Array($0.utf8) }) { [weak self] result in
            if case .success(let value) = result, let heard = value.int {
                self?.expect(token, heard: Int(clamping: heard))
            } else {
                self?.give(up: token, "the shared server did not answer")
            }
        }
    }

    /// The names of replicas whose requests may be missing: those that did not answer, and those that died.
    private func silent(_ names: [String]) -> [String] {
        let (died, mute) = state.change { ($0.died.keys.sorted(), $0.mute.map { $0.count > 0 ? $0.names : [] } ?? []) }
        var all = names
        for name in died + mute where !all.contains(name) { all.append(name) }
        return all
    }

    // MARK: Handing in

    /// Hands in ended requests periodically. While a caller waits for requests or follows them, the others' are fetched
    /// as often.
    func keepHandingIn() {
        let isWaited = sessions.isWaited
        schedule(isWaited ? 20 : 100) { [weak self] in
            guard let self, !state.change({ $0.isClosed }) else { return }
            handing.add { [weak self] in self?.handIn(all: false) }
            if isWaited { gather { _ in } }
            keepHandingIn()
        }
    }

    /// Hands in everything, and notifies the replica that asked.
    func handIn(for other: String, _ token: String) {
        handing.add { [weak self] in
            guard let self else { return }
            handIn(all: true)
            publish(to: keys.replica(other), "in", token, id)
        }
    }

    /// The approximate size of a batch, and the maximum size of all unsent ones, as for a journal; in bytes.
    private static let (batchSize, maxBytes) = (256 << 10, 64 << 20)

    /// Sends what the others do not have yet; a failed batch is sent again with the next ones. On the hand-in thread.
    func handIn(all: Bool) {
        guard let journal = sessions.sharedJournal, state.change({ $0.isReady || $0.isClosed }) else { return }
        let (hasLost, isFirst) = state.change { state in
            defer { state.hasLostJournal = false }
            return (state.hasLostJournal, state.members.first?.id == id)
        }
        // The first live replica hands in what it knows of those that left.
        if hasLost { sessions.requeue(all: isFirst) }
        var waiting = state.change { state in
            defer { state.unsent = [] }
            return state.unsent[...]
        }
        unsentBytes.add(-waiting.reduce(0) { $0 + $1.count })
        while let batch = waiting.popFirst() ?? journal.takeBatch(all: all, maxBytes: Self.batchSize) {
            guard batch.count <= Self.maxOfEntry else {
                state.change { $0.dropped += 1 }
                continue
            }
            let command = SharedScript.handIn.command(
                [keys.journal, keys.journalAbout],
                [Array(id.utf8), batch, Array(String(Self.maxBytes).utf8), Array(Self.randomText().utf8)])
            // What follows on this connection arrives after it.
            send(command) { [weak self] result in
                switch result {
                case .success(let value) where value.list?.count == 2: self?.took(value.list ?? [])
                case .success(let value): self?.keep(unsent: batch, value.errorText ?? "it answers what was not asked")
                case .failure(let failure): self?.keep(unsent: batch, failure.text)
                }
            }
        }
    }

    /// The shared server has stored a batch.
    private func took(_ parts: [RedisValue]) {
        guard let place = parts[0].text.flatMap(LogPosition.init), let run = parts[1].text else { return }
        state.change { state in
            state.learn(run: run)
            state.handedIn = max(state.handedIn, place)
        }
    }

    /// Keeps a failed batch, as long as there is room.
    private func keep(unsent batch: [UInt8], _ reason: String) {
        let (isLost, isNews) = state.change { state in
            guard state.unsent.reduce(batch.count, { $0 + $1.count }) > Replicas.maxUnsent else {
                state.unsent.append(batch)
                return (false, state.isReady && state.unsent.count == 1)
            }
            state.dropped += 1
            return (true, false)
        }
        if !isLost { unsentBytes.add(batch.count) }
        if isNews { tell(.warning("the shared server does not take requests, which wait: \(reason)")) }
        if isLost {
            tell(.warning("requests are lost for the other replicas: the shared server takes none: \(reason)"))
        }
    }

    // MARK: Reading

    /// The command that reads a stream, up to the size of one reply.
    static func reading(_ key: String, from place: LogPosition) -> [[UInt8]] {
        SharedScript.read.command([key], [place.description, String(maxOfEntry + 1 << 20)].map { Array($0.utf8) })
    }

    /// The entries in that reply, and whether more follow; nil if it is malformed.
    static func part(_ reply: RedisValue?) -> (entries: [RedisValue], hasMore: Bool)? {
        guard let reply = reply?.list, reply.count == 2, let entries = reply[0].list, let more = reply[1].int else {
            return nil
        }
        return (entries, more != 0)
    }

    /// The result of reading a part of the handed-in requests.
    private enum Page {
        case more, end
        /// The replica that handed it in has made changes that are still to be made here.
        case isAhead
        case failure(ReplicaProblem)
    }

    /// Reads the requests that others have handed in. On the thread of changes or that of handing in.
    /// - Parameter isMakingChanges: whether this is the changes' thread; requests that follow the current change are
    ///   then left for later.
    /// - Returns: the reason why it could not be read; nil if it was.
    func readJournal(isMakingChanges: Bool = false) -> ReplicaProblem? {
        var isForced = false
        while true {
            let page = reading.withLock { _ in
                var page = Page.more
                while case .more = page { page = readPage(whateverIsMade: isForced) }
                return page
            }
            switch page {
            case .more, .end: return nil
            case .failure(let problem): return problem
            case .isAhead:
                if isMakingChanges { return nil }
                // A change that is not in the log then was made by no replica.
                makeAllAndWait(milliseconds: Int64(Self.longest))
                isForced = true
            }
        }
    }

    /// - Parameter whateverIsMade: whether to accept requests handed in after changes that were not made here.
    private func readPage(whateverIsMade: Bool) -> Page {
        let (from, run) = state.change { ($0.read.next, $0.run) }
        let part: (entries: [RedisValue], hasMore: Bool)
        switch reply(to: Self.reading(keys.journal, from: from)) {
        case .failure(let problem): return .failure(problem)
        case .success(let value):
            guard let found = Self.part(value) else { return .failure(ReplicaProblem("the journal there is no list")) }
            part = found
        }
        for entry in part.entries {
            guard let place = entry.list?.first?.text.flatMap(LogPosition.init) else {
                return .failure(ReplicaProblem("the journal on the shared server has an entry that no replica wrote"))
            }
            if let fields = StreamFields(entry), let batch = fields["b"] {
                do throws(BatchProblem) {
                    let isOwn = fields["r"].map { String(decoding: $0, as: UTF8.self) } == id
                    let made = whateverIsMade ? .max : state.change { $0.made.asNumber }
                    if !isOwn, try !sessions.ingest(batch, upTo: made) { return .isAhead }
                } catch {
                    tell(.warning("requests that another replica handed in cannot be read: \(error.message)"))
                }
            } else {
                tell(.warning("an entry of the journal on the shared server is passed over: no replica wrote it"))
            }
            // Unless the data was lost meanwhile, and is read from the beginning.
            state.change { state in
                if state.run == run { state.read = place }
                state.hasReadBatch = true
            }
        }
        return part.hasMore ? .more : .end
    }
}
