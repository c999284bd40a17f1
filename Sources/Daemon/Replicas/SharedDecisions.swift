import SDMockEngine
import SDPlatform
import SDRedis
import Synchronization

/// Makes decisions that must be unique among all replicas, by a script on the shared server.
final class SharedDecisions: SharedDecider {
    private weak let replicas: Replicas?
    /// The script's hash on the server; nil until it is loaded.
    private let script = Mutex<String?>(nil)
    /// The decisions known here.
    let known = KnownDecisions()
    /// The sessions with decisions made here since the last `takeDecided()`; `-` is the default one.
    private let decided = Mutex<Set<String>>([])

    init(_ replicas: Replicas) {
        self.replicas = replicas
    }

    /// Loads the script into the server, which may have dropped it. Not on a loop.
    /// - Returns: false on failure.
    func load() -> Bool {
        guard let name = replicas?.ask(["SCRIPT", "LOAD", DecisionScript.text].map { Array($0.utf8) })?.text else {
            return false
        }
        script.withLock { $0 = name }
        return true
    }

    /// The sessions with decisions since the last call.
    func takeDecided() -> [String] {
        decided.withLock { decided in
            defer { decided = [] }
            return decided.sorted()
        }
    }

    /// The time limit for a decision, in milliseconds.
    private static let limit = 2_000

    func decide(_ proposal: Proposal, then: @escaping @Sendable (Result<Verdict, DecisionProblem>) -> Void) {
        decide(proposal, since: .now, then)
    }

    private func decide(
        _ proposal: Proposal, since begun: MonotonicInstant,
        _ then: @escaping @Sendable (Result<Verdict, DecisionProblem>) -> Void
    ) {
        guard let replicas, let name = script.withLock({ $0 }), let key = replicas.decisionKey(proposal.key) else {
            return then(.failure(DecisionProblem(replicas?.reasonToBeAlone ?? "it ends")))
        }
        decided.withLock { _ = $0.insert(proposal.key.session ?? "-") }
        let arguments = DecisionScript.arguments(proposal)
        @Sendable func command(_ first: String, _ script: String) -> [[UInt8]] {
            [first, script, "2", key, replicas.keys.epoch].map { Array($0.utf8) } + arguments
        }
        let read: @Sendable (Result<RedisValue, RedisFailure>) -> Void = { [weak self] result in
            do throws(DecisionProblem) {
                let reply = try Self.reply(result)
                if DecisionScript.isOfAnotherEpoch(reply), let self {
                    return decideAgain(proposal, since: begun, then)
                }
                let verdict = try DecisionScript.verdict(reply, on: proposal)
                if let (number, fields) = DecisionScript.moved(reply) {
                    self?.known.learn(fields, of: proposal.key, number)
                }
                then(.success(verdict))
            } catch {
                then(.failure(error))
            }
        }
        replicas.send(command("EVALSHA", name), within: Self.limit) { [weak replicas] result in
            // The server was restarted, or its scripts were flushed.
            if case .success(.error(let text)) = result, text.hasPrefix("NOSCRIPT"), let replicas {
                return replicas.send(command("EVAL", DecisionScript.text), within: Self.limit, read)
            }
            read(result)
        }
    }

    /// Decides after lost data has been restored.
    private func decideAgain(
        _ proposal: Proposal, since begun: MonotonicInstant,
        _ then: @escaping @Sendable (Result<Verdict, DecisionProblem>) -> Void
    ) {
        guard let replicas, begun.elapsedNanoseconds < UInt64(Self.limit) * 1_000_000 else {
            return then(
                .failure(DecisionProblem("the shared server has lost what was decided; replicas write it again")))
        }
        replicas.life.add { [weak replicas] in _ = replicas?.sayAlive() }
        waitAndDecide(proposal, since: begun, then)
    }

    private func waitAndDecide(
        _ proposal: Proposal, since begun: MonotonicInstant,
        _ then: @escaping @Sendable (Result<Verdict, DecisionProblem>) -> Void
    ) {
        replicas?.schedule(20) { [weak self] in
            guard let self, let replicas else { return then(.failure(DecisionProblem("it ends"))) }
            let isBack = replicas.state.change { $0.isReady }
            guard isBack || begun.elapsedNanoseconds > UInt64(Self.limit) * 1_000_000 else {
                return waitAndDecide(proposal, since: begun, then)
            }
            decide(proposal, since: begun, then)
        }
    }

    /// Writes what is known here into an epoch, except where another replica knows a later decision. Not on a loop.
    /// - Returns: false if it could not be written.
    func restore(_ epoch: String) -> Bool {
        guard let replicas else { return false }
        for (key, fields) in known.all {
            let hash = replicas.keys.decisions(key.text, epoch: epoch)
            for first in stride(from: 0, to: fields.count, by: 500) {
                let arguments = fields[first..<min(first + 500, fields.count)].flatMap { field, number in
                    [field.name.hash, field.name.name, field.value, Array(String(number).utf8)]
                }
                let command = SharedScript.restoreDecisions.command(
                    [hash, hash + ":when"], [Array(String(Replicas.keep).utf8)] + arguments)
                guard replicas.ask(command) != nil else { return false }
            }
        }
        return true
    }

    func read(_ key: DecisionKey, then: @escaping @Sendable (Result<[DecisionField], DecisionProblem>) -> Void) {
        guard let replicas, let hash = replicas.decisionKey(key) else {
            return then(.failure(DecisionProblem(replicas?.reasonToBeAlone ?? "it ends")))
        }
        replicas.send(["HGETALL", hash].map { Array($0.utf8) }, within: Self.limit) { [weak self] result in
            switch result {
            case .success(.array(let items)) where items.count.isMultiple(of: 2):
                self?.known.learn(all: items, of: key)
                then(
                    .success(
                        stride(from: 0, to: items.count, by: 2).compactMap { at in
                            guard let name = items[at].text, let value = items[at + 1].text else { return nil }
                            return DecisionField(name, value)
                        }))
            case .success(let other):
                then(.failure(DecisionProblem(other.errorText ?? "the shared server's decisions are no list")))
            case .failure(let failure): then(.failure(DecisionProblem(failure.text)))
            }
        }
    }

    private static func reply(_ result: Result<RedisValue, RedisFailure>) throws(DecisionProblem)
        -> DecisionScript.Reply
    {
        switch result {
        case .success(.error(let text)): throw DecisionProblem("the shared server refuses to decide: \(text)")
        case .success(let value): return reply(value)
        case .failure(let failure): throw DecisionProblem(failure.text)
        }
    }

    private static func reply(_ value: RedisValue) -> DecisionScript.Reply {
        switch value {
        case .integer(let number): .integer(Int(number))
        case .bytes(let bytes): .text(bytes)
        case .status(let text): .text(Array(text.utf8))
        case .array(let items): .list(items.map(reply))
        case .null: .other("nothing")
        case .error(let text): .other(text)
        }
    }
}

extension Replicas {
    /// The name of a hash of decisions on the server; nil while this replica is not joined.
    fileprivate func decisionKey(_ key: DecisionKey) -> String? {
        state.change { $0.isReady ? $0.epoch : nil }.map { keys.decisions(key.text, epoch: $0) }
    }
}
