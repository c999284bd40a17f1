import SDHTTPMessages
import SDHTTPTransport
import SDJournal
import SDPlatform
import SDStubModel
import SDUpstream
import Synchronization

/// The answer of another server on its way to a client. It is sent piece by piece as it comes; while the client takes
/// nothing, no more is read than fits into a small room.
final class ProxiedAnswer: UpstreamObserver, ScriptSource {
    /// The bytes on their way at which no more is read, and those at which reading goes on.
    private static let most = 1 << 20
    private static let least = 256 << 10
    /// The pieces that are sent in one write.
    private static let batch = 16
    /// The largest body that is kept to be sent in the chunks of a dribble.
    private static let mostDribbled = 8 << 20

    fileprivate struct State {
        /// The head, until it is sent.
        var head: ResponseHead?
        var pieces: [WireBytes] = []
        var next = 0
        /// The bytes of the pieces.
        var waiting = 0
        /// What is sent behind the pieces; nil until the other server has ended.
        var ending: [WireStep]?
        var transfer: UpstreamTransfer?
        var isReading = true
        var hasEnded = false
        var frame: ProxiedFrame?
        var body: StreamedBody?
        /// The body as far as it has come, if it is sent in the chunks of a dribble; nil if it is not.
        var dribbled: [UInt8]?
        /// What is changed in the body; nil for nothing.
        var rewrite: HostRewrite?
    }

    private let maker: ResponseMaker
    private let target: ProxyTarget
    private let definition: ResponseDefinition
    private let headers: [ResponseHeader]
    private let dropsCORS: Bool
    private let rewrite: HostRewrite?
    private let record: (any ExchangeRecord)?
    private let stream: HeldStream
    private let start = MonotonicInstant.now
    private let account: MemoryAccount
    private let state = Mutex(State())

    init(
        _ maker: ResponseMaker, _ target: ProxyTarget, _ definition: ResponseDefinition, headers: [ResponseHeader],
        dropsCORS: Bool, _ rewrite: HostRewrite?, _ record: (any ExchangeRecord)?, _ stream: HeldStream
    ) {
        self.maker = maker
        self.target = target
        self.definition = definition
        self.headers = headers
        self.dropsCORS = dropsCORS
        self.rewrite = rewrite
        self.record = record
        self.stream = stream
        account = maker.session.memory.account(.answers)
    }

    /// Begins the call. The client gets what comes of it.
    func begin(_ call: UpstreamRequest, _ upstream: Upstream) {
        let transfer = upstream.start(call, on: stream.loop, self)
        let hasEnded = state.withLock { state in
            if !state.hasEnded { state.transfer = transfer }
            return state.hasEnded
        }
        guard !hasEnded else { return }
        maker.session.activity.inFlight.whenEnded(maker.event) { [self] in clientEnds() }
    }

    /// The client has all of the answer, or has left.
    private func clientEnds() {
        let transfer = state.withLock { state in
            let wasUnderWay = !state.hasEnded
            state.hasEnded = true
            (state.pieces, state.next, state.waiting, state.dribbled) = ([], 0, 0, nil)
            defer { state.transfer = nil }
            return wasUnderWay ? state.transfer : nil
        }
        guard let transfer else { return }
        transfer.cancel()
        record?.ended(.failure(UpstreamProblem(.other, "the client left")))
    }

    // MARK: From the other server

    func upstreamAnswers(_ head: UpstreamHead) {
        record?.answered(head)
        var fields = AnsweredFields(head, dropsCORS: dropsCORS, own: headers, rewrite)
        let rewrite = HostRewrite.applies(to: fields) && !maker.form.contains(.headOnly) ? rewrite : nil
        if rewrite != nil { fields = fields.withoutLength }
        let (session, event) = (maker.session, maker.event)
        event.extras?.proxied?.latency = start.elapsedNanoseconds
        if maker.stub.tellsBefore {
            var told = definition
            (told.status, told.statusMessage) = (head.status, head.reason.isEmpty ? nil : head.reason)
            told.headers = grouped(fields.all)
            if let problem = session.tell(maker.stub, event, maker.request, told, isOnLoop: true, []) {
                return refuse(problem)
            }
        }
        let body = StreamedBody(limit: session.keptBodyLimit, most: .max)
        session.record(
            ServedResponse(
                status: head.status, reason: head.reason.isEmpty ? nil : head.reason, fields: fields.all,
                streamed: body), of: event)
        let frame = ProxiedFrame(head, fields, maker.form, extra: CORS.headers(maker.extraHeaders, besides: fields.all))
        let isDribbled = frame.hasBody && (definition.chunkedDribbleDelay?.numberOfChunks ?? 0) > 0
        state.withLock { state in
            state.head = frame.head
            state.frame = frame
            state.body = body
            if isDribbled { state.dribbled = [] }
            state.rewrite = rewrite
        }
        stream.run(self, shape: event.effects?.shape ?? BodyShape())
    }

