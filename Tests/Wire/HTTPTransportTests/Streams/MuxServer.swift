import SDCTestTransports
import SDHTTPTransport
import SDTestSupport

/// A server whose connections have many streams. What it answers depends on the path: see `serve`.
final class MuxServer: Sendable {
    /// The end of an answer, with the path of its request.
    struct End: Hashable {
        let path: String
        let outcome: StreamEnd.Outcome
    }

    let server: TestServer
    /// What goes on later, in the order of the requests.
    let held = Events<StreamingReply>()
    private let kept = Locked<[StreamingReply]>([])
    let handles = Events<StreamHandle>()
    let replies = Events<HeldReply>()
    /// The ends of all answers but those at once.
    let ends = Events<End>()
    /// What the end of `/chain` does before it answers another request.
    let beforeChained = Locked<@Sendable () -> Void>({})

    init(idleTimeout: Int = 30_000) throws {
        var limits = ServerLimits.patient
        limits.idleTimeout = idleTimeout
        limits.lingerTimeout = 10_000
        let hold: @Sendable (StreamingReply) -> Void = { [held, kept] stream in
            // One that nobody keeps is cancelled.
            kept.withLock { $0.append(stream) }
            held.tell(stream)
        }
        let serve: @Sendable (Request, consuming Reply) -> Void = {
            [handles, replies, ends, beforeChained] request, reply in
            Self.serve(request, reply, hold, handles, replies, ends, beforeChained)
        }
        server = try TestServer(limits: limits, listen: { try $0.listenByMux() }, serve)
    }

    func client(receiveBuffer: Int32? = nil) throws -> MuxClient {
        try MuxClient(port: server.port, receiveBuffer: receiveBuffer)
    }

    /// The number of connections that have not been freed.
    var connections: Int { Int(mux_open_states(server.port)) }

    /// The number of parts of answers that no socket took at once.
    var blockedWrites: Int { Int(mux_blocked_writes(server.port)) }

    /// The next ends, and one more if there is one after everything that has arrived was handled.
    func takeEnds(_ count: Int) -> Set<End> {
        let taken = (0..<count).compactMap { _ in ends.next() }
        server.settle()
        let more = ends.next(within: 0)
        return Set(taken + (more.map { [$0] } ?? []))
    }

    static let largeBody = pattern(500_000)
    static let head = WireStep.head(ResponseHead(status: 200, reason: "OK"))
    private static let hour = WireStep.wait(nanoseconds: milliseconds(3_600_000))
    private static let half = WireStep.body(WireBytes(wire("half")))

    /// The body of an answer that is sent at once, or after it.
    static func answer(_ text: String) -> WireScript {
        script(head, .body(WireBytes(wire(text))), .end(.keepAlive))
    }

    /// Answers at once, unless the path is one of these.
    private static func serve(
        _ request: Request, _ reply: consuming Reply, _ hold: (StreamingReply) -> Void,
        _ handles: Events<StreamHandle>, _ replies: Events<HeldReply>, _ ends: Events<End>,
        _ beforeChained: Locked<@Sendable () -> Void>
    ) {
        let path = String(decoding: request.path, as: UTF8.self)
        let observer = PathObserver(path, ends)
        switch path {
        case "/hold":
            hold(reply.hold([head]) { observer.streamEnded($0) })
        case "/keep":
            replies.tell(HeldReply(reply))
        case "/chain":
            let onEnd: @Sendable (StreamEnd) -> Void = { end in
                observer.streamEnded(end)
                beforeChained.withLock { $0 }()
                replies.next(within: 0)?.send(answer("chained"), observer: PathObserver("/keep", ends))
            }
            hold(reply.hold([head], onEnd: onEnd))
        case "/hour":
            handles.tell(reply.sendCancellable(script(head, half, hour, .end(.keepAlive)), observer: observer))
        case "/silent":
            handles.tell(reply.sendCancellable(script(hour, head, .end(.keepAlive)), observer: observer))
        case "/flood":
            let much = WireStep.raw(WireBytes([UInt8](repeating: 0x78, count: 30_000_000)))
            handles.tell(reply.sendCancellable(script(head, much, .end(.keepAlive)), observer: observer))
        case "/moment":
            reply.send(script(.wait(nanoseconds: milliseconds(1)), head, half, .end(.keepAlive)))
        case "/paced":
            let bytes = WireBytes(pattern(3000))
            reply.send(script(head, .pace(bytes, 0..<3000, bytesPerSecond: 100_000), .end(.keepAlive)))
        case "/large":
            reply.send(script(head, .body(WireBytes(largeBody)), .end(.keepAlive)))
        case "/pieces":
            let bytes = WireBytes(largeBody)
            let pieces = stride(from: 0, to: largeBody.count, by: 700).map {
                WireStep.body(bytes, $0..<min($0 + 700, largeBody.count))
            }
            reply.send(WireScript([head] + pieces + [.end(.close)]))
        case "/file":
            reply.send(script(head, .file(patternFile(largeBody.count)), .end(.close)))
        case "/fin":
            reply.send(script(head, half, .abort(.fin)))
        case "/rst":
            reply.send(script(head, half, .abort(.rst)))
        default:
            reply.send(answer("\(request.version.name) \(path)"))
        }
    }
}

private final class PathObserver: StreamObserver {
    private let path: String
    private let ends: Events<MuxServer.End>

    init(_ path: String, _ ends: Events<MuxServer.End>) {
        self.path = path
        self.ends = ends
    }

    func streamEnded(_ end: StreamEnd) {
        ends.tell(MuxServer.End(path: path, outcome: end.outcome))
    }
}
