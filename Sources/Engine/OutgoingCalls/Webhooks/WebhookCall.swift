import SDBasics
import SDHTTPTransport
import SDJSON
import SDJournal
import SDPlatform
import SDStubModel
import SDUpstream

/// A webhook in progress: its attempts, and its journal entries.
///
/// `@unchecked Sendable`: used only on the thread of the exchange's loop.
final class WebhookCall: UpstreamObserver, @unchecked Sendable {
    private let origin: WebhookOrigin
    private let request: WebhookRequest
    private let retry: WebhookParameters.Retry
    private let ticket: WebhookTicket
    private let target: String
    /// The value of `WebhookChain.field` for an attempt.
    private let chain: @Sendable (Int) -> String
    private var hasStarted = false
    private var isOver = false
    /// The number of attempts so far.
    private var attempts = 0
    private var head: UpstreamHead?
    private var body: [UInt8] = []
    private var bodyCount = 0
    private var follower: WebhookCall?
    private var transfer: UpstreamTransfer?
    private var limitOfAnswer: ScheduledWork?

    /// The largest number of bytes read from an answer; the time is limited as for any call (`--proxy-timeout`).
    private static let maxAnswered = 64 << 20
    /// The longest wait for the previous webhook, in nanoseconds.
    private static let patience: UInt64 = 5_000_000_000

    init(
        _ origin: WebhookOrigin, _ webhook: Webhook, _ request: WebhookRequest, _ ticket: WebhookTicket,
        chain: @escaping @Sendable (_ attempt: Int) -> String
    ) {
        self.origin = origin
        self.request = request
        self.ticket = ticket
        self.chain = chain
        retry = webhook.parameters.retry ?? WebhookParameters.Retry(times: 0)
        target = WebhookURL.origin(request.url)
        origin.made(request, ticket.number)
    }

    private var session: any CallingSession { origin.session }

    // MARK: - Starting

    func start(afterNanoseconds nanoseconds: UInt64) {
        origin.loop.after(nanoseconds: nanoseconds) { [self] in start() }
    }

    /// Starts once another webhook is over, or `patience` has passed.
    func start(after other: WebhookCall) {
        guard !other.isOver else { return start() }
        other.follower = self
        start(afterNanoseconds: Self.patience)
    }

    func start() {
        guard !hasStarted else { return }
        hasStarted = true
        attempt()
    }

    private func attempt() {
        attempts += 1
        if attempts > 1 { noteRequest() }
        session.webhooks.enter(target) { [self] in
            if origin.loop.isCurrent { return send() }
            if !origin.loop.perform({ [self] in send() }) { session.webhooks.done(target) }
        }
    }

    private func send() {
        session.webhookLedger.sends(ticket.number, attempt: attempts)
        ticket.charge(-body.count)
        (head, body, bodyCount) = (nil, [], 0)
        transfer = session.upstream.start(request.upstream(chain: chain(attempts)), on: origin.loop, self)
    }

    // MARK: - Results

    func upstreamAnswers(_ head: UpstreamHead) {
        self.head = head
        let time = session.upstream.settings.timeout
        limitOfAnswer = origin.loop.after(nanoseconds: UInt64(max(time, 1)) * 1_000_000) { [self] in
            cutAnswer("\(time) ms (--proxy-timeout)")
        }
    }

    func upstreamSends(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard head != nil, transfer != nil else { return }
        bodyCount += bytes.count
        let kept = bytes.prefix(max(limit - body.count, 0))
        ticket.charge(kept.count)
        body += kept
        if bodyCount > Self.maxAnswered { cutAnswer("\(Self.maxAnswered >> 20) MiB") }
    }

    /// Stops reading an answer that may be endless.
    private func cutAnswer(_ limit: String) {
        guard let transfer = transfer.take(), let head else { return }
        transfer.cancel()
        origin.warn(
            "the answer \(head.status) to the webhook \(request.name) has no end within \(limit), and is read no further"
        )
        upstreamEnds(.success([]))
    }

    func upstreamEnds(_ end: Result<[(name: String, value: String)], UpstreamProblem>) {
        transfer = nil
        limitOfAnswer.take()?.cancel()
        session.webhooks.done(target)
        switch end {
        case .success: answered()
        case .failure(let problem): failed(problem)
        }
    }

