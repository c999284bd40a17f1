package import SDHTTPTransport
import SDJournal
import SDPlatform
package import SDUpstream
package import SDWebSocket

/// A WebSocket between a client and another server. Each message passes through a channel, and is recorded in the
/// journal.
///
/// `@unchecked Sendable`: mutable state is used only on the thread of their loop.
package final class ProxiedChannel: WebSocketObserver, @unchecked Sendable {
    private let channel: Channel
    private let session: any ChannelSession
    private let server: UpstreamTransfer
    private let account: MemoryAccount
    /// Called at the end with a summary of the traffic.
    private let whenEnded: @Sendable (String) -> Void

    private var stream: WebSocketStream?
    private var reader: WebSocketFrameReader
    /// Bytes from the server that are not parsed yet, because the client has not taken earlier ones.
    private var rest: [UInt8] = []
    private var counted = 0
    private var isReading = false
    /// Whether reading continues in the next iteration of the loop.
    private var isInTurn = false
    /// How the server's side ended, which the client learns after earlier messages; nil if it has not.
    private var ending: UpstreamProblem??
    /// Whether reading from the client is paused, because the server has not taken its bytes.
    private var isBehind = false
    /// Whether the server was sent a close frame, whether it has sent one, whether it sends nothing more, and whether
    /// its connection has ended.
    private var sentClose = false
    private var gotClose = false
    private var isOver = false
    private var isGone = false
    private var patience: ScheduledWork?
    private var counts = (up: 0, down: 0)

    /// The largest number of bytes that wait for the client, and the milliseconds that a server has for its close
    /// frame.
    private static let (most, closeTimeout) = (65_536, 5000)
    /// The largest number of frames parsed in one iteration of the loop, after which other connections are served.
    private static let turn = 256

    fileprivate init(
        _ channel: Channel, _ session: any ChannelSession, _ server: UpstreamTransfer, _ settings: WebSocketSettings,
        _ whenEnded: @escaping @Sendable (String) -> Void
    ) {
        self.channel = channel
        self.session = session
        self.server = server
        self.whenEnded = whenEnded
        account = session.memory.account(.messages)
        reader = WebSocketFrameReader(settings, inflates: settings.compresses, readsServer: true)
    }

    fileprivate func begin(_ stream: WebSocketStream) {
        self.stream = stream
        channel.attach(stream)
    }

    // MARK: From the client

    package func received(_ message: WebSocketMessage, on stream: WebSocketStream) {
        counts.up += 1
        session.channels.record(.received, message, on: channel, in: session)
        send(WebSocketClientFrames.message(message))
    }

    package func pinged(_ payload: [UInt8], on stream: WebSocketStream) { send(WebSocketClientFrames.ping(payload)) }

    package func ponged(_ payload: [UInt8], on stream: WebSocketStream) { send(WebSocketClientFrames.pong(payload)) }

    package func drained(_ stream: WebSocketStream) { readOn() }

    package func closing(_ cause: WebSocketEnd.Cause, code: Int, reason: String, on stream: WebSocketStream) {
        session.channels.unlist(channel)
        close(code, reason)
    }

    package func overflowed(_ stream: WebSocketStream, waiting: Int) {
        session.noteMessageTrouble(
            "a client does not read what another server sends: \(waiting) bytes wait, and it is reset")
    }

    package func ended(_ end: WebSocketEnd, on stream: WebSocketStream) {
        session.channels.remove(channel, ChannelNote.End(end))
        self.stream = nil
        rest = []
        count()
        if !isGone {
            server.setReading(true)
            server.finish()
            limit(stream.loop)
        }
        whenEnded(
            "has ended with \(end.code): \(counts.up) messages of its client have passed, and \(counts.down) of the server"
        )
    }

    /// Sends frames to the server. If it cannot take them, reading from the client is paused.
    private func send(_ frames: [UInt8]) {
        guard !isOver, !sentClose, !server.send(frames), !isBehind else { return }
        isBehind = true
        stream?.pauseReading()
    }

    private func close(_ code: Int, _ reason: String) {
        guard !sentClose else { return }
        send(WebSocketClientFrames.close(code, reason))
        sentClose = true
        if let stream { limit(stream.loop) }
    }

    /// Ends the call if the server does not end in time.
    private func limit(_ loop: Loop) {
        guard patience == nil, !isGone else { return }
        patience = loop.after(nanoseconds: UInt64(Self.closeTimeout) * 1_000_000) { [self] in
            (isOver, isGone) = (true, true)
            server.cancel()
        }
    }

    // MARK: From the server

    /// Handles bytes after the 101.
    package func came(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard !isOver, !gotClose, stream != nil else { return }
        rest += bytes
        readOn()
    }

    /// The server can take more bytes.
    package func serverWants() {
        guard isBehind else { return }
        isBehind = false
        stream?.resumeReading()
    }

    /// The server has finished sending.
    package func serverFinishes() {
        isOver = true
        server.finish()
        if let stream { limit(stream.loop) }
        passEnd(nil)
    }

    /// The connection to the server has ended.
    /// - Parameter problem: the reason; nil for a normal end.
    package func serverEnds(_ problem: UpstreamProblem?) {
        let isNew = !isOver
        (isOver, isGone) = (true, true)
        patience.take()?.cancel()
        if isNew { passEnd(problem) }
    }

    /// Ends the client's side as the server has ended its own, unless both have sent close frames.
    private func passEnd(_ problem: UpstreamProblem?) {
        ending = .some(problem)
        // Received messages are passed on first.
        readOn()
    }

    private var isFull: Bool { stream.map { $0.pendingBytes > Self.most } ?? false }

    private func readOn() {
        guard !isReading, !isInTurn, let stream else { return }
        isReading = true
        var (bytes, at) = (rest, 0)
        rest = []
        let begin = SystemCalls.monotonicNanoseconds()
        var count = 0
        var isOut = false
        while !gotClose, !isOut, isOver || !isFull, let event = reader.next(in: &bytes, from: &at) {
            take(event, stream)
            count += 1
            isOut = count == Self.turn || (count % 16 == 0 && SystemCalls.monotonicNanoseconds() - begin > 2_000_000)
        }
        if at < bytes.count, !gotClose { rest = Array(bytes[at...]) }
        isReading = false
        self.count()
        if isOut, !gotClose {
            isInTurn = true
            stream.loop.perform { [self] in
                isInTurn = false
                readOn()
            }
        } else if case .some(let problem) = ending, !gotClose {
            if problem?.kind == .timedOut {
                stream.close(1001, "nothing has passed for too long")
            } else {
                stream.breakOff(resets: problem?.kind == .reset)
            }
        }
        if !isOver { server.setReading(gotClose || (!isFull && !isInTurn)) }
    }

    private func take(_ event: WebSocketEvent, _ stream: WebSocketStream) {
        switch event {
        case .message(let message):
            counts.down += 1
            session.channels.record(.sent, message, on: channel, in: session)
            leave(.message(message), message)
        case .ping(let payload): stream.ping(payload)
        case .pong(let payload): stream.pong(payload)
        case .close(let code, let reason):
            gotClose = true
            close(code, "")
            // Sent after messages that session faults delay.
            leave(.close(code: code, reason: reason), nil)
        case .refused(let fault):
            gotClose = true
            close(fault.code, fault.text)
            // Bad Gateway in IANA's registry.
            stream.close(1014, "the other server: \(fault.text)")
        }
    }

    private func leave(_ content: Outgoing.Content, _ message: WebSocketMessage?) {
        session.channels.leave(content, message, on: channel, Channels.OutgoingEntry(), in: session)
    }

    private func count() {
        let now = reader.heldBytes + rest.count
        if now != counted { account.add(now - counted) }
        counted = now
    }

    deinit {
        if counted != 0 { account.add(-counted) }
    }
}

