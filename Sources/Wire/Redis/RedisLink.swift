import SDBasics
import SDHTTPTransport
import SDPlatform

/// A single connection to a server. Used on its loop's thread only.
final class RedisLink: RawConnectionObserver {
    private let owner: RedisConnection
    private let decoder: RedisDecoderBox
    private nonisolated(unsafe) var raw: RawConnection?
    private nonisolated(unsafe) var pending = PendingQueue()
    private nonisolated(unsafe) var waitingBytes = 0
    private nonisolated(unsafe) var lastReceived: UInt64 = 0
    private nonisolated(unsafe) var hasReceived = false
    private nonisolated(unsafe) var watch: ScheduledWork?
    private nonisolated(unsafe) var watchDue: UInt64 = 0
    private nonisolated(unsafe) var ping: ScheduledWork?
    private nonisolated(unsafe) var isOver = false
    private nonisolated(unsafe) var version: String?
    /// The channels to subscribe to.
    private nonisolated(unsafe) var channels: Set<String> = []
    private(set) nonisolated(unsafe) var isReady = false

    private var address: RedisAddress { owner.address }
    private var settings: RedisSettings { owner.settings }

    init(_ owner: RedisConnection) {
        self.owner = owner
        decoder = RedisDecoderBox(RedisDecoder(most: owner.settings.maxReplyBytes))
    }

    func open(_ place: RawPlace) {
        raw = RawConnection.open(
            place, on: owner.loop, within: settings.connectTime, maxUnsent: settings.maxWaitingBytes + 65_536, self)
    }

    // MARK: The end

    func close() {
        end(RedisFailure(.closed, "the connection to \(address) was closed"))
    }

    /// Ends the connection unless it has ended, and fails the waiting commands.
    func end(_ failure: RedisFailure, loopHasEnded: Bool = false) {
        guard !isOver else { return }
        (isOver, isReady) = (true, false)
        raw.take()?.close()
        watch.take()?.cancel()
        ping.take()?.cancel()
        owner.linkEnded(self, failure, loopHasEnded: loopHasEnded)
        let closed = RedisFailure(.closed, failure.text)
        while let command = pending.popFirst() { command.end(.failure(closed)) }
    }

    func connectionEnds(_ end: RawConnectionEnd) {
        raw = nil
        let reason = end.reason.isEmpty ? "" : ": \(cleaned(end.reason))"
        let failure =
            switch end.kind {
            case .closed: RedisFailure(.closed, "\(address) closed the connection")
            case .reset: RedisFailure(.closed, "the connection to \(address) broke\(reason)")
            case .unreachable: RedisFailure(.unreachable, "\(address) cannot be reached\(reason)")
            case .timedOut: RedisFailure(.timedOut, "\(address) did not answer within \(settings.connectTime) ms")
            case .distrusted:
                RedisFailure(
                    .refused, "\(address) is not trusted\(reason); SSL_CERT_FILE names the file with its authority")
            case .insecure: RedisFailure(.unreachable, "\(address) cannot be called over TLS\(reason)")
            case .stopped: RedisFailure(.closed, "the loop of the connection has ended")
            }
        self.end(failure, loopHasEnded: end.kind == .stopped)
    }

    // MARK: Commands

    /// - Returns: why it was not sent; nil if it was.
    func send(_ command: [[UInt8]], _ pending: PendingCommand) -> RedisFailure? {
        guard let raw else { return RedisFailure(.closed, "the connection to \(address) has ended") }
        let full = RedisFailure(.full, "more than \(settings.maxWaitingBytes) bytes of commands wait for \(address)")
        // At least its encoded size.
        let size = command.reduce(16) { $0 + $1.count + 16 }
        guard size <= settings.maxWaitingBytes - waitingBytes else { return full }
        guard RedisDecoder.withCommand(command, raw.send) else { return full }
        let now = SystemCalls.monotonicNanoseconds()
        pending.size = size
        pending.deadline = now + UInt64(pending.within) * 1_000_000
        pending.deadEnd = now + UInt64(max(pending.within, settings.silence)) * 1_000_000
        self.pending.append(pending)
        waitingBytes += size
        watch(until: pending.deadline)
        return nil
    }

    private func watch(until due: UInt64) {
        if watch != nil, watchDue <= due { return }
        watch?.cancel()
        watchDue = due
        let now = SystemCalls.monotonicNanoseconds()
        watch = owner.loop.after(nanoseconds: due > now ? due - now : 0) { [self] in look() }
    }

    /// Fails timed-out commands, and ends the connection if the server is silent.
    private func look() {
        watch = nil
        let now = SystemCalls.monotonicNanoseconds()
        var next = UInt64.max
        for command in pending.all where !command.isOver {
            if command.deadline <= now {
                let text = "\(address) did not reply within \(command.within) ms"
                command.end(.failure(RedisFailure(.timedOut, text)))
            } else {
                next = min(next, command.deadline)
            }
        }
        guard !isOver, let front = pending.front else { return }
        let dead = max(front.deadEnd, lastReceived + UInt64(settings.silence) * 1_000_000)
        if dead <= now {
            end(
                RedisFailure(
                    .timedOut, "\(address) has sent nothing for \(settings.silence) ms, though it owes replies"))
        } else {
            watch(until: min(next, dead))
        }
    }

    // MARK: Replies

