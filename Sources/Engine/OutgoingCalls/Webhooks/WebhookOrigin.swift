import SDBasics
import SDHTTPTransport
import SDJSON
import SDJournal
import SDPlatform
import SDStubModel

/// What webhooks keep of the exchange that they follow while they wait and are sent: neither its bodies nor its event, which
/// the journal may drop meanwhile.
struct WebhookOrigin: Sendable {
    let session: any CallingSession
    let loop: Loop
    /// The most bytes that the journal shows of a body.
    let bodyLimit: Int
    private let event: WeakEvent
    private let stub: StubReference?
    /// The time since 1970 at the zero of the monotonic clock, in nanoseconds.
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

    /// The present, in nanoseconds since 1970.
    var now: UInt64 { clockOffset &+ SystemCalls.monotonicNanoseconds() }

    // MARK: What reports tell

    /// Notes what a webhook sends and where to.
    func made(_ request: WebhookRequest, _ number: Int) {
        session.webhookLedger.made(
            number, method: request.method, url: session.redaction.shownURL(request.url.withoutUser), stub: stub)
    }

    /// Notes a webhook that could not be sent.
    /// - Parameter request: nil where there is none.
    func failed(_ request: WebhookRequest?, _ reason: String) {
        session.webhooks.ended(isBad: true)
        session.webhookLedger.failed(
            method: request?.method ?? "",
            url: request.map { session.redaction.shownURL($0.url.withoutUser) } ?? "", stub: stub,
            session.redaction.shownURL(reason))
    }

    /// Notes that another attempt is to follow.
    func waits(_ number: Int, attempt: Int, after reason: String) {
        session.webhookLedger.waits(number, attempt: attempt, after: session.redaction.shownURL(reason))
    }

    func ended(_ number: Int, _ text: String, isBad: Bool) {
        session.webhooks.ended(isBad: isBad)
        session.webhookLedger.ended(number, session.redaction.shownURL(text), isBad: isBad)
    }

    var stubID: StubMapping.ID? { stub?.id }
    /// The stub as people name it.
    var stubName: String { stub.map { $0.name ?? $0.id.lowercasedString } ?? "<no name or id>" }

    /// Adds to the event, if it is still in the journal.
    /// - Parameter byteCount: the bytes that `data` keeps.
    func append(_ type: String, byteCount: Int, _ data: @escaping @Sendable () -> JSONValue) {
        guard let event = event.event else { return }
        session.append(type, byteCount: byteCount, to: event, data)
    }

    /// Tells the journal and the log why a webhook was not sent.
    func note(problem message: String, log: String? = nil) {
        if let event = event.event { session.append("ERROR", ["message": .string(message)], to: event) }
        warn(session.redaction.shownURL(log ?? message))
    }

    func warn(_ text: String) {
        if let stub { session.warned(text, of: stub) }
    }
}
