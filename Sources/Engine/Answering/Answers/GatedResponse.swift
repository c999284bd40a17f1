import SDHTTPMessages
package import SDHTTPTransport
package import SDJournal
package import SDMatching
import SDOutgoingCalls
import SDPlatform
package import SDStubModel
import Synchronization

/// A wait at a gate, which ends exactly once: by a release, by its timeout, or because the answer has ended.
package final class GateWait: Sendable {
    private struct State {
        var ticket: GateTable.Ticket?
        var timer: ScheduledWork?
        var isOver = false
    }

    private let gates: GateTable
    private let activity: SessionActivity
    private let hold: GateHold
    /// The timeout in nanoseconds, scaled by the session; nil for none.
    private let timeout: UInt64?
    private let pass: @Sendable (GateVerdict) -> Void
    private let state = Mutex(State())

    /// - Parameter pass: called once when the wait ends, on the loop of the stream; never if the answer has ended.
    package init(_ session: any AnsweringSession, _ hold: GateHold, pass: @escaping @Sendable (GateVerdict) -> Void) {
        gates = session.gateTable
        activity = session.activity
        timeout = hold.timeoutMilliseconds.map { UInt64(clamped: Double($0) * 1_000_000 * session.timeScale) }
        self.hold = hold
        self.pass = pass
    }

    /// Starts to wait.
    /// - Parameter request: the event's request with its whole body; nil if it is not available.
    /// - Returns: false if the gate is open.
    package func wait(_ event: ServeEvent, _ request: Request? = nil, on stream: StreamingReply, isInStream: Bool)
        -> Bool
    {
        enqueue(
            .request(event, request ?? event.request, isInStream: isInStream), sequence: event.sequence,
            on: stream.loop)
    }

    /// Starts to wait with a message.
    /// - Returns: false if the gate is open.
    package func wait(_ message: WaitingMessage, on loop: Loop) -> Bool {
        enqueue(.message(message), sequence: nil, on: loop)
    }

    private func enqueue(_ subject: GateTable.Subject, sequence: UInt64?, on loop: Loop) -> Bool {
        let waiter = GateTable.Waiter(subject: subject, loop: loop, since: SystemCalls.monotonicNanoseconds()) {
            [self] verdict in
            finish()?.cancel()
            pass(verdict)
        }
        guard let ticket = gates.enqueue(at: hold.gate, waiter) else { return false }
        activity.note(.gate(.init(hold.gate, .waiting, sequence: sequence)))
        let timer = timeout.map { nanoseconds in
            loop.after(nanoseconds: nanoseconds) { [self] in
                guard gates.cancel(ticket) else { return }
                activity.note(.gate(.init(hold.gate, .left, sequence: sequence)))
                _ = finish()
                pass(.timedOut(hold))
            }
        }
        let isOver = state.withLock { state in
            if !state.isOver { (state.ticket, state.timer) = (ticket, timer) }
            return state.isOver
        }
        if isOver {
            timer?.cancel()
            _ = gates.cancel(ticket)
        }
        return true
    }

    /// Ends the wait, because the answer has ended.
    package func cancel() {
        let ticket = state.withLock { $0.ticket }
        finish()?.cancel()
        if let ticket, gates.cancel(ticket) { activity.note(.gate(.init(hold.gate, .left))) }
    }

    private func finish() -> ScheduledWork? {
        state.withLock { state in
            state.isOver = true
            state.ticket = nil
            return state.timer.take()
        }
    }
}

/// A response that waits at a gate before any of it is sent.
package struct GatedResponse: Sendable {
    package let session: any AnsweringSession
    package let stub: CompiledStub
    package let request: Request
    package let event: ServeEvent
    package let stream: StreamingReply

    package init(
        session: any AnsweringSession, stub: CompiledStub, request: Request, event: ServeEvent, stream: StreamingReply
    ) {
        self.session = session
        self.stub = stub
        self.request = request
        self.event = event
        self.stream = stream
    }

    /// Waits at the stub's gate, or answers if that is open.
    package func wait(at hold: GateHold) {
        let wait = GateWait(session, hold) { verdict in pass(verdict) }
        session.activity.inFlight.whenEnded(event) { wait.cancel() }
        if !wait.wait(event, request, on: stream, isInStream: false) { session.answer(self) }
    }

    private func pass(_ verdict: GateVerdict) {
        switch verdict {
        case .go: session.answer(self)
        case .answer(let response): answer(with: response)
        case .fail(let fault): fail(fault)
        case .timedOut(let hold): timeOut(hold)
        }
    }

    /// Sends a replacement response, with its own delay and faults; it may wait at its own gate.
    private func answer(with response: ReplacementResponse) {
        guard event.end == nil, let stub = response.stub(inPlaceOf: stub) else { return session.answer(self) }
        session.redraw(stub, event, request)
        if let replacement = event.effects?.replacement {
            return stream.finish(session.shaped(session.answer(replacement, event, request), event))
        }
        let other = GatedResponse(session: session, stub: stub, request: request, event: event, stream: stream)
        if let hold = stub.response.hold { other.wait(at: hold) } else { session.answer(other) }
    }

    private func fail(_ fault: Fault) {
        var definition = stub.response.definition
        definition.fault = fault
        session.record(stub.response.served(definition, body: [], bodyLimit: 0), of: event)
        stream.finish(WireScript(fault: fault, ResponseVariant(request, gzipAllowed: false)))
    }

    private func timeOut(_ hold: GateHold) {
        switch hold.onTimeout ?? .answer {
        case .answer: session.answer(self)
        case .fail: fail(.connectionResetByPeer)
        case .fault(let fault): fail(fault)
        case .status(let status):
            let limit = DurationText.text(milliseconds: hold.timeoutMilliseconds ?? 0)
            let response = PlainResponse(
                status: status, text: "The gate `\(hold.gate)` was not released within \(limit).\n")
            session.record(
                ServedResponse(status: status, fields: response.headers, body: response.body), of: event)
            stream.finish(session.plain(response, request))
        }
    }
}

/// A response that replaces those of any stubs.
package final class ReplacementResponse: Sendable {
    private let definition: ResponseDefinition
    private let options: ResponseOptions
    /// Copies of stubs with the response, by the original stubs.
    private let made = Mutex<[ObjectIdentifier: (old: CompiledStub, new: CompiledStub)]>([:])

    /// - Throws: why the response cannot be served.
    package init(_ definition: ResponseDefinition, _ options: ResponseOptions) throws(StubRefusal) {
        self.definition = definition
        self.options = options
        let mapping = StubMapping(id: StubMapping().id, response: definition)
        _ = try CompiledStub(mapping, sequence: 0, file: nil, options: options)
    }

    /// A copy of the stub with this response; nil if it cannot be made.
    package func stub(inPlaceOf old: CompiledStub) -> CompiledStub? {
        if let known = made.withLock({ $0[ObjectIdentifier(old)] }) { return known.new }
        guard let new = try? old.replacingResponse(by: definition, options) else { return nil }
        // Retains the old stub, so that its `ObjectIdentifier` stays unique.
        made.withLock { $0[ObjectIdentifier(old)] = (old, new) }
        return new
    }
}
