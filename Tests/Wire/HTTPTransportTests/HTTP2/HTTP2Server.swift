import SDHTTPTransport
import SDPlatform
import SDTestSupport

/// A server for tests of HTTP/2. What it answers depends on the path: see `HTTP2Handler.serve`.
final class HTTP2Server: Sendable {
    let port: UInt16
    let server: Server
    let handler: HTTP2Handler

    init(
        limits: ServerLimits = .http2, preface: HTTP2ServerPreface = .normal, uploadRate: UInt64? = nil,
        memory: MemoryLedger = MemoryLedger(), _ answer: @escaping @Sendable (String) -> WireScript? = { _ in nil }
    ) throws {
        handler = HTTP2Handler(preface, uploadRate, answer)
        server = try Server(limits: limits, memory: memory, handler: handler)
        port = try server.listen(address: "127.0.0.1", port: 0)
        try server.start()
    }

    deinit {
        server.stopAndWait()
    }

    func client(settings: [(UInt16, UInt32)]? = []) throws -> HTTP2Client {
        try HTTP2Client(port: port, settings: settings)
    }
}

extension ServerLimits {
    /// Limits that a test can reach, with time for a slow machine where it waits for nothing.
    static var http2: ServerLimits {
        var limits = ServerLimits.short
        limits.headTimeout = 5000
        limits.bodyTimeout = 5000
        limits.idleTimeout = 5000
        limits.streams = 20
        return limits
    }
}

/// A handler that keeps what it is told.
final class HTTP2Handler: RequestHandler {
    let refusals = Events<String>()
    let troubles = Events<String>()
    let held = Events<StreamingReply>()
    let replies = Events<HeldReply>()
    let handles = Events<StreamHandle>()
    /// The ends of the answers, by path.
    let ends = Events<PathEnd>()
    private let kept = Locked<[StreamingReply]>([])
    private let preface: HTTP2ServerPreface
    private let uploadRate: UInt64?
    private let answer: @Sendable (String) -> WireScript?

    struct PathEnd: Sendable {
        let path: String
        let end: StreamEnd
    }

    init(_ preface: HTTP2ServerPreface, _ uploadRate: UInt64?, _ answer: @escaping @Sendable (String) -> WireScript?) {
        self.preface = preface
        self.uploadRate = uploadRate
        self.answer = answer
    }

    static let head = WireStep.head(ResponseHead(status: 200, reason: "OK"))
    static let half = WireStep.body(WireBytes(wire("half")))
    static let large = pattern(500_000)

    func serve(_ request: Request, reply: consuming Reply) {
        let path = String(decoding: request.path, as: UTF8.self)
        let observer = PathObserver(path, ends)
        if let script = answer(path) { return reply.send(script, observer: observer) }
        switch path {
        case "/hold":
            let stream = reply.hold([Self.head]) { observer.streamEnded($0) }
            // One that nobody keeps is cancelled.
            kept.withLock { $0.append(stream) }
            held.tell(stream)
        case "/keep":
            replies.tell(HeldReply(reply))
        case "/hour":
            let hour = WireStep.wait(nanoseconds: milliseconds(3_600_000))
            let script = script(Self.head, Self.half, hour, .end(.keepAlive))
            handles.tell(reply.sendCancellable(script, observer: observer))
        case "/large":
            reply.send(script(Self.head, .body(WireBytes(Self.large)), .end(.keepAlive)), observer: observer)
        case "/file":
            reply.send(script(Self.head, .file(patternFile(Self.large.count)), .end(.keepAlive)), observer: observer)
        default:
            let text = WireStep.body(WireBytes(echo(request)))
            reply.send(script(Self.head, text, .end(.keepAlive)), observer: observer)
        }
    }

    func refused(status: Int, reason: String, peer: String) { refusals.tell("\(status) \(reason)") }
    func trouble(_ text: String) { troubles.tell(text) }
    var limitsUploads: Bool { uploadRate != nil }
    func readRate(of head: Request) -> UInt64? { uploadRate }
    func http2ServerPreface(_ origin: Request.Origin, serverName: String?) -> HTTP2ServerPreface { preface }

    private final class PathObserver: StreamObserver {
        private let path: String
        private let ends: Events<PathEnd>

        init(_ path: String, _ ends: Events<PathEnd>) {
            self.path = path
            self.ends = ends
        }

        func streamEnded(_ end: StreamEnd) {
            ends.tell(PathEnd(path: path, end: end))
        }
    }
}