    func connectionReceives(_ bytes: UnsafeBufferPointer<UInt8>) {
        lastReceived = SystemCalls.monotonicNanoseconds()
        let isFirst = !hasReceived
        hasReceived = true
        decoder.raw.feed(bytes)
        do throws(RedisFailure) {
            while !isOver, let value = try decoder.raw.next() { take(value) }
        } catch {
            guard !isOver else { return }
            switch error.kind {
            case .tooLarge:
                let limit = error.text.isEmpty ? "it is larger than \(settings.maxReplyBytes) bytes" : error.text
                end(RedisFailure(.tooLarge, "a reply of \(address) cannot be taken: \(limit)"))
            default:
                let hint = isFirst ? Self.hint(bytes) : ""
                end(RedisFailure(.malformed, "\(address) sent what is no reply: \(cleaned(error.text))\(hint)"))
            }
        }
    }

    /// A guess at what kind of server answers.
    private static func hint(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if bytes.starts(with: "HTTP/".utf8) { return "; it speaks HTTP" }
        // A TLS alert.
        if bytes.starts(with: [0x15, 0x03]) { return "; it speaks TLS, which is rediss:// or valkeys://" }
        return ""
    }

    private func take(_ value: RedisValue) {
        if !channels.isEmpty, case .array(let items) = value, items.count == 3, items[0] == .bytes(Self.message) {
            if let channel = items[1].data, let payload = items[2].data { owner.received(channel, payload) }
            return
        }
        guard let command = pending.popFirst() else {
            let text = value.errorText.map { ": \(cleaned($0))" } ?? ""
            return end(RedisFailure(.malformed, "\(address) sent a reply that nobody asked for\(text)"))
        }
        waitingBytes -= command.size
        command.end(.success(value))
    }

    private static let message = Array("message".utf8)

    // MARK: Set-up

    func connectionOpens() {
        if let password = address.password {
            ask(["AUTH"] + (address.user.map { [$0] } ?? []) + [password]) { [self] in check($0, "AUTH") }
        }
        // The name helps people; a user who may not set one works without it.
        if let name = settings.name { ask(["CLIENT", "SETNAME", name]) { _ in } }
        if address.database != 0 {
            ask(["SELECT", String(address.database)]) { [self] in check($0, "SELECT \(address.database)") }
        }
        ask(["INFO", "server"]) { [self] in readInfo($0) }
        // Rejected while the server is still loading its data.
        ask(["PING"]) { [self] reply in
            if check(reply, "PING") { subscribeFirst() }
        }
    }

    /// Sends a command of the set-up phase, limited by the connect timeout.
    private func ask(_ words: [String], _ then: @escaping @Sendable (RedisValue) -> Void) {
        guard !isOver else { return }
        let command = PendingCommand(within: settings.connectTime) { result in
            if case .success(let value) = result { then(value) }
        }
        if let failure = send(words.map { Array($0.utf8) }, command) { end(failure) }
    }

    /// Ends the connection if the server rejects a required command.
    @discardableResult
    private func check(_ reply: RedisValue, _ command: String) -> Bool {
        guard !isOver, case .error(let text) = reply else { return !isOver }
        if text.hasPrefix("LOADING") || text.hasPrefix("BUSY") || text.hasPrefix("MASTERDOWN") {
            end(RedisFailure(.unreachable, "\(address) is not ready: \(cleaned(text))"))
        } else if text.hasPrefix("NOAUTH") {
            end(RedisFailure(.refused, "\(address) wants a password: \(cleaned(text))"))
        } else {
            end(RedisFailure(.refused, "\(address) refuses \(command): \(cleaned(text))"))
        }
        return false
    }

    private func readInfo(_ reply: RedisValue) {
        // Only servers with users, since version 6, reject commands for one.
        if case .error(let text) = reply, text.hasPrefix("NOPERM") {
            version = "Redis 6 or later"
            return
        }
        guard check(reply, "INFO") else { return }
        guard let server = ServerVersion(info: reply.text ?? "") else {
            return end(RedisFailure(.malformed, "\(address) does not say which version of Redis or Valkey it is"))
        }
        guard server.isSupported else {
            return end(RedisFailure(.refused, "\(address) is \(server); Redis 6 or later, or Valkey, is needed"))
        }
        version = server.description
    }

    private func subscribeFirst() {
        let channels = owner.subscribed
        guard !channels.isEmpty else { return beReady() }
        subscribe(channels, isFirst: true)
    }

    private func beReady() {
        guard !isOver else { return }
        isReady = true
        owner.linkIsReady(version ?? "Redis")
        if !channels.isEmpty { pingLater() }
    }

    // MARK: Channels

    /// Subscribes to more channels; those added before the connection is ready are part of the set-up.
    func subscribe(_ names: [String]) {
        if isReady || !channels.isEmpty { subscribe(names, isFirst: false) }
    }

    private func subscribe(_ names: [String], isFirst: Bool) {
        let added = names.filter { channels.insert($0).inserted }
        for name in added {
            ask(["SUBSCRIBE", name]) { [self] reply in
                guard check(reply, "SUBSCRIBE"), isFirst, name == added.last else { return }
                beReady()
            }
        }
        if isReady, ping == nil { pingLater() }
    }

    /// An idle server looks like a dead one, so ping it.
    private func pingLater() {
        guard !isOver else { return }
        ping = owner.loop.after(nanoseconds: UInt64(settings.silence) * 500_000) { [self] in
            ask(["PING"]) { _ in }
            pingLater()
        }
    }

    // MARK: Texts

    /// A text of the server for people: bounded, on one line, without the password.
    private func cleaned(_ text: String) -> String {
        var text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(300).map { $0.value < 0x20 ? " " : $0 }))
        if let password = address.password { text = text.replacing(text: password, with: "***") }
        return text
    }
}

/// Lets a link, which is used on one thread only, hold a decoder.
final class RedisDecoderBox: Sendable {
    nonisolated(unsafe) let raw: RedisDecoder

    init(_ raw: RedisDecoder) {
        self.raw = raw
    }
}
