package import SDHTTPTransport
package import SDJournal
import SDPlatform
import SDRecords

/// A request and its answer, for listeners that act after the response.
///
/// `@unchecked Sendable`: mutable state is written by the answering thread before the loop has the answer, then by the
/// loop's thread, and no longer once listeners are called.
package final class ServedExchange: StreamObserver, @unchecked Sendable {
    package let session: any AnsweringSession
    /// The event; its end is known from `exchangeEnded` on.
    package let event: ServeEvent
    /// The request, with its whole body if a listener reads bodies, regardless of the journal's limit.
    package let request: Request
    /// The loop that serves the exchange and calls the listeners. They may watch events and set timers on it, also
    /// after this object is gone.
    package let loop: Loop
    /// The body of the response as it was sent: in its content coding, up to the point where the exchange broke off.
    /// Nil if no listener reads bodies. Truncated if memory was short.
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

    /// - Returns: nil if no listener of the stub acts after the response, as for most answers; then nothing is
    ///   allocated.
    package static func of(
        _ event: ServeEvent, in session: any AnsweringSession, _ loop: @autoclosure () -> Loop
    ) -> ServedExchange? {
        guard let listeners = event.matched?.listeners, listeners.follow else { return nil }
        return ServedExchange(session, event, listeners, loop())
    }

    /// Collects the scripts of an answer in parts; nil if no listener reads bodies. Only this object retains sent
    /// bytes, so they are charged.
    package var parts: (@Sendable (WireScript) -> Void)? {
        guard responseBody != nil else { return nil }
        let account = session.memory.account(.recordings)
        return { [self] script in responseBody?.append(script, in: account) }
    }

    /// Collects the only script of an answer, which is retained until the end of the exchange anyway.
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
