import SDCReactor
public import SDPlatform
// Users of a server need requests and scripts.
@_exported public import SDWireValues

/// The handler of requests. Called on the loops' threads, so by several at a time if there are several workers.
public protocol RequestHandler: AnyObject, Sendable {
    /// Answers a request through `reply`, now or later.
    func serve(_ request: Request, reply: consuming Reply)
    /// Called when the server itself sent an error, because the request was malformed, too large or too slow.
    func refused(status: Int, reason: String, peer: String)
    /// Reports a problem for the log, such as running out of descriptors.
    func trouble(_ text: String)
    /// Called when a TLS handshake failed.
    /// - Parameters:
    ///   - text: the peer and the reason.
    ///   - serverName: the name that the client asked for (SNI); nil without SNI.
    func failedHandshake(_ text: String, _ origin: Request.Origin, serverName: String?)
    /// Whether `readRate` is called. Read before the body of each request.
    var limitsUploads: Bool { get }
    /// The rate at which to read the body of a request, in bytes a second; nil for no limit. With `UInt64.max` the body
    /// is never read.
    /// - Parameter head: the request without its body.
    func readRate(of head: Request) -> UInt64?
    /// Whether the handler streams this request's body (`Request.bodyStream`) instead of buffering it. Called when the
    /// head announces a body beyond `ServerLimits.streamedBody`, or when a body of unknown length has grown beyond it;
    /// small requests cost nothing.
    /// - Parameters:
    ///   - head: the request without its body.
    ///   - isLong: false if this is called because of `streamsShortBodies`.
    func takesBodyStream(of head: Request, isLong: Bool) -> Bool
    /// Whether `takesBodyStream` is also called at the head of every request with a body of unknown length. Read before
    /// the body of each.
    var streamsShortBodies: Bool { get }
    /// The preface that the server sends on a connection that starts to speak HTTP/2.
    /// - Parameter serverName: the name that the client's TLS asked for (SNI); nil without SNI.
    func http2ServerPreface(_ origin: Request.Origin, serverName: String?) -> HTTP2ServerPreface
}

extension RequestHandler {
    public var limitsUploads: Bool { false }
    public func readRate(of head: Request) -> UInt64? { nil }
    public func takesBodyStream(of head: Request, isLong: Bool) -> Bool { false }
    public var streamsShortBodies: Bool { false }
    public func http2ServerPreface(_ origin: Request.Origin, serverName: String?) -> HTTP2ServerPreface { .normal }
    public func refused(status: Int, reason: String, peer: String) {}
    public func trouble(_ text: String) {}
    public func failedHandshake(_ text: String, _ origin: Request.Origin, serverName: String?) { trouble(text) }
}

/// Event loops that listen, speak HTTP and run wire scripts. Set up first, then `run()` or `start()`.
public final class Server: Sendable {
    /// The loops. Touched directly only before they run and after they have ended; in between, through `cr_loop_post`.
    nonisolated(unsafe) let loops: [OpaquePointer]
    /// The contexts of the loops' callbacks, one per loop.
    private nonisolated(unsafe) let contexts: [LoopContext]
    /// Handles on the loops, for objects that may outlive them.
    let handles: [Loop]

    /// Makes a server.
    /// - Parameters:
    ///   - workers: the number of loops, each with a thread of its own; at least 1.
    ///   - memory: the ledger for request bodies and HTTP/2 connections; bodies beyond its limit are rejected.
    ///   - watchdog: reports calls that block a loop; nil for none.
    /// - Throws: the system's error if a loop cannot be made.
    public init(
        limits: ServerLimits = ServerLimits(), workers: Int = 1, memory: MemoryLedger = MemoryLedger(),
        watchdog: LoopWatchdog? = nil, handler: any RequestHandler
    ) throws(TransportError) {
        let handler = watchdog.map { WatchedHandler(handler, $0) } ?? handler
        let contexts = (0..<max(workers, 1)).map {
            LoopContext(handler, worker: $0, memory, watchdog)
        }
        var config = limits.raw
        var loops: [OpaquePointer] = []
        for context in contexts {
            var callbacks = context.callbacks
            guard let loop = cr_loop_new(&config, &callbacks) else {
                let error = TransportError("create an event loop")
                loops.forEach(cr_loop_free)
                throw error
            }
            loops.append(loop)
        }
        self.loops = loops
        self.contexts = contexts
        handles = loops.map { Loop($0, watchdog) }
        for context in contexts { context.server = self }
    }

    deinit {
        loops.forEach(cr_loop_free)
    }

    // MARK: Listening

    /// Listens on a numeric IPv4 or IPv6 address with all workers. Must be called before the server runs.
    /// - Parameters:
    ///   - port: the port; 0 takes a free one.
    ///   - tls: the TLS settings; nil for plain HTTP.
    /// - Returns: the port.
    /// - Throws: the system's error, with the address.
    @discardableResult
    public func listen(address: String, port: UInt16, tls: TLSSettings? = nil) throws(TransportError) -> UInt16 {
        var port = port
        let isShared = loops.count > 1
        let secured = try tls.map { settings throws(TransportError) in
            try SecuredListeners(settings, at: Self.name(address, port))
        }
        // The workers share the port among themselves (`SO_REUSEPORT`), but must not share it with another daemon.
        if isShared, cr_probe_tcp(address, port) != 0 { throw Self.listenFailure(address, port) }
        for loop in loops {
            guard let listener = cr_listen_tcp(loop, address, port, isShared, cr_protocol_http1()) else {
                throw Self.listenFailure(address, port)
            }
            secured?.secure(listener)
            port = cr_listener_port(listener)
        }
        return port
    }

