import SDAdminAPI
import SDHTTPTransport
import SDMockEngine
import SDPlatform
import SDRedis

/// Keeps the log short and complete, and keeps sessions alive that any replica uses.
extension Replicas {
    /// The time for which an unneeded change stays in the log, in milliseconds: other replicas may still have to make
    /// it.
    private static let voidTime: Int64 = 60_000

    /// Writes the history if the shared server has none, because it is new or has lost its data.
    /// - Returns: false if that is unknown.
    func makeWhole() -> Bool {
        guard let epoch = state.change({ $0.epoch }) else { return false }
        let deadline = MonotonicInstant.now
        while deadline.elapsedNanoseconds < 10_000_000_000 {
            guard let known = ask(["HGET", keys.about, "whole"].map { Array($0.utf8) }) else { return false }
            if known.text == epoch { return true }
            // A replica without history lets those with history write first.
            let isNew = state.change { !$0.wasReady }
            if isNew, deadline.elapsedNanoseconds < Self.grace || othersHaveHistory {
                SystemCalls.pause(milliseconds: 50)
                guard sayAlive(), state.change({ $0.epoch }) == epoch else { return false }
                continue
            }
            guard let lock = ask(["SET", keys.mending, id, "NX", "PX", "10000"].map { Array($0.utf8) }) else {
                return false
            }
            if lock.text == "OK" { return writeHistory(epoch) }
            SystemCalls.pause(milliseconds: 50)
        }
        return false
    }

    /// How long a new replica waits for others with history, if the shared server is empty, in nanoseconds.
    private static let grace: UInt64 = 1_500_000_000

    /// Whether another replica is alive that had joined before.
    private var othersHaveHistory: Bool {
        state.change { state in state.members.contains { $0.id != id && $0.hasHistory } }
    }

    private func writeHistory(_ epoch: String) -> Bool {
        let (entries, made) = state.change { ($0.history.entries, $0.made) }
        for entry in entries {
            let number = entry.number.map { String($0) } ?? ""
            send(
                SharedScript.restore.command(
                    [keys.log],
                    [
                        Array(entry.place.description.utf8), Array(ChangeEntry.version.utf8), entry.bytes,
                        Array(number.utf8),
                    ])
            ) { _ in }
        }
        waitForOthers(epoch)
        let command = SharedScript.mended.command(
            [keys.log, keys.about, keys.mending],
            [epoch, made.description, String(sessions.issuedCount)].map { Array($0.utf8) })
        return ask(command)?.int == 1
    }

    /// Removes unneeded changes here; the first replica also removes them from the log.
    func dropVoid() {
        let (void, isFirst) = state.change { state in
            let old = UInt64(clamping: max(0, state.sharedTime - Self.voidTime))
            let void = state.history.void.filter { $0.milliseconds < old }
            state.history.remove(Set(void))
            return (void, state.isReady && state.members.first?.id == id)
        }
        guard isFirst else { return }
        if !void.isEmpty {
            send((["XDEL", keys.log] + void.map(\.description)).map { Array($0.utf8) }) { _ in }
        }
        for session in sessions.forgotten { end(session) }
    }

    /// Ends a session that no replica has used for its idle time.
    private func end(_ session: SessionID) {
        let call = ReplicatedCall(
            method: "DELETE", url: "/__admin/sessions/\(session.text)", session: nil, fields: [], body: [],
            isSecure: false,
            time: UInt64(clamping: SystemCalls.wallClockMilliseconds()) * 1_000_000, needsJournal: true)
        make(call, nil) { _, _ in }
    }

    /// Tells the others which sessions were used here since the last call.
    func publishUse() {
        let used = sessions.used(within: Int64(Self.beat) * 2)
        for first in stride(from: 0, to: used.count, by: 200) {
            let names = used[first..<min(first + 200, used.count)].map(\.text)
            publish(to: keys.everybody, (["used"] + names).joined(separator: " "))
        }
    }

    // MARK: Sessions' data on the shared server

    /// Extends the life of live sessions' data on the shared server. Done by the first replica.
    func keepSessions() {
        guard state.change({ $0.isReady && $0.members.first?.id == id }) else { return }
        act(on: sessions.allSessions, seconds: Self.keep)
    }

    /// Removes the data of ended sessions.
    func forget(_ ending: [LiveSession]) {
        let ended = ending.filter { live in if case .alive = sessions.find(live.id) { false } else { true } }
        act(on: ended.map(\.session), seconds: 0)
    }

    private func act(on sessions: [Session], seconds: Int) {
        guard let epoch = state.change({ $0.epoch }) else { return }
        for first in stride(from: 0, to: sessions.count, by: 100) {
            let names = sessions[first..<min(first + 100, sessions.count)].flatMap { session in
                let key = session.decisionKey.text
                return [keys.decisions(key, epoch: epoch)] + keys.data(key).prefix(3)
            }
            send(SharedScript.keep.command(names, [Array(String(seconds).utf8)])) { _ in }
        }
    }
}
