import SDCReactor

/// The end of a reply on the wire.
public struct StreamEnd: Sendable, Equatable {
    public enum Outcome: Sendable, Equatable {
        /// The response was sent completely.
        case sent
        /// The script broke the connection on purpose.
        case aborted
        /// The client closed or reset the connection first.
        case clientDisconnected
        /// The client read no bytes for the length of the idle timeout.
        case clientStalled
        /// The server shut down before the end.
        case stopped
        /// `StreamHandle.cancel` or `StreamingReply.cancel` ended it.
        case cancelled
        /// The rest of the streamed request body was too slow or invalid.
        case refused
    }

    public let outcome: Outcome
    /// The number of bytes written to the socket, framing included.
    public let bytesSent: UInt64
    /// The number of body bytes among them, without framing: where an answer was cut. Nil for a complete answer.
    public let bodyBytesSent: UInt64?
    /// The time of the first byte, in monotonic nanoseconds; 0 if no byte was sent.
    public let firstByteTime: UInt64
    /// The time of the end, in monotonic nanoseconds.
    public let endTime: UInt64
    /// The error status sent instead of the answer, because the request's body was rejected; nil for none.
    public let refusal: Int?

    init(_ raw: cr_end) {
        outcome =
            switch raw.outcome {
            case CR_SENT: .sent
            case CR_ABORTED: .aborted
            case CR_CLIENT_STALLED: .clientStalled
            case CR_STOPPED: .stopped
            case CR_CANCELLED: .cancelled
            case CR_BODY_REFUSED: .refused
            default: .clientDisconnected
            }
        bytesSent = raw.bytes_sent
        bodyBytesSent = raw.outcome == CR_SENT ? nil : raw.body_sent
        firstByteTime = raw.first_byte_ns
        endTime = raw.end_ns
        refusal = raw.refusal == 0 ? nil : Int(raw.refusal)
    }
}

/// An observer of a reply's end. Called on the loop's thread.
public protocol StreamObserver: AnyObject, Sendable {
    /// Called once, when the answer has ended.
    func streamEnded(_ end: StreamEnd)
    /// Called when an answer sent by `sendCancellable` reaches a hold. If the hold was released earlier, the answer has
    /// already continued.
    func streamHeld(at name: String)
}

extension StreamObserver {
    public func streamHeld(at name: String) {}
}

/// The right and the duty to answer one request, exactly once, at once or later, on any thread. A reply dropped
/// unanswered sends a 500 by itself, so that no client waits for ever.
public struct Reply: ~Copyable, Sendable {
    // A stream is accessed only on its loop's thread; `send` posts to that thread first.
    nonisolated(unsafe) let stream: OpaquePointer
    /// Keeps the loops alive until the reply is sent.
    let server: Server
    /// The number of the request's loop, from 0.
    public let worker: Int
    private var isAnswered = false

    init(stream: OpaquePointer, server: Server, worker: Int) {
        self.stream = stream
        self.server = server
        self.worker = worker
    }

    /// Runs `script` on the stream. `observer` is retained until it has received the end. The holds of this script
    /// cannot be released: see `sendCancellable`.
    public consuming func send(_ script: WireScript, observer: (any StreamObserver)? = nil) {
        isAnswered = true
        deliver(script, observer)
    }

    /// Runs `script` like `send`. The observer keeps the script alive, which saves a reference count.
    public consuming func send(_ script: WireScript, keptBy observer: any StreamObserver) {
        isAnswered = true
        deliver(script, observer, isKept: true)
    }

    /// Flushes the coalesced answers to earlier requests of the connection, so that their ends are observed before this
    /// answer is made. For answers that report past requests; call it in `RequestHandler.serve`.
    public borrowing func sendEarlierAnswers() {
        guard let loop = cr_stream_loop(stream), cr_loop_is_current(loop) else { return }
        cr_stream_flush_earlier(stream)
    }

    /// Runs `script` on the stream like `send`, under a control that is attached from the start of the answer to its
    /// end.
    consuming func answer(_ script: WireScript, _ control: StreamControl) {
        isAnswered = true
        guard let loop = cr_stream_loop(stream) else { return }
        if cr_loop_is_current(loop) {
            control.begin(script, on: stream)
        } else {
            let work = Work { [stream, server] in withExtendedLifetime(server) { control.begin(script, on: stream) } }
            post(work, to: loop)
        }
    }

    private borrowing func deliver(_ script: WireScript, _ observer: (any StreamObserver)?, isKept: Bool = false) {
        guard let loop = cr_stream_loop(stream) else { return }
        if cr_loop_is_current(loop) {
            cr_stream_reply(stream, script.block.steps, observerWords(observer, isKept ? nil : script))
        } else {
            post(DeferredSend(stream: stream, script: script, observer: observer, server: server), to: loop)
        }
    }

    private borrowing func post(_ job: Job, to loop: OpaquePointer) {
        let argument = Unmanaged.passRetained(job).toOpaque()
        guard cr_loop_post(loop, runJob, argument) else { fatalError("out of memory for a reply") }
    }

    deinit {
        if !isAnswered { deliver(droppedReply, nil) }
    }
}

private final class DeferredSend: Job {
    private let stream: OpaquePointer
    private let script: WireScript
    private let observer: (any StreamObserver)?
    private let server: Server

    init(stream: OpaquePointer, script: WireScript, observer: (any StreamObserver)?, server: Server) {
        self.stream = stream
        self.script = script
        self.observer = observer
        self.server = server
    }

    override func run() {
        cr_stream_reply(stream, script.block.steps, observerWords(observer, script))
    }
}

private let droppedReply: WireScript = {
    let text = "the request was dropped without an answer\n"
    var head = ResponseHead(status: 500, reason: "Internal Server Error")
    head.add("Content-Type", "text/plain;charset=utf-8")
    head.add("Content-Length", String(text.utf8.count))
    head.add("Connection", "close")
    return WireScript([.head(head), .body(WireBytes(Array(text.utf8))), .end(.close)])
}()

/// The opaque words that the loop carries for a reply: a reference to the observer and its witness table, and a
/// reference that keeps the script alive unless the observer does.
private struct ReplyContext {
    let observer: (any StreamObserver)?
    let script: WireScript?
}

func observerWords(_ observer: (any StreamObserver)?, _ script: WireScript?) -> cr_observer {
    var words = cr_observer()
    withUnsafeMutableBytes(of: &words) { buffer in
        // Not `initializeMemory(as:repeating:)`, which makes one more copy and retains it.
        buffer.bindMemory(to: ReplyContext.self).initializeElement(
            at: 0, to: ReplyContext(observer: observer, script: script))
    }
    return words
}

/// Takes the observer out of the words and releases the script. Call once.
func takeObserver(_ words: cr_observer) -> (any StreamObserver)? {
    var words = words
    return withUnsafeMutableBytes(of: &words) { buffer in
        buffer.bindMemory(to: ReplyContext.self).baseAddress?.move().observer
    }
}

/// Returns the observer without taking it out of the words.
func borrowObserver(_ words: cr_observer) -> (any StreamObserver)? {
    withUnsafeBytes(of: words) { $0.load(as: ReplyContext.self).observer }
}
