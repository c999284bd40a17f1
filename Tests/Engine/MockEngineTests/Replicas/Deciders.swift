import SDHTTPTransport
import SDJournal
import SDPlatform
import SDRedis
import SDStubModel
import SDTestSupport
import Synchronization

@testable import SDMockEngine

/// Decides as the script of the shared server does, in this process, and answers on another thread.
final class MemoryDecider: SharedDecider {
    private struct Hash {
        var fields: [String: String] = [:]
        var values: [String: [[UInt8]: Int]] = [:]

        /// Counts a request for a fault. Periods never end here.
        mutating func add(_ count: FaultCount) -> FaultCount.Verdict {
            var verdict = FaultCount.Verdict()
            if let first = count.first {
                let seen =
                    count.value.map { values[count.field]?[$0] ?? 0 } ?? fields[count.field].flatMap { Int($0) }
                    ?? count.known
                verdict.seen = seen
                if let value = count.value {
                    values[count.field, default: [:]][value] = min(seen + 1, first)
                } else {
                    fields[count.field] = String(min(seen + 1, first))
                }
            }
            if let quota = count.quota, count.first == nil || (verdict.seen ?? 0) < (count.first ?? 0) {
                let used = fields["p" + count.field].flatMap { Int($0) } ?? 0
                verdict.wait = used < quota.limit ? 0 : quota.period
                fields["p" + count.field] = String(min(used + 1, quota.limit))
            }
            return verdict
        }
    }

    private let hashes = Locked<[DecisionKey: Hash]>([:])
    private let threads = WorkQueue(name: "decisions", threads: 2)
    /// The number of proposals.
    let asked = Atomic(0)
    /// Why it decides nothing; nil if it does.
    let problem = Locked<DecisionProblem?>(nil)

    func decide(_ proposal: Proposal, then: @escaping @Sendable (Result<Verdict, DecisionProblem>) -> Void) {
        asked.add(1, ordering: .relaxed)
        threads.add { [self] in
            if let problem = problem.withLock({ $0 }) { return then(.failure(problem)) }
            then(.success(verdict(proposal)))
        }
    }

    func read(_ key: DecisionKey, then: @escaping @Sendable (Result<[DecisionField], DecisionProblem>) -> Void) {
        let fields = hashes.withLock { $0[key]?.fields ?? [:] }
        threads.add { then(.success(fields.map { DecisionField($0.key, $0.value) })) }
    }

    func verdict(_ proposal: Proposal) -> Verdict {
        hashes.withLock { hashes in
            var hash = hashes[proposal.key] ?? Hash()
            defer { hashes[proposal.key] = hash }
            var verdict = Verdict()
            for (index, candidate) in proposal.candidates.enumerated() {
                var seen = Verdict.Seen()
                var isOpen = true
                if let scenario = candidate.scenario {
                    let state = hash.fields[scenario.field] ?? scenario.known
                    seen.state = state
                    isOpen = scenario.required == nil || scenario.required == state
                }
                if let times = candidate.times {
                    let used = hash.fields[times.field].flatMap { Int($0) } ?? times.known
                    seen.used = used
                    isOpen = isOpen && used < times.limit
                }
                verdict.seen.append(seen)
                guard isOpen else { continue }
                verdict.chosen = index
                if let scenario = candidate.scenario, let next = scenario.next { hash.fields[scenario.field] = next }
                if let times = candidate.times { hash.fields[times.field] = String((seen.used ?? 0) + 1) }
                if let sequence = candidate.sequence {
                    let known = hash.fields[sequence.field].flatMap { Int($0) }
                    let place =
                        sequence.value.map { hash.values[sequence.field]?[$0] ?? sequence.known } ?? known
                        ?? sequence.known
                    let next = place < sequence.last ? place + 1 : sequence.isLoop ? 0 : sequence.last
                    if let value = sequence.value {
                        hash.values[sequence.field, default: [:]][value] = next
                    } else {
                        hash.fields[sequence.field] = String(next)
                    }
                    verdict.place = place
                }
                break
            }
            for count in proposal.counts { verdict.counts.append(hash.add(count)) }
            return verdict
        }
    }
}

/// Has a real server decide, by the script.
// The server is only kept, and never used.
final class ServerDecider: SharedDecider, @unchecked Sendable {
    private let server: RedisServer
    /// What tells its keys from those of others.
    private let prefix: String
    /// The number of values of a sequence that are kept for certain.
    private let maxValues: Int
    private let loop: TestServer
    private let connection: RedisConnection
    let asked = Atomic(0)

    init(_ server: RedisServer, prefix: String = "", maxValues: Int = DecisionScript.maxValues) throws {
        (self.server, self.prefix, self.maxValues) = (server, prefix, maxValues)
        loop = try TestServer()
        let states = Events<RedisConnection.State>()
        connection = RedisConnection(
            try RedisAddress("unix://" + server.socketPath), settings: RedisSettings(), on: loop.server.loop()
        ) { states.tell($0) }
        while let state = states.next(within: 20_000) {
            if case .ready = state { break }
        }
    }

    deinit {
        connection.close()
    }

    func decide(_ proposal: Proposal, then: @escaping @Sendable (Result<Verdict, DecisionProblem>) -> Void) {
        asked.add(1, ordering: .relaxed)
        let words = ["EVAL", DecisionScript.text, "1", prefix + proposal.key.text].map { Array($0.utf8) }
        connection.send(words + DecisionScript.arguments(proposal, maxValues: maxValues), within: 20_000) { result in
            then(
                Result { () throws(DecisionProblem) in
                    switch result {
                    case .success(let value): try DecisionScript.verdict(Self.reply(value), on: proposal)
                    case .failure(let failure): throw DecisionProblem(failure.text)
                    }
                })
        }
    }

    func read(_ key: DecisionKey, then: @escaping @Sendable (Result<[DecisionField], DecisionProblem>) -> Void) {
        connection.send(["HGETALL", prefix + key.text], within: 20_000) { result in
            switch result {
            case .success(let value):
                let texts = value.list?.compactMap(\.text) ?? []
                then(
                    .success(
                        stride(from: 0, to: texts.count - 1, by: 2).map { DecisionField(texts[$0], texts[$0 + 1]) }))
            case .failure(let failure): then(.failure(DecisionProblem(failure.text)))
            }
        }
    }

    private static func reply(_ value: RedisValue) -> DecisionScript.Reply {
        switch value {
        case .integer(let number): .integer(Int(number))
        case .bytes(let bytes): .text(bytes)
        case .array(let items): .list(items.map(reply))
        case .status(let text), .error(let text): .other(text)
        case .null: .other("nothing")
        }
    }
}
