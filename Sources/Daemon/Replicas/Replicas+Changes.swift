package import SDAdminAPI
package import SDHTTPMessages
package import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDPlatform
import SDRedis
import Synchronization

/// A change that this replica was asked for.
struct PendingChange {
    /// The call as it came; nil for one of its own.
    let request: Request?
    let then: @Sendable (_ own: PlainResponse, _ others: [[UInt8]]) -> Void
    /// This replica's own answer; nil until it has made the change.
    var answer: PlainResponse?
    /// How many replicas heard of it; nil until the shared server has said so.
    var listeners: Int?
    /// The same with those who have not answered before.
    var heard = 0
    let begun = MonotonicInstant.now
    /// How long it took until it was made here, in nanoseconds; 0 until it is.
    var duration: UInt64 = 0
    /// The others that have made it.
    var makers: Set<String> = []
    /// What they answer.
    var answers: [[UInt8]] = []

    var isOver: Bool { answer != nil && listeners.map { makers.count >= $0 - 1 } ?? false }
}

/// Changes: appended to the log by the replica that was asked, made by all.
extension Replicas {
    package func make(
        _ change: ReplicatedCall, _ request: Request?,
        then: @escaping @Sendable (_ own: PlainResponse, _ others: [[UInt8]]) -> Void
    ) {
        // Who reads it knows from it whom to tell.
        let nonce = "\(id).\(Self.randomText())"
        let refusal = state.change { state -> ReplicaProblem? in
            if let unreadable = state.unreadable { return ReplicaProblem(unreadable) }
            guard state.isReady else {
                return ReplicaProblem(state.problem ?? "this one has not joined the others yet")
            }
            state.pending[nonce] = PendingChange(request: request, then: then)
            return nil
        }
        if let refusal { return then(refusal.response, []) }
        let entry = ChangeEntry(call: change, seed: UInt64.random(in: 1 ... .max), nonce: nonce)
        let bytes = entry.bytes
        guard bytes.count <= Self.mostOfEntry else {
            state.change { $0.pending[nonce] = nil }
            return then(ReplicatedCall.tooLarge(most: Self.mostOfEntry), [])
        }
        let append: @Sendable () -> Void = { [self] in
            let command = SharedScript.append.command(
                [keys.log, keys.issued, keys.whole],
                [
                    Array(keys.everybody.utf8), Array(ChangeEntry.version.utf8), bytes,
                    Array((change.beginsSession ? "1" : "0").utf8), Array((state.change { $0.epoch } ?? "").utf8),
                ])
            send(command) { [weak self] result in self?.appended(nonce, result) }
        }
        // What reads or removes requests has to know all of them first.
        if change.needsJournal {
            gather { _ in append() }
        } else {
            append()
        }
    }

    private func appended(_ nonce: String, _ result: Result<RedisValue, RedisFailure>) {
        switch result {
        case .success(.array(let parts)) where parts.count == 2 && parts[1].int != nil:
            let heard = Int(clamping: parts[1].int ?? 0)
            let others = state.change { $0.listeners(heard) }
            settle(nonce) {
                $0.listeners = others + 1
                $0.heard = heard
            }
            schedule(Self.patience) { [weak self] in self?.passOver(nonce) }
        case .success(.null):
            give(up: nonce, "the shared server has lost what replicas had in common; they write it again")
            handing.add { [weak self] in _ = self?.sayAlive() }
        case .success(let other): give(up: nonce, "the shared server answers \(other.text ?? "what was not asked")")
        case .failure(let failure): give(up: nonce, failure.text)
        }
    }

    /// Ends a change whose place in the log is not known.
    private func give(up nonce: String, _ reason: String) {
        guard let pending = state.change({ $0.pending.removeValue(forKey: nonce) }) else { return }
        pending.then(pending.answer ?? ReplicaProblem(reason).response, pending.answers)
    }

