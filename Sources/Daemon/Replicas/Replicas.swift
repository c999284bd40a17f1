package import SDAdminAPI
import SDBasics
package import SDHTTPTransport
import SDJournal
package import SDMockEngine
import SDPlatform
package import SDRedis
import SDStubModel
import Synchronization

/// One of several daemons that are one mock server: what it has in common with the others goes through a shared server of
/// Redis or Valkey.
///
/// Changes are calls of the admin API, which all make in the order in which they stand in a stream there, each on one thread.
/// Requests are handed in through another stream when somebody reads them. The shared server only tells that something has come;
/// what it is, is always fetched from the place up to which this one knows everything, so that nothing is missed.
package final class Replicas: ReplicaControl {
    /// What a replica says of itself.
    package struct Identity: Sendable {
        package var name: String
        package var addresses: [String] = []
        package var version: String
        package var fingerprint = ""
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
    let tell: @Sendable (Tale) -> Void
    let state: Monitor<State>
    /// Makes changes, one after the other.
    let changes = WorkQueue(name: "replicas")
    /// Hands requests in.
    let handing = WorkQueue(name: "hand-in")
    private let connections = Mutex<(commands: RedisConnection, ears: RedisConnection)?>(nil)
    private let loop = Mutex<Loop?>(nil)
    /// Decides together with the others; set by `start`.
    private let decider = Mutex<SharedDecisions?>(nil)
    /// Keeps what requests put away; set by `start`.
    private let keeper = Mutex<SharedSessionData?>(nil)
    let replication: Replication?

    /// What the log is told.
    package enum Tale: Sendable {
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
        /// Why the shared server is away; nil if it is not.
        var problem: String?
        /// Whether it has ever had all changes.
        var wasReady = false
        var number: Int?
        var epoch: String?
        /// The last change that was made.
        var made = LogPlace.start
        /// The last batch of requests that was read.
        var read = LogPlace.start
        var members: [ReplicaOverview.Member] = []
        /// Changes that this replica was asked for, by their nonces.
        var pending: [String: PendingChange] = [:]
        /// Those who wait until others have handed in their requests, by their tokens.
        var gatherings: [String: Gathering] = [:]
        /// Whether a look at the log is about to happen.
        var isToFetch = false
        /// Why changes cannot be made any more, for good.
        var unreadable: String?
        var dropped: UInt64 = 0
        /// What the shared server said last of a command that it did not carry out.
        var refusal: String?
        /// How many changes are read at once.
        var page = 64
        var beats = 0
        /// How many of so many listeners did not answer in time; they are not waited for again at once.
        var mute: (of: Int, count: Int)?
        /// Those who died, with the shared server's milliseconds: what they had not handed in is missing.
        var died: [String: Int64] = [:]
        /// How many others are waited for.
        /// - Parameter heard: how many listen, this one among them.
        func listeners(_ heard: Int) -> Int {
            max(heard - 1 - (mute.map { $0.of == heard ? $0.count : 0 } ?? 0), 0)
        }
        /// What was made, as far as one that joins needs it.
        var history = LogHistory()
        /// Batches that did not arrive, the oldest first.
        var unsent: [[UInt8]] = []
        /// The shared server's milliseconds, as they were last told.
        var sharedTime: Int64 = 0
    }

    /// Held while batches of others are read.
    let reading = Mutex(())

    /// How long the others have to make a change, in milliseconds, before they are passed over.
    static let patience: UInt64 = 1_000
    /// How long a change that stands in the log is waited for, in milliseconds.
    static let longest: UInt64 = 30_000
    /// The most bytes of a change or a batch. A reply may have twice as many.
    static let mostOfEntry = 32 << 20
    /// The most bytes of batches that wait for the shared server.
    static let mostUnsent = 64 << 20
    /// How long one that died is named where requests are read, in milliseconds.
    static let mourning: Int64 = 300_000
    /// How long a command has, in milliseconds.
    static let commandLimit = 5_000
    /// The milliseconds between two signs of life, those after which one is dead, and the seconds that all is kept without any.
    static let (beat, death, keep): (UInt64, Int, Int) = (400, 2_000, 600)

    package init(
        _ identity: Identity, at address: RedisAddress, settings: RedisSettings, sessions: SessionRegistry,
        replication: Replication?, tell: @escaping @Sendable (Tale) -> Void
    ) {
        id = Self.randomText()
        keys = SharedKeys(name: identity.name)
        (self.address, self.settings, self.sessions, self.tell) = (address, settings, sessions, tell)
        self.replication = replication
        state = Monitor(State(identity: identity))
    }

    static func randomText() -> String { String(UInt64.random(in: 1 << 40 ... .max), radix: 36) }

    // MARK: Life

    /// Begins on a loop. Changes can be made once `use` was called.
    package func start(on loop: Loop, at addresses: [String], fingerprint: String) {
        state.change {
            $0.identity.addresses = addresses
            $0.identity.fingerprint = fingerprint
        }
        self.loop.withLock { $0 = loop }
        // What is drawn for a change is the same everywhere.
        StubMapping.drawingIDs.withLock { $0 = { DrawnValues.next().map { ($0, DrawnValues.next() ?? 0) } } }
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

    /// Waits until all changes of the others were made here.
    /// - Returns: false if the time was over first.
    package func waitUntilReady(milliseconds: Int64) -> Bool { state.wait(milliseconds: milliseconds) { $0.isReady } }

    /// Hands in what is left, leaves, and calls `then` on another thread.
    package func leave(then: @escaping @Sendable () -> Void) {
        let wasOpen = state.change { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        handing.add { [self] in
            if wasOpen {
                handIn(all: true)
                _ = ask(SharedScript.leave.command([keys.members, keys.numbers], [Array(id.utf8)]), within: 500)
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
                defer {
                    state.isReady = false
                    state.problem = failure.text
                }
                return state.problem == nil && !state.isClosed
            }
            if isNews {
                tell(
                    .warning(
                        "the shared server is away: \(failure.text); what replicas decide together is refused"
                    ))
            }
        case .ready: changes.add { [weak self] in self?.join() }
        }
    }

    /// Whether this one can both speak and hear.
    private var bothAreThere: Bool {
        guard let both = connections.withLock({ $0.map { ($0.commands.state, $0.ears.state) } }) else { return false }
        if case (.ready, .ready) = both { return true }
        return false
    }

    private func loadDecisions() -> Bool { decider.withLock { $0 }?.load() ?? false }

    /// Takes part again, or for the first time: says so, and makes all changes that it has missed.
    private func join() {
        guard !state.change({ $0.isReady || $0.isClosed }), bothAreThere, sayAlive(), makeWhole(), makeAll(),
            loadDecisions()
        else { return }
        let (isFirst, name, count) = state.change { state in
            defer { (state.isReady, state.problem, state.wasReady) = (true, nil, true) }
            return (!state.wasReady, state.identity.name, state.members.count)
        }
        // What came meanwhile told nobody.
        fetch()
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
    /// - Returns: nil if there is none, or an error; the log was told.
    func ask(_ command: [[UInt8]], within milliseconds: Int = Replicas.commandLimit) -> RedisValue? {
        let reply = Monitor<Result<RedisValue, RedisFailure>?>(nil)
        send(command, within: milliseconds) { result in reply.change { $0 = result } }
        reply.wait { $0 != nil }
        switch reply.change({ $0 }) {
        case .success(.error(let text)):
            state.change { $0.refusal = "it refuses a command: \(text)" }
            tell(.warning("the shared server refuses a command: \(text)"))
            return nil
        case .success(let value): return value
        case .failure, nil: return nil
        }
    }

    func schedule(_ milliseconds: UInt64, _ work: @escaping @Sendable () -> Void) {
        loop.withLock { $0 }?.after(nanoseconds: milliseconds * 1_000_000, work)
    }

    // MARK: Members

    private func keepBeating() {
        schedule(Self.beat) { [weak self] in
            guard let self, !state.change({ $0.isClosed }) else { return }
            handing.add { [weak self] in
                guard let self else { return }
                guard sayAlive() else { return lost() }
                if !state.change({ $0.isReady }) { changes.add { [weak self] in self?.join() } }
                tellUse()
                let isToLook = state.change { state in
                    state.beats += 1
                    return state.beats.isMultiple(of: 8)
                }
                if isToLook {
                    state.change { state in
                        state.mute = nil
                        state.died = state.died.filter { $0.value > state.sharedTime - Self.mourning }
                    }
                    dropVoid()
                    // Should a message be lost, it is no more than late.
                    fetch()
                }
                refreshDecisions()
            }
            keepBeating()
        }
    }

    /// The shared server has not taken a sign of life, though there is a connection.
    private func lost() {
        let isNews = state.change { state in
            defer { state.isReady = false }
            guard state.isReady else { return false }
            state.problem = state.refusal ?? "it does not answer"
            return true
        }
        if isNews {
            tell(
                .warning(
                    "the shared server \(address) takes no signs of life; what replicas decide together is refused"))
        }
    }

    /// Says that it lives, and learns who else does.
    func sayAlive() -> Bool {
        let (identity, number, hasHistory) = state.change { ($0.identity, $0.number, $0.wasReady) }
        let says = MemberText(identity, number: number, hasHistory: hasHistory).text
        let command = SharedScript.beat.command(
            [
                keys.members, keys.numbers, keys.epoch, keys.log, keys.journal, keys.issued, keys.whole,
                keys.journalBytes,
            ],
            [id, says, String(Self.death), String(Self.keep), Self.randomText()].map { Array($0.utf8) })
        guard let answer = ask(command)?.list, answer.count == 4, let number = answer[0].int,
            let now = answer[1].text.flatMap(Int64.init), let epoch = answer[2].text, let living = answer[3].list
        else { return false }
        var members: [ReplicaOverview.Member] = []
        for at in stride(from: 0, to: living.count - 1, by: 2) {
            guard let id = living[at].text, let text = living[at + 1].text,
                let member = MemberText.member(id: id, text, now: now)
            else { continue }
            members.append(member)
        }
        let (lost, gone) = state.change { state in
            let gone = state.members.filter { member in !members.contains { $0.id == member.id } }
            defer {
                state.number = Int(clamping: number)
                sessions.sharedJournal?.number = UInt64(clamping: number)
                state.epoch = epoch
                state.sharedTime = now
                state.members = members.sorted { ($0.startedAt, $0.id) < ($1.startedAt, $1.id) }
            }
            return (state.epoch != nil && state.epoch != epoch, gone)
        }
        for member in gone where member.id != id {
            tell(.warning("replica \(member.id) has left or died; what it had not handed in is not known here"))
            state.change { $0.died[member.id] = now }
            // What it was answering has no end any more.
            if let number = member.number { sessions.replicaLeft(number) }
        }
        if lost {
            tell(.warning("the shared server has lost what replicas had in common; they write it again"))
            state.change { $0.isReady = false }
            changes.add { [weak self] in self?.join() }
        }
        return true
    }

    /// Brings what was decided elsewhere here, so that each replica knows it if the shared server forgets it.
    private func refreshDecisions() {
        for session in sessions.recentlyUsed(within: 2 * Int64(Self.beat)) { session.refresh { _ in } }
    }

    /// The reason why nothing is decided together at the moment.
    var reasonToBeAlone: String {
        state.change { $0.unreadable ?? $0.problem } ?? "this replica has not joined the others yet"
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

    /// What another replica, or the shared server for it, says.
    private func heard(_ message: String) {
        let words = message.split(separator: " ", maxSplits: 3).map(String.init)
        let text = words.count > 3 ? words[3] : nil
        switch words.first {
        case "log": fetch()
        case "used": sessions.touch(message.split(separator: " ").dropFirst().compactMap { SessionID($0.utf8) })
        case "made" where words.count >= 3: made(words[1], by: words[2], text)
        case "enter" where words.count == 2: keeper.withLock { $0 }?.mayEnter(words[1])
        case "handin" where words.count == 3: if words[2] != id { handIn(for: words[2], words[1]) }
        case "ask" where words.count == 4: if words[2] != id { answer(words[1], of: words[2], text ?? "") }
        case "in" where words.count >= 3: handedIn(words[1], by: words[2], text)
        default: break
        }
    }

    func publish(to channel: String, _ words: String...) {
        send(["PUBLISH", channel, words.joined(separator: " ")].map { Array($0.utf8) }) { _ in }
    }
}
