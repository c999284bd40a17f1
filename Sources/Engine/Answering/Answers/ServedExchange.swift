package import SDHTTPTransport
package import SDJournal
import SDPlatform
import SDRecords

/// A request and its answer, as listeners see them that have work after the response.
///
/// `@unchecked Sendable`: what changes is written by the thread that answers before the loop has the answer, from then on
/// by the loop's, and by nobody once listeners are told.
package final class ServedExchange: StreamObserver, @unchecked Sendable {
    package let session: any AnsweringSession
    /// The event; its end is known from `exchangeEnded` on.
    package let event: ServeEvent
    /// The request, with its whole body if a listener reads bodies, however little the journal keeps of it.
    package let request: Request
    /// The loop that serves the exchange, on whose thread listeners are told: what they wait for may be watched there, and
    /// timed, while this object and others are long gone.
    package let loop: Loop
    /// The body of the response as it was sent: in its content coding, up to the place where the exchange broke off. Nil
    /// if no listener reads bodies. It is not whole if memory was too short for it.
    package private(set) var responseBody: SentBody?
    private let listeners: StubListeners

    private init(_ session: any AnsweringSession, _ event: ServeEvent, _ listeners: StubListeners, _ loop: Loop) {
        self.session = session
        self.event = event
        self.listeners = listeners
        self.loop = loop
        request = event.extras?.takeWholeRequest() ?? event.request
        responseBody = listeners.readsBodies ? SentBody() : nil
    }

    /// - Returns: nil if no listener of the stub that answers has work after the response: most answers have none, and
    ///   nothing is allocated for them.
    package static func of(
        _ event: ServeEvent, in session: any AnsweringSession, _ loop: @autoclosure () -> Loop
    ) -> ServedExchange? {
        guard let listeners = event.matched?.listeners, listeners.follow else { return nil }
        return ServedExchange(session, event, listeners, loop())
    }

    /// Takes the scripts of an answer that comes in several of them; nil if no listener reads bodies. What was sent
    /// already nobody else keeps, and so it counts.
    package var parts: (@Sendable (WireScript) -> Void)? {
        guard responseBody != nil else { return nil }
        let account = session.memory.account(.recordings)
        return { [self] script in responseBody?.append(script, in: account) }
    }

    /// Takes the script of an answer that is all of it, and lives until the end of the exchange anyway.
    func isAnswered(by script: WireScript) {
        responseBody?.append(script, in: nil)
    }

    package func streamEnded(_ end: StreamEnd) {
        if let count = end.bodyBytesSent { responseBody?.cut(to: Int(clamping: count)) }
        listeners.exchangeEnds(self, end.outcome)
        if end.outcome == .sent { listeners.responseSent(self) }
        event.streamEnded(end)
        listeners.exchangeEnded(self)
    }
}