    /// Notes something about a change, and answers whoever asked for it if that was the last that was to be known.
    private func settle(_ nonce: String, _ note: (inout PendingChange) -> Void) {
        let over = state.change { state -> PendingChange? in
            guard var pending = state.pending[nonce] else { return nil }
            note(&pending)
            state.pending[nonce] = pending.isOver ? nil : pending
            return pending.isOver ? pending : nil
        }
        if let over, let answer = over.answer { over.then(answer, over.answers) }
    }

    /// Another replica has made a change.
    /// - Parameter answer: its answer, where that is wanted.
    func made(_ nonce: String, by other: String, _ answer: String?) {
        settle(nonce) { pending in
            guard pending.makers.insert(other).inserted, let answer else { return }
            pending.answers.append(Array(answer.utf8))
        }
    }

    /// Answers whoever asked for a change that others have not made in time.
    private func passOver(_ nonce: String) {
        let late = state.change { state -> (PendingChange, [String])? in
            guard let pending = state.pending[nonce], pending.answer != nil else { return nil }
            // Others may take as long as this one.
            let age = pending.begun.elapsedNanoseconds
            guard age >= max(pending.duration * 3, Self.patience * 1_000_000) else { return nil }
            state.pending[nonce] = nil
            state.mute = (pending.heard, max(pending.heard - 1 - pending.makers.count, 0))
            return (pending, state.members.map(\.id).filter { $0 != id && !pending.makers.contains($0) })
        }
        guard let (pending, silent) = late, let answer = pending.answer else {
            // It stands in the log, and will be made here, or is being made elsewhere.
            let age = state.change { $0.pending[nonce]?.begun.elapsedNanoseconds }
            guard let age else { return }
            if age > Self.longest * 1_000_000 {
                give(up: nonce, "the change was not made within \(Self.longest / 1_000) s; it may be made yet")
            } else {
                schedule(Self.patience / 4) { [weak self] in self?.passOver(nonce) }
            }
            return
        }
        tell(
            .warning(
                "a change was made here and not in time by \(silent.isEmpty ? "others" : silent.joined(separator: ", "))"
            ))
        var named = answer
        let names = silent.isEmpty ? "one that nobody knows" : silent.joined(separator: ", ")
        named.headers.append(("X-StuntDouble-Silent-Replicas", names))
        pending.then(named, pending.answers)
    }

    // MARK: Making them

    /// Looks for new changes, and makes them.
    func fetch() {
        let isNews = state.change { state in
            guard state.isReady, !state.isToFetch else { return false }
            state.isToFetch = true
            return true
        }
        if isNews { changes.add { [weak self] in _ = self?.makeAll() } }
    }

    /// Makes all changes that were not made here yet. On the thread of changes.
    /// - Returns: false if they could not be read.
    func makeAll() -> Bool {
        while true {
            let from = state.change { state in
                state.isToFetch = false
                return state.unreadable == nil ? state.made.next : nil
            }
            guard let from else { return false }
            let page = state.change { $0.page }
            let command = ["XRANGE", keys.log, from.description, "+", "COUNT", String(page)]
            guard let entries = ask(command.map { Array($0.utf8) })?.list else {
                // So many may have been more than one reply may have.
                state.change { $0.page = 1 }
                return false
            }
            state.change { $0.page = min(2 * page, 64) }
            for entry in entries {
                guard let place = entry.list?.first?.text.flatMap(LogPlace.init), let fields = StreamFields(entry)
                else {
                    return refuseAll("the log of changes holds what no replica wrote")
                }
                guard fields["v"].map({ String(decoding: $0, as: UTF8.self) }) == ChangeEntry.version else {
                    return refuseAll(
                        "the log of changes has entries of another version: all replicas must be of one version")
                }
                let (bytes, number) = (
                    fields["c"] ?? [], fields["n"].flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
                )
                do throws(ChangeEntry.Problem) {
                    let entry = try ChangeEntry(bytes)
                    let made = make(entry, number, at: place)
                    let effect = ChangeEffect(of: entry.call, number: number, answer: made)
                    state.change {
                        $0.history.append(LogHistory.Entry(place: place, number: number, bytes: bytes, effect: effect))
                    }
                } catch {
                    return refuseAll("the log of changes has an entry that cannot be read: \(error.message)")
                }
                state.change { $0.made = place }
            }
            if entries.isEmpty { return true }
        }
    }

