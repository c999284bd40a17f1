import HTTPTransport
import MockEngine
import Synchronization

/// The connection of a client that reads server-sent events (HTML Living Standard, section 9.2).
final class EventStreamConnection: EventReader {
    /// The most bytes that may wait for a slow client, apart from the replay of missed events.
    private static let mostPending = 1024 * 1024

    /// Whether the connection ends with the stream.
    private let closes: Bool
    let call = HeldCall()
    /// The bytes that may still be queued for the client.
    private let allowance = Mutex(mostPending)

    init(for request: Request) {
        closes = request.version == .http10 || !request.keepAlive
    }

    /// The head before the events. A client of HTTP/1.0 learns from the end of the connection that they have ended.
    func head(for request: Request, headers: [(name: String, value: String)]) -> ResponseHead {
        var head = ResponseHead(status: 200, reason: "OK")
        head.add("Content-Type", "text/event-stream")
        head.add("Cache-Control", "no-store")
        for (name, value) in headers { head.add(name, value) }
        head.isChunked = request.version == .http11
        if head.isChunked { head.add("Transfer-Encoding", "chunked") }
        if closes { head.add("Connection", "close") }
        return head
    }

    /// Calls `work` once when the stream has ended, or at once if it already has.
    func whenOver(_ work: @escaping @Sendable () -> Void) {
        call.whenOver(work)
    }

    /// Sends complete events. A client with too many bytes waiting is cut off.
    func send(_ events: [UInt8], isReplay: Bool = false) {
        guard let stream = call.stream else { return }
        let pending = stream.pendingBytes
        let allowed = allowance.withLock { allowance in
            if isReplay {
                allowance = Self.mostPending + pending + events.count
            } else if pending <= Self.mostPending / 2 {
                allowance = Self.mostPending
            }
            return allowance
        }
        guard !events.isEmpty else { return }
        if pending + events.count > allowed {
            call.end()?.cancel()
        } else {
            stream.send(WireBytes(events))
        }
    }

    /// Ends the stream in order.
    func finish() {
        call.end()?.finish(WireScript([.end(closes ? .close : .keepAlive)]))
    }
}
