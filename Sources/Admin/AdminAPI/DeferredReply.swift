import SDHTTPMessages
import SDHTTPTransport
import SDMockEngine
import SDPlatform
import Synchronization

/// A route's answer to a call.
enum AdminAnswer: Sendable {
    case now(PlainResponse)
    /// A deferred answer: the closure gets the reply.
    case later(@Sendable (consuming DeferredReply) -> Void)
}

/// The right and duty to answer an admin call later.
struct DeferredReply: ~Copyable, Sendable {
    /// The recipient of the answer.
    private enum Recipient: ~Copyable, Sendable {
        case client(Reply)
        /// A call made within this process.
        case caller(@Sendable (PlainResponse) -> Void)
    }

    private let recipient: Recipient
    private let request: Request
    private let headers: [(name: String, value: String)]
    private let memory: MemoryLedger

    /// Makes a deferred reply.
    /// - Parameters:
    ///   - headers: headers for every answer to this caller.
    ///   - memory: the ledger for unsent bytes.
    init(
        _ reply: consuming Reply, _ request: Request, headers: [(name: String, value: String)], _ memory: MemoryLedger
    ) {
        recipient = .client(reply)
        self.request = request
        self.headers = headers
        self.memory = memory
    }

    /// Makes the reply to a call within this process.
    /// - Parameter take: receives the answer, once, on any thread.
    init(within request: Request, _ memory: MemoryLedger, _ take: @escaping @Sendable (PlainResponse) -> Void) {
        recipient = .caller(take)
        self.request = request
        headers = []
        self.memory = memory
    }

    /// Sends the answer. Any thread.
    consuming func answer(_ response: PlainResponse) {
        var response = response
        response.headers += headers
        let (request, memory) = (request, memory)
        switch consume recipient {
        case .client(let reply): reply.send(response, to: request, memory)
        case .caller(let take): take(response)
        }
    }

    /// Defers the answer: the caller waits for a single one.
    consuming func hold() -> DeferredAdminReply {
        let request = request
        let headers = headers
        let memory = memory
        switch consume recipient {
        case .client(let reply):
            let answer = DeferredAdminReply(request, headers: headers, memory)
            answer.call.attach(reply.hold { [weak answer] _ in answer?.call.claimStream() })
            return answer
        case .caller(let take):
            return DeferredAdminReply(request, headers: headers, memory, taking: take)
        }
    }

    /// Sends a long document, chunked, at the client's pace. Not for HTTP/1.0, which lacks chunked coding.
    /// - Parameters:
    ///   - first: the first slice.
    ///   - work: the queue that makes the others.
    consuming func write(
        _ first: [UInt8], then document: LongDocument, headers more: [(name: String, value: String)],
        on work: WorkQueue
    ) {
        let (request, headers, memory) = (request, headers, memory)
        let reply: Reply
        switch consume recipient {
        case .client(let client): reply = client
        case .caller(let take):
            work.add {
                var document = document
                var text = first
                while !document.isOver { text += document.nextPiece(of: PiecewiseAnswer.pieceSize) }
                take(PlainResponse(status: 200, headers: more, body: text))
            }
            return
        }
        let closes = !request.keepAlive
        var head = ResponseHead(status: 200, reason: "OK")
        for (name, value) in more + headers { head.add(name, value) }
        head.addChunks()
        if closes { head.add("Connection", "close") }
        let answer = PiecewiseAnswer(document, on: work, closes: closes, memory)
        let body = WireBytes(first, in: memory.account(.answers))
        answer.attach(
            reply.hold([.head(head), .body(body)]) {
                answer.wanted()
            } onEnd: { _ in
                answer.ended()
            })
    }

    /// Starts a stream of events; see `EventStreamConnection`.
    consuming func stream(pause: UInt64) -> EventStreamConnection {
        let connection = EventStreamConnection(for: request, pause: pause)
        let head = connection.head(for: request, headers: headers)
        switch consume recipient {
        case .client(let reply):
            connection.call.attach(
                reply.hold([.head(head)]) { [weak connection] in
                    connection?.drained()
                } onEnd: { [weak connection] _ in
                    connection?.call.claimStream()
                })
        case .caller(let take):
            connection.call.claimStream()
            take(Self.noStream)
        }
        return connection
    }

    /// The answer to a call within this process that asks for a stream, which the process does not read.
    private static var noStream: PlainResponse { PlainResponse(status: 406) }

    /// Sends a stream without events.
    consuming func endStream() {
        let connection = EventStreamConnection(for: request)
        let head = connection.head(for: request, headers: headers)
        switch consume recipient {
        case .client(let reply): reply.send(WireScript([.head(head), connection.ending]))
        case .caller(let take): take(Self.noStream)
        }
    }
}

/// A reply that several callers may race to send; the first wins. The daemon waits for it before exiting.
final class OneShotReply: Sendable {
    private let reply: Mutex<DeferredReply?>

    init(_ reply: consuming DeferredReply) {
        self.reply = Mutex(consume reply)
    }

    func answer(_ response: PlainResponse) {
        guard let reply = reply.withLock({ $0.take() }) else { return }
        reply.answer(response)
    }

    /// Passes the reply on, unless it was used.
    func pass(to answer: (consuming DeferredReply) -> Void) {
        guard let reply = reply.withLock({ $0.take() }) else { return }
        answer(reply)
    }
}

/// A waiting admin call. It is answered exactly once; the first answer wins.
final class DeferredAdminReply: Sendable {
    fileprivate let call = OpenCall()
    private let request: Request
    private let headers: [(name: String, value: String)]
    private let memory: MemoryLedger
    /// Receives the answer of a call within this process.
    private let taker: Mutex<(@Sendable (PlainResponse) -> Void)?>

    fileprivate init(
        _ request: Request, headers: [(name: String, value: String)], _ memory: MemoryLedger,
        taking taker: (@Sendable (PlainResponse) -> Void)? = nil
    ) {
        self.taker = Mutex(taker)
        self.request = request
        self.headers = headers
        self.memory = memory
    }

    /// Calls `work` once the call is answered or its client has disconnected; at once if that has happened.
    func whenOver(_ work: @escaping @Sendable () -> Void) {
        call.whenOver(work)
    }

    /// Answers unless the call has been answered. `response` is called only then.
    func answer(_ response: () -> PlainResponse) {
        if let take = taker.withLock({ $0.take() }) {
            call.claimStream()
            return take(response())
        }
        guard let stream = call.claimStream() else { return }
        var response = response()
        response.headers += headers
        stream.finish(response.script(for: request, memory))
    }
}
