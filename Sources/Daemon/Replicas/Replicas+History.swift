import SDAdminAPI
import SDHTTPTransport
import SDMockEngine
import SDPlatform
import SDRedis

/// What keeps the log short and whole, and sessions alive that are used anywhere.
extension Replicas {
    /// How long a change stays in the log that nobody needs who joins, in milliseconds: others may still have to make it.
    private static let voidTime: Int64 = 60_000

    /// Writes the history where the shared server has none: it is new, or has lost everything.
    /// - Returns: false if that is not known.
    func makeWhole() -> Bool {
        guard let epoch = state.change({ $0.epoch }) else { return false }
        let deadline = MonotonicInstant.now
        while deadline.elapsedNanoseconds < 10_000_000_000 {
            guard let known = ask(["GET", keys.whole].map { Array($0.utf8) }) else { return false }
            if known.text == epoch { return true }
            // One that has nothing to write lets those write who have.
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

    /// How long one that is new waits for others who know more, where the shared server knows nothing, in nanoseconds.
    private static let grace: UInt64 = 1_500_000_000

    /// Whether another one lives that had joined before.
    private var othersHaveHistory: Bool {
        state.change { state in state.members.contains { $0.id != id && $0.hasHistory } }
    }

    private func writeHistory(_ epoch: String) -> Bool {
        for entry in state.change({ $0.history.entries }) {
            let number = entry.number.map { String($0) } ?? ""
            // What is there already was written by one that had begun before.
            send(
                SharedScript.restore.command(
                    [keys.log, keys.issued],
                    [
                        Array(entry.place.description.utf8), Array(ChangeEntry.version.utf8), entry.bytes,
                        Array(number.utf8),
                    ])
            ) { _ in }
        }
        guard ask(["SET", keys.whole, epoch].map { Array($0.utf8) })?.text == "OK" else { return false }
        _ = ask(["DEL", keys.mending].map { Array($0.utf8) })
        return true
    }

    /// Forgets changes that nobody needs any more, here and, if this is the first of them, there.
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

    /// Ends a session that nobody has used anywhere for its time.
    private func end(_ session: SessionID) {
        let call = ReplicatedCall(
            method: "DELETE", url: "/__admin/sessions/\(session.text)", session: nil, fields: [], body: [],
            isSecure: false,
            time: UInt64(clamping: SystemCalls.wallClockMilliseconds()) * 1_000_000, needsJournal: true)
        make(call, nil) { _, _ in }
    }

    /// Tells the others which sessions were used here since it was last told.
    func tellUse() {
        let used = sessions.used(within: Int64(Self.beat) * 2)
        for first in stride(from: 0, to: used.count, by: 200) {
            let names = used[first..<min(first + 200, used.count)].map(\.text)
            publish(to: keys.everybody, (["used"] + names).joined(separator: " "))
        }
    }
}
