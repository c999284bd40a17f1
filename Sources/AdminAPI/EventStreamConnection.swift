import HTTPTransport
import MockEngine
import Synchronization

/// A client that reads server-sent events (HTML Living Standard, section 9.2): the bytes of its connection.
final class EventStreamConnection: EventReader {
    private struct State {
        var stream: HeldStream?
        var isOver = false
        var cleanUp: (@Sendable () -> Void)?
        /// So many bytes may wait for the client.
        var allowance = mostPending
    }

    /// So many bytes may wait for a client that reads slowly, once it has read what it missed.
    private static let mostPending = 1024 * 1024

    private let isChunked: Bool
    private let closes: Bool
    private let state = Mutex(State())

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

    func keep(_ stream: HeldStream) {
        state.withLock { if !$0.isOver { $0.stream = stream } }
    }

    /// Calls `work` once, when the stream has ended: at once where that is so already.
    func whenOver(_ work: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.cleanUp = work }
            return state.isOver
        }
        if isOver { work() }
    }

    /// Sends whole events. A client for whom too much waits is cut off.
    func send(_ events: [UInt8], isReplay: Bool = false) {
        let (stream, allowance) = state.withLock { state in
            let pending = state.stream?.pendingBytes ?? 0
            if isReplay {
                state.allowance = Self.mostPending + pending + events.count
            } else if pending <= Self.mostPending / 2 {
                state.allowance = Self.mostPending
            }
            return (state.stream, state.allowance)
        }
        guard !events.isEmpty, let stream else { return }
        if stream.pendingBytes + events.count > allowance {
            cutOff()
        } else {
            stream.send(WireBytes(isChunked ? chunk(events) : events))
        }
    }

    private func chunk(_ bytes: [UInt8]) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0d, 0x0a]
    }

    /// Ends the stream in order.
    func finish() {
        guard let stream = end() else { return }
        let last: [WireStep] = isChunked ? [.send(WireBytes(Array("0\r\n\r\n".utf8)))] : []
        stream.finish(WireScript(last + [.finish(closes ? .close : .keepAlive)]))
    }

    private func cutOff() {
        end()?.cancel()
    }

    func hasEnded() {
        _ = end()
    }

    private func end() -> HeldStream? {
        let (stream, cleanUp) = state.withLock { state in
            state.isOver = true
            return (state.stream.take(), state.cleanUp.take())
        }
        cleanUp?()
        return stream
    }
}