    /// Makes no change any more, since it would no longer be like the others.
    private func refuseAll(_ reason: String) -> Bool {
        state.change {
            $0.unreadable = reason
            $0.isReady = false
        }
        tell(.error("\(reason); this replica makes no changes any more and is not ready"))
        return false
    }

    private func make(_ entry: ChangeEntry, _ number: UInt64?, at place: LogPlace) -> PlainResponse? {
        if let number { sessions.willIssue(number) }
        let (pending, maker) = state.change { ($0.pending[entry.nonce], $0.maker) }
        if entry.call.needsJournal { readJournal() }
        let answer = Monitor<PlainResponse?>(nil)
        // Whose place is the same everywhere.
        replication?.change.store(place.asNumber, ordering: .relaxed)
        sessions.sharedJournal?.begins(change: place.asNumber)
        // What is saved, the replica saves that was asked.
        if pending == nil { sessions.savesStubs(false) }
        maker?(entry.call, pending?.request, entry.seed) { response in answer.change { $0 = response } }
        answer.wait(milliseconds: 30_000) { $0 != nil }
        if pending == nil { sessions.savesStubs(true) }
        replication?.change.store(0, ordering: .relaxed)
        sessions.sharedJournal?.made(change: place.asNumber)
        guard let response = answer.change({ $0 }) else { return nil }
        if pending == nil {
            let origin = entry.nonce.prefix { $0 != "." }
            let told = entry.call.wantsAnswers ? [Self.oneLine(response)] : []
            publish(to: keys.replica(String(origin)), (["made", entry.nonce, id] + told).joined(separator: " "))
        } else {
            settle(entry.nonce) {
                $0.answer = response
                $0.duration = $0.begun.elapsedNanoseconds
            }
        }
        return response
    }
}

extension Replicas {
    /// The document of an answer in one line; nothing for one that is none, too large, or a refusal.
    static func oneLine(_ response: PlainResponse) -> String {
        guard response.status < 300, response.body.count < 1 << 20, let json = try? JSONValue(parsing: response.body)
        else {
            return ""
        }
        return json.compactText
    }

    package func ask(
        _ call: ReplicatedCall, then: @escaping @Sendable (Result<[[UInt8]], ReplicaProblem>) -> Void
    ) {
        let question = String(decoding: ChangeEntry(call: call, seed: 1, nonce: id).bytes, as: UTF8.self)
        gather(asking: "ask", question, then: then)
    }

    /// Answers another replica's question.
    func answer(_ token: String, of other: String, _ question: String) {
        handing.add { [weak self] in
            guard let self, let entry = try? ChangeEntry(Array(question.utf8)), entry.call.method == "GET",
                let maker = state.change({ $0.maker })
            else { return }
            maker(entry.call, nil, 1) { [weak self] response in
                guard let self else { return }
                publish(to: keys.replica(other), "in", token, id, Self.oneLine(response))
            }
        }
    }
}

/// The fields of an entry of a stream.
struct StreamFields {
    private var fields: [String: [UInt8]] = [:]

    /// - Returns: nil for what is no entry.
    init?(_ entry: RedisValue) {
        guard let parts = entry.list, parts.count == 2, let list = parts[1].list, list.count.isMultiple(of: 2) else {
            return nil
        }
        for at in stride(from: 0, to: list.count, by: 2) {
            guard let name = list[at].text, case .bytes(let value) = list[at + 1] else { return nil }
            fields[name] = value
        }
    }

    subscript(name: String) -> [UInt8]? { fields[name] }
}
