import SDHTTPTransport
import SDJournal
import SDMockEngine
import SDPlatform
import Synchronization

/// The connection of a client that reads server-sent events (HTML Living Standard, section 9.2).
final class EventStreamConnection: EventReader, SlowReader {
    /// The maximum number of bytes buffered for a slow client.
    private static let maxPending = 1024 * 1024

    /// Whether the connection closes after the stream.
    private let closes: Bool
    let call = OpenCall()
    /// The bytes collected for the next write.
    private struct Outbox {
        var pieces: [WireBytes] = []
        /// Whether a send is scheduled.
        var isDue = false
        /// The time of the next write, in monotonic nanoseconds.
        var next: UInt64 = 0
    }

    /// Under it: the connection's loop, and the memory's ledger.
    private let outbox = Mutex(Outbox())
    /// The number of bytes in the outbox, readable without its lock. Written under its lock.
    private let gathered = Atomic(0)
    /// The time between two writes, in nanoseconds; with 0, one iteration of the loop makes one write.
    private let pause: UInt64
    /// The number of bytes at which the outbox is sent at once.
    private static let fullOutbox = 64 * 1024
    /// The size in bytes up to which copying a slice, such as a row, is cheaper than writing it separately.
    private static let smallPiece = 1024
    /// Sends the client more of what it missed and returns whether there is more; with the queue to run it on.
    private let backlog = Mutex<(replayMore: @Sendable () -> Bool, work: WorkQueue)?>(nil)

    /// - Parameter pause: the minimum time between two writes, in nanoseconds. An event after a longer pause is sent at
    ///   once.
    init(for request: Request, pause: UInt64 = 0) {
        self.pause = pause
        closes = request.version == .http10 || !request.keepAlive
    }

    /// The head before the events. For an HTTP/1.0 client, the end of the connection ends the stream.
    func head(for request: Request, headers: [(name: String, value: String)]) -> ResponseHead {
        var head = ResponseHead(status: 200, reason: "OK")
        head.add("Content-Type", "text/event-stream")
        head.add("Cache-Control", "no-store")
        for (name, value) in headers { head.add(name, value) }
        if request.version == .http11 { head.addChunks() }
        if closes { head.add("Connection", "close") }
        return head
    }

    /// Calls `work` once the stream has ended; at once if it already has.
    func whenOver(_ work: @escaping @Sendable () -> Void) {
        call.whenOver(work)
    }

    /// Sends the client what it missed, each slice when it has received the one before.
    /// - Parameters:
    ///   - work: the queue that writes the slices.
    ///   - replayMore: sends a slice, and returns whether there is more.
    func follow(on work: WorkQueue, _ replayMore: @escaping @Sendable () -> Bool) {
        backlog.withLock { $0 = (replayMore, work) }
        // If the client has already received the first slice, nothing else triggers the next.
        if call.stream != nil, pendingBytes == 0 { drained() }
    }

    /// The client has received everything so far.
    func drained() {
        guard let (replayMore, work) = backlog.withLock({ $0 }) else { return }
        work.add { [self] in
            if call.stream == nil || !replayMore() { backlog.withLock { $0 = nil } }
        }
    }

    /// Sends complete events, coalesced with those that follow soon. A client with too many unsent bytes is
    /// disconnected.
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

    /// Sends what was collected.
    private func sendAll() {
        guard let stream = call.stream else { return }
        let isTaken = outbox.withLock { outbox in
            outbox.isDue = false
            if pause > 0 { outbox.next = SystemCalls.monotonicNanoseconds() + pause }
            return send(&outbox, to: stream)
        }
        if !isTaken { cutOff() }
    }

    /// - Returns: false if too many bytes are unsent.
    private func send(_ outbox: inout Outbox, to stream: StreamingReply) -> Bool {
        let pieces = outbox.pieces
        outbox.pieces = []
        let count = gathered.exchange(0, ordering: .relaxed)
        guard count > 0 else { return true }
        let pending = stream.pendingBytes
        guard pending == 0 || pending + count <= Self.maxPending else { return false }
        // Readers share the slices; only if all are small are they copied into one write.
        if pieces.count > 1, count <= pieces.count * Self.smallPiece {
            stream.send(WireBytes(joining: pieces))
        } else {
            for piece in pieces { stream.send(piece) }
        }
        return true
    }

    var pendingBytes: Int { (call.stream?.pendingBytes ?? 0) + gathered.load(ordering: .relaxed) }

    func cutOff() {
        call.claimStream()?.cancel()
    }

    /// Ends the stream in order.
    func finish() {
        guard let stream = call.claimStream() else { return }
        _ = outbox.withLock { send(&$0, to: stream) }
        stream.finish(WireScript([ending]))
    }

    /// The step after the last event.
    var ending: WireStep { .end(closes ? .close : .keepAlive) }
}
