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

    /// Starts the webhooks, however the exchange ended. Exceptions: an answer that was ended on purpose, and a 500
    /// because the stub could not be served.
    func exchangeEnds(_ exchange: ServedExchange, _ outcome: StreamEnd.Outcome) {
        let event = exchange.event
        guard outcome != .cancelled, outcome != .stopped, event.failure == nil, let stub = event.matched else { return }
        // No webhooks if the contract has no such answer.
        if stub.isOfContract, event.extras?.rule != nil { return }
        let ended = EndedExchange(
            exchange.session, event, exchange.request, stub.pattern, exchange.loop, responseBody: exchange.responseBody)
        WebhookBatch(ended, webhooks).begin()
    }
}
