import SDHTTPMessages
import SDHTTPTransport
import SDMockEngine
import SDPlatform
import Synchronization

/// The answer of a route to a call.
enum AdminAnswer: Sendable {
    case now(PlainResponse)
    /// An answer that comes later: the closure gets the reply.
    case later(@Sendable (consuming LateReply) -> Void)
}

/// The right and duty to answer an admin call later.
struct LateReply: ~Copyable, Sendable {
    /// Who gets the answer.
    private enum Recipient: ~Copyable, Sendable {
        case client(Reply)
        /// A call that this process makes of itself.
        case caller(@Sendable (PlainResponse) -> Void)
    }

    private let recipient: Recipient
    private let request: Request
    private let headers: [(name: String, value: String)]
    private let memory: MemoryLedger

    /// Makes a late reply.
    /// - Parameters:
    ///   - headers: the headers that every answer to this caller has.
    ///   - memory: counts what the caller has not taken.
    init(
        _ reply: consuming Reply, _ request: Request, headers: [(name: String, value: String)], _ memory: MemoryLedger
    ) {
        recipient = .client(reply)
        self.request = request
        self.headers = headers
        self.memory = memory
    }

    /// Makes the reply to a call that this process makes of itself.
    /// - Parameter take: is given the answer, once, on any thread.
    init(within request: Request, _ memory: MemoryLedger, _ take: @escaping @Sendable (PlainResponse) -> Void) {
        recipient = .caller(take)
        self.request = request
        headers = []
        self.memory = memory
    }

    /// Answers the caller. Any thread.
    consuming func answer(_ response: PlainResponse) {
        var response = response
        response.headers += headers
        let (request, memory) = (request, memory)
        switch consume recipient {
        case .client(let reply): reply.send(response, to: request, memory)
        case .caller(let take): take(response)
        }
    }

    /// Keeps the caller waiting for a single answer.
    consuming func hold() -> HeldAnswer {
        let request = request
        let headers = headers
        let memory = memory
        switch consume recipient {
        case .client(let reply):
            let answer = HeldAnswer(request, headers: headers, memory)
            answer.call.keep(reply.hold { [weak answer] _ in answer?.call.end() })
            return answer
        case .caller(let take):
            return HeldAnswer(request, headers: headers, memory, taking: take)
        }
    }

    /// Answers with a long document, chunked, in pieces as the caller takes them. Not for HTTP/1.0, which has no
    /// chunks.
    /// - Parameters:
    ///   - first: the first piece.
    ///   - work: makes the others.
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
        answer.keep(
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
            connection.call.keep(
                reply.hold([.head(head)]) { [weak connection] in
                    connection?.drained()
                } onEnd: { [weak connection] _ in
                    connection?.call.end()
                })
        case .caller(let take):
            connection.call.end()
            take(Self.noStream)
        }
        return connection
    }

    /// The answer to this process where it asks for a stream, which it does not read.
    private static var noStream: PlainResponse { PlainResponse(status: 406) }

    /// Answers with a stream that has no events.
    consuming func endStream() {
        let connection = EventStreamConnection(for: request)
        let head = connection.head(for: request, headers: headers)
        switch consume recipient {
        case .client(let reply): reply.send(WireScript([.head(head), connection.ending]))
        case .caller(let take): take(Self.noStream)
        }
    }
}

/// A reply that several callers may give; only the first is sent. The daemon does not end before it is given.
final class OwedReply: Sendable {
    private let reply: Mutex<LateReply?>

    init(_ reply: consuming LateReply) {
        self.reply = Mutex(consume reply)
    }

    func answer(_ response: PlainResponse) {
        guard let reply = reply.withLock({ $0.take() }) else { return }
        reply.answer(response)
    }

    /// Passes the reply on, unless it was given.
    func pass(to answer: (consuming LateReply) -> Void) {
        guard let reply = reply.withLock({ $0.take() }) else { return }
        answer(reply)
    }
}

/// A waiting admin call. It is answered exactly once: the first answer counts.
final class HeldAnswer: Sendable {
    fileprivate let call = HeldCall()
    private let request: Request
    private let headers: [(name: String, value: String)]
    private let memory: MemoryLedger
    /// Takes the answer in place of a client.
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

    /// Calls `work` once when the call was answered or its client left, or at once if that has happened.
    func whenOver(_ work: @escaping @Sendable () -> Void) {
        call.whenOver(work)
    }

    /// Answers unless the call has been answered. `response` is called only then.
    func answer(_ response: () -> PlainResponse) {
        if let take = taker.withLock({ $0.take() }) {
            call.end()
            return take(response())
        }
        guard let stream = call.end() else { return }
        var response = response()
        response.headers += headers
        stream.finish(response.script(for: request, memory))
    }
}
