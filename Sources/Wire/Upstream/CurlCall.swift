import SDCCurl
import SDHTTPTransport
import SDPlatform

/// A call that libcurl makes.
///
/// Touched on its loop's thread alone, but for what never changes.
final class CurlCall: UpstreamClient {
    let call: UpstreamCall
    /// The proxy that is connected to; nil for the server itself.
    let proxy: String?
    let upload: UploadedBody?
    /// The longest time without a step forward, in nanoseconds.
    let patience: UInt64

    // Read and written on the loop's thread alone.
    /// The pool and libcurl's side of the call, while it runs.
    nonisolated(unsafe) var pool: LoopCalls?
    nonisolated(unsafe) var raw: OpaquePointer?
    /// The handshake of the call's connection.
    nonisolated(unsafe) var handshake: TLSCallHandshake?
    /// The time of the last step forward, in monotonic nanoseconds.
    private(set) nonisolated(unsafe) var lastStep = SystemCalls.monotonicNanoseconds()
    private nonisolated(unsafe) var hasAnswer = false
    /// When the first piece of the loop's present turn came; nil if none has.
    private nonisolated(unsafe) var turnBegan: UInt64?
    /// Whether a piece of it was left for the next one.
    private nonisolated(unsafe) var hasYielded = false
    /// The time in which pieces are taken in a row, in nanoseconds: libcurl goes on for as long as the server sends.
    private static let turn: UInt64 = 5_000_000

    init(_ call: UpstreamCall, proxy: String?) {
        self.call = call
        self.proxy = proxy
        patience = UInt64(call.patience) * 1_000_000
        if case .stream(let stream) = call.request.body { upload = UploadedBody(stream) } else { upload = nil }
    }

    /// Notes a step forward.
    func step() {
        lastStep = SystemCalls.monotonicNanoseconds()
    }

    /// Whether the call waits for its observer or client, and not for the other server. A server that has begun to answer has to
    /// go on, whether more of the request comes or not.
    var waitsForUs: Bool { call.isPaused || !hasAnswer && upload?.waitsForClient ?? false }

    // MARK: What its owner says

    func cancel() {
        upload?.drop()
        guard let raw = raw.take() else { return }
        cu_call_cancel(raw)
        pool?.forget(self)
    }

    func read(_ reads: Bool) {
        step()
        // libcurl goes on at once, and the owner is told nothing within what it says.
        if reads { call.loop.perform { [self] in if !call.isPaused, let raw { cu_call_receive(raw) } } }
    }

    // MARK: What libcurl says

    func headCame(_ head: UpstreamHead) {
        guard head.status != 101 else {
            return call.fail(
                UpstreamProblem(.malformed, "\(call.place) switched to another protocol, which nobody had asked for"))
        }
        if let contradiction = HeadParser.contradiction(in: head) {
            return call.fail(
                UpstreamProblem(.malformed, "\(call.place) sent what is no HTTP: \(contradiction)"))
        }
        if head.status >= 200 {
            hasAnswer = true
            step()
            call.answer(head)
            // libcurl would wait for the rest of the request, which nobody needs.
            if let raw, head.status >= 300, upload?.isSent == false { cu_call_send(raw) }
        } else if head.status != 100 {
            call.inform(head)
        }
    }

    /// - Returns: whether the piece was taken.
    func pieceCame(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !call.isPaused else { return false }
        step()
        if let turnBegan {
            hasYielded = lastStep &- turnBegan > Self.turn
            if hasYielded { return false }
        } else {
            turnBegan = lastStep
            call.loop.perform { [self] in endTurn() }
        }
        call.send(bytes)
        return true
    }

    private func endTurn() {
        turnBegan = nil
        guard hasYielded else { return }
        hasYielded = false
        if !call.isPaused, let raw { cu_call_receive(raw) }
    }

    func ended(_ end: Result<[(name: String, value: String)], UpstreamProblem>) {
        raw = nil
        upload?.drop()
        call.end(end)
    }

    /// Says that the other server took too long.
    func timeOut() {
        let what = hasAnswer ? "sent nothing more of its answer for" : "did not answer within"
        call.fail(UpstreamProblem(.timedOut, "\(call.place) \(what) \(call.patience) ms"))
    }

    /// Fills in more of the body.
    func moreBody(_ room: UnsafeMutableRawBufferPointer) -> Int {
        guard let upload else { return Int(CU_END) }
        switch upload.next(room, { [weak self] in self?.bodyCame() }) {
        case .bytes(let count):
            step()
            return count
        case .later: return Int(CU_LATER)
        case .broken: return Int(CU_BROKEN)
        case .complete(let trailers):
            step()
            guard !trailers.isEmpty, let raw else { return Int(CU_END) }
            let lines = CurlRequest.lines(RequestHead(trailers: trailers).bytes)
            return cu_call_set_trailers(raw, lines, lines.count) ? Int(CU_END) : Int(CU_BROKEN)
        }
    }

    private func bodyCame() {
        step()
        if let raw { cu_call_send(raw) }
    }
}
