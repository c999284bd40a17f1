package import SDAdminAPI
import SDJournal
package import SDMockEngine
import SDPlatform
import SDRedis
import Synchronization

/// Somebody who waits until the others have handed in their requests.
struct Gathering {
    /// How many others are to say so; nil until the shared server has said it.
    var others: Int?
    /// How many listen, this one among them.
    var heard = 0
    var done: Set<String> = []
    let then: @Sendable (_ silent: [String]) -> Void
    /// Is given what each of them says.
    var hearing: (@Sendable (String) -> Void)?

    var isOver: Bool { others.map { done.count >= $0 } ?? false }
}

/// Requests: handed in a little later, or at once where somebody reads them.
extension Replicas {
    package func gather(
        _ session: Session, then: @escaping @Sendable (Result<[String], ReplicaProblem>) -> Void
    ) {
        gather { result in
            session.refresh { problem in
                then(problem.map { .failure(ReplicaProblem($0.message)) } ?? result)
            }
        }
    }

    /// Gets the requests of all others, and calls `then` beside the loops.
    func gather(then: @escaping @Sendable (Result<[String], ReplicaProblem>) -> Void) {
        gather(asking: "handin", nil) { [self] gathering in
            handing.add { [self] in
                readJournal()
                then(.success(gathering))
            }
        } failing: {
            then(.failure($0))
        }
    }

    /// Asks the others something, and calls `then` with what they answer.
    func gather(
        asking word: String, _ question: String,
        then: @escaping @Sendable (Result<[[UInt8]], ReplicaProblem>) -> Void
    ) {
        let answers = Monitor<[[UInt8]]>([])
        let hearing: @Sendable (String) -> Void = { answer in answers.change { $0.append(Array(answer.utf8)) } }
        gather(asking: word, question, hearing: hearing) { _ in
            then(.success(answers.change { $0 }))
        } failing: {
            then(.failure($0))
        }
    }

    private func gather(
        asking word: String, _ question: String?, hearing: (@Sendable (String) -> Void)? = nil,
        then: @escaping @Sendable (_ silent: [String]) -> Void,
        failing: @escaping @Sendable (ReplicaProblem) -> Void
    ) {
        let problem = state.change { state in
            state.isReady ? nil : state.unreadable ?? state.problem ?? "this one has not joined the others yet"
        }
        if let problem { return failing(ReplicaProblem(problem)) }
        let token = Self.randomText()
        state.change { $0.gatherings[token] = Gathering(then: then, hearing: hearing) }
        let message = ([word, token, id] + (question.map { [$0] } ?? [])).joined(separator: " ")
        send(["PUBLISH", keys.everybody, message].map { Array($0.utf8) }) { [weak self] result in
            guard let self else { return }
            guard case .success(let value) = result, let heard = value.int else {
                state.change { $0.gatherings[token] = nil }
                return failing(ReplicaProblem("the shared server did not answer"))
            }
            let others = state.change { $0.listeners(Int(clamping: heard)) }
            settle(token) {
                $0.others = others
                $0.heard = Int(clamping: heard)
            }
            schedule(Self.patience) { [weak self] in self?.passOverSilent(token) }
        }
    }

    private func settle(_ token: String, _ note: (inout Gathering) -> Void) {
        let over = state.change { state -> Gathering? in
            guard var gathering = state.gatherings[token] else { return nil }
            note(&gathering)
            state.gatherings[token] = gathering.isOver ? nil : gathering
            return gathering.isOver ? gathering : nil
        }
        over?.then(silent([]))
    }

    /// The names of those of whom requests may be missing: those who did not answer, and who died.
    private func silent(_ names: [String]) -> [String] {
        let (died, isMute) = state.change { ($0.died.keys.sorted(), $0.mute.map { $0.count > 0 } ?? false) }
        let all = names + died.filter { !names.contains($0) }
        return all.isEmpty && isMute ? ["one that nobody knows"] : all
    }

    /// Another replica has handed in what it had, or answered a question.
    func handedIn(_ token: String, by other: String, _ answer: String?) {
        if let answer { state.change { $0.gatherings[token]?.hearing }?(answer) }
        settle(token) { $0.done.insert(other) }
    }

