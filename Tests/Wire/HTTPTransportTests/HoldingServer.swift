import SDHTTPTransport
import SDTestSupport

/// A server that holds every answer except that to `/`, which it echoes.
struct HoldingServer {
    let server: TestServer
    /// The streams, in the order of their requests.
    let held = Events<StreamingReply>()
    /// The endings of the streams.
    let ends = Events<StreamEnd>()

    init(
        _ framing: Framing = .http1, workers: Int = 1,
        _ hold:
            @escaping @Sendable (Request, consuming Reply, @escaping @Sendable (StreamEnd) -> Void) -> StreamingReply?
    ) throws {
        server = try TestServer(workers: workers, limits: .patient, listen: framing.listen) {
            [held, ends] request, reply in
            if request.path.elementsEqual(wire("/")) { return answerWithEcho(request, reply) }
            if let stream = hold(request, reply, { ends.tell($0) }) { held.tell(stream) }
        }
    }
}

extension TestServer {
    /// Waits until the first loop has handled everything that arrived before the call.
    func settle() {
        for _ in 1...3 {
            let done = Events<Void>()
            server.post { done.tell(()) }
            _ = done.next()
        }
    }
}

/// A handler that gives every reply away, to be answered later or never.
final class HoldingHandler: RequestHandler {
    private let hold: @Sendable (consuming Reply) -> Void

    init(_ hold: @escaping @Sendable (consuming Reply) -> Void) {
        self.hold = hold
    }

    func serve(_ request: Request, reply: consuming Reply) {
        hold(reply)
    }
}
