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
    /// Tells the client more of what it missed, and says whether there is more still; and the queue that does.
    private let backlog = Mutex<(tellMore: @Sendable () -> Bool, work: WorkQueue)?>(nil)

    init(for request: Request) {
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
        if let stream = call.stream, stream.pendingBytes == 0 { drained() }
    }

    /// The client has taken everything so far.
    func drained() {
        guard let (tellMore, work) = backlog.withLock({ $0 }) else { return }
        work.add { [self] in
            if call.stream == nil || !tellMore() { backlog.withLock { $0 = nil } }
        }
    }

    /// Sends complete events. A client with too many bytes waiting is cut off.
    func send(_ events: WireBytes) {
        guard events.count > 0, let stream = call.stream else { return }
        let pending = stream.pendingBytes
        if pending > 0, pending + events.count > Self.maxPending {
            cutOff()
        } else {
            stream.send(events)
        }
    }

    var pendingBytes: Int { call.stream?.pendingBytes ?? 0 }

    func cutOff() {
        call.end()?.cancel()
    }

    /// Ends the stream in order.
    func finish() {
        call.end()?.finish(WireScript([ending]))
    }

    /// The step after the last event.
    var ending: WireStep { .end(closes ? .close : .keepAlive) }
}
