import SDCCurl
import SDHTTPTransport
import SDPlatform

/// A call that is under way: what libcurl tells it, in the order and at the pace that its observer takes.
///
/// Touched on its loop's thread alone, but for what never changes.
final class UpstreamCall: Sendable {
    let request: UpstreamRequest
    let loop: Loop
    /// The longest time without a step forward, in nanoseconds.
    let patience: UInt64

    // Read and written on the loop's thread alone.
    /// Nil once the call is over: who is told often keeps the call, to pause it.
    private nonisolated(unsafe) var observer: (any UpstreamObserver)?
    nonisolated(unsafe) var target: UpstreamTarget?
    nonisolated(unsafe) var upload: UploadedBody?
    /// Where the call was going, for messages.
    nonisolated(unsafe) var place = ""
    /// Who is connected to: the place, or the proxy in front of it.
    nonisolated(unsafe) var neighbour = ""
    /// What a server that asks for a certificate is shown.
    nonisolated(unsafe) var credentials: TLSCredentials?
    /// That of the call's connection, if it was made for the call.
    nonisolated(unsafe) var handshake: TLSCallHandshake?
    /// The pool and libcurl's side of the call, while it runs.
    nonisolated(unsafe) var pool: LoopCalls?
    nonisolated(unsafe) var raw: OpaquePointer?
    /// The time of the last step forward, in monotonic nanoseconds.
    private(set) nonisolated(unsafe) var lastStep: UInt64
    private nonisolated(unsafe) var waiting: [Note] = []
    private nonisolated(unsafe) var firstWaiting = 0
    private nonisolated(unsafe) var waitingBytes = 0
    private nonisolated(unsafe) var isPaused = false
    private nonisolated(unsafe) var isQuiet = true
    private nonisolated(unsafe) var hasTurn = false
    private nonisolated(unsafe) var isFull = false
    private nonisolated(unsafe) var hasAnswer = false
    /// The bytes of the answer's body that are still to come; nil while that is not known. The answer ends with them, whatever
    /// becomes of the rest of the request.
    private(set) nonisolated(unsafe) var missing: Int?
    private(set) nonisolated(unsafe) var isOver = false
    /// What the observer was told in the turn of this number.
    private nonisolated(unsafe) var turn: UInt64 = 0
    private nonisolated(unsafe) var told = 0

    /// What the observer is told.
    private enum Note {
        case informs(UpstreamHead)
        case answers(UpstreamHead)
        case sends([UInt8])
        case ends(Result<[(name: String, value: String)], UpstreamProblem>)
    }

    private enum Limit {
        /// The bytes and pieces that wait while nobody takes them; libcurl puts together what comes then.
        static let bytes = 64 << 10
        static let pieces = 256
        /// The pieces of a turn.
        static let turn = 64
    }

    init(_ request: UpstreamRequest, _ settings: UpstreamSettings, _ loop: Loop, _ observer: any UpstreamObserver) {
        self.request = request
        self.loop = loop
        self.observer = observer
        patience = UInt64(max(request.timeout ?? settings.timeout, 1)) * 1_000_000
        lastStep = SystemCalls.monotonicNanoseconds()
    }

    // MARK: Telling

    /// Tells the observer now, or in one of the next turns.
    private func tell(_ note: consuming Note) {
        let turn = pool?.turn ?? 0
        if turn != self.turn {
            self.turn = turn
            told = 0
        }
        if !isQuiet, !isPaused, firstWaiting == waiting.count, told < Limit.turn {
            told += 1
            deliver(note)
        } else {
            wait(note)
        }
    }

    private func wait(_ note: Note) {
        if case .sends(let bytes) = note { waitingBytes += bytes.count }
        waiting.append(note)
        takeTurn()
    }

    private func deliver(_ note: Note) {
        switch note {
        case .informs(let head): observer?.upstreamInforms(head)
        case .answers(let head): observer?.upstreamAnswers(head)
        case .sends(let bytes): observer?.upstreamSends(bytes)
        case .ends(let end):
            isOver = true
            observer.take()?.upstreamEnds(end)
        }
    }

    /// Sees to it that what waits is told.
    private func takeTurn() {
        guard !hasTurn, !isPaused, firstWaiting < waiting.count else { return }
        hasTurn = true
        loop.perform { [self] in
            hasTurn = false
            isQuiet = false
            deliverWaiting()
        }
    }

