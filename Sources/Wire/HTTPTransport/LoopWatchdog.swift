import SDPlatform

/// Reports each call that blocked a loop for longer than a limit of processor time (so the machine's load does not
/// count): serving a request, posted work, a timer, a watch, the end of an answer. For tests; a server without a
/// watchdog pays nothing.
public final class LoopWatchdog: Sendable {
    /// A call that took too long.
    public struct LongCall: Sendable, CustomStringConvertible {
        /// The name of the call: a request's method and URL, or the file and line of the work.
        public let name: String
        /// The processor time used on the thread, in nanoseconds.
        public let nanoseconds: UInt64

        public var description: String { "\(name) held its loop for \(nanoseconds / 1_000) µs" }
    }

    private let limit: UInt64
    private let report: @Sendable (LongCall) -> Void

    /// - Parameters:
    ///   - limit: the processor time that a call may take, in nanoseconds.
    ///   - report: called on the loop's thread, after the call.
    public init(limit: UInt64 = 10_000_000, report: @escaping @Sendable (LongCall) -> Void) {
        self.limit = limit
        self.report = report
    }

    /// The processor time of this thread so far, in nanoseconds.
    var begin: UInt64 { SystemCalls.threadProcessorNanoseconds() }

    /// Reports a call that took longer than the limit.
    /// - Parameter begin: the value of `begin` before the call.
    func end(_ begin: UInt64, _ name: @autoclosure () -> String) {
        let time = self.begin - begin
        if time > limit { report(LongCall(name: name(), nanoseconds: time)) }
    }

    /// Makes a call and reports it if it takes longer than the limit.
    func watch(_ name: @autoclosure () -> String, _ call: () -> Void) {
        let begin = begin
        call()
        end(begin, name())
    }
}

/// A handler whose calls are watched.
final class WatchedHandler: RequestHandler {
    private let handler: any RequestHandler
    private let watchdog: LoopWatchdog

    init(_ handler: any RequestHandler, _ watchdog: LoopWatchdog) {
        self.handler = handler
        self.watchdog = watchdog
    }

    private func name(_ request: Request) -> String {
        String(decoding: request.method + [0x20] + request.url, as: UTF8.self)
    }

    func serve(_ request: Request, reply: consuming Reply) {
        let begin = watchdog.begin
        handler.serve(request, reply: reply)
        watchdog.end(begin, name(request))
    }

    func refused(status: Int, reason: String, peer: String) {
        watchdog.watch("refused") { handler.refused(status: status, reason: reason, peer: peer) }
    }

    func trouble(_ text: String) {
        watchdog.watch("trouble") { handler.trouble(text) }
    }

    func failedHandshake(_ text: String, _ origin: Request.Origin, serverName: String?) {
        watchdog.watch("failedHandshake") { handler.failedHandshake(text, origin, serverName: serverName) }
    }

    var limitsUploads: Bool { handler.limitsUploads }

    var streamsShortBodies: Bool { handler.streamsShortBodies }

    func takesBodyStream(of head: Request, isLong: Bool) -> Bool {
        let begin = watchdog.begin
        defer { watchdog.end(begin, name(head)) }
        return handler.takesBodyStream(of: head, isLong: isLong)
    }

    func readRate(of head: Request) -> UInt64? {
        let begin = watchdog.begin
        defer { watchdog.end(begin, "readRate of \(name(head))") }
        return handler.readRate(of: head)
    }

    func http2ServerPreface(_ origin: Request.Origin, serverName: String?) -> HTTP2ServerPreface {
        let begin = watchdog.begin
        defer { watchdog.end(begin, "http2ServerPreface") }
        return handler.http2ServerPreface(origin, serverName: serverName)
    }
}

/// A job that is watched.
final class WatchedJob: Job {
    private let job: Job
    private let watchdog: LoopWatchdog
    private let name: String

    init(_ job: Job, _ watchdog: LoopWatchdog, _ name: String) {
        self.job = job
        self.watchdog = watchdog
        self.name = name
    }

    override func run() {
        watchdog.watch(name) { job.run() }
    }
}
