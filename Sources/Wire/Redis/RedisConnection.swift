public import SDHTTPTransport
import SDPlatform
import SDUpstream
import Synchronization

/// One connection to a server of Redis or Valkey that comes back by itself, on one loop.
///
/// Commands go out as they are given, without waiting for replies, each once: one whose reply did not come fails, and is never
/// repeated, since it may have been carried out. While there is no connection, commands fail at once.
///
/// A command whose time is over fails alone. Replies come in the order of the commands, so that its own is known when it comes late, and
/// is dropped: a slow server costs no connection. One that sends nothing at all for `RedisSettings.silence`, though it owes replies, is
/// taken for dead.
///
/// It lives until it is closed, or the loop ends.
public final class RedisConnection: Sendable {
    public enum State: Sendable, Equatable {
        /// Nothing is known yet.
        case connecting
        /// Such as `Redis 7.0.15`.
        case ready(serverVersion: String)
        /// It tries again, unless the library is missing.
        case failed(RedisFailure)
    }

    /// Why no connection can be made on this machine, as hiredis is missing; nil if one can.
    public static var unavailable: String? { RedisDecoder.missing }

    public typealias Receive = @Sendable (_ channel: [UInt8], _ payload: [UInt8]) -> Void

    let address: RedisAddress
    let settings: RedisSettings
    let loop: Loop
    private let current = Mutex(State.connecting)
    // Used on the loop's thread alone, and by `init`.
    private nonisolated(unsafe) var stateChanged: (@Sendable (State) -> Void)?
    private nonisolated(unsafe) var link: RedisLink?
    private nonisolated(unsafe) var isClosed = false
    /// The channels in the order in which they were asked for, with who is told.
    private nonisolated(unsafe) var channels: [(name: String, receive: Receive)] = []
    /// The attempts so far, so that what comes late for an earlier one is known.
    private nonisolated(unsafe) var attempt = 0
    private nonisolated(unsafe) var failures = 0
    private nonisolated(unsafe) var readySince: UInt64?
    private nonisolated(unsafe) var next: ScheduledWork?
    private nonisolated(unsafe) var trust: CallTrust?

    /// Begins to connect.
    /// - Parameter stateChanged: called on the loop's thread with each change, until the connection is closed.
    public init(
        _ address: RedisAddress, settings: RedisSettings = RedisSettings(), on loop: Loop,
        stateChanged: @escaping @Sendable (State) -> Void = { _ in }
    ) {
        (self.address, self.settings, self.loop, self.stateChanged) = (address, settings, loop, stateChanged)
        loop.perform { [self] in begin() }
    }

    /// What is known of the connection. Any thread.
    public var state: State { current.withLock { $0 } }

    /// Sends a command. Callable on any thread.
    /// - Parameters:
    ///   - milliseconds: the time for the reply; for a command that waits on the server, that time is part of it.
    ///   - then: called once, on the loop's thread, never before this returns. What the server says of a command that it does not carry
    ///     out is a success, `.error`.
    public func send(
        _ command: [[UInt8]], within milliseconds: Int,
        _ then: @escaping @Sendable (Result<RedisValue, RedisFailure>) -> Void
    ) {
        let pending = PendingCommand(within: milliseconds, then)
        guard loop.isCurrent else {
            loop.perform { [self] in
                if let failure = issue(command, pending) { pending.end(.failure(failure)) }
            }
            return
        }
        if let failure = issue(command, pending) { loop.perform { pending.end(.failure(failure)) } }
    }

    /// Sends a command whose words are texts.
    public func send(
        _ command: [String], within milliseconds: Int,
        _ then: @escaping @Sendable (Result<RedisValue, RedisFailure>) -> Void
    ) {
        send(command.map { Array($0.utf8) }, within: milliseconds, then)
    }

    /// Subscribes to channels, now and after each time that the connection has come back, before it is ready. The connection takes no
    /// other commands then. Callable on any thread.
    /// - Parameter message: called on the loop's thread.
    public func subscribe(_ channels: [String], _ message: @escaping Receive) {
        let work: @Sendable () -> Void = { [self] in
            guard !isClosed else { return }
            self.channels += channels.map { ($0, message) }
            link?.subscribe(channels)
        }
        if loop.isCurrent { work() } else { loop.perform(work) }
    }

    /// Closes the connection for good. Commands that wait fail; of the state nobody is told any more. Callable on any thread.
    public func close() {
        if loop.isCurrent { closeNow() } else { loop.perform { [self] in closeNow() } }
    }

    private func closeNow() {
        isClosed = true
        next.take()?.cancel()
        link.take()?.close()
        let dropped = (stateChanged.take(), channels)
        channels = []
        withExtendedLifetime(dropped) {}
    }

