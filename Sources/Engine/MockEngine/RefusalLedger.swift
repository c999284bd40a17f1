public import SDReports
import Synchronization

/// The preflights, handshakes and tunnels of a session that were refused, each kind of them once: of most of them no journal
/// knows.
final class RefusalLedger: Sendable {
    /// The longest text that is kept, in characters: clients write parts of them.
    private static let longest = 1_000

    private let shared: SharedResources
    private let state = Mutex(State())

    private struct Key: Hashable {
        let kind: Report.Refusal.Kind
        let subject: String
        let reason: String
    }

    private struct State {
        var count: UInt64 = 0
        /// Those before do not count.
        var begin: UInt64 = 0
        var places: [Key: Int] = [:]
        /// Each with the number of the last of its kind.
        var entries: [(refusal: Report.Refusal, last: UInt64)] = []
    }

    init(_ shared: SharedResources) {
        self.shared = shared
    }

    deinit {
        begin()
    }

    /// Forgets everything.
    func begin() {
        let forgotten = state.withLock { state in
            defer { state = State(count: state.count, begin: state.count) }
            return state.entries.count
        }
        shared.keptTroubles.subtract(forgotten, ordering: .relaxed)
    }

    func note(_ kind: Report.Refusal.Kind, _ subject: String, _ reason: String) {
        let key = Key(
            kind: kind, subject: String(subject.prefix(Self.longest)), reason: String(reason.prefix(Self.longest)))
        state.withLock { state in
            state.count += 1
            if let place = state.places[key] {
                state.entries[place].refusal.count += 1
                state.entries[place].last = state.count
            } else if state.entries.count < Report.most, shared.takesTrouble() {
                state.places[key] = state.entries.count
                state.entries.append(
                    (Report.Refusal(kind: kind, subject: key.subject, reason: key.reason), state.count))
            }
        }
    }

    /// The number of refusals since the session began.
    var count: UInt64 { state.withLock(\.count) }

    /// The kinds of which one came after so many refusals, in the order of the first of each, and the number of all since.
    func findings(after number: UInt64 = 0) -> (refusals: [Report.Refusal], count: Int) {
        state.withLock { state in
            let number = max(number, state.begin)
            return (
                state.entries.filter { $0.last > number }.map(\.refusal),
                Int(clamping: state.count - min(state.count, number))
            )
        }
    }
}

extension Session {
    /// Notes what was refused before any stub was asked.
    /// - Parameter isLogged: false if the log tells it in words of its own.
    func noteRefusal(_ kind: Report.Refusal.Kind, _ subject: String, _ reason: String, isLogged: Bool = true) {
        refusals.note(kind, subject, reason)
        if isLogged {
            let refusal = Report.Refusal(kind: kind, subject: subject, reason: reason)
            trouble?.refused("refused: \(refusal.text)", session: options.label)
        }
    }

    /// What was refused since the session, or its report, began: the first kinds, and the number of all.
    public var refused: (refusals: [Report.Refusal], count: Int) { refusals.findings() }
}
