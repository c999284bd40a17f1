import SDBasics
import SDHTTPTransport
import SDJournal
import SDPlatform
import SDRecords
import SDStubModel

/// The webhooks of one exchange. They are rendered when it is over, and sent after their delays. A webhook without a
/// delay follows the previous one, once that was answered or has failed.
package struct WebhookBatch {
    private let exchange: EndedExchange
    private let webhooks: [Webhook]

    package init(_ exchange: EndedExchange, _ webhooks: [Webhook]) {
        self.exchange = exchange
        self.webhooks = webhooks
    }

    private typealias Made = (webhook: Webhook, ticket: WebhookTicket?, request: Result<WebhookRequest, WebhookProblem>)

    /// Called on the loop of the exchange.
    package func begin() {
        let tickets = webhooks.map { _ in WebhookTicket(exchange.session, exchange.loop) }
        let long = 16 << 10
        let isLong =
            webhooks.contains(where: \.isSlow) || exchange.request.bodyCount > long
            || exchange.responseBody?.count ?? 0 > long
        if !isLong {
            let allowance = exchange.session.loopAllowance
            let limit = min(
                allowance.limit(at: SystemCalls.monotonicNanoseconds()), exchange.session.journaling.matchBudget)
            let budget = WorkBudget(limit: limit)
            if let made = render(tickets, budget, isOnLoop: true) {
                return Self.deliver(made, of: WebhookOrigin(exchange), WebhookChain(exchange.request))
            }
            allowance.wasSpent()
        }
        exchange.session.matching.add { [self] in
            guard let made = render(tickets, exchange.session.newBudget, isOnLoop: false) else { return }
            // The exchange is released here.
            let (origin, chain) = (WebhookOrigin(exchange), WebhookChain(exchange.request))
            origin.loop.perform { Self.deliver(made, of: origin, chain) }
        }
    }

    /// - Returns: nil if the loop's time does not suffice.
    private func render(_ tickets: [WebhookTicket?], _ budget: WorkBudget, isOnLoop: Bool) -> [Made]? {
        var all: [Made] = []
        for (index, webhook) in webhooks.enumerated() {
            let environment = WebhookEnvironment(exchange, webhook, place: index + 1, budget)
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

    private static func deliver(_ all: [Made], of origin: WebhookOrigin, _ chain: WebhookChain) {
        let session = origin.session
        var previous: WebhookCall?
        for (webhook, ticket, made) in all {
            let request: WebhookRequest
            switch made {
            case .success(let readable): request = readable
            case .failure(let problem):
                let words = "Exception thrown while configuring webhook: \(problem.text)"
                origin.note(problem: words, log: words + problem.note)
                origin.failed(nil, "not sent: \(problem.text)\(problem.note)")
                ticket?.end()
                continue
            }
            guard let ticket else {
                refuse(request, "more than \(WebhookQueue.longest) webhooks have not ended", origin)
                continue
            }
            var sent = request
            sent.headers = SessionPropagation.passing(session.passedID, in: request.headers)
            let retries = webhook.parameters.retry?.times ?? 0
            let link = WebhookChain.Link(origin.stubID, count: all.count, isTriedAgain: retries > 0)
            if let reason = chain.refusal(of: link) ?? ticket.refusal(of: sent.byteCount) {
                refuse(request, reason, origin)
                ticket.end()
                continue
            }
            let call = WebhookCall(origin, webhook, sent, ticket) { chain.passed(by: link, attempt: $0) }
            call.noteRequest()
            let delay = webhook.parameters.delay.map { delay in
                session.withData { _, generator in delay.sample(&generator) }
            }
            if let delay, delay > 0 {
                call.start(afterNanoseconds: session.scaled(nanoseconds(milliseconds: delay)))
            } else if let before = previous {
                call.start(after: before)
            } else {
                call.start()
            }
            previous = call
        }
    }

    private static func refuse(_ request: WebhookRequest, _ reason: String, _ origin: WebhookOrigin) {
        origin.failed(request, "not sent: \(reason)")
        origin.note(
            problem: "Failed to fire webhook \(request.method) \(request.url.withoutUser): \(reason)",
            log: "Failed to fire webhook \(request.name): \(reason)")
    }
}
