public import SDHTTPTransport
public import SDPlatform

/// A server for one test: in this process, on a free port, ended with the last reference.
public final class TestServer: Sendable {
    public let port: UInt16
    public let server: Server
    private let handler: ClosureHandler
    private let workers: Int

    /// Starts a server.
    /// - Parameter serve: called on the loops' threads, by several at the same time if there are several workers.
    public convenience init(
        workers: Int = 1, limits: ServerLimits = .patient, unixSocket: String? = nil,
        memory: MemoryLedger = MemoryLedger(), watchdog: LoopWatchdog? = nil,
        _ serve: @escaping @Sendable (Request, consuming Reply) -> Void = answerWithEcho
    ) throws {
        func listen(_ server: Server) throws -> UInt16 {
            let port = try server.listen(address: "127.0.0.1", port: 0)
            if let unixSocket { try server.listen(unixSocket: unixSocket) }
            return port
        }
        try self.init(
            workers: workers, limits: limits, memory: memory, watchdog: watchdog, listen: listen, serve)
    }

    /// Starts a server that listens as it is told.
    /// - Parameter listen: makes the server listen, and returns the port.
    public init(
        workers: Int = 1, limits: ServerLimits = .patient, memory: MemoryLedger = MemoryLedger(),
        watchdog: LoopWatchdog? = nil, listen: (Server) throws -> UInt16,
        _ serve: @escaping @Sendable (Request, consuming Reply) -> Void = answerWithEcho
    ) throws {
        handler = ClosureHandler(serve)
        self.workers = workers
        server = try Server(limits: limits, workers: workers, memory: memory, watchdog: watchdog, handler: handler)
        port = try listen(server)
        try server.start()
    }

    deinit {
        // What runs on a loop may be the last that knows the server: nobody waits there for the loop's own end.
        guard (0..<workers).contains(where: { server.loop($0).isCurrent }) else { return server.stopAndWait() }
        runOnThread { [server] in server.stopAndWait() }
    }

    public func client() throws -> RawClient {
        try RawClient(port: port)
    }

    /// The problems that the server told the log, in order.
    public var troubles: Events<String> { handler.troubles }

    /// The requests that the server itself refused, in order.
    public var refusals: [(status: Int, reason: String)] {
        handler.refusals.withLock { $0 }
    }
}

extension ServerLimits {
    /// Limits that a test can reach: 4 KiB heads, 1 KiB targets, 64 KiB bodies; 400 ms for a head or a body, 800 ms
    /// idle.
    public static var short: ServerLimits {
        var limits = ServerLimits()
        limits.head = 4096
        limits.target = 1024
        limits.body = 65_536
        limits.headTimeout = 400
        limits.bodyTimeout = 400
        limits.idleTimeout = 800
        limits.lingerTimeout = 400
        return limits
    }

    /// Those of `short`, with time for clients on a loaded machine: 30 seconds each, other than for lingering.
    public static var patient: ServerLimits {
        var limits = short
        limits.headTimeout = 30_000
        limits.bodyTimeout = 30_000
        limits.idleTimeout = 30_000
        return limits
    }
}

/// A 200 response with `body`, kept alive if the client wants it.
public func plainAnswer(_ body: [UInt8]) -> [UInt8] {
    wire("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n") + body
}

/// Answers with the parsed request as text; see `echo`.
@Sendable public func answerWithEcho(_ request: Request, _ reply: consuming Reply) {
    reply.send(WireScript([.raw(WireBytes(plainAnswer(echo(request)))), .end(.keepAlive)]))
}

/// The parsed request as text, so that the bytes that come back show the parse. A line `METHOD target HTTP/1.x
/// keep|close`; then `url`, `path`, `query` and `authority` if they say something new; then the header fields as
/// `[name]=[value]` and the trailer fields as `+[name]=[value]`; then `body` with its length, if there is one.
public func echo(_ request: Request) -> [UInt8] {
    var lines: [[UInt8]] = []
    let ending = request.keepAlive ? "keep" : "close"
    lines.append(request.method + wire(" ") + request.target + wire(" \(request.version.name) \(ending)"))
    if request.url != request.target { lines.append(wire("url ") + request.url) }
    if request.path != request.url { lines.append(wire("path ") + request.path) }
    if let query = request.query { lines.append(wire("query ") + query) }
    if let authority = request.authority { lines.append(wire("authority ") + authority) }
    for header in request.headers { lines.append(wire("[") + header.name + wire("]=[") + header.value + wire("]")) }
    for field in request.trailers { lines.append(wire("+[") + field.name + wire("]=[") + field.value + wire("]")) }
    if !request.body.isEmpty { lines.append(wire("body \(request.body.count) ") + request.body) }
    return Array(lines.joined(separator: [0x0a]))
}

private final class ClosureHandler: RequestHandler {
    private let closure: @Sendable (Request, consuming Reply) -> Void
    let refusals = Locked<[(status: Int, reason: String)]>([])
    let troubles = Events<String>()

    init(_ closure: @escaping @Sendable (Request, consuming Reply) -> Void) {
        self.closure = closure
    }

    func serve(_ request: Request, reply: consuming Reply) {
        closure(request, reply)
    }

    func refused(status: Int, reason: String, peer: String) {
        refusals.withLock { $0.append((status, reason)) }
    }

    func trouble(_ text: String) {
        troubles.tell(text)
    }
}
