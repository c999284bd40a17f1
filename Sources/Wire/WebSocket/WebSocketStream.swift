public import SDHTTPTransport
import SDPlatform
import Synchronization

/// The server's side of an open WebSocket (RFC 6455). No thread waits for it: its observer is called on the loop's
/// thread, and output is sent as the client reads. Its functions are callable on any thread; after the end they do
/// nothing.
///
/// Sendable because mutable state is used on the loop's thread only, except `queued`, which is atomic.
public final class WebSocketStream: @unchecked Sendable {
    public let loop: Loop
    public let subprotocol: String?
    let settings: WebSocketSettings
    /// The compression window; nil without permessage-deflate.
    private let windowBits: Int?
    /// The number of bytes on their way to the loop.
    private let queued = Atomic<Int>(0)

    private var observer: (any WebSocketObserver)?
    private var held: StreamingReply?
    private var reader: WebSocketFrameReader
    /// Received bytes not parsed yet, because the observer pauses or other connections are served first.
    private var rest: [UInt8] = []
    private var counted = 0
    private var isReading = false
    private var isPaused = false
    /// The cause of the end, with the code and reason of the first close frame; nil while open.
    private var ending: (cause: WebSocketEnd.Cause, code: Int, reason: String)?
    private var sentClose = false
    private var gotClose = false
    private var closeTimer: ScheduledWork?
    private var idleTimer: ScheduledWork?
    private var lastActivity: UInt64 = 0
    /// Frames coalesced while received bytes are parsed.
    private var gathered: [UInt8]?

    init(
        _ loop: Loop, _ settings: WebSocketSettings, subprotocol: String?, windowBits: Int?,
        _ observer: any WebSocketObserver
    ) {
        self.loop = loop
        self.settings = settings
        self.subprotocol = subprotocol
        self.windowBits = windowBits
        self.observer = observer
        reader = WebSocketFrameReader(settings, inflates: windowBits != nil)
    }

    /// Whether permessage-deflate was agreed on.
    public var isCompressed: Bool { windowBits != nil }

    /// The number of unsent bytes. On the loop's thread; on another thread, only those still on their way to the loop.
    public var pendingBytes: Int {
        max(queued.load(ordering: .relaxed), 0) + (loop.isCurrent ? held?.pendingBytes ?? 0 : 0)
    }

    /// Answers the request. On the loop's thread.
    func begin(_ reply: consuming Reply, _ head: ResponseHead) {
        lastActivity = SystemCalls.monotonicNanoseconds()
        let held = reply.hold(
            [.head(head)],
            onDrained: { [self] in if isOpened { observer?.drained(self) } },
            onInput: { [self] in came($0) },
            onEnd: { [self] in ended($0) })
        guard observer != nil else { return }
        self.held = held
        watchIdleness()
        readOn()
    }

    /// Answers a request by a streaming reply. On the loop's thread.
    /// - Parameter shape: the transforms of the opening.
    /// - Returns: false if the stream does not support it.
    func begin(on held: StreamingReply, _ opening: WireScript, shape: BodyShape) -> Bool {
        lastActivity = SystemCalls.monotonicNanoseconds()
        let isBegun = held.goOn(
            onDrained: { [self] in if isOpened { observer?.drained(self) } },
            onInput: { [self] in came($0) },
            onEnd: { [self] in ended($0) })
        guard isBegun else { return false }
        self.held = held
        held.play(opening, shape: shape)
        watchIdleness()
        return true
    }

    private var isOpened: Bool { held != nil }

    /// Runs work on the loop's thread; at once if this is that thread.
    private func perform(_ work: @escaping @Sendable (WebSocketStream) -> Void) {
        if loop.isCurrent { work(self) } else { loop.perform { [self] in work(self) } }
    }

    // MARK: Sending

    /// Sends a message. Ignored after a close frame was sent.
    /// - Parameter fragment: the maximum size of a frame in bytes; nil for a single frame.
    public func send(_ message: WebSocketMessage, fragment: Int? = nil) {
        let isLong = message.bytes.count >= settings.compressionLeast
        let compressed = windowBits.flatMap { bits in
            isLong
                ? WebSocketFrameWriter.compressedFrames(of: message, windowBits: bits, fragment: fragment) : nil
        }
        give(compressed ?? WebSocketFrameWriter.frames(of: message, fragment: fragment))
    }

    /// Sends a message that is shared with other streams.
    public func send(_ frames: WebSocketFrames) {
        let bytes = windowBits == 15 ? frames.compressed ?? frames.plain : frames.plain
        transmit(bytes) { !$0.sentClose }
    }

