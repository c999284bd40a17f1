import SDHTTPMessages
import SDHTTPTransport
public import SDJournal
public import SDMatching
import SDPlatform
public import SDStubModel

/// The gates of a session, at which responses wait until a caller lets them go.
extension Session {
    // MARK: Requests

    /// Answers a request that was decided, with the response of a stub that waits for nothing any more. Called on the
    /// loop of its stream.
    func answer(_ held: HeldResponse) {
        let (stub, event, request) = (held.stub, held.event, held.request)
        // Its client may just have left.
        guard event.end == nil else { return }
        let form = form(of: request, event)
        if let responder = stub.response.responder {
            var views = RequestViews(request, budgetLimit: Self.loopBudget)
            views.wallTime = laterTime(of: request)
            var decision = Decision(request, event, views)
            responder.respond(
                to: &decision,
                Answer(
                    ResponseMaker(self, stub, form, event, request, corsHeaders(request, stub), isOnLoop: true),
                    .held(held.stream)))
            return
        }
        if let script = rendered(stub, form, event, request, isOnLoop: true) {
            held.stream.finish(script)
            return
        }
        shared.matching.add { [self] in
            guard event.end == nil, let script = rendered(stub, form, event, request, isOnLoop: false) else { return }
            held.stream.finish(script)
        }
    }

    /// Keeps a response back at its gate.
    func hold(_ stub: CompiledStub, at gate: GateHold, _ decision: borrowing Decision, _ reply: consuming Reply) {
        let (request, event) = (decision.request, decision.event)
        let stream = hold(event, reply)
        let held = HeldResponse(session: self, stub: stub, request: request, event: event, stream: stream)
        held.wait(at: gate)
    }

    // MARK: Callers

    /// The gates at which somebody waits and those that stand open, by name.
    public var gates: [GateStatus] {
        gateTable.all.map { GateStatus($0, now: SystemCalls.monotonicNanoseconds()) }
    }

    public func gate(_ name: String) -> GateStatus {
        GateStatus(gateTable.gate(name), now: SystemCalls.monotonicNanoseconds())
    }

    /// A request that waits at a gate, with its whole body, however little the journal keeps of it; nil if it does not
    /// wait there. Of a gzip body no more is decompressed than for matchers, or than was sent.
    public func request(_ id: StubMapping.ID, waitingAt gate: String) -> LoggedRequest? {
        guard let sequence = eventIDs.sequence(id) else { return nil }
        let waiter = gateTable.gate(gate).waiters.first { $0.event.sequence == sequence }
        return waiter.map { LoggedRequest($0.request, bodyLimit: max($0.request.bodyCount, 100 << 20)) }
    }

    /// Lets requests go that wait at a gate, the first to come first.
    /// - Parameters:
    ///   - choice: which of them.
    ///   - response: the answer in place of their stubs'; nil for those. Streams that have begun cannot be answered
    ///     otherwise, and go on waiting.
    /// - Returns: how many are let go.
    /// - Throws: why the response cannot be served.
    public func releaseGate(
        _ name: String, _ choice: GateChoice, with response: ResponseDefinition?
    ) throws(StubRefusal) -> Int {
        guard let response else { return letGo(at: name, choice, .go) }
        return letGo(at: name, choice, .answer(try ReplacementResponse(response, options.response)))
    }

    /// Breaks the connections of requests that wait at a gate, the first to come first.
    /// - Returns: how many.
    public func failGate(_ name: String, _ choice: GateChoice, with fault: Fault) -> Int {
        letGo(at: name, choice, .fail(fault))
    }

    /// Opens a gate: those who wait there go, and nobody waits until it is closed.
    /// - Returns: how many waited.
    public func openGate(_ name: String) -> Int {
        let waiters = gateTable.open(name)
        GateRelease(waiters, .go).begin()
        return waiters.count
    }

    /// Closes a gate that stands open.
    /// - Returns: whether it did.
    public func closeGate(_ name: String) -> Bool { gateTable.close(name) }

    private func letGo(at name: String, _ choice: GateChoice, _ verdict: GateVerdict) -> Int {
        // Never a request of the id alone: it may wait no longer.
        let sequence = choice.request.map { eventIDs.sequence($0) ?? .max }
        let onlyResponses = if case .answer = verdict { true } else { false }
        let waiters = gateTable.take(at: name, choice.count ?? .max) { waiter in
            (sequence == nil || waiter.event.sequence == sequence) && !(onlyResponses && waiter.isInStream)
        }
        GateRelease(waiters, verdict).begin()
        return waiters.count
    }
}

/// Those of the requests at a gate that a call is about.
public struct GateChoice: Sendable {
    /// The most of them; nil for all.
    public var count: Int?
    /// The id of the only one; nil for any.
    public var request: StubMapping.ID?

    public init(count: Int? = nil, request: StubMapping.ID? = nil) {
        self.count = count
        self.request = request
    }
}

/// A gate as callers see it.
public struct GateStatus: Sendable {
    public let name: String
    public let isOpen: Bool
    /// The requests that wait, the first to come first.
    public let waiting: [Waiting]

    public struct Waiting: Sendable {
        public let event: ServeEvent
        /// Whether a part of the answer has been sent.
        public let isInStream: Bool
        /// The time at which it began to wait, in monotonic nanoseconds.
        public let begin: UInt64
        /// The time since then, in nanoseconds.
        public let age: UInt64
    }

    init(_ gate: GateTable.Shown, now: UInt64) {
        name = gate.name
        isOpen = gate.isOpen
        waiting = gate.waiters.map {
            Waiting(
                event: $0.event, isInStream: $0.isInStream, begin: $0.since, age: now > $0.since ? now - $0.since : 0)
        }
    }
}

/// Lets many requests go, some at a time, so that the loops serve others meanwhile.
private struct GateRelease: Sendable {
    private static let most = 200
    private var left: ArraySlice<GateTable.Waiter>
    private let verdict: GateVerdict

    init(_ waiters: [GateTable.Waiter], _ verdict: GateVerdict) {
        left = waiters[...]
        self.verdict = verdict
    }

    func begin() {
        guard let first = left.first else { return }
        first.stream.loop.perform {
            for waiter in left.prefix(Self.most) { waiter.pass(verdict) }
            GateRelease(left.dropFirst(Self.most), verdict).begin()
        }
    }

    private init(_ left: ArraySlice<GateTable.Waiter>, _ verdict: GateVerdict) {
        self.left = left
        self.verdict = verdict
    }
}
