import SDAdminAPI
import SDMockEngine
import SDPlatform
import SDRedis
import Synchronization

/// Restores decisions and session data that the shared server has lost: each replica writes what it knows, and the
/// latest wins. No decision is made before all earlier replicas have written, or their time is up.
extension Replicas {
    /// The time limit for earlier replicas, in nanoseconds.
    private static let patienceOfRestoring: UInt64 = 1_500_000_000

    /// Writes everything known here into the current epoch. Not on a loop.
    /// - Returns: false if it could not be written.
    func restore() -> Bool {
        guard let epoch = state.change({ $0.epoch }) else { return false }
        // Data of a replica that has never joined does not belong to the others.
        if state.change({ $0.wasReady }) {
            guard writeKnown(epoch) else { return false }
        }
        let mark = keys.restored(epoch)
        send(["SADD", mark, id].map { Array($0.utf8) }) { _ in }
        return ask(["EXPIRE", mark, "60"].map { Array($0.utf8) }) != nil
    }

    private func writeKnown(_ epoch: String) -> Bool {
        guard decider.withLock({ $0 })?.restore(epoch) ?? true else { return false }
        for session in sessionsWithData {
            guard let known = session.knownData else { continue }
            let command = SharedScript.knowsData.command(
                [keys.data(known.key.text)[5]], [String(known.version), id].map { Array($0.utf8) })
            guard ask(command) != nil else { return false }
        }
        return true
    }

    /// Waits until the replicas from before the loss have written what they know, or their time is up.
    func waitForOthers(_ epoch: String) {
        let begun = MonotonicInstant.now
        while begun.elapsedNanoseconds < Self.patienceOfRestoring {
            let missing = state.change { $0.companions }
            guard !missing.isEmpty,
                let marks = ask(["SMEMBERS", keys.restored(epoch)].map { Array($0.utf8) })?.list
            else { return }
            if missing.isSubset(of: Set(marks.compactMap(\.text))) { return }
            SystemCalls.pause(milliseconds: 20)
        }
    }

    /// Fetches the decisions and session data that the replicas now agree on.
    func catchUp() {
        for session in sessions.allSessions {
            session.refresh { _ in }
            guard session.knownData != nil else { continue }
            session.enter { result in
                if case .success(let pass) = result { pass?.end() }
            }
        }
    }

    /// Removes the decisions of ended sessions.
    func forgetDecisions() {
        decider.withLock { $0 }?.known.forget { name in
            guard let id = SessionID(name.utf8), case .alive = sessions.find(id) else { return true }
            return false
        }
    }

    private var sessionsWithData: [Session] {
        sessions.allSessions.filter { $0.knownData != nil }
    }
}

extension Replicas.State {
    /// Records which replicas were alive when the shared server lost its data.
    mutating func loseDecisions(_ id: String) {
        companions.formUnion(members.map(\.id))
        companions.remove(id)
    }
}
