import SDAdminAPI
import SDHTTPMessages
import SDHTTPTransport
import SDPlatform

/// A wait for the other replicas to make a change or answer a question.
struct Awaited {
    /// The result of a wait.
    struct Outcome: Sendable {
        /// This replica's answer to a change; nil for a question.
        var own: PlainResponse?
        var others: [[UInt8]]
        /// The ids of replicas that did not answer in time.
        var silent: [String] = []
    }

    /// Whether it is a change, which this replica makes too.
    let isChange: Bool
    /// The time limit for the others, in milliseconds.
    let patience: UInt64
    /// The call's request; nil for internal changes and for questions.
    var request: Request?
    /// Called once.
    let then: @Sendable (Result<Outcome, ReplicaProblem>) -> Void
    var outcome = Outcome(others: [])
    /// The number of other replicas that must answer; nil until the shared server has told it.
    var others: Int?
    /// The number of replicas that got the message, including this one.
    var heard = 0
    /// The ids of those that answered.
    var done: Set<String> = []
    /// The ids of those that are not waited for, since they did not answer before.
    var passedOver: [String] = []
    let begun = MonotonicInstant.now
    /// The time until the change was made here, in nanoseconds; 0 before that.
    var duration: UInt64 = 0

    init(
        isChange: Bool, _ request: Request? = nil, within patience: UInt64,
        then: @escaping @Sendable (Result<Outcome, ReplicaProblem>) -> Void
    ) {
        (self.isChange, self.request, self.patience, self.then) = (isChange, request, patience, then)
    }

    var isMadeHere: Bool { !isChange || outcome.own != nil }
    /// An answer of one that is not waited for stands for no other's.
    var isOver: Bool { isMadeHere && others.map { done.subtracting(passedOver).count >= $0 } ?? false }
}

/// The table of waits for other replicas.
extension Replicas {
    /// Updates a wait, and ends it when it is complete.
    func settle(_ token: String, _ note: (inout Awaited) -> Void) {
        let over = state.change { state -> Awaited? in
            guard var awaited = state.awaited[token] else { return nil }
            note(&awaited)
            state.awaited[token] = awaited.isOver ? nil : awaited
            return awaited.isOver ? awaited : nil
        }
        guard let over else { return }
        var outcome = over.outcome
        outcome.silent = over.passedOver.filter { !over.done.contains($0) }
        over.then(.success(outcome))
    }

    /// Another replica has made a change or answered a question.
    /// - Parameter answer: its answer, if one is wanted.
    func answered(_ token: String, by other: String, _ answer: String?) {
        state.change { if $0.mute?.names.contains(other) == true { $0.mute = nil } }
        settle(token) { awaited in
            guard awaited.done.insert(other).inserted, let answer else { return }
            awaited.outcome.others.append(Array(answer.utf8))
        }
    }

    /// Sets how many replicas got the message and must answer.
    func expect(_ token: String, heard: Int) {
        let mute = state.change { $0.mute.flatMap { $0.of == heard ? $0 : nil } }
        settle(token) {
            $0.others = max(heard - 1 - (mute?.count ?? 0), 0)
            $0.heard = heard
            $0.passedOver = mute?.names.filter { $0 != Self.unknown } ?? []
        }
        wait(for: token, parts: 4)
    }

    /// Waits in parts, so that a machine that stands still uses up only one of them.
    private func wait(for token: String, parts: Int) {
        guard parts > 0 else { return passOver(token) }
        guard let patience = state.change({ $0.awaited[token]?.patience }) else { return }
        schedule(patience / 4) { [weak self] in self?.wait(for: token, parts: parts - 1) }
    }

    /// Ends a wait that can no longer be answered.
    func give(up token: String, _ reason: String) {
        guard let awaited = state.change({ $0.awaited.removeValue(forKey: token) }) else { return }
        awaited.then(awaited.outcome.own == nil ? .failure(ReplicaProblem(reason)) : .success(awaited.outcome))
    }

    /// Ends a wait whose time is up, without the replicas that did not answer. This replica's own change is still
    /// waited for, since it is in the log.
    private func passOver(_ token: String) {
        let ended = state.change { state -> (awaited: Awaited, isLate: Bool, silent: [String])? in
            guard let awaited = state.awaited[token] else { return nil }
            // The others may take as long as this replica.
            let isLate =
                awaited.isMadeHere
                && (!awaited.isChange
                    || awaited.begun.elapsedNanoseconds >= max(awaited.duration * 3, awaited.patience * 1_000_000))
            guard isLate else { return (awaited, false, []) }
            state.awaited[token] = nil
            let silent = state.silent(awaited.done, own: id)
            let count = max(awaited.heard - 1 - awaited.done.count, 0)
            state.mute = (awaited.heard, count, silent.isEmpty ? [Self.unknown] : silent)
            return (awaited, true, silent)
        }
        guard let (awaited, isLate, silent) = ended else { return }
        guard isLate else {
            guard awaited.begun.elapsedNanoseconds > Self.longest * 1_000_000 else {
                return schedule(Self.patience / 4) { [weak self] in self?.passOver(token) }
            }
            return give(up: token, "the change was not made within \(Self.longest / 1_000) s; it may be made yet")
        }
        let names = silent.isEmpty ? "one that gives no sign of life" : silent.joined(separator: ", ")
        tell(
            .warning(
                awaited.isChange
                    ? "a change was made here and not in time by \(names)" : "no answer in time from \(names)"))
        var outcome = awaited.outcome
        outcome.silent = silent.isEmpty ? [Self.unknown] : silent
        awaited.then(.success(outcome))
    }

    /// Stands for a replica whose id is not known.
    static let unknown = "unknown"
}
