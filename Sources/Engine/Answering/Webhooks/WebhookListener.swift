import SDHTTPTransport
import SDJournal

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
        guard outcome != .cancelled, outcome != .stopped, exchange.event.failure == nil else { return }
        WebhookBatch(exchange, webhooks).begin()
    }
}