    /// The answer may not be sent, since a listener could not do its work.
    private func refuse(_ problem: String) {
        let transfer = state.withLock { state in
            state.hasEnded = true
            return state.transfer.take()
        }
        transfer?.cancel()
        record?.ended(.failure(UpstreamProblem(.other, problem)))
        stream.finish(maker.failure(problem))
    }

    func upstreamSends(_ bytes: [UInt8]) {
        record?.received(bytes)
        let (body, isPaused) = state.withLock { state -> (StreamedBody?, UpstreamTransfer?) in
            guard !state.hasEnded, state.frame?.hasBody == true else { return (nil, nil) }
            let bytes = state.rewrite?.next(bytes, isLast: false) ?? bytes
            if let known = state.dribbled {
                if known.count + bytes.count <= Self.mostDribbled {
                    state.dribbled?.append(contentsOf: bytes)
                } else {
                    // Too much to be kept: it goes on as it comes.
                    state.dribbled = nil
                    state.add(WireBytes(known, in: account))
                    state.add(WireBytes(bytes, in: account))
                }
            } else {
                state.add(WireBytes(bytes, in: account))
            }
            guard state.waiting >= Self.most, state.isReading else { return (state.body, nil) }
            state.isReading = false
            return (state.body, state.transfer)
        }
        isPaused?.read(false)
        guard let body else { return }
        body.add(bytes.count) { Array(bytes.prefix($0)) }
        let charge = body.takeCharge()
        if charge > 0 { maker.session.withJournal { $0.charge(charge, for: maker.event) } }
        stream.resume()
    }

    func upstreamEnds(_ end: Result<[(name: String, value: String)], UpstreamProblem>) {
        record?.ended(end)
        switch end {
        case .success(let trailers): finish { $0.end(trailers: trailers) }
        case .failure(let problem):
            let hasBegun = state.withLock { state in
                state.hasEnded = true
                state.transfer = nil
                return state.frame != nil
            }
            // Nobody is there who could be told.
            if problem.kind == .abandoned { return }
            if hasBegun { breakOff(problem) } else { fail(problem) }
        }
    }

    /// Ends the answer after what has come.
    private func finish(_ ending: (ProxiedFrame) -> WireStep) {
        state.withLock { state in
            state.hasEnded = true
            state.transfer = nil
            guard let frame = state.frame else { return }
            if let last = state.rewrite?.next([], isLast: true), !last.isEmpty {
                if state.dribbled == nil { state.add(WireBytes(last, in: account)) }
                state.dribbled?.append(contentsOf: last)
            }
            var steps: [WireStep] = []
            if let body = state.dribbled.take(), let dribble = definition.chunkedDribbleDelay, !body.isEmpty {
                steps = BodyFrame.dribbled(.bytes(BodyBytes(body)), dribble)
            }
            state.ending = steps + [ending(frame)]
        }
        stream.resume()
    }

    /// Ends the client's connection as that of the other server has ended; of one that speaks HTTP/2, the stream alone.
    private func breakOff(_ problem: UpstreamProblem) {
        maker.event.extras?.proxied?.problem = problem.message
        maker.session.warned(
            "its answer is broken off, since \(target.hostField) broke off: \(problem.message)",
            of: StubReference(maker.stub))
        let internalError: UInt32 = 2
        finish { _ in .abort(problem.kind == .reset ? .resetStream(code: internalError) : .breakOff) }
    }

    private func fail(_ problem: UpstreamProblem) {
        maker.event.extras?.proxied?.problem = problem.message
        stream.finish(maker.failure(ProxyFailure(problem, target)))
    }

    // MARK: To the client

    func next() -> WireScript? {
        let (script, isFirst, transfer) = state.withLock { state -> (WireScript?, Bool, UpstreamTransfer?) in
            let isFirst = state.head != nil
            guard let script = state.script(Self.batch) else { return (nil, false, nil) }
            guard !state.isReading, state.waiting <= Self.least else { return (script, isFirst, nil) }
            state.isReading = true
            return (script, isFirst, state.transfer)
        }
        transfer?.read(true)
        return isFirst ? script.map { maker.session.delayed($0, maker.event) } : script
    }
}

extension ProxiedAnswer.State {
    fileprivate mutating func add(_ piece: WireBytes) {
        guard piece.count > 0 else { return }
        pieces.append(piece)
        waiting += piece.count
    }

    /// What may be sent now, some pieces at most; nil for nothing.
    fileprivate mutating func script(_ most: Int) -> WireScript? {
        var steps: [WireStep] = []
        if let head = head.take() { steps.append(.head(head)) }
        let end = min(next + most, pieces.count)
        for piece in pieces[next..<end] {
            steps.append(.body(piece))
            waiting -= piece.count
        }
        next = end
        if next < pieces.count { return .part(steps) }
        (pieces, next) = ([], 0)
        if let ending = ending.take() { return WireScript(steps + ending) }
        return steps.isEmpty ? nil : .part(steps)
    }
}