    /// Sends raw bytes, which need not be frames, even after a close frame.
    public func sendRaw(_ bytes: [UInt8]) {
        transmit(WireBytes(bytes, in: settings.account)) { _ in true }
    }

    /// - Parameter payload: its first 125 bytes are sent.
    public func ping(_ payload: [UInt8] = []) { give(WebSocketFrameWriter.ping(payload)) }

    /// - Parameter payload: its first 125 bytes are sent.
    public func pong(_ payload: [UInt8] = []) { give(WebSocketFrameWriter.pong(payload)) }

    private func give(_ frames: [UInt8]) {
        if loop.isCurrent, gathered != nil {
            if sentClose { return }
            if gathered?.isEmpty == true { gathered = frames } else { gathered?.append(contentsOf: frames) }
            if gathered.map({ $0.count > Self.most }) == true { sendGathered() }
            return
        }
        transmit(WireBytes(frames, in: settings.account)) { !$0.sentClose }
    }

    /// The maximum number of bytes of coalesced frames.
    private static let most = 65_536

    private func transmit(_ bytes: WireBytes, if allows: @escaping @Sendable (WebSocketStream) -> Bool) {
        guard !loop.isCurrent else {
            if allows(self) { put(bytes) }
            return
        }
        queued.add(bytes.count, ordering: .relaxed)
        let isPosted = loop.perform { [self] in
            queued.subtract(bytes.count, ordering: .relaxed)
            if allows(self) { put(bytes) }
        }
        if !isPosted { queued.subtract(bytes.count, ordering: .relaxed) }
    }

    /// Appends to the output, unless too many bytes are unsent. On the loop's thread.
    private func put(_ bytes: WireBytes) {
        sendGathered()
        guard let held else { return }
        let waiting = held.pendingBytes
        if waiting > 0, waiting + bytes.count > settings.outputLimit {
            guard ending?.cause != .slowReader else { return }
            observer?.overflowed(self, waiting: waiting)
            ending = (.slowReader, 1006, "")
            sentClose = true
            return held.cancel()
        }
        // While parsing, the bytes were received just now.
        if !isReading { lastActivity = SystemCalls.monotonicNanoseconds() }
        held.sendAtOnce(bytes)
    }

    private func sendGathered() {
        guard let frames = gathered, !frames.isEmpty else { return }
        gathered = []
        put(WireBytes(frames, in: settings.account))
    }

    // MARK: Reading

    /// Pauses the delivery of messages; the client's bytes wait at the client.
    public func pauseReading() {
        perform { stream in
            guard !stream.isPaused else { return }
            stream.isPaused = true
            stream.held?.readInput(false)
        }
    }

    public func resumeReading() {
        perform { stream in
            guard stream.isPaused else { return }
            stream.isPaused = false
            stream.held?.readInput(true)
            // Posted, because the observer may call this.
            stream.loop.perform { stream.readOn() }
        }
    }

    private func came(_ bytes: consuming [UInt8]) {
        lastActivity = SystemCalls.monotonicNanoseconds()
        guard isOpened, !isPaused, !isReading, rest.isEmpty else {
            rest += bytes
            return count()
        }
        read(bytes)
    }

    private func readOn() {
        guard isOpened, !isPaused, !isReading, !rest.isEmpty else { return }
        let bytes = rest
        rest = []
        read(bytes)
    }

    /// The maximum number of events and nanoseconds per time slice, after which other connections are served.
    private static let turn: (events: Int, nanoseconds: UInt64) = (256, 2_000_000)

    /// Unmasks the bytes in place.
    private func read(_ bytes: consuming [UInt8]) {
        var (at, events) = (0, 0)
        isReading = true
        gathered = []
        while !gotClose, !isPaused, let event = reader.next(in: &bytes, from: &at) {
            take(event)
            events += 1
            if isTurnOver(events) { break }
        }
        sendGathered()
        gathered = nil
        isReading = false
        if gotClose || observer == nil {
            rest = []
        } else if at < bytes.count {
            rest = bytes[at...] + rest
            if !isPaused { yield() }
        }
        count()
    }

    private func isTurnOver(_ events: Int) -> Bool {
        guard events >= 16 else { return false }
        return events >= Self.turn.events
            || SystemCalls.monotonicNanoseconds() - lastActivity > Self.turn.nanoseconds
    }

    /// Continues after other connections were served.
    private func yield() {
        held?.readInput(false)
        loop.perform { [self] in
            guard isOpened, !isPaused else { return }
            lastActivity = SystemCalls.monotonicNanoseconds()
            held?.readInput(true)
            readOn()
        }
    }

