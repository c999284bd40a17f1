import SDHTTPTransport
import SDPlatform
import SDTestSupport
import SDUpstream

/// A loop on which calls are made, with what becomes of them.
final class Caller: Sendable {
    let server: TestServer
    let upstream: Upstream

    init(_ upstream: Upstream, watchdog: LoopWatchdog? = nil) throws {
        server = try TestServer(watchdog: watchdog)
        self.upstream = upstream
    }

    convenience init(watchdog: LoopWatchdog? = nil, _ change: (inout UpstreamSettings) -> Void = { _ in }) throws {
        var settings = UpstreamSettings()
        change(&settings)
        try self.init(Upstream(settings), watchdog: watchdog)
    }

    var loop: Loop { server.server.loop() }

    /// Begins a call.
    func start(_ request: UpstreamRequest) -> Answer {
        let answer = Answer()
        answer.transfer.withLock { $0 = upstream.start(request, on: loop, answer) }
        return answer
    }

    /// Makes a call, and waits for its end.
    func call(_ request: UpstreamRequest) throws -> Answer.Whole {
        try start(request).whole()
    }

    func get(_ url: String) throws -> Answer.Whole {
        try call(UpstreamRequest("GET", url))
    }
}

/// What an observer was told.
final class Answer: UpstreamObserver {
    enum Event: Sendable {
        case informed(UpstreamHead)
        case answered(UpstreamHead)
        case sent([UInt8])
        case ended(Result<[(name: String, value: String)], UpstreamProblem>)
    }

    struct Whole {
        var informed: [UpstreamHead] = []
        var head: UpstreamHead?
        var pieces: [[UInt8]] = []
        var trailers: [(name: String, value: String)] = []
        var problem: UpstreamProblem?

        var body: [UInt8] { Array(pieces.joined()) }
        var text: String { String(decoding: body, as: UTF8.self) }
        var headers: [String] { head?.headers.map { "\($0.name): \($0.value)" } ?? [] }
    }

    let events = Events<Event>()
    let transfer = Locked<UpstreamTransfer?>(nil)

    func upstreamInforms(_ head: UpstreamHead) { events.tell(.informed(head)) }
    func upstreamAnswers(_ head: UpstreamHead) { events.tell(.answered(head)) }
    func upstreamSends(_ bytes: [UInt8]) { events.tell(.sent(bytes)) }
    func upstreamEnds(_ end: Result<[(name: String, value: String)], UpstreamProblem>) { events.tell(.ended(end)) }

    /// Waits for the end.
    func whole() throws -> Whole {
        var whole = Whole()
        while let event = events.next(within: 30_000) {
            switch event {
            case .informed(let head): whole.informed.append(head)
            case .answered(let head): whole.head = head
            case .sent(let bytes): whole.pieces.append(bytes)
            case .ended(.success(let trailers)):
                whole.trailers = trailers
                return whole
            case .ended(.failure(let problem)):
                whole.problem = problem
                return whole
            }
        }
        throw Unanswered()
    }
}

struct Unanswered: Error {}

/// A server that answers each request of a connection with the same bytes, and keeps the requests.
func answering(
    _ answer: String, closing: Bool = true, _ requests: Events<String> = Events()
) throws -> RawServer {
    try RawServer { connection, _ in
        repeat {
            let request = connection.receive(until: "\r\n\r\n")
            guard request.ending == .open else { return }
            requests.tell(request.text)
            try connection.send(answer)
        } while !closing
    }
}
