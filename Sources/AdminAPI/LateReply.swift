import HTTPTransport
import MockEngine
import Synchronization

/// What a route gives for a call.
enum AdminAnswer: Sendable {
    case now(PlainResponse)
    /// The answer is to come: the closure takes the reply.
    case later(@Sendable (consuming LateReply) -> Void)
}

/// The right and the duty to answer an admin call later.
struct LateReply: ~Copyable, Sendable {
    private let reply: Reply
    private let request: Request
    private let headers: [(name: String, value: String)]

    /// - Parameter headers: what every answer to this caller has.
    init(_ reply: consuming Reply, _ request: Request, headers: [(name: String, value: String)]) {
        self.reply = reply
        self.request = request
        self.headers = headers
    }

    /// Keeps the caller waiting for one answer.
    consuming func hold() -> HeldAnswer {
        let request = request
        let headers = headers
        let answer = HeldAnswer(request, headers: headers)
        answer.keep(reply.hold { [weak answer] _ in answer?.hasEnded() })
        return answer
    }

    /// Begins a stream of events, see `EventStreamConnection`.
    consuming func stream() -> EventStreamConnection {
        let head = EventStreamConnection.head(for: request, headers: headers)
        let connection = EventStreamConnection(isChunked: request.versionMinor > 0, closes: !request.keepAlive)
        connection.keep(reply.hold([.send(WireBytes(head))]) { [weak connection] _ in connection?.hasEnded() })
        return connection
    }
}

/// An admin call that waits. It is answered exactly once; whoever gives the answer first is right.
final class HeldAnswer: Sendable {
    private struct State {
        var stream: HeldStream?
        var isOver = false
        var cleanUp: (@Sendable () -> Void)?
    }

    private let request: Request
    private let headers: [(name: String, value: String)]
    private let state = Mutex(State())

    init(_ request: Request, headers: [(name: String, value: String)]) {
        self.request = request
        self.headers = headers
    }

    fileprivate func keep(_ stream: HeldStream) {
        state.withLock { if !$0.isOver { $0.stream = stream } }
    }

    /// Calls `work` once, when the call was answered or its client has gone: at once where that is so already.
    func whenOver(_ work: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isOver { state.cleanUp = work }
            return state.isOver
        }
        if isOver { work() }
    }

    /// Answers, if nobody has. `response` is asked for only then.
    func answer(_ response: () -> PlainResponse) {
        let stream = end()
        guard let stream else { return }
        var response = response()
        response.headers += headers
        stream.finish(response.script(for: request))
    }

    fileprivate func hasEnded() {
        _ = end()
    }

    /// The stream, to whom it is there to be answered for.
    private func end() -> HeldStream? {
        let (stream, cleanUp) = state.withLock { state in
            state.isOver = true
            return (state.stream.take(), state.cleanUp.take())
        }
        cleanUp?()
        return stream
    }
}
