package import SDContracts
package import SDHTTPMessages
package import SDHTTPTransport
package import SDJournal
package import SDOutgoingCalls
package import SDPlatform
package import SDStubModel
import SDUpstream

/// The session of a request, as its answer sees it: what the way from a decision to a script asks of it.
package protocol AnsweringSession: CallingSession {
    /// The threads for what is known to take long.
    var dear: WorkQueue { get }
    var responseOptions: ResponseOptions { get }
    var gateTable: GateTable { get }
    var streamTable: StreamTable { get }
    /// Keeps what passes to other servers; nil if nobody records.
    var recorder: (any ExchangeRecorder)? { get }

    /// The operation of an OpenAPI document that an answer names.
    func operation(_ answer: OpenAPIAnswer) -> Result<FoundOperation, OperationRefusal>

    /// The request as it is sent on by the door of Prism; nil by any other.
    func prismExchange(of request: Request) -> PrismExchange?
    /// Notes that a document has no answer for a request.
    func noteRefusal(of event: ServeEvent, by contract: ServedContract)
    /// Notes what a document does not allow of an answer that was held against it.
    func note(_ answer: PrismAnswer, of found: FoundOperation, _ event: ServeEvent)

    // MARK: Recording

    func record(_ response: ServedResponse, of event: ServeEvent, isShared: Bool)
    func recordFailure(_ failure: String, of event: ServeEvent)
    /// Records a failure, with the answer that the client gets.
    func recordFailure(_ response: ServedResponse, of event: ServeEvent)
    /// Whether a stub is that which answers what no other does.
    func isPassThrough(_ stub: CompiledStub) -> Bool
    /// Draws anew for a response that takes the place of one that waited.
    func redraw(_ stub: CompiledStub, _ event: ServeEvent, _ request: Request)
    /// Tells the listeners of a stub what it answers.
    /// - Parameter isOnLoop: whether they have only the time that a loop has.
    /// - Returns: why they could not do their work; nil if they could.
    func tell(
        _ stub: CompiledStub, _ event: ServeEvent, _ request: Request, _ definition: borrowing ResponseDefinition,
        isOnLoop: Bool, _ body: @autoclosure () -> [UInt8]
    ) -> String?
    func keepJournalsWithinLimit()
    /// Another server's page is sent on, which scripts of its own may be part of.
    func sendsPage(of stub: @autoclosure () -> StubReference)

    // MARK: Sending

    func plain(_ response: PlainResponse, _ request: Request) -> WireScript
    func answer(_ replacement: EventEffects.Replacement, _ event: ServeEvent, _ request: Request) -> WireScript
    /// Makes the response of one that was let go.
    func answer(_ held: HeldResponse)
}

extension AnsweringSession {
    package func record(_ response: ServedResponse, of event: ServeEvent) {
        record(response, of: event, isShared: true)
    }

    /// The script with the effects that were drawn for the event, after its delay.
    package func shaped(_ script: WireScript, _ event: ServeEvent) -> WireScript {
        delayed(event.effects?.apply(to: script) ?? script, event)
    }

    /// The script after the event's delay, for an answer of several scripts, to each of which `EventEffects.shape` is
    /// applied.
    package func delayed(_ script: WireScript, _ event: ServeEvent) -> WireScript {
        guard event.addedDelay > 0 else { return script }
        // The stream scales its waits, and the event has the delay as it was scaled already.
        let scale = timeScale
        let delay = scale == 1 ? event.addedDelay : UInt64(clamped: Double(event.addedDelay) / scale)
        return script.delayed(byNanoseconds: delay)
    }

    /// Sends a response that has been recorded already.
    package func send(_ script: WireScript, _ event: ServeEvent, _ reply: consuming Reply) {
        let exchange = ServedExchange.of(event, in: self, reply.loop)
        exchange?.isAnswered(by: script)
        if script.isTimed {
            activity.inFlight.send(script, event, exchange ?? event, reply)
        } else {
            reply.send(script, observer: exchange ?? event)
        }
    }

    package func send(_ script: WireScript, _ event: ServeEvent, to channel: consuming AnswerChannel) {
        switch consume channel {
        case .reply(let reply): send(script, event, reply)
        case .held(let stream): stream.finish(script)
        }
    }

    /// A stream for an answer that comes later, or in pieces.
    package func stream(_ event: ServeEvent, from channel: consuming AnswerChannel) -> HeldStream {
        switch consume channel {
        case .reply(let reply): hold(event, reply)
        case .held(let stream): stream
        }
    }

    /// Keeps the client waiting for an answer that is still to be given.
    package func hold(_ event: ServeEvent, _ reply: consuming Reply) -> HeldStream {
        let exchange = ServedExchange.of(event, in: self, reply.loop)
        return activity.inFlight.hold(event, exchange ?? event, onScript: exchange?.parts, reply)
    }
}