    private func deliverWaiting() {
        var count = 0
        while !isPaused, !isOver, firstWaiting < waiting.count, count < Limit.turn {
            let note = waiting[firstWaiting]
            waiting[firstWaiting] = .sends([])
            firstWaiting += 1
            if case .sends(let bytes) = note { waitingBytes -= bytes.count }
            count += 1
            deliver(note)
        }
        if firstWaiting == waiting.count {
            waiting.removeAll(keepingCapacity: !isOver)
            firstWaiting = 0
        }
        takeTurn()
        if isFull, !isPaused, firstWaiting == waiting.count {
            isFull = false
            step()
            if let raw { cu_call_receive(raw) }
        }
    }

    // MARK: What its owner says

    /// Begins to tell the observer: `start` has returned.
    func mayTell() {
        isQuiet = false
        takeTurn()
    }

    func cancel() {
        guard !isOver else { return }
        isOver = true
        observer = nil
        waiting = []
        firstWaiting = 0
        upload?.drop()
        if let raw = raw.take() {
            cu_call_cancel(raw)
            pool?.forget(self)
        }
    }

    func read(_ reads: Bool) {
        guard !isOver, isPaused == reads else { return }
        isPaused = !reads
        guard reads else { return }
        step()
        takeTurn()
        if isFull, firstWaiting == waiting.count {
            isFull = false
            if let raw { cu_call_receive(raw) }
        }
    }

    // MARK: What happens

    /// Notes a step forward.
    func step() {
        lastStep = SystemCalls.monotonicNanoseconds()
    }

    /// Whether the call waits for its observer or client, and not for the other server. A server that has begun to answer has to
    /// go on, whether more of the request comes or not.
    var waitsForUs: Bool {
        isPaused || isFull || firstWaiting < waiting.count || !hasAnswer && upload?.waitsForClient ?? false
    }

    func headCame(_ head: UpstreamHead) {
        guard head.status != 101 else {
            return fail(
                UpstreamProblem(.malformed, "\(place) switched to another protocol, which nobody had asked for"))
        }
        if head.status >= 200 {
            hasAnswer = true
            step()
            answered(head)
        } else if head.status != 100 {
            tell(.informs(head))
        }
    }

    private func answered(_ head: UpstreamHead) {
        let body: HeadParser.BodyLength
        do throws(HeadParser.LengthProblem) {
            body = try HeadParser.bodyLength(head)
        } catch {
            return fail(
                UpstreamProblem(
                    .malformed, "\(place) said two lengths: Content-Length \(error.first), and \(error.second)"))
        }
        tell(.answers(body.isSaidTwice ? HeadParser.withoutLength(head) : head))
        missing = [204, 304].contains(head.status) || request.method == "HEAD" ? 0 : body.length
        guard let upload, !upload.isSent else { return }
        // libcurl would wait for the rest of the request, which nobody needs.
        if let raw, head.status >= 300 { cu_call_send(raw) }
        endIfComplete()
    }

    /// Ends a call whose answer is complete before its request: that the server reads the rest is not waited for.
    private func endIfComplete() {
        guard missing == 0, let upload, !upload.isSent, let raw = raw.take() else { return }
        cu_call_cancel(raw)
        pool?.forget(self)
        ended(.success([]))
    }

    /// - Returns: whether the piece was taken.
    func pieceCame(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if isFull || waitingBytes >= Limit.bytes || waiting.count - firstWaiting >= Limit.pieces {
            isFull = true
            return false
        }
        step()
        tell(.sends(Array(bytes)))
        if let left = missing {
            missing = left - bytes.count
            endIfComplete()
        }
        return true
    }

    /// Ends the call with what libcurl says.
    func ended(_ end: Result<[(name: String, value: String)], UpstreamProblem>) {
        raw = nil
        upload?.drop()
        tell(.ends(end))
    }

    /// Ends the call before libcurl has heard of it, or without it.
    func fail(_ problem: UpstreamProblem) {
        guard !isOver else { return }
        if let raw = raw.take() {
            cu_call_cancel(raw)
            pool?.forget(self)
        }
        upload?.drop()
        tell(.ends(.failure(problem)))
    }

    /// Says that the other server took too long.
    func timeOut() {
        let time = patience / 1_000_000
        let what = hasAnswer ? "sent nothing more of its answer for" : "did not answer within"
        fail(UpstreamProblem(.timedOut, "\(place) \(what) \(time) ms"))
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
            let lines = RequestLines(trailers: trailers).bytes
            return cu_call_set_trailers(raw, lines, lines.count) ? Int(CU_END) : Int(CU_BROKEN)
        }
    }

    private func bodyCame() {
        step()
        if let raw { cu_call_send(raw) }
    }
}
