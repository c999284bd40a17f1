import SDHTTPTransport
import SDJSON
import SDJournal
import SDPlatform
import SDRecords
import SDStubModel

/// The webhooks of one exchange. They are rendered when it is over, and sent after their delays. One without a delay of
/// its own follows the one before it, once that was answered or has failed.
struct WebhookBatch {
    private let exchange: ServedExchange
    private let webhooks: [Webhook]

    init(_ exchange: ServedExchange, _ webhooks: [Webhook]) {
        self.exchange = exchange
        self.webhooks = webhooks
    }

    private typealias Made = (webhook: Webhook, ticket: WebhookTicket?, request: Result<WebhookRequest, WebhookProblem>)

    /// Called on the loop of the exchange.
    func begin() {
        let tickets = webhooks.map { _ in WebhookTicket(exchange.session, exchange.loop) }
        let isLong = webhooks.contains(where: \.isSlow) || exchange.request.bodyCount > 16 << 10
        if !isLong {
            let budget = WorkBudget(limit: min(WorkBudget.loopLimit, exchange.session.journaling.matchBudget))
            if let made = render(tickets, budget, isOnLoop: true) { return deliver(made) }
        }
        exchange.session.matching.add { [self] in
            guard let made = render(tickets, exchange.session.newBudget, isOnLoop: false) else { return }
            exchange.loop.perform { deliver(made) }
        }
    }

    /// - Returns: nil if a loop has no time for it.
    private func render(_ tickets: [WebhookTicket?], _ budget: WorkBudget, isOnLoop: Bool) -> [Made]? {
        guard let pattern = exchange.event.matched?.pattern else { return [] }
        var all: [Made] = []
        for (index, webhook) in webhooks.enumerated() {
            let environment = WebhookEnvironment(exchange, pattern, webhook, place: index + 1, budget)
            do throws(WebhookProblem) {
                all.append(
                    (webhook, tickets[index], .success(try webhook.request(environment, exchange.session.files))))
            } catch {
                if isOnLoop, error.isLate { return nil }
                all.append((webhook, tickets[index], .failure(error)))
            }
        }
        return all
    }

    private func deliver(_ all: [Made]) {
        let session = exchange.session
        var previous: WebhookCall?
        for (webhook, ticket, request) in all {
            let request: WebhookRequest =
                {
                    switch request {
                    case .success(let request): return request
                    case .failure(let problem):
                        note("Exception thrown while configuring webhook: \(problem.text)", ticket)
                        return nil
                    }
                }() ?? WebhookRequest(method: "", url: "")
            if request.url.isEmpty { continue }
            guard let ticket else {
                note(
                    "Failed to fire webhook \(request.method) \(request.url): "
                        + "more than \(WebhookQueue.longest) webhooks have not ended", nil)
                continue
            }
            var sent = request
            sent.headers = SessionIdentity.passing(session.passedID, in: request.headers)
            let call = WebhookCall(exchange, webhook, sent, ticket)
            call.noteRequest()
            let delay = webhook.parameters.delay.map { delay in
                session.withData { _, generator in delay.sample(&generator) }
            }
            if let delay, delay > 0 {
                call.begin(after: session.scaled(nanoseconds(milliseconds: delay)))
            } else if let before = previous {
                call.begin(behind: before)
            } else {
                call.begin()
            }
            previous = call
        }
    }

    private func note(_ message: String, _ ticket: WebhookTicket?) {
        exchange.note(webhookProblem: message, log: message)
        ticket?.end()
    }
}

extension ServedExchange {
    /// Tells the journal and the log why a webhook was not sent.
    func note(webhookProblem message: String, log: String) {
        session.append("ERROR", ["message": .string(message)], to: event)
        if let stub = event.stubReference { session.warned(log, of: stub) }
    }
}
