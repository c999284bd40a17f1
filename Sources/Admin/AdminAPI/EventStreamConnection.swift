import SDHTTPTransport
import SDJournal
import SDMockEngine
import SDPlatform
import Synchronization

/// The connection of a client that reads server-sent events (HTML Living Standard, section 9.2).
final class EventStreamConnection: EventReader, SlowReader {
    /// The most bytes that may wait for a slow client.
    private static let maxPending = 1024 * 1024

    /// Whether the connection ends with the stream.
    private let closes: Bool
    let call = HeldCall()
    /// What is gathered to be sent in one write.
    private struct Outbox {
        var pieces: [WireBytes] = []
        /// Whether somebody will send them.
        var isDue = false
        /// The time until which they are gathered, in monotonic nanoseconds.
        var next: UInt64 = 0
    }

    private let outbox = Mutex(Outbox())
    /// The bytes in it, which are asked for while it is locked. Written under its lock.
    private let gathered = Atomic(0)
    /// The time between two writes, in nanoseconds; with 0 what comes in one turn of the loop is one write.
    private let pause: UInt64
    /// The bytes that are not gathered any longer.
    private static let fullOutbox = 64 * 1024
    /// The bytes up to which a piece, as those of rows, costs less as a copy than as a write of its own.
    private static let smallPiece = 1024
    /// Tells the client more of what it missed, and says whether there is more still; and the queue that does.
    private let backlog = Mutex<(tellMore: @Sendable () -> Bool, work: WorkQueue)?>(nil)

    /// - Parameter pause: the least time between two writes, in nanoseconds. What comes after a longer one is sent at once.
    init(for request: Request, pause: UInt64 = 0) {
        self.pause = pause
        closes = request.version == .http10 || !request.keepAlive
    }

    /// The head before the events. A client of HTTP/1.0 learns from the end of the connection that they have ended.
    func head(for request: Request, headers: [(name: String, value: String)]) -> ResponseHead {
        var head = ResponseHead(status: 200, reason: "OK")
        head.add("Content-Type", "text/event-stream")
        head.add("Cache-Control", "no-store")
        for (name, value) in headers { head.add(name, value) }
        if request.version == .http11 { head.addChunks() }
        if closes { head.add("Connection", "close") }
        return head
    }

    /// Calls `work` once when the stream has ended, or at once if it already has.
    func whenOver(_ work: @escaping @Sendable () -> Void) {
        call.whenOver(work)
    }

    /// Tells the client what it missed, each piece when it has taken the one before it.
    /// - Parameters:
    ///   - work: writes the pieces.
    ///   - tellMore: tells a piece, and returns whether there is more.
    func follow(on work: WorkQueue, _ tellMore: @escaping @Sendable () -> Bool) {
        backlog.withLock { $0 = (tellMore, work) }
        // If the client has taken the first piece already, nothing else will ask for the next one.
        if call.stream != nil, pendingBytes == 0 { drained() }
    }

    /// The client has taken everything so far.
    func drained() {
        guard let (tellMore, work) = backlog.withLock({ $0 }) else { return }
        work.add { [self] in
            if call.stream == nil || !tellMore() { backlog.withLock { $0 = nil } }
        }
    }

    /// Sends complete events, together with those that come soon. A client with too many bytes waiting is cut off.
    func send(_ events: WireBytes) {
        guard events.count > 0, let stream = call.stream else { return }
        let isTaken = outbox.withLock { outbox in
            outbox.pieces.append(events)
            let count = gathered.add(events.count, ordering: .relaxed).newValue
            if count >= Self.fullOutbox { return send(&outbox, to: stream) }
            guard !outbox.isDue else { return true }
            outbox.isDue = true
            let now = pause > 0 ? SystemCalls.monotonicNanoseconds() : 0
            if now >= outbox.next {
                stream.loop.perform { [weak self] in self?.sendAll() }
            } else {
                stream.loop.after(nanoseconds: outbox.next - now) { [weak self] in self?.sendAll() }
            }
            return true
        }
        if !isTaken { cutOff() }
    }

    /// Sends what was gathered.
    private func sendAll() {
        guard let stream = call.stream else { return }
        let isTaken = outbox.withLock { outbox in
            outbox.isDue = false
            if pause > 0 { outbox.next = SystemCalls.monotonicNanoseconds() + pause }
            return send(&outbox, to: stream)
        }
        if !isTaken { cutOff() }
    }

    /// - Returns: false if too much waits for the client.
    private func send(_ outbox: inout Outbox, to stream: HeldStream) -> Bool {
        let pieces = outbox.pieces
        outbox.pieces = []
        let count = gathered.exchange(0, ordering: .relaxed)
        guard count > 0 else { return true }
        let pending = stream.pendingBytes
        guard pending == 0 || pending + count <= Self.maxPending else { return false }
        // Readers share the pieces: small ones alone are copied into one write.
        if pieces.count > 1, count <= pieces.count * Self.smallPiece {
            stream.send(WireBytes(joining: pieces))
        } else {
            for piece in pieces { stream.send(piece) }
        }
        return true
    }

    var pendingBytes: Int { (call.stream?.pendingBytes ?? 0) + gathered.load(ordering: .relaxed) }

    func cutOff() {
        call.end()?.cancel()
    }

    /// Ends the stream in order.
    func finish() {
        guard let stream = call.end() else { return }
        _ = outbox.withLock { send(&$0, to: stream) }
        stream.finish(WireScript([ending]))
    }

    /// The step after the last event.
    var ending: WireStep { .end(closes ? .close : .keepAlive) }
}