    /// - Returns: why it was not sent.
    private func issue(_ command: [[UInt8]], _ pending: PendingCommand) -> RedisFailure? {
        if isClosed { return RedisFailure(.closed, "the connection to \(address) was closed") }
        guard channels.isEmpty else {
            return RedisFailure(.refused, "the connection to \(address) subscribes, and takes no commands")
        }
        if let link, link.isReady { return link.send(command, pending) }
        if case .failed(let failure) = state { return RedisFailure(.unreachable, failure.text) }
        return RedisFailure(.unreachable, "\(address) is still being connected to")
    }

    // MARK: What its link tells, on the loop's thread

    var subscribed: [String] { channels.map(\.name) }

    func received(_ channel: [UInt8], _ payload: [UInt8]) {
        for (name, receive) in channels where channel.elementsEqual(name.utf8) { receive(channel, payload) }
    }

    func linkIsReady(_ version: String) {
        next.take()?.cancel()
        readySince = SystemCalls.monotonicNanoseconds()
        tell(.ready(serverVersion: version))
    }

    func linkEnded(_ ended: RedisLink, _ failure: RedisFailure, loopHasEnded: Bool) {
        guard link === ended else { return }
        link = nil
        if !loopHasEnded { fail(failure) }
    }

    private func tell(_ state: State) {
        let isNew = current.withLock { current in
            defer { current = state }
            return current != state
        }
        if isNew { stateChanged?(state) }
    }

    // MARK: Attempts, on the loop's thread

    private func begin() {
        guard !isClosed else { return }
        if let missing = RedisDecoder.missing { return tell(.failed(RedisFailure(.unreachable, missing))) }
        attempt += 1
        let attempt = attempt
        next = loop.after(nanoseconds: UInt64(settings.connectTime) * 1_000_000) { [self] in
            let failure = RedisFailure(.timedOut, "\(address) did not answer within \(settings.connectTime) ms")
            if let link { link.end(failure) } else { fail(failure) }
        }
        switch address.place {
        case .unixSocket(let path): connect(.unixSocket(path: path))
        case .server(let host, let port):
            find(host, attempt) { [self] addresses in
                secure(attempt) { [self] trust in
                    connect(.server(addresses, port: port, name: host, trust: trust))
                }
            }
        }
    }

    private func connect(_ place: RawPlace) {
        let link = RedisLink(self)
        self.link = link
        link.open(place)
    }

    /// Finds the addresses of the server. Whoever runs this process has named it, so that it is none of the targets that stubs call, and
    /// the rules for these do not apply.
    private func find(_ host: String, _ attempt: Int, _ found: @escaping @Sendable ([ServerAddress]) -> Void) {
        if let address = ServerAddress(host) { return found([address]) }
        Self.names.ask(host) { [self] answer in
            loop.perform { [self] in
                guard isTrying(attempt) else { return }
                switch answer {
                case .success(let texts) where !texts.isEmpty: found(ServerAddress.read(texts))
                case .success, .failure(.unknown):
                    fail(RedisFailure(.unreachable, "\(address) cannot be reached: the host name \(host) is unknown"))
                case .failure(.failed(let reason)):
                    fail(
                        RedisFailure(.unreachable, "the addresses of \(host) for \(address) cannot be found: \(reason)")
                    )
                }
            }
        }
    }

    /// Reads whom the connection trusts from its file, once.
    private func secure(_ attempt: Int, _ secured: @escaping @Sendable (CallTrust?) -> Void) {
        if !address.isSecure || trust != nil { return secured(trust) }
        let settings = settings
        Self.names.prepare { [self] in
            let made = Result(catching: { () throws(TLSProblem) in
                try CallTrust(
                    checks: settings.checksCertificate,
                    authorities: settings.checksCertificate
                        ? settings.authorities ?? Upstream.trustedCertificates : nil,
                    settings.credentials)
            })
            loop.perform { [self] in
                guard isTrying(attempt) else { return }
                switch made {
                case .success(let trust):
                    self.trust = trust
                    secured(trust)
                case .failure(let problem): fail(RedisFailure(.unreachable, "\(address) cannot be reached: \(problem)"))
                }
            }
        }
    }

    /// Whether the attempt is under way, and has no link yet.
    private func isTrying(_ number: Int) -> Bool { !isClosed && link == nil && attempt == number && next != nil }

    private func fail(_ failure: RedisFailure) {
        next.take()?.cancel()
        guard !isClosed else { return }
        let now = SystemCalls.monotonicNanoseconds()
        // A server that ends each connection at once is not asked more often than one that is away.
        if let since = readySince.take(), now - since > 1_000_000_000 { failures = 0 }
        let delay = min(50 << min(failures, 5), 1_000)
        failures += 1
        attempt += 1
        let jittered = UInt64.random(in: UInt64(delay) * 500_000...UInt64(delay) * 1_000_000)
        next = loop.after(nanoseconds: jittered) { [self] in begin() }
        tell(.failed(failure))
    }

    /// Names are asked for again soon: behind one may be another server by then.
    private static let names = NameResolver(lifetime: 1_000_000_000) { name in
        Result(catching: { () throws(SystemCalls.NameProblem) in try SystemCalls.addresses(of: name) })
    }
}
