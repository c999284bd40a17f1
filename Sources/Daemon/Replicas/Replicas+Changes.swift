package import SDAdminAPI
package import SDHTTPMessages
package import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDPlatform
import SDRedis
import Synchronization

/// Changes: the replica that receives a call appends it to the log, and all replicas make it.
extension Replicas {
    package func make(
        _ change: ReplicatedCall, _ request: Request?,
        then: @escaping @Sendable (_ own: PlainResponse, _ others: [[UInt8]]) -> Void
    ) {
        // The nonce contains the id, so that readers know which replica to notify.
        let nonce = "\(id).\(Self.randomText())"
        let refusal = state.change { state -> ReplicaProblem? in
            if let unreadable = state.unreadable { return ReplicaProblem(unreadable) }
            guard state.isReady else {
                return ReplicaProblem(state.reasonToBeAlone)
            }
            let patience = change.takesLong ? Self.longPatience : Self.patience
            state.awaited[nonce] = Awaited(isChange: true, request, within: patience) { result in
                switch result {
                case .failure(let problem): then(problem.response, [])
                case .success(let outcome):
                    guard var own = outcome.own else { return then(ReplicaProblem("no answer was made").response, []) }
                    if !outcome.silent.isEmpty {
                        own.headers.append(("X-StuntDouble-Silent-Replicas", outcome.silent.joined(separator: ", ")))
                    }
                    then(own, outcome.others)
                }
            }
            return nil
        }
        if let refusal { return then(refusal.response, []) }
        let entry = ChangeEntry(call: change, seed: UInt64.random(in: 1 ... .max), nonce: nonce)
        let bytes = entry.bytes
        guard bytes.count <= Self.maxOfEntry else {
            state.change { $0.awaited[nonce] = nil }
            return then(ReplicatedCall.tooLarge(most: Self.maxOfEntry), [])
        }
        let append: @Sendable () -> Void = { [self] in
            let (epoch, made) = state.change { ($0.epoch ?? "", $0.made) }
            let command = SharedScript.append.command(
                [keys.log, keys.about],
                [
                    Array(keys.everybody.utf8), Array(ChangeEntry.version.utf8), bytes,
                    Array((change.beginsSession ? "1" : "0").utf8), Array(epoch.utf8), Array(made.description.utf8),
                ])
            send(command) { [weak self] result in self?.appended(nonce, result) }
        }
        // A change that reads or removes requests needs all of them first, and the others need those of this replica.
        if change.needsJournal {
            gather(handsIn: true) { _ in append() }
        } else {
            append()
        }
    }

    private func appended(_ nonce: String, _ result: Result<RedisValue, RedisFailure>) {
        switch result {
        case .success(.array(let parts)) where parts.count == 2 && parts[1].int != nil:
            expect(nonce, heard: Int(clamping: parts[1].int ?? 0))
        case .success(.null):
            give(up: nonce, "the shared server has lost what replicas had in common; they write it again")
            life.add { [weak self] in _ = self?.sayAlive() }
        case .success(let other): give(up: nonce, "the shared server answers \(other.text ?? "what was not asked")")
        case .failure(let failure): give(up: nonce, failure.text)
        }
    }

    // MARK: Making changes

    /// Fetches new changes, and makes them.
    func fetch() {
        let isNews = state.change { state in
            guard state.isReady, !state.isToFetch else { return false }
            state.isToFetch = true
            return true
        }
        if isNews { changes.add { [weak self] in _ = self?.makeAll() } }
    }

    /// Makes the changes in the log, for up to two seconds. Whoever has seen what a replica wrote to a folder then knows
    /// the change for which it was written. Not on the changes' thread.
    package func makeKnownChanges() {
        if state.change({ $0.isReady }) { makeAllAndWait(milliseconds: 2_000) }
    }

    /// Makes all changes that were not made here yet, and waits for it. Not on the changes' thread.
    func makeAllAndWait(milliseconds: Int64) {
        let isMade = Monitor(false)
        changes.add { [weak self] in
            _ = self?.makeAll()
            isMade.change { $0 = true }
        }
        isMade.wait(milliseconds: milliseconds) { $0 }
    }

