import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDPlatform
import Synchronization

/// The events of a session and its child sessions, or of all sessions, in one stream. Each session's events keep their
/// order.
///
/// A reader's position is a time, sent a few times a second: sessions come and go, and no other position is short. A
/// reader that resumes gets the events of the last second again.
final class MergedEvents: SessionsObserver {
    private struct State {
        var readers: [ObjectIdentifier: SessionReader] = [:]
        /// The number of sessions whose replay is not finished.
        var replays = 0
        var isOver = false
        /// The time of the last position sent, in milliseconds since 1970.
        var told: UInt64 = 0
    }

    /// The period that is replayed twice, in milliseconds: requests are sent when they are matched, not in the order of
    /// their times.
    private static let slack: UInt64 = 1_000
    /// The minimum interval between positions, in milliseconds.
    private static let interval: UInt64 = 250

    private let connection: EventStreamConnection
    private let wants: FeedSubscription
    private let caller: Session
    private let sessions: SessionRegistry
    private let daemon: any DaemonControl
    private let state = Mutex(State())

    init(_ connection: EventStreamConnection, _ wants: FeedSubscription, _ call: AdminCall) {
        self.connection = connection
        self.wants = wants
        caller = call.session
        sessions = call.sessions
        daemon = call.daemon
    }

    // MARK: Reading

    /// Starts to read all sessions.
    /// - Parameter position: an earlier reader's position, or a time in milliseconds since 1970; nil for new events
    ///   only.
    func begin(after position: String?) {
        sessions.add(self)
        let time = position.map { self.time(of: $0) }
        // Until the replay is finished, the reader's position is its old one.
        connection.send(WireBytes(Array(": events\n".utf8) + (position == nil ? idLine : []) + [0x0a]))
        let live = sessions.all(through: caller)
        var missed: [FeedBacklogs.Entry] = []
        for (number, session) in ([caller] + live.map(\.session)).enumerated() {
            let position = time.map { time in
                // A position of an earlier run of the daemon: one session reports it.
                time.map { session.position(at: $0 > Self.slack ? $0 - Self.slack : 0) } ?? (number == 0 ? "?" : "0")
            }
            if let entry = join(session, after: position) { missed.append(entry) }
        }
        guard !missed.isEmpty else { return }
        state.withLock { $0.replays += 1 }
        let backlogs = FeedBacklogs(missed) { [self] in state.withLock { $0.replays -= 1 } }
        connection.follow(on: caller.heavyWork) { backlogs.replayMore() }
    }

    /// Stops reading all sessions.
    func end() {
        sessions.remove(self)
        let readers = state.withLock { state in
            state.isOver = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.session.removeReader(reader) }
    }

    private func join(_ session: Session, after position: String?) -> FeedBacklogs.Entry? {
        let reader = SessionReader(session, self)
        let isNew = state.withLock { state in
            guard !state.isOver, state.readers[ObjectIdentifier(session)] == nil else { return false }
            state.readers[ObjectIdentifier(session)] = reader
            return true
        }
        guard isNew else { return nil }
        let backlog = session.addReader(reader, wants, after: position, encoder: EventStreamEncoder(session))
        if state.withLock({ $0.isOver }) { session.removeReader(reader) }
        return backlog.map { FeedBacklogs.Entry(backlog: $0, reader: reader) }
    }

    // MARK: Sessions

    func began(_ live: LiveSession) {
        guard sessions.isVisible(live, to: caller) else { return }
        _ = join(live.session, after: nil)
    }

    func ended(_ live: LiveSession, verdict: String) {}

    fileprivate func finished(_ reader: SessionReader) {
        if reader.session === caller {
            connection.finish()
            return
        }
        _ = state.withLock { $0.readers.removeValue(forKey: ObjectIdentifier(reader.session)) }
        // Posted, because a feed cannot remove a reader while it calls it.
        daemon.after(nanoseconds: 0) { reader.session.removeReader(reader) }
    }

    // MARK: Sending

    fileprivate func send(_ events: WireBytes) {
        guard events.count > 0 else { return }
        connection.send(events)
        let now = Self.now
        let isDue = state.withLock { state in
            guard state.replays == 0, now >= state.told + Self.interval else { return false }
            state.told = now
            return true
        }
        if isDue { connection.send(WireBytes(idLine + [0x0a])) }
    }

    private static var now: UInt64 { UInt64(max(SystemCalls.wallClockMilliseconds(), 0)) }

    private var run: Substring { sessions.base.eventIDs.text(0).prefix(8) }

    private var idLine: [UInt8] { Array("id: \(run).\(Self.now)\n".utf8) }

    /// The time of a position; nil for a position of another run.
    private func time(of position: String) -> UInt64? {
        if let time = UInt64(position) { return time }
        let parts = position.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == run else { return nil }
        return UInt64(parts[1])
    }
}

/// Reads one session for a merged stream.
private final class SessionReader: EventReader {
    let session: Session
    private let stream: MergedEvents

    init(_ session: Session, _ stream: MergedEvents) {
        self.session = session
        self.stream = stream
    }

    func send(_ events: WireBytes) { stream.send(events) }
    func finish() { stream.finished(self) }
}

/// The replays of several sessions, one after another.
private final class FeedBacklogs: Sendable {
    struct Entry: Sendable {
        let backlog: FeedBacklog
        let reader: SessionReader
    }

    private let entries: Mutex<[Entry]>
    private let whenTold: @Sendable () -> Void

    init(_ entries: [Entry], whenTold: @escaping @Sendable () -> Void) {
        self.entries = Mutex(entries.reversed())
        self.whenTold = whenTold
    }

    /// Sends the next slice.
    /// - Returns: whether there is more.
    func replayMore() -> Bool {
        while let entry = entries.withLock({ $0.last }) {
            if entry.backlog.replayMore(to: entry.reader) { return true }
            entries.withLock { _ = $0.popLast() }
        }
        whenTold()
        return false
    }
}
