import HTTPTransport
import MockEngine
import Synchronization

/// The connection of a client that reads server-sent events (HTML Living Standard, section 9.2).
final class EventStreamConnection: EventReader {
    /// The most bytes that may wait for a slow client, apart from the replay of missed events.
    private static let mostPending = 1024 * 1024

    private let isChunked: Bool
    private let closes: Bool
    let call = HeldCall()
    /// The bytes that may still be queued for the client.
    private let allowance = Mutex(mostPending)

    init(isChunked: Bool, closes: Bool) {
        self.isChunked = isChunked
        self.closes = closes || !isChunked
    }

    static func head(for request: Request, headers: [(name: String, value: String)]) -> [UInt8] {
        let isChunked = request.versionMinor > 0
        var lines = ["HTTP/1.1 200 OK", "Content-Type: text/event-stream", "Cache-Control: no-store"]
        for (name, value) in headers { lines.append("\(name): \(value)") }
        if isChunked { lines.append("Transfer-Encoding: chunked") }
        if !isChunked || !request.keepAlive { lines.append("Connection: close") }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
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
            stream.send(WireBytes(isChunked ? chunk(events) : events))
        }
    }

    private func chunk(_ bytes: [UInt8]) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0d, 0x0a]
    }

    /// Ends the stream in order.
    func finish() {
        guard let stream = call.end() else { return }
        let last: [WireStep] = isChunked ? [.send(WireBytes(Array("0\r\n\r\n".utf8)))] : []
        stream.finish(WireScript(last + [.finish(closes ? .close : .keepAlive)]))
    }
}
