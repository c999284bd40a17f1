package import SDAdminAPI
import SDBasics
package import SDHTTPMessages
package import SDHTTPTransport
import SDJournal
package import SDMockEngine
import SDPlatform
package import SDRedis
import SDStubModel
import Synchronization

/// A replica: one of several daemons that act as one mock server. They share state through a Redis or Valkey server.
///
/// Changes are calls of the admin API. They are stored in a stream, and every replica makes them in the stream's order,
/// on one thread. Requests are handed in through another stream when a client reads them. Messages only announce news.
/// The content is always fetched from the last known place, so a lost message loses nothing.
package final class Replicas: ReplicaControl {
    /// The replica's description of itself.
    package struct Identity: Sendable {
        package var name: String
        package var addresses: [String] = []
        package var version: String
        package var fingerprint = ""
        /// A digest of the options, for comparison with the others.
        package var options = ""
        /// Milliseconds since 1970.
        package var startedAt: Int64

        package init(name: String, version: String, startedAt: Int64) {
            (self.name, self.version, self.startedAt) = (name, version, startedAt)
        }
    }

    let id: String
    let keys: SharedKeys
    let sessions: SessionRegistry
    let address: RedisAddress
    private let settings: RedisSettings
    let tell: @Sendable (LogMessage) -> Void
    let state: Monitor<State>
    /// Makes changes, one at a time.
    let changes = WorkQueue(name: "replicas")
    /// Hands requests in.
    let handing = WorkQueue(name: "hand-in")
    /// Sends heartbeats.
    let life = WorkQueue(name: "signs of life")
    /// Answers the others' questions, and receives large answers.
    let answering = WorkQueue(name: "answers")
    private let connections = Mutex<(commands: RedisConnection, ears: RedisConnection)?>(nil)
    private let loop = Mutex<Loop?>(nil)
    /// Makes shared decisions; set by `start`.
    let decider = Mutex<SharedDecisions?>(nil)
    /// Stores sessions' data; set by `start`.
    private let keeper = Mutex<SharedSessionData?>(nil)
    let replication: Replication?

    /// A message for the log.
    package enum LogMessage: Sendable {
        case info(String)
        case warning(String)
        case error(String)
    }

    struct State {
        var identity: Identity
        /// Makes a change here.
        var maker: ChangeMaker?
        var isReady = false
        var isClosed = false
        /// Why the shared server is unavailable; nil if it is not.
        var problem: String?
        /// Whether the server is reachable, but rejects this replica or is not trusted.
        var isRefusal = false
        /// When that was last logged.
        var complained: MonotonicInstant?
        /// Whether it has ever made all changes.
        var wasReady = false
        var number: Int?
        var epoch: String?
        /// The last change that was made.
        var made = LogPosition.start
        /// The last batch of requests that was read.
        var read = LogPosition.start
        var members: [ReplicaOverview.Member] = []
        /// The ids of the other replicas that were alive when the shared server lost its data.
        var companions: Set<String> = []
        /// The waits for other replicas, by nonce of a change or token of a question.
        var awaited: [String: Awaited] = [:]
        /// Whether fetching the log is scheduled.
        var isToFetch = false
        /// Why changes can never be made again; nil if they can.
        var unreadable: String?
        var dropped: UInt64 = 0
        /// The shared server's last error in reply to a command.
        var refusal: String?
        var beats = 0
        /// The replicas that did not answer in time, their number, and the number of listeners then; they are not
        /// waited for again at once.
        var mute: (of: Int, count: Int, names: [String])?
        /// Why no shared decision is possible.
        var reasonToBeAlone: String {
            unreadable ?? problem
                ?? (wasReady
                    ? "this replica is reading again what replicas have in common"
                    : "this replica has not joined the others yet")
        }
        /// The replicas that died, with the shared server's time in milliseconds: requests that they had not handed in
        /// are missing.
        var died: [String: Int64] = [:]
        /// The replicas that left in order, with the shared server's time in milliseconds.
        var left: [String: Int64] = [:]
        /// The replicas without recent heartbeats, which may be dead, with the time since when.
        var missing: [String: (member: ReplicaOverview.Member, since: MonotonicInstant)] = [:]
        /// When the shared server last returned after an outage or a loss of data.
        var returned = MonotonicInstant.now
        /// The numbers assigned to this replica.
        var numbers: Set<UInt64> = []
        /// Whether a batch was read since the last check for abandoned exchanges.
        var hasReadBatch = false
        /// The made changes that a joining replica needs.
        var history = LogHistory()
        /// Batches that failed, oldest first.
        var unsent: [[UInt8]] = []
        /// The shared server's time in milliseconds, as last received.
        var sharedTime: Int64 = 0
        /// The identity of the stream of batches; nil without one.
        var run: String?
        /// This replica's last batch that the shared server has stored.
        var handedIn = LogPosition.start
        /// Whether the shared server has lost handed-in batches, and when it last had.
        var hasLostJournal = false
        var lostJournal: MonotonicInstant?
        /// The number of heartbeats for which the replicas' stub files have differed.
        var beatsOfDifference = 0
        /// Whether there are more members than allowed.
        var isCrowded = false
    }

    /// Whether requests are answered: the others' changes are known, or no longer waited for.
    private let isOpen = Atomic(false)
    /// Makes a fingerprint of the current stub files; set by `start`.
    let fingerprint = Mutex<(@Sendable () -> String)?>(nil)
    /// Rereads stub files that are newer than these times, in nanoseconds since 1970; set by `start`.
    private let readAgain = Mutex<(@Sendable (_ files: [String: UInt64]) -> Void)?>(nil)
    /// The memory of batches waiting for the shared server.
    let unsentBytes: MemoryAccount

    /// The order in which batches of other replicas are read. Held while the shared server is asked, so never taken on a
    /// loop. Under it: `state`, and what may be taken under a session.
    let reading = Mutex(())

    /// The time for the others to make a change, in milliseconds.
    static let patience: UInt64 = 1_000
    /// The same for slow changes.
    static let longPatience: UInt64 = 5_000
    /// The maximum wait for a change in the log, in milliseconds.
    static let longest: UInt64 = 30_000
    /// The maximum size of a change or a batch, in bytes. A reply may be twice as large.
    static let maxOfEntry = 32 << 20
    /// The maximum size of batches waiting for the shared server, in bytes.
    static let maxUnsent = 64 << 20
    /// How long a dead replica is mentioned to readers of requests, in milliseconds.
    static let deathMemory: Int64 = 300_000
    /// The interval for logging again that the shared server is unavailable, in nanoseconds.
    static let complaintPause: UInt64 = 60_000_000_000
    /// The time limit of a command, in milliseconds.
    static let commandLimit = 5_000
    /// The maximum number of members: each has a number.
    static let maxMembers = Int(Replica.highest) + 1
    /// The milliseconds between two heartbeats, the milliseconds without one after which a replica is dead, and the
    /// seconds for which data outlives the last one.
    static let (beat, death, keep): (UInt64, Int, Int) = (400, 2_000, 600)

    package init(
        _ identity: Identity, at address: RedisAddress, settings: RedisSettings, sessions: SessionRegistry,
        replication: Replication?, tell: @escaping @Sendable (LogMessage) -> Void
    ) {
        id = Self.randomText()
        keys = SharedKeys(name: identity.name)
        (self.address, self.settings, self.sessions, self.tell) = (address, settings, sessions, tell)
        self.replication = replication
        unsentBytes = sessions.base.memory.account(.journals)
        state = Monitor(State(identity: identity))
    }

    static func randomText() -> String { String(UInt64.random(in: 1 << 40 ... .max), radix: 36) }

    // MARK: Life

    /// Starts on a loop. Changes can be made once `use` has been called.
    /// - Parameters:
    ///   - readAgain: rereads files that are newer than the given times, in nanoseconds since 1970.
    ///   - fingerprint: makes a fingerprint of the current stub files. Any thread.
    package func start(
        on loop: Loop, at addresses: [String], readAgain: (@Sendable (_ files: [String: UInt64]) -> Void)? = nil,
        fingerprint: @escaping @Sendable () -> String
    ) {
        self.readAgain.withLock { $0 = readAgain }
        state.change { $0.identity.addresses = addresses }
        self.fingerprint.withLock { $0 = fingerprint }
        self.loop.withLock { $0 = loop }
        // The random ids of a change are the same on all replicas.
        StubMapping.drawingIDs.withLock { $0 = { SeededValues.next().map { ($0, SeededValues.next() ?? 0) } } }
        sessions.leaveEndingToOthers()
        SessionID.sharedKey.store(keys.hash, ordering: .relaxed)
        let decisions = SharedDecisions(self)
        decider.withLock { $0 = decisions }
        replication?.use(decisions)
        let data = SharedSessionData(self)
        keeper.withLock { $0 = data }
        replication?.use(data)
        let commands = RedisConnection(address, settings: settings, on: loop) { [weak self] state in
            self?.stateChanged(state)
        }
        let ears = RedisConnection(address, settings: settings, on: loop) { [weak self] state in
            self?.stateChanged(state)
        }
        ears.subscribe([keys.everybody, keys.replica(id)]) { [weak self] channel, payload in
            self?.heard(String(decoding: payload, as: UTF8.self))
        }
        connections.withLock { $0 = (commands, ears) }
        keepBeating()
        keepHandingIn()
    }

    /// Waits until all of the others' changes have been made here.
    /// - Returns: false if the time was up first. In any case requests are answered from now on.
    package func waitUntilReady(milliseconds: Int64) -> Bool {
        defer { isOpen.store(true, ordering: .relaxed) }
        return state.wait(milliseconds: milliseconds) { $0.wasReady }
    }

    /// The error for a request while the others' stubs may not be known yet; nil once they are, or are no longer waited
    /// for.
    package var refusal: PlainResponse? {
        isOpen.load(ordering: .relaxed) ? nil : ReplicaProblem.refusalBeforeJoining
    }

    /// Hands in the rest, leaves, and calls `then` on another thread.
    package func leave(then: @escaping @Sendable () -> Void) {
        let wasOpen = state.change { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        handing.add { [self] in
            if wasOpen {
                handIn(all: true)
                let leaving = SharedScript.leave.command(
                    [keys.members, keys.numbers], [id, keys.everybody].map { Array($0.utf8) })
                _ = ask(leaving, within: 500)
                close()
            }
            then()
        }
    }

    private func close() {
        let both = connections.withLock { $0.take() }
        both?.commands.close()
        both?.ears.close()
    }

    private func stateChanged(_ now: RedisConnection.State) {
        switch now {
        case .connecting: break
        case .failed(let failure):
            let isNews = state.change { state in
                let isRefusal = failure.kind == .refused
                defer {
                    state.isReady = false
                    state.problem = failure.text
                    state.isRefusal = isRefusal
                }
                return (state.problem == nil || state.isRefusal != isRefusal) && !state.isClosed
            }
            if isNews { complain() }
        case .ready: changes.add { [weak self] in self?.join() }
        }
    }

    /// Logs why the shared server is unavailable.
    func complain() {
        let text = state.change { state -> String? in
            state.complained = .now
            return state.problem.map { state.isRefusal ? "cannot be used: \($0)" : "is away: \($0)" }
        }
        if let text { tell(.warning("the shared server \(text); requests that need a shared decision are rejected")) }
    }

    /// Whether both connections, for commands and for messages, are open.
    private var bothAreThere: Bool {
        guard let both = connections.withLock({ $0.map { ($0.commands.state, $0.ears.state) } }) else { return false }
        if case (.ready, .ready) = both { return true }
        return false
    }

    private func loadDecisions() -> Bool { decider.withLock { $0 }?.load() ?? false }

    /// Joins, or rejoins: announces itself, and makes all missed changes.
    func join() {
        guard !state.change({ $0.isReady || $0.isClosed }), bothAreThere, sayAlive(), restore(), makeWhole(),
            makeAll(), loadDecisions()
        else { return }
        let left = sessions.takeLeftFiles()
        if !left.isEmpty { readAgain.withLock { $0 }?(left) }
        let (isFirst, name, count) = state.change { state in
            defer { (state.isReady, state.problem, state.wasReady, state.companions) = (true, nil, true, []) }
            return (!state.wasReady, state.identity.name, state.members.count)
        }
        isOpen.store(true, ordering: .relaxed)
        // Messages that came meanwhile were missed.
        fetch()
        catchUp()
        tell(
            .info(
                isFirst
                    ? "replica \(id) of \"\(name)\" at \(address): \(count == 1 ? "the only one" : "one of \(count)")"
                    : "the shared server \(address) is back"))
    }

    // MARK: Commands

    /// Sends a command.
    func send(
        _ command: [[UInt8]], within milliseconds: Int = Replicas.commandLimit,
        _ then: @escaping @Sendable (Result<RedisValue, RedisFailure>) -> Void
    ) {
        guard let commands = connections.withLock({ $0?.commands }) else {
            return then(.failure(RedisFailure(.closed, "the connection was closed")))
        }
        commands.send(command, within: milliseconds, then)
    }

    /// Sends a command, and waits for the reply. Not on a loop.
    /// - Returns: nil without a reply, or for an error, which is logged.
    func ask(_ command: [[UInt8]], within milliseconds: Int = Replicas.commandLimit) -> RedisValue? {
        try? reply(to: command, within: milliseconds).get()
    }

    /// Like `ask`, with the reason for a failure.
    func reply(
        to command: [[UInt8]], within milliseconds: Int = Replicas.commandLimit
    ) -> Result<RedisValue, ReplicaProblem> {
        let reply = Monitor<Result<RedisValue, RedisFailure>?>(nil)
        send(command, within: milliseconds) { result in reply.change { $0 = result } }
        reply.wait { $0 != nil }
        switch reply.change({ $0 }) {
        case .success(.error(let text)):
            let refusal = "it refuses a command: \(text)"
            state.change { $0.refusal = refusal }
            tell(.warning("the shared server refuses a command: \(text)"))
            return .failure(ReplicaProblem("the shared server is there, but \(refusal)"))
        case .success(let value): return .success(value)
        case .failure(let failure): return .failure(ReplicaProblem(failure.text))
        case nil: return .failure(ReplicaProblem("the shared server did not answer"))
        }
    }

    func schedule(_ milliseconds: UInt64, _ work: @escaping @Sendable () -> Void) {
        loop.withLock { $0 }?.after(nanoseconds: milliseconds * 1_000_000, work)
    }

    /// Why no shared decision is possible at the moment.
    var reasonToBeAlone: String {
        state.change { $0.reasonToBeAlone }
    }

    package var overview: ReplicaOverview {
        state.change { state in
            ReplicaOverview(
                name: state.identity.name, own: id, isReady: state.isReady,
                wasReady: state.wasReady && state.unreadable == nil,
                problem: state.unreadable ?? state.problem, members: state.members,
                dropped: state.dropped + (sessions.sharedJournal?.dropped ?? 0))
        }
    }

    package func use(_ maker: @escaping ChangeMaker) {
        state.change { $0.maker = maker }
    }

    // MARK: Messages

    /// Handles a message of another replica, or of the shared server on its behalf.
    private func heard(_ message: String) {
        let words = message.split(separator: " ", maxSplits: 3).map(String.init)
        let text = words.count > 3 ? words[3] : nil
        switch words.first {
        case "log": fetch()
        case "lost": life.add { [weak self] in _ = self?.sayAlive() }
        case "used": sessions.touch(message.split(separator: " ").dropFirst().compactMap { SessionID($0.utf8) })
        case "decided": refreshDecisions(of: message.split(separator: " ").dropFirst())
        case "made" where words.count >= 3, "in" where words.count >= 3:
            whole(text, of: words[1], by: words[2]) { [weak self] in self?.answered(words[1], by: words[2], $0) }
        case "left" where words.count == 2: left(words[1])
        case "enter" where words.count == 2: keeper.withLock { $0 }?.mayEnter(words[1])
        case "handin" where words.count == 3: if words[2] != id { handIn(for: words[2], words[1]) }
        case "ask" where words.count == 4: if words[2] != id { answer(words[1], of: words[2], text ?? "") }
        default: break
        }
    }

    func publish(to channel: String, _ words: String...) {
        send(["PUBLISH", channel, words.joined(separator: " ")].map { Array($0.utf8) }) { _ in }
    }
}
