package import SDAdminAPI
package import SDMockEngine
import SDPlatform
import SDRedis

/// Somebody who waits until the others have handed in their requests.
struct Gathering {
    /// How many others are to say so; nil until the shared server has said it.
    var others: Int?
    var done: Set<String> = []
    let then: @Sendable (_ silent: [String]) -> Void

    var isOver: Bool { others.map { done.count >= $0 } ?? false }
}

/// Requests: handed in a little later, or at once where somebody reads them.
extension Replicas {
    package func gather(
        _ session: Session, then: @escaping @Sendable (Result<[String], ReplicaProblem>) -> Void
    ) {
        gather(then: then)
    }

    /// Gets the requests of all others, and calls `then` beside the loops.
    func gather(then: @escaping @Sendable (Result<[String], ReplicaProblem>) -> Void) {
        let problem = state.change { state in
            state.isReady ? nil : state.unreadable ?? state.problem ?? "this one has not joined the others yet"
        }
        if let problem { return then(.failure(ReplicaProblem(problem))) }
        let token = Self.randomText()
        let gathering = Gathering { [self] silent in
            handing.add { [self] in
                readJournal()
                then(.success(silent))
            }
        }
        state.change { $0.gatherings[token] = gathering }
        send(["PUBLISH", keys.everybody, "handin \(token) \(id)"].map { Array($0.utf8) }) { [weak self] result in
            guard let self else { return }
            guard case .success(let value) = result, let heard = value.int else {
                state.change { $0.gatherings[token] = nil }
                return then(.failure(ReplicaProblem("the shared server did not answer")))
            }
            settle(token) { $0.others = max(Int(clamping: heard) - 1, 0) }
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
        over?.then([])
    }

    /// Another replica has handed in what it had.
    func handedIn(_ token: String, by other: String) {
        settle(token) { $0.done.insert(other) }
    }

    private func passOverSilent(_ token: String) {
        let late = state.change { state -> (Gathering, [String])? in
            guard let gathering = state.gatherings.removeValue(forKey: token) else { return nil }
            return (gathering, state.members.map(\.id).filter { $0 != id && !gathering.done.contains($0) })
        }
        guard let (gathering, silent) = late else { return }
        tell(.warning("not handed in in time: the requests of \(silent.joined(separator: ", "))"))
        gathering.then(silent)
    }

    // MARK: Handing in

    /// Hands in what has ended, and begins again a little later.
    func keepHandingIn() {
        schedule(100) { [weak self] in
            guard let self, !state.change({ $0.isClosed }) else { return }
            handing.add { [weak self] in self?.handIn(all: false) }
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

    /// Sends what the others have not been told of. Replies come in the order of commands, so nothing has to wait for them.
    func handIn(all: Bool) {
    }

    /// Reads what others have handed in.
    func readJournal() {
    }
}