    /// Makes all changes that were not made here yet. On the changes' thread.
    /// - Returns: false if they could not be read.
    func makeAll() -> Bool {
        while true {
            let from = state.change { state in
                state.isToFetch = false
                return state.unreadable == nil ? state.made.next : nil
            }
            guard let from else { return false }
            guard let part = Self.part(ask(Self.reading(keys.log, from: from))) else { return false }
            for entry in part.entries {
                guard let place = entry.list?.first?.text.flatMap(LogPosition.init), let fields = StreamFields(entry)
                else {
                    return refuseAll("the log of changes has an entry that no replica wrote")
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
            if !part.hasMore { return true }
        }
    }

    /// Stops making changes, because this replica would differ from the others.
    private func refuseAll(_ reason: String) -> Bool {
        state.change {
            $0.unreadable = reason
            $0.isReady = false
        }
        tell(.error("\(reason); this replica makes no changes any more and is not ready"))
        return false
    }

    private func make(_ entry: ChangeEntry, _ number: UInt64?, at place: LogPosition) -> PlainResponse? {
        if let number { sessions.setNextNumber(number) }
        let (pending, maker, isJoining) = state.change { ($0.awaited[entry.nonce], $0.maker, !$0.wasReady) }
        if entry.call.needsJournal { _ = readJournal(isMakingChanges: true) }
        let ending = pending != nil && entry.call.endsSessions ? sessions.all : []
        let answer = Monitor<PlainResponse?>(nil)
        // The place is the same on all replicas.
        replication?.change.store(place.asNumber, ordering: .relaxed)
        sessions.sharedJournal?.begins(change: place.asNumber)
        // Only the replica that received the call saves stubs.
        if pending == nil { sessions.savesStubs(false, since: isJoining ? entry.call.time : nil) }
        maker?(entry.call, pending?.request, entry.seed) { response in answer.change { $0 = response } }
        answer.wait(milliseconds: 30_000) { $0 != nil }
        if pending == nil { sessions.savesStubs(true) }
        replication?.change.store(0, ordering: .relaxed)
        sessions.sharedJournal?.made(change: place.asNumber)
        guard let response = answer.change({ $0 }) else { return nil }
        forget(ending)
        if pending == nil {
            let origin = entry.nonce.prefix { $0 != "." }
            let told = entry.call.wantsAnswers ? [told(response, of: entry.nonce)] : []
            publish(to: keys.replica(String(origin)), (["made", entry.nonce, id] + told).joined(separator: " "))
        } else {
            settle(entry.nonce) {
                $0.outcome.own = response
                $0.duration = $0.begun.elapsedNanoseconds
            }
        }
        return response
    }
}

extension Replicas {
    /// The maximum size in bytes of an answer inside a message; the size of a part of a larger one; the maximum number
    /// of parts.
    private static let (maxInMessage, partSize, maxParts) = (1 << 20, 1 << 20, 128)
    /// The time for which a large answer is stored, in seconds.
    private static let answerTime = 60

    /// An answer's document in one line, as sent to the asking replica; empty without a document, and for an error. A
    /// large document is stored on the shared server in parts, and the line has their number.
    private func told(_ response: PlainResponse, of token: String) -> String {
        guard response.status < 300, response.body.count < Self.partSize * Self.maxParts else { return "" }
        if response.body.count >= Self.maxInMessage { return put(response.body, of: token) }
        guard let json = try? JSONValue(parsing: response.body) else { return "" }
        return json.compactText
    }

    /// Stores a large document on the shared server, and returns the line to send. Not on a loop.
    private func put(_ bytes: [UInt8], of token: String) -> String {
        let key = keys.answer(token, by: id)
        var count = 0
        // One at a time, so that heartbeats can go between them.
        for start in stride(from: 0, to: bytes.count, by: Self.partSize) {
            let part = Array(bytes[start..<min(start + Self.partSize, bytes.count)])
            guard ask([Array("RPUSH".utf8), Array(key.utf8), part]) != nil else { return "" }
            if count == 0 { send(["EXPIRE", key, String(Self.answerTime)].map { Array($0.utf8) }) { _ in } }
            count += 1
        }
        return "@\(count)"
    }

    /// Calls `then` with the whole answer once it is here; nil for none.
    /// - Parameter text: the line as received.
    func whole(
        _ text: String?, of token: String, by other: String, then: @escaping @Sendable (String?) -> Void
    ) {
        guard let text, text.utf8.first == UInt8(ascii: "@"), let count = Int(text.dropFirst()),
            (1...Self.maxParts).contains(count)
        else { return then(text) }
        let key = keys.answer(token, by: other)
        answering.add { [weak self] in
            guard let self else { return }
            var bytes: [UInt8] = []
            for index in 0..<count {
                let part = ask(["LINDEX", key, String(index)].map { Array($0.utf8) })
                guard case .bytes(let part) = part else { return then("") }
                bytes += part
            }
            send(["DEL", key].map { Array($0.utf8) }) { _ in }
            then(String(decoding: bytes, as: UTF8.self))
        }
    }

    package func ask(
        _ call: ReplicatedCall, then: @escaping @Sendable (Result<[[UInt8]], ReplicaProblem>) -> Void
    ) {
        let question = String(decoding: ChangeEntry(call: call, seed: 1, nonce: id).bytes, as: UTF8.self)
        gather(asking: "ask", question, within: call.takesLong ? Self.longPatience : Self.patience) { result in
            then(result.map(\.others))
        }
    }

    /// Answers another replica's question.
    func answer(_ token: String, of other: String, _ question: String) {
        answering.add { [weak self] in
            guard let self, let entry = try? ChangeEntry(Array(question.utf8)), entry.call.onlyAsks,
                let maker = state.change({ $0.maker })
            else { return }
            maker(entry.call, nil, 1) { [weak self] response in
                guard let self else { return }
                publish(to: keys.replica(other), "in", token, id, told(response, of: token))
            }
        }
    }
}

/// The fields of a stream entry.
struct StreamFields {
    private var fields: [String: [UInt8]] = [:]

    /// - Returns: nil if it is not a stream entry.
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