    static func listenFailure(_ address: String, _ port: UInt16) -> TransportError {
        TransportError("listen on \(name(address, port))")
    }

    static func name(_ address: String, _ port: UInt16) -> String {
        (address.contains(":") ? "[\(address)]" : address) + ":\(port)"
    }

    /// Listens on a Unix socket with the first worker. Must be called before the server runs.
    /// - Throws: the system's error.
    public func listen(unixSocket path: String) throws(TransportError) {
        guard cr_listen_unix(loops[0], path, cr_protocol_http1()) != nil else {
            throw TransportError("listen on \(path)")
        }
    }

    // MARK: Running

    /// Runs on the calling thread until `stop` or the end of `drain`; further workers run on threads of their own.
    /// - Throws: the system's error if a thread cannot be started.
    public func run() throws(TransportError) {
        for (started, loop) in loops.dropFirst().enumerated() {
            let code = cr_loop_start(loop)
            if code != 0 {
                stopAndJoin(loops.dropFirst().prefix(started))
                throw TransportError("start a worker", code: code)
            }
        }
        cr_loop_run(loops[0])
        // What ended the first loop was announced to all; the others may still be draining.
        loops.dropFirst().forEach(cr_loop_join)
    }

    /// Runs on its own threads. Must be followed by `stopAndWait`; stays alive until then.
    /// - Throws: the system's error if a thread cannot be started.
    public func start() throws(TransportError) {
        contexts[0].running = self
        for (started, loop) in loops.enumerated() {
            let code = cr_loop_start(loop)
            if code != 0 {
                stopAndJoin(loops.prefix(started))
                contexts[0].running = nil
                throw TransportError("start a worker", code: code)
            }
        }
    }

    /// Stops a server started by `start`, and waits for its threads. Must not be called on one of them.
    public func stopAndWait() {
        stop()
        loops.forEach(cr_loop_join)
        contexts[0].running = nil
    }

    /// Ends all loops now. Callable on any thread.
    public func stop() {
        for loop in loops { onLoop(loop) { cr_loop_stop(loop) } }
    }

    /// Stops accepting, closes idle connections, gives replies in flight up to `milliseconds` to finish, then ends the
    /// loops. Callable on any thread.
    public func drain(milliseconds: Int) {
        for loop in loops { onLoop(loop) { cr_loop_drain(loop, UInt32(clamping: milliseconds)) } }
    }

    /// The number of open client connections, and of all that were accepted so far. Callable on any thread.
    public var clients: (open: Int, accepted: UInt64) {
        loops.reduce(into: (0, 0)) { sum, loop in
            var (open, accepted): (UInt32, UInt64) = (0, 0)
            cr_loop_count_clients(loop, &open, &accepted)
            sum.0 += Int(open)
            sum.1 += accepted
        }
    }

    private func stopAndJoin(_ running: ArraySlice<OpaquePointer>) {
        for loop in running {
            onLoop(loop) { cr_loop_stop(loop) }
            cr_loop_join(loop)
        }
    }

    // MARK: Work on the loop

    /// Calls `work` on the thread of that worker's loop; after the loop has ended, on the calling thread at once.
    /// Callable on any thread.
    public func post(
        worker: Int = 0, file: StaticString = #fileID, line: UInt = #line, _ work: @escaping @Sendable () -> Void
    ) {
        post(to: loop(of: worker), Work(handles[worker].watched(work, file, line)))
    }

    /// The loop of a worker.
    /// - Precondition: there is such a worker.
    package func loop(of worker: Int) -> OpaquePointer {
        precondition(loops.indices.contains(worker), "there is no worker \(worker) of \(loops.count)")
        return loops[worker]
    }

    /// Whether the loop may be accessed on this thread: it is the loop's own, or no thread runs the loop.
    static func mayTouch(_ loop: OpaquePointer) -> Bool {
        cr_loop_is_current(loop) || !cr_loop_is_running(loop)
    }

    private func onLoop(_ loop: OpaquePointer, _ work: @escaping () -> Void) {
        post(to: loop, Work(work))
    }

    private func post(to loop: OpaquePointer, _ work: Work) {
        let argument = Unmanaged<Job>.passRetained(work).toOpaque()
        guard cr_loop_post(loop, runJob, argument) else { fatalError("out of memory for a job") }
    }
}

/// The context of a loop's callbacks, owned by its server.
private final class LoopContext {
    let handler: any RequestHandler
    let worker: Int
    let uploads, connections: MemoryAccount
    let watchdog: LoopWatchdog?
    unowned(unsafe) var server: Server!
    /// Keeps a started server alive: its loops must not be freed while they run.
    var running: Server?

