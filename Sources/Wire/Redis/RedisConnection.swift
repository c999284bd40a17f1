public import SDHTTPTransport
import SDPlatform
import SDUpstream
import Synchronization

/// A connection to a Redis or Valkey server on one loop, which reconnects automatically.
///
/// Commands are pipelined, and each is sent once: a command without a reply fails, and is never repeated, since it may
/// have been executed. Without a connection, commands fail at once.
///
/// A command that times out fails alone. Replies are in the order of the commands, so a late one is recognised and
/// dropped: a slow server costs no connection. A server that owes replies and sends nothing for `RedisSettings.silence`
/// counts as dead.
///
/// Lives until it is closed or the loop ends.
public final class RedisConnection: Sendable {
    public enum State: Sendable, Equatable {
        /// Not known yet.
        case connecting
        /// With the server's version, such as `Redis 7.0.15`.
        case ready(serverVersion: String)
        /// Will retry, unless the library is missing.
        case failed(RedisFailure)
    }

    /// Why this machine cannot connect (hiredis is missing); nil if it can.
    public static var unavailable: String? { RedisDecoder.missing }

    public typealias Receive = @Sendable (_ channel: [UInt8], _ payload: [UInt8]) -> Void

    let address: RedisAddress
    let settings: RedisSettings
    let loop: Loop
    private let current = Mutex(State.connecting)
    // Used on the loop's thread only, and by `init`.
    private nonisolated(unsafe) var stateChanged: (@Sendable (State) -> Void)?
    private nonisolated(unsafe) var link: RedisLink?
    private nonisolated(unsafe) var isClosed = false
    /// The subscribed channels in order, with their closures.
    private nonisolated(unsafe) var channels: [(name: String, receive: Receive)] = []
    /// The number of attempts so far, to recognise late events of earlier ones.
    private nonisolated(unsafe) var attempt = 0
    private nonisolated(unsafe) var failures = 0
    private nonisolated(unsafe) var readySince: UInt64?
    private nonisolated(unsafe) var next: ScheduledWork?
    private nonisolated(unsafe) var trust: CallTrust?

    /// Starts to connect.
    /// - Parameter stateChanged: called on the loop's thread with each change, until the connection is closed.
    public init(
        _ address: RedisAddress, settings: RedisSettings = RedisSettings(), on loop: Loop,
        stateChanged: @escaping @Sendable (State) -> Void = { _ in }
    ) {
        (self.address, self.settings, self.loop, self.stateChanged) = (address, settings, loop, stateChanged)
        loop.perform { [self] in begin() }
    }

    /// The current state. Any thread.
    public var state: State { current.withLock { $0 } }

    /// Sends a command. Callable on any thread.
    /// - Parameters:
    ///   - milliseconds: the timeout for the reply, including the time for which a command blocks on the server.
    ///   - then: called once, on the loop's thread, never before this returns. An error reply of the server is a
    ///     success with the value `.error`.
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

    /// Sends a command given as texts.
    public func send(
        _ command: [String], within milliseconds: Int,
        _ then: @escaping @Sendable (Result<RedisValue, RedisFailure>) -> Void
    ) {
        send(command.map { Array($0.utf8) }, within: milliseconds, then)
    }

    /// Subscribes to channels, now and after each reconnection, before the connection is ready. The connection then
    /// accepts no other commands. Callable on any thread.
    /// - Parameter message: called on the loop's thread.
    public func subscribe(_ channels: [String], _ message: @escaping Receive) {
        let work: @Sendable () -> Void = { [self] in
            guard !isClosed else { return }
            self.channels += channels.map { ($0, message) }
            link?.subscribe(channels)
        }
        if loop.isCurrent { work() } else { loop.perform(work) }
    }

    /// Closes the connection for good. Waiting commands fail; state changes are no longer reported. Callable on any
    /// thread.
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

    /// - Returns: why it was not sent; nil if it was.
    private func issue(_ command: [[UInt8]], _ pending: PendingCommand) -> RedisFailure? {
        if isClosed { return RedisFailure(.closed, "the connection to \(address) was closed") }
        guard channels.isEmpty else {
            return RedisFailure(.refused, "the connection to \(address) subscribes, and takes no commands")
        }
        if let link, link.isReady { return link.send(command, pending) }
        if case .failed(let failure) = state { return RedisFailure(.unreachable, failure.text) }
        return RedisFailure(.unreachable, "\(address) is still being connected to")
    }

    // MARK: Callbacks of the link, on the loop's thread

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

    /// Finds the addresses of the server. The rules for stubs' targets do not apply, because the server is named by the
    /// operator.
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

    /// Reads the trusted authorities from their file, once.
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

    /// Whether the attempt is in progress and has no link yet.
    private func isTrying(_ number: Int) -> Bool { !isClosed && link == nil && attempt == number && next != nil }

    private func fail(_ failure: RedisFailure) {
        next.take()?.cancel()
        guard !isClosed else { return }
        let now = SystemCalls.monotonicNanoseconds()
        // A server that ends every connection at once is retried no more often than an unreachable one.
        if let since = readySince.take(), now - since > 1_000_000_000 { failures = 0 }
        let delay = min(50 << min(failures, 5), 1_000)
        failures += 1
        attempt += 1
        let jittered = UInt64.random(in: UInt64(delay) * 500_000...UInt64(delay) * 1_000_000)
        next = loop.after(nanoseconds: jittered) { [self] in begin() }
        tell(.failed(failure))
    }

    /// Names are resolved again soon: they may move to another server.
    private static let names = NameResolver(lifetime: 1_000_000_000) { name in
        Result(catching: { () throws(SystemCalls.NameProblem) in try SystemCalls.addresses(of: name) })
    }
}