extension Channels {
    /// Opens a channel that proxies messages between a client and another server, after the server's 101. On the loop's
    /// thread.
    /// - Parameters:
    ///   - held: the client's stream, which waits for its answer.
    ///   - answer: the fields of the 101.
    ///   - fields: the fields that the client gets.
    ///   - shape: the transforms of the head.
    ///   - opening: makes the script of the head.
    ///   - whenEnded: called at the end with a summary of the traffic.
    /// - Returns: nil if the session or the client's stream has ended.
    package func open(
        _ request: Request, _ call: WebSocketCall, to server: UpstreamTransfer, in session: any ChannelSession,
        on held: StreamingReply, answer: [(name: String, value: String)], fields: [(name: String, value: String)],
        shape: BodyShape, opening: (ResponseHead) -> WireScript, whenEnded: @escaping @Sendable (String) -> Void
    ) -> ProxiedChannel? {
        guard let channel = opened(.webSocket(request), since: request.wallTime, isProxied: true) else { return nil }
        var settings = settings(in: session)
        settings.answersPings = false
        settings.compresses = call.isCompressed(by: answer)
        // One message may always wait.
        let longest = max(settings.textLimit, settings.binaryLimit)
        settings.outputLimit = longest < .max / 2 ? max(settings.outputLimit, 2 * longest) : .max
        let proxied = ProxiedChannel(channel, session, server, settings, whenEnded)
        let stream = held.openWebSocket(
            call.offer, fields: fields, settings, observer: proxied, shape: shape, opening: opening)
        guard let stream else {
            remove(channel)
            return nil
        }
        proxied.begin(stream)
        return proxied
    }
}
