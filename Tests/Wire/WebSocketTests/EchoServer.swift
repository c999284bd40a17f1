import SDHTTPTransport
import SDTestSupport
import SDWebSocket

/// A server that sends back what its WebSockets receive, without compression.
struct EchoServer {
    let server: TestServer
    let observer: Observer

    struct NotOpened: Error {
        let answer: String
    }

    static let opening = """
        HTTP/1.1 101 Switching Protocols\r
        Upgrade: websocket\r
        Connection: Upgrade\r
        Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n
        """
    static let terms =
        "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; client_no_context_takeover\r\n"

    /// What is told of the streams, in one row.
    final class Observer: WebSocketObserver {
        let opened = Events<WebSocketStream>()
        let messages = Events<WebSocketMessage>()
        let pongs = Events<[UInt8]>()
        let drains = Events<Void>()
        let overflows = Events<Int>()
        let closings = Events<(cause: WebSocketEnd.Cause, code: Int)>()
        let ends = Events<WebSocketEnd>()
        /// The ends of answers that went on as WebSockets.
        let answers = Events<StreamEnd>()
        private let echoes: Bool

        init(echoes: Bool) {
            self.echoes = echoes
        }

        func received(_ message: WebSocketMessage, on stream: WebSocketStream) {
            messages.tell(message)
            if echoes { stream.send(message) }
        }

        func ponged(_ payload: [UInt8], on stream: WebSocketStream) { pongs.tell(payload) }
        func drained(_ stream: WebSocketStream) { drains.tell(()) }
        func overflowed(_ stream: WebSocketStream, waiting: Int) { overflows.tell(waiting) }
        func closing(_ cause: WebSocketEnd.Cause, code: Int, reason: String, on stream: WebSocketStream) {
            closings.tell((cause, code))
        }

        func ended(_ end: WebSocketEnd, on stream: WebSocketStream) { ends.tell(end) }
    }

    /// - Parameters:
    ///   - late: gets the replies to `/late`, with what opens a stream on them. Those to `/held` are held first, and to
    ///     `/delayed` wait after that.
    ///   - listen: nil for HTTP/1.1 in the clear.
    init(
        _ settings: WebSocketSettings = WebSocketSettings(), echoes: Bool = true, subprotocol: String? = nil,
        late: Events<@Sendable () -> Void> = Events(), listen: ((Server) throws -> UInt16)? = nil
    ) throws {
        var settings = settings
        settings.compressionLeast = .max
        let (observer, kept) = (Observer(echoes: echoes), settings)
        self.observer = observer
        server = try TestServer(
            limits: .channels, listen: listen ?? { try $0.listen(address: "127.0.0.1", port: 0) }
        ) { request, reply in
            do throws(WebSocketOffer.Refusal) {
                let offer = try WebSocketOffer(request)
                let open: @Sendable (consuming Reply) -> Void = { reply in
                    let stream = reply.openWebSocket(offer, subprotocol: subprotocol, kept, observer: observer)
                    observer.opened.tell(stream)
                }
                let isDelayed = request.path.elementsEqual(utf8("/delayed"))
                if isDelayed || request.path.elementsEqual(utf8("/held")) {
                    let wait: [WireStep] = isDelayed ? [.wait(nanoseconds: 600_000_000_000)] : []
                    let held = reply.hold(onEnd: { observer.answers.tell($0) })
                    _ = held.loop.perform {
                        let stream = held.openWebSocket(
                            offer, fields: [], kept, observer: observer, shape: BodyShape(),
                            opening: { .part(wait + [.head($0)]) })
                        if let stream { observer.opened.tell(stream) }
                    }
                    return
                }
                guard request.path.elementsEqual(utf8("/late")) else { return open(reply) }
                let held = HeldReply(reply)
                late.tell { if let reply = held.take() { open(reply) } }
            } catch {
                var head = ResponseHead(status: error.status, reason: "Refused")
                for (name, value) in error.fields { head.add(name, value) }
                head.add("Content-Length", "\(error.text.utf8.count)")
                reply.send(WireScript([.head(head), .body(WireBytes(utf8(error.text))), .end(.keepAlive)]))
            }
        }
    }

    static func request(_ path: String = "/", _ fields: String = "", key: String = "dGhlIHNhbXBsZSBub25jZQ==") -> String
    {
        "GET \(path) HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
            + "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n\(fields)\r\n"
    }

    /// A client whose handshake is over.
    func client(_ path: String = "/", compresses: Bool = false) throws -> RawClient {
        let client = try server.client()
        let offer = compresses ? "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n" : ""
        try client.send(Self.request(path, offer))
        let head = Self.opening + (compresses ? Self.terms : "") + "\r\n"
        guard path != "/late" else { return client }
        let received = client.receive(head.utf8.count)
        guard received.text == head else { throw NotOpened(answer: received.text) }
        return client
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

extension ServerLimits {
    /// Those of `patient`, for channels over HTTP/2 too.
    static var channels: ServerLimits {
        var limits = patient
        limits.lingerTimeout = 30_000
        limits.http2Channels = true
        return limits
    }
}