    init(_ handler: any RequestHandler, worker: Int, _ memory: MemoryLedger, _ watchdog: LoopWatchdog?) {
        self.watchdog = watchdog
        self.handler = handler
        self.worker = worker
        uploads = memory.account(.uploads)
        connections = memory.account(.connections)
    }

    /// The C callbacks. With a watchdog, wrapped ones are used, so that a server without one pays nothing.
    var callbacks: cr_handler {
        var callbacks = plainCallbacks
        if watchdog != nil {
            callbacks.on_end = { context, observer, end in
                guard let end else { return }
                LoopContext.at(context).watchdog?.watch("the end of an answer") {
                    takeObserver(observer)?.streamEnded(StreamEnd(end.pointee))
                }
            }
        }
        return callbacks
    }

    private var plainCallbacks: cr_handler {
        cr_handler(
            context: Unmanaged.passUnretained(self).toOpaque(),
            on_request: { context, stream, request in
                guard let context, let stream, let request else { return }
                // The server retains the context, so a request need not.
                Unmanaged<LoopContext>.fromOpaque(context)._withUnsafeGuaranteedRef { context in
                    let reply = Reply(stream: stream, server: context.server, worker: context.worker)
                    if request.pointee.streamed {
                        context.serve(streamed: request, reply)
                    } else if let large = LargeRequest.take(request, of: stream, context.uploads) {
                        context.serve(large, ReplyBox(reply))
                    } else {
                        context.handler.serve(Request(request, context.uploads), reply: reply)
                    }
                }
            },
            on_end: { _, observer, end in
                guard let end else { return }
                takeObserver(observer)?.streamEnded(StreamEnd(end.pointee))
            },
            on_refusal: { context, status, reason, peer in
                LoopContext.at(context).handler.refused(status: Int(status), reason: text(reason), peer: text(peer))
            },
            on_log: { context, words in
                LoopContext.at(context).handler.trouble(text(words))
            },
            on_hold: { _, _, observer, step in
                guard let step, let control = borrowObserver(observer) as? StreamControl else { return }
                if step.pointee.is(CR_STEP_MORE) {
                    control.streamOpen()
                } else {
                    control.streamHeld(at: step.pointee.name)
                }
            },
            on_memory: { context, change in LoopContext.at(context).uploads.add(Int(change)) },
            on_connection_memory: { context, change in LoopContext.at(context).connections.add(Int(change)) },
            has_room: { context, bytes in
                LoopContext.at(context).uploads.ledger.hasRoom(for: Int(clamping: bytes))
            },
            limits_uploads: { context in LoopContext.at(context).handler.limitsUploads },
            read_rate: { context, head in
                let context = LoopContext.at(context)
                guard let head else { return 0 }
                let request = Request(head, context.uploads)
                return context.handler.readRate(of: request) ?? 0
            },
            streams_body: { context, head, isLong in
                let context = LoopContext.at(context)
                guard let head else { return false }
                return context.handler.takesBodyStream(of: Request(head, context.uploads), isLong: isLong)
            },
            streams_short: { context in LoopContext.at(context).handler.streamsShortBodies },
            on_body: { _, body, bytes, length in
                IncomingBody.at(body).came(UnsafeBufferPointer(start: bytes, count: length))
            },
            on_body_end: { _, body, request in IncomingBody.take(body).ended(request) },
            on_input: { _, _, observer, bytes, length in
                guard let control = borrowObserver(observer) as? StreamControl else { return }
                control.streamInput(UnsafeBufferPointer(start: bytes, count: length))
            },
            http2_server_preface: { context, raw, name in
                guard let raw else { return CR_HTTP2_PREFACE_NORMAL }
                let (origin, name) = (Request.Origin(raw.pointee), name.map { String(cString: $0) })
                return LoopContext.at(context).handler.http2ServerPreface(origin, serverName: name).raw
            },
            on_failed_handshake: { context, words, raw, name in
                guard let raw else { return }
                let (origin, name) = (Request.Origin(raw.pointee), name.map { String(cString: $0) })
                LoopContext.at(context).handler.failedHandshake(text(words), origin, serverName: name)
            })
    }

    /// Serves a request whose body is still arriving.
    private func serve(streamed request: UnsafePointer<cr_request>, _ reply: consuming Reply) {
        let body = IncomingBody(of: reply.stream, reply.loop)
        handler.serve(Request(request, uploads, body: body), reply: reply)
    }

    /// Serves a large request on the loop, once another thread has made it.
    private func serve(_ large: LargeRequest, _ waiting: ReplyBox) {
        let (handler, server, worker) = (handler, self.server, worker)
        large.make { request in
            server?.post(worker: worker) {
                if let reply = waiting.take() { handler.serve(request, reply: reply) }
            }
        }
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> LoopContext {
        guard let context else { preconditionFailure("a callback without its context") }
        return Unmanaged<LoopContext>.fromOpaque(context).takeUnretainedValue()
    }
}

private func text(_ words: UnsafePointer<CChar>?) -> String {
    words.map { String(cString: $0) } ?? ""
}