    private func passOverSilent(_ token: String) {
        let late = state.change { state -> (Gathering, [String])? in
            guard let gathering = state.gatherings.removeValue(forKey: token) else { return nil }
            state.mute = (gathering.heard, max(gathering.heard - 1 - gathering.done.count, 0))
            return (gathering, state.members.map(\.id).filter { $0 != id && !gathering.done.contains($0) })
        }
        guard let (gathering, silent) = late else { return }
        tell(.warning("no answer in time from \(silent.isEmpty ? "others" : silent.joined(separator: ", "))"))
        gathering.then(self.silent(silent))
    }

    // MARK: Handing in

    /// Hands in what has ended, and begins again a little later. Where somebody waits for requests, or reads them as they come,
    /// those of the others are fetched as often.
    func keepHandingIn() {
        let isWaited = sessions.isWaited
        schedule(isWaited ? 20 : 100) { [weak self] in
            guard let self, !state.change({ $0.isClosed }) else { return }
            handing.add { [weak self] in self?.handIn(all: false) }
            if isWaited { gather { _ in } }
            keepHandingIn()
        }
    }

    /// Hands in everything, and says so to the one that asked.
    func handIn(for other: String, _ token: String) {
        handing.add { [weak self] in
            guard let self else { return }
            handIn(all: true)
            publish(to: keys.replica(other), "in", token, id)
        }
    }

    /// The most bytes of a batch, about, and of all that are kept, as many as a journal has.
    private static let (batchSize, mostBytes) = (256 << 10, 64 << 20)

    /// Sends what the others have not been told of; what does not arrive is sent again with the next ones. On the thread of
    /// handing in.
    func handIn(all: Bool) {
        guard let journal = sessions.sharedJournal, state.change({ $0.isReady || $0.isClosed }) else { return }
        var waiting = state.change { state in
            defer { state.unsent = [] }
            return state.unsent[...]
        }
        while let batch = waiting.popFirst() ?? journal.takeBatch(all: all, mostBytes: Self.batchSize) {
            guard batch.count <= Self.mostOfEntry else {
                state.change { $0.dropped += 1 }
                continue
            }
            let command = SharedScript.handIn.command(
                [keys.journal, keys.journalBytes], [Array(id.utf8), batch, Array(String(Self.mostBytes).utf8)])
            // What comes after it on this connection comes after it there, too.
            send(command) { [weak self] result in
                switch result {
                case .success(.error), .failure: self?.keep(unsent: batch)
                case .success: break
                }
            }
        }
    }

    /// Keeps a batch that did not arrive, as long as there is room.
    private func keep(unsent batch: [UInt8]) {
        let isLost = state.change { state in
            guard state.unsent.reduce(batch.count, { $0 + $1.count }) > Replicas.mostUnsent else {
                state.unsent.append(batch)
                return false
            }
            state.dropped += 1
            return true
        }
        if isLost { tell(.warning("requests are lost for the other replicas: the shared server takes none")) }
    }

    /// Reads what others have handed in. On the thread of changes or that of handing in.
    func readJournal() {
        reading.withLock { _ in
            while readPage() {}
        }
    }

    /// - Returns: whether there is more.
    private func readPage() -> Bool {
        let from = state.change { $0.read.next }
        let command = ["XRANGE", keys.journal, from.description, "+", "COUNT", "16"].map { Array($0.utf8) }
        guard let entries = ask(command)?.list else { return false }
        for entry in entries {
            guard let place = entry.list?.first?.text.flatMap(LogPlace.init), let fields = StreamFields(entry) else {
                tell(.warning("the journal on the shared server holds what no replica wrote"))
                return false
            }
            state.change { $0.read = place }
            guard let batch = fields["b"], fields["r"].map({ String(decoding: $0, as: UTF8.self) }) != id else {
                continue
            }
            do throws(BatchProblem) {
                try sessions.ingest(batch)
            } catch {
                tell(.warning("requests that another replica handed in cannot be read: \(error)"))
            }
        }
        return !entries.isEmpty
    }
}
