package import SDHTTPTransport
package import SDJournal
package import SDMatching
package import SDWireValues

/// An ended exchange, as the webhooks that follow it see it.
package struct EndedExchange: Sendable {
    let session: any CallingSession
    let event: ServeEvent
    /// The request with its whole body.
    let request: Request
    /// The pattern of the stub that answered.
    let pattern: CompiledPattern
    /// The loop that served the exchange.
    let loop: Loop
    /// The body of the response as it was sent; nil if no webhook reads it.
    let responseBody: SentBody?

    package init(
        _ session: any CallingSession, _ event: ServeEvent, _ request: Request, _ pattern: CompiledPattern,
        _ loop: Loop, responseBody: SentBody?
    ) {
        self.session = session
        self.event = event
        self.request = request
        self.pattern = pattern
        self.loop = loop
        self.responseBody = responseBody
    }
}
