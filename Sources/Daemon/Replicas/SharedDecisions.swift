import SDMockEngine
import SDPlatform
import SDRedis
import Synchronization

/// Has the shared server decide what must be decided once for all replicas, by one script.
final class SharedDecisions: SharedDecider {
    private weak let replicas: Replicas?
    /// The name of the script that the server knows it by; nil until it has been told.
    private let script = Mutex<String?>(nil)

    init(_ replicas: Replicas) {
        self.replicas = replicas
    }

    /// Tells the server the script, which it may have forgotten. Not on a loop.
    /// - Returns: false if it could not be told.
    func load() -> Bool {
        guard let name = replicas?.ask(["SCRIPT", "LOAD", DecisionScript.text].map { Array($0.utf8) })?.text else {
            return false
        }
        script.withLock { $0 = name }
        return true
    }

    /// The time for a decision in milliseconds.
    private static let limit = 2_000

    func decide(_ proposal: Proposal, then: @escaping @Sendable (Result<Verdict, DecisionProblem>) -> Void) {
        guard let replicas, let name = script.withLock({ $0 }), let key = replicas.decisionKey(proposal.key) else {
            return then(.failure(DecisionProblem(replicas?.reasonToBeAlone ?? "it ends")))
        }
        let arguments = DecisionScript.arguments(proposal)
        func command(_ first: String, _ script: String) -> [[UInt8]] {
            [first, script, "1", key].map { Array($0.utf8) } + arguments
        }
        let read: @Sendable (Result<RedisValue, RedisFailure>) -> Void = { result in
            do throws(DecisionProblem) {
                then(.success(try DecisionScript.verdict(Self.reply(result), on: proposal)))
            } catch {
                then(.failure(error))
            }
        }
        let whole = command("EVAL", DecisionScript.text)
        replicas.send(command("EVALSHA", name), within: Self.limit) { [weak replicas] result in
            // A server that was restarted or told to forget its scripts.
            if case .success(.error(let text)) = result, text.hasPrefix("NOSCRIPT"), let replicas {
                return replicas.send(whole, within: Self.limit, read)
            }
            read(result)
        }
    }

    func read(_ key: DecisionKey, then: @escaping @Sendable (Result<[DecisionField], DecisionProblem>) -> Void) {
        guard let replicas, let key = replicas.decisionKey(key) else {
            return then(.failure(DecisionProblem(replicas?.reasonToBeAlone ?? "it ends")))
        }
        replicas.send(["HGETALL", key].map { Array($0.utf8) }, within: Self.limit) { result in
            switch result {
            case .success(.array(let items)) where items.count.isMultiple(of: 2):
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
    /// The name of a hash of decisions on the server; nil while this replica does not take part.
    fileprivate func decisionKey(_ key: DecisionKey) -> String? {
        state.change { $0.isReady ? $0.epoch : nil }.map { keys.decisions(key.text, epoch: $0) }
    }
}
