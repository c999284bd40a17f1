package import SDChannels
package import SDContracts
package import SDHTTPMessages
package import SDHTTPTransport
package import SDJournal
package import SDOutgoingCalls
package import SDPlatform
package import SDStubModel
import SDUpstream

/// A session as the code that answers requests sees it.
package protocol AnsweringSession: CallingSession {
    /// The threads for work that is known to be slow.
    var expensiveWork: WorkQueue { get }
    var responseOptions: ResponseOptions { get }
    var gateTable: GateTable { get }
    var streamTable: StreamTable { get }
    /// Records exchanges with other servers; nil without a recording.
    var recorder: (any ExchangeRecorder)? { get }
    /// The session as its channels see it.
    var ofChannels: any ChannelSession { get }

    /// Finds the operation of an OpenAPI document that an answer names.
    func operation(_ answer: OpenAPIAnswer) -> Result<FoundOperation, OperationRefusal>

    /// The exchange for a request that is proxied in Prism mode; nil otherwise.
    func prismExchange(of request: Request) -> PrismExchange?
    /// Records that a document has no answer for a request.
    func noteRefusal(of event: ServeEvent, by contract: ServedContract)
    /// Records the violations of an answer that was checked against a document.
    func note(_ answer: PrismAnswer, of found: FoundOperation, _ event: ServeEvent)

    // MARK: Recording

    func record(_ response: ServedResponse, of event: ServeEvent, isShared: Bool)
    func recordFailure(_ failure: String, of event: ServeEvent)
    /// Records a failure, with the answer that the client gets.
    func recordFailure(_ response: ServedResponse, of event: ServeEvent)
    /// Whether a stub proxies unmatched requests.
    func isPassThrough(_ stub: CompiledStub) -> Bool
    /// Samples the effects again, for a response that replaces a waiting one.
    func redraw(_ stub: CompiledStub, _ event: ServeEvent, _ request: Request)
    /// Runs a stub's listeners that act before the response is sent.
    /// - Parameter isOnLoop: whether they have only a loop's time.
    /// - Returns: why a listener failed; nil on success.
    func notifyListeners(
        _ stub: CompiledStub, _ event: ServeEvent, _ request: Request, _ definition: borrowing ResponseDefinition,
        isOnLoop: Bool, _ body: @autoclosure () -> [UInt8]
    ) -> String?
    func keepJournalsWithinLimit()
    /// Called when a page of another server is proxied: its scripts run with this server's origin.
    func sendsPage(of stub: @autoclosure () -> StubReference)

    // MARK: Sending

    func plain(_ response: PlainResponse, _ request: Request) -> WireScript
    func answer(_ replacement: EventEffects.Replacement, _ event: ServeEvent, _ request: Request) -> WireScript
    /// Sends the response of a request released from its gate.
    func answer(_ held: GatedResponse)
}

extension AnsweringSession {
    package func record(_ response: ServedResponse, of event: ServeEvent) {
        record(response, of: event, isShared: true)
    }

    /// The script with the event's effects and delay.
    package func shaped(_ script: WireScript, _ event: ServeEvent) -> WireScript {
        delayed(event.effects?.apply(to: script) ?? script, event)
    }

    /// The script after the event's delay, for an answer of several scripts; `EventEffects.shape` is applied to each.
    package func delayed(_ script: WireScript, _ event: ServeEvent) -> WireScript {
        guard event.addedDelay > 0 else { return script }
        // The stream scales its waits, but the event's delay is already scaled.
        let scale = timeScale
        let delay = scale == 1 ? event.addedDelay : UInt64(clamped: Double(event.addedDelay) / scale)
        return script.delayed(byNanoseconds: delay)
    }

    /// Sends a response that was recorded before.
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

    /// A stream for an answer that is made later, or in parts.
    package func stream(_ event: ServeEvent, from channel: consuming AnswerChannel) -> StreamingReply {
        switch consume channel {
        case .reply(let reply): hold(event, reply)
        case .held(let stream): stream
        }
    }

    /// Keeps the client waiting for an answer that is made later.
    package func hold(_ event: ServeEvent, _ reply: consuming Reply) -> StreamingReply {
        let exchange = ServedExchange.of(event, in: self, reply.loop)
        return activity.inFlight.hold(event, exchange ?? event, onScript: exchange?.parts, reply)
    }
}
