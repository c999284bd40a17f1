import SDBasics
import SDHTTPTransport
import SDJSON
import SDJournal
import SDPlatform
import SDStubModel

/// What webhooks store of the exchange that they follow: neither its bodies nor its event, which the journal may drop
/// meanwhile.
struct WebhookOrigin: Sendable {
    let session: any CallingSession
    let loop: Loop
    /// The largest number of body bytes that the journal shows.
    let bodyLimit: Int
    private let event: WeakEvent
    private let stub: StubReference?
    /// The wall time at the zero of the monotonic clock, in nanoseconds since 1970.
    private let clockOffset: UInt64

    private struct WeakEvent: Sendable {
        weak let event: ServeEvent?
    }

    init(_ exchange: EndedExchange) {
        session = exchange.session
        loop = exchange.loop
        bodyLimit = exchange.event.bodyLimit
        event = WeakEvent(event: exchange.event)
        stub = exchange.event.stubReference
        clockOffset = exchange.request.wallTime &- exchange.request.clockTime
    }

    /// The current time in nanoseconds since 1970.
    var now: UInt64 { clockOffset &+ SystemCalls.monotonicNanoseconds() }

    // MARK: Reports

    /// Records the method and URL of a webhook.
    func made(_ request: WebhookRequest, _ number: Int) {
        session.webhookLedger.made(
            number, method: request.method, url: session.redaction.redactedURL(request.url.withoutUser), stub: stub)
    }

    /// Records a webhook that could not be sent.
    /// - Parameter request: nil if it could not be made.
    func failed(_ request: WebhookRequest?, _ reason: String) {
        session.webhooks.ended(isBad: true)
        session.webhookLedger.failed(
            method: request?.method ?? "",
            url: request.map { session.redaction.redactedURL($0.url.withoutUser) } ?? "", stub: stub,
            session.redaction.redactedURL(reason))
    }

    /// Records that another attempt follows.
    func waits(_ number: Int, attempt: Int, after reason: String) {
        session.webhookLedger.waits(number, attempt: attempt, after: session.redaction.redactedURL(reason))
    }

    func ended(_ number: Int, _ text: String, isBad: Bool) {
        session.webhooks.ended(isBad: isBad)
        session.webhookLedger.ended(number, session.redaction.redactedURL(text), isBad: isBad)
    }

    var stubID: StubMapping.ID? { stub?.id }
    /// The stub's name for people.
    var stubName: String { stub.map { $0.name ?? $0.id.lowercasedString } ?? "<no name or id>" }

    /// Adds a sub-event to the event, if it is still in the journal.
    /// - Parameter byteCount: the bytes that the closure `data` retains.
    func append(_ type: String, byteCount: Int, _ data: @escaping @Sendable () -> JSONValue) {
        guard let event = event.event else { return }
        session.append(type, byteCount: byteCount, to: event, data)
    }

    /// Records in the journal and the log why a webhook was not sent.
    func note(problem message: String, log: String? = nil) {
        if let event = event.event { session.append("ERROR", ["message": .string(message)], to: event) }
        warn(session.redaction.redactedURL(log ?? message))
    }

    func warn(_ text: String) {
        if let stub { session.warned(text, of: stub) }
    }
}
