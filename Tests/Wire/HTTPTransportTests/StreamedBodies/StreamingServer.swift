import SDHTTPTransport
import SDTestSupport

/// A server that takes bodies while they come. What it does with them depends on the path:
/// - `/sum`: reads all, then answers with what came.
/// - `/held`: hands the body and the reply to the test.
/// - `/short`: the same, whatever the length, if the handler is asked about short bodies.
/// - `/early`: answers at once, and reads nothing.
/// - anything else: refuses to take it while it comes, and answers with its size.
final class StreamingServer: Sendable {
    let port: UInt16
    let handler = StreamingHandler()
    private let server: Server

    init(limits: ServerLimits = .streamed, tls: TLSSettings? = nil) throws {
        server = try Server(limits: limits, handler: handler)
        port = try server.listen(address: "127.0.0.1", port: 0, tls: tls)
        try server.start()
    }

    deinit {
        server.stopAndWait()
        // A reply that nobody has taken keeps the server, which keeps its handler.
        while let reply = handler.replies.next(within: 0) { reply.drop() }
    }

    func client() throws -> RawClient { try RawClient(port: port) }

    /// Waits until the loop has handled what it was told before the call.
    func settle() {
        let done = Events<Void>()
        server.post { done.tell(()) }
        _ = done.next()
    }
}

extension ServerLimits {
    /// Bodies of more than 1000 bytes are streamed, others may have 64 KiB.
    static var streamed: ServerLimits {
        var limits = ServerLimits.http2
        limits.streamedBody = 1000
        return limits
    }
}

final class StreamingHandler: RequestHandler {
    let bodies = Events<any BodyStream>()
    let replies = Events<HeldReply>()
    let pieces = Events<[UInt8]>()
    /// The ends of bodies: the trailers as text; nil for one that was not read to its end.
    let ends = Events<String?>()
    let asked = Locked(0)
    let refusals = Events<String>()
    /// Done before a request without a body is answered.
    let before = Locked<@Sendable () -> Void>({})

    /// Whether it is asked about short bodies, too, of which it takes those of `/short`.
    let streamsShort = Locked(false)

    var streamsShortBodies: Bool { streamsShort.withLock { $0 } }

    func takesBodyStream(of head: Request, isLong: Bool) -> Bool {
        asked.withLock { $0 += 1 }
        if !isLong { return head.path.elementsEqual(wire("/short")) }
        return ["/sum", "/held", "/early"].contains { head.path.elementsEqual(wire($0)) }
    }

    func serve(_ request: Request, reply: consuming Reply) {
        guard let body = request.bodyStream else {
            before.withLock { $0 }()
            return reply.send(Self.answer("whole \(request.body.count)"))
        }
        switch String(decoding: request.path, as: UTF8.self) {
        case "/sum":
            let kept = HeldReply(reply)
            let sum = Locked(Sum())
            body.begin(
                onBytes: { bytes in sum.withLock { $0.add(bytes) } },
                onEnd: { [ends] trailers in
                    ends.tell(trailers.map(Self.text))
                    guard let trailers else { return kept.drop() }
                    let text = sum.withLock { "\($0.text) announced \(body.count.map(String.init) ?? "none")" }
                    kept.send(Self.answer(text + Self.text(trailers)))
                })
        case "/held", "/short":
            replies.tell(HeldReply(reply))
            bodies.tell(body)
        default:
            body.begin(onBytes: { _ in }, onEnd: { [ends] in ends.tell($0.map(Self.text)) })
            body.setReading(false)
            reply.send(Self.answer("no", status: 403, reason: "Forbidden"))
        }
    }

    /// Begins to read a body that a test holds.
    func begin(_ body: any BodyStream) {
        body.begin(
            onBytes: { [pieces] in pieces.tell($0) }, onEnd: { [ends] in ends.tell($0.map(Self.text)) })
    }

    func refused(status: Int, reason: String, peer: String) {
        refusals.tell("\(status)")
    }

    static func answer(_ text: String, status: Int = 200, reason: String = "OK") -> WireScript {
        var head = ResponseHead(status: status, reason: reason)
        head.add("Content-Length", "\(text.utf8.count)")
        return script(.head(head), .body(WireBytes(wire(text))), .end(.keepAlive))
    }

    static func text(_ trailers: [(name: String, value: String)]) -> String {
        trailers.map { " \($0.name)=\($0.value)" }.joined()
    }
}

/// The size of a body, and a sum that knows the places of its bytes.
struct Sum: Sendable {
    private var count = 0
    private var value: UInt64 = 0

    mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { value = value &* 31 &+ UInt64(byte) }
        count += bytes.count
    }

    var text: String { "\(count) \(value)" }

    static func text(of bytes: [UInt8]) -> String {
        var sum = Sum()
        sum.add(bytes)
        return sum.text
    }
}
