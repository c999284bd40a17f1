import SDHTTPTransport
import SDJournal
import SDOutgoingCalls

/// Sends the webhooks of a stub once an exchange is over: WireMock's listener `webhook`.
struct WebhookListener: ServeListener {
    static let name = "webhook"

    private let webhooks: [Webhook]

    init(_ webhooks: [Webhook]) {
        self.webhooks = webhooks
    }

    var phases: ServePhases { .exchangeEnds }
    var readsBodies: Bool { webhooks.contains(where: \.readsBodies) }

    /// Begins the webhooks, however the exchange ended, but for one that was ended on purpose and for a 500 because the
    /// stub could not be served.
    func exchangeEnds(_ exchange: ServedExchange, _ outcome: StreamEnd.Outcome) {
        let event = exchange.event
        guard outcome != .cancelled, outcome != .stopped, event.failure == nil, let stub = event.matched else { return }
        // A contract that has no such answer calls nobody back.
        if stub.isOfContract, event.extras?.rule != nil { return }
        let ended = EndedExchange(
            exchange.session, event, exchange.request, stub.pattern, exchange.loop, responseBody: exchange.responseBody)
        WebhookBatch(ended, webhooks).begin()
    }
}