    private func answered() {
        guard let head else { return finish("the server failed to respond", isBad: true) }
        noteResponse(head)
        let isRefused = head.status >= 500 || [408, 425, 429].contains(head.status)
        let wait = isRefused ? waitForNext : nil
        if head.status >= 400 { origin.warn("the webhook \(request.name) got \(head.status)\(place(wait))") }
        let text = "answered \(head.status)"
        if let wait { return tryAgain(after: wait, text) }
        let last = attempts > 1 ? " in the last of \(attempts) attempts" : ""
        finish(text + last, isBad: head.status >= 400)
    }

    private func failed(_ problem: UpstreamProblem) {
        let reason = reason(problem)
        let isFinal = [.denied, .forbidden, .badURL, .unavailable].contains(problem.kind)
        let wait = isFinal ? nil : waitForNext
        if problem.kind == .denied {
            origin.note(
                problem: "The target webhook address \(request.url.withoutUser) specified by stub \(origin.stubName) "
                    + "is denied in WireMock's configuration. \(reason)")
        } else {
            origin.note(
                problem: "Failed to fire webhook \(request.method) \(request.url.withoutUser): \(reason)",
                log: "Failed to fire webhook \(request.name)\(place(wait)): \(reason)")
        }
        if let wait { tryAgain(after: wait, reason) } else { finish(reason, isBad: true) }
    }

    /// The delay before the next attempt, in milliseconds; nil for no further attempt.
    private var waitForNext: Int? { attempts <= retry.times ? retry.wait(before: attempts) : nil }

    /// The number of the attempt, and what follows it, for the log.
    private func place(_ wait: Int?) -> String {
        guard retry.times > 0 else { return "" }
        let next = wait.map { ", and is tried again after \($0) ms" } ?? ""
        return " in attempt \(attempts) of \(retry.times + 1)\(next)"
    }

    /// Schedules another attempt.
    /// - Parameter reason: why the last one failed.
    private func tryAgain(after wait: Int, _ reason: String) {
        origin.waits(ticket.number, attempt: attempts + 1, after: reason)
        origin.loop.after(nanoseconds: session.scaled(UInt64(wait) * 1_000_000)) { [self] in attempt() }
    }

    private func finish(_ text: String, isBad: Bool) {
        isOver = true
        origin.ended(ticket.number, text, isBad: isBad)
        follower?.start()
        follower = nil
        ticket.end()
    }

    // MARK: - The journal

    /// The largest number of stored bytes of an answer.
    private var limit: Int { min(session.loggedResponseBodyLimit, session.keptBodyLimit) }

    /// Records an attempt, as WireMock does when the webhook is scheduled.
    func noteRequest() {
        let (now, shown) = (origin.now, request.shortened(to: origin.bodyLimit))
        origin.append("WEBHOOK_REQUEST", byteCount: shown.byteCount) { shown.json(now: now) }
    }

    private func noteResponse(_ head: UpstreamHead) {
        let served = ServedResponse(
            status: head.status, reason: head.reason, fields: head.headers, body: body, bodyLimit: .max)
        let size = body.count + head.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
        origin.append("WEBHOOK_RESPONSE", byteCount: size) { [body] in
            var json: JSONObject = ["status": .number(JSONNumber(head.status))]
            if !head.headers.isEmpty { json["headers"] = grouped(head.headers, ignoringCase: true).json }
            json["bodyAsBase64"] = .string(Base64.encode(body))
            json["body"] = .string(served.text(of: body[...]))
            return .object(json)
        }
    }

    /// The reason for a failure, in the words of WireMock's client if it has any.
    private func reason(_ problem: UpstreamProblem) -> String {
        if [.reset, .malformed].contains(problem.kind),
            let expected = head?.headers.first(where: { $0.name.lowercased() == "content-length" })?.value
        {
            let counts = "(expected: \(expected); received: \(bodyCount))"
            return "Premature end of Content-Length delimited message body \(counts): \(problem.message)"
        }
        if head != nil { return problem.message }
        let authority = WebhookURL.authority(request.url)
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority[...]
        let bracket = place.hasPrefix("[") ? place.firstIndex(of: "]") : nil
        let end = bracket.map { place.index(after: $0) } ?? place.firstIndex(of: ":")
        return problem.words(origin: target.withoutUser, host: String(place[..<(end ?? place.endIndex)]))
    }
}