    private func take(_ event: WebSocketEvent) {
        switch event {
        case .message(let message): observer?.received(message, on: self)
        case .ping(let payload):
            if settings.answersPings { pong(payload) }
            observer?.pinged(payload, on: self)
        case .pong(let payload): observer?.ponged(payload, on: self)
        case .close(let code, let reason):
            gotClose = true
            begin(.client, code, reason)
            finish(code, "")
        case .refused(let fault):
            gotClose = true
            begin(.fault(fault), fault.code, fault.text)
            finish(fault.code, fault.text)
        }
    }

    /// Updates the memory account for received bytes.
    private func count() {
        guard let account = settings.account else { return }
        let now = reader.heldBytes + rest.count
        if now != counted { account.add(now - counted) }
        counted = now
    }

    // MARK: Ending

    /// Closes with a code and a reason: sends a close frame, and waits for the client's, for a limited time.
    /// - Parameter code: 1005 for a frame without one.
    public func close(_ code: Int = 1000, _ reason: String = "") {
        perform { $0.close(.server, code, reason) }
    }

    private func close(_ cause: WebSocketEnd.Cause, _ code: Int, _ reason: String) {
        guard isOpened, ending == nil else { return }
        begin(cause, code, reason)
        give(WebSocketFrameWriter.close(code, reason))
        sendGathered()
        sentClose = true
        // The client's close frame comes after the waiting bytes.
        resumeReading()
        limitClosing()
    }

    /// Starts the end, unless it has started.
    private func begin(_ cause: WebSocketEnd.Cause, _ code: Int, _ reason: String) {
        guard ending == nil else { return }
        ending = (cause, code, reason)
        observer?.closing(cause, code: code, reason: reason, on: self)
    }

    /// Ends the connection when the close timeout is over.
    private func limitClosing() {
        guard isOpened, closeTimer == nil else { return }
        closeTimer = loop.after(nanoseconds: UInt64(max(settings.closeTimeout, 0)) * 1_000_000) { [weak self] in
            self?.held?.cancel()
        }
    }

    /// Sends the close frame, unless it was sent, and then ends the connection.
    private func finish(_ code: Int, _ reason: String) {
        if !sentClose { give(WebSocketFrameWriter.close(code, reason)) }
        sendGathered()
        sentClose = true
        held?.play(Self.end)
        limitClosing()
    }

    /// In HTTP/1.1 this ends the connection, in HTTP/2 only the stream.
    private static let end = WireScript([.end(.keepAlive)])
    private static let reset = WireScript([.abort(.resetStream(code: 8))])

    /// Ends the connection (in HTTP/2 the stream) without a close frame, after the output is sent.
    /// - Parameter resets: whether to reset instead of an orderly end.
    public func breakOff(resets: Bool = false) {
        perform { stream in
            stream.sendGathered()
            if stream.ending == nil { stream.ending = (.brokenOff, 1006, "") }
            stream.sentClose = true
            stream.held?.play(resets ? Self.reset : Self.end)
        }
    }

    /// Resets the connection, dropping unsent bytes.
    public func cancel() {
        perform { stream in
            if stream.ending == nil { stream.ending = (.brokenOff, 1006, "") }
            stream.sentClose = true
            stream.held?.cancel()
        }
    }

    /// Closes after the idle timeout. A timer checks at the earliest possible time.
    private func watchIdleness() {
        guard let limit = settings.idleTimeout, isOpened, ending == nil else { return }
        let (now, longest) = (SystemCalls.monotonicNanoseconds(), UInt64(max(limit, 1)) * 1_000_000)
        let end = lastActivity + longest
        guard now < end else { return close(.idle, 1001, "nothing was sent for \(limit) ms") }
        idleTimer = loop.after(nanoseconds: end - now) { [weak self] in self?.watchIdleness() }
    }

    private func ended(_ end: StreamEnd) {
        closeTimer.take()?.cancel()
        idleTimer.take()?.cancel()
        held = nil
        rest = []
        reader = WebSocketFrameReader(settings, inflates: false)
        count()
        let cause = ending ?? (end.outcome == .stopped ? .stopped : .gone, 1006, "")
        let isFault = if case .fault = cause.cause { true } else { false }
        let wasClean = gotClose && sentClose && !isFault && (end.outcome == .sent || end.outcome == .clientDisconnected)
        let (told, observer) = (
            WebSocketEnd(
                cause: cause.cause, code: cause.code, reason: cause.reason, wasClean: wasClean,
                bytesSent: end.bytesSent), self.observer
        )
        self.observer = nil
        observer?.ended(told, on: self)
    }
}
