import SDBasics
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMatching
import SDMockEngine
import SDPlatform
import SDStubModel
import Synchronization

/// Requests as rows of a list: one line's worth, without headers and bodies, redacted.
struct RequestRow: Sendable {
    /// The maximum number of characters of a URL.
    static let longestURL = 2_000

    let ids: EventIDs
    private let redactions: RedactionSetting
    private let parts: RowParts
    /// The current redaction: files may add names while a client follows.
    var redaction: Redaction? { redactions.current }
    /// The session's `id` and `name`; nil for the default one.
    var session: JSONValue? { parts.session(redaction) }

    init(of session: Session) {
        ids = session.eventIDs
        redactions = session.journaling.redactions
        parts = RowParts(id: session.id, name: session.name)
    }

    /// A request with what is known of its answer.
    func json(_ event: ServeEvent) -> JSONObject {
        var json = JSONObject()
        add(event, to: &json)
        json["session"] = session
        add(answerOf: event, to: &json)
        return json
    }

    // MARK: The request

    /// Adds what is known when the response is decided.
    func add(_ event: ServeEvent, to row: inout some RowMembers) {
        let request = event.request
        let definition = event.responseDefinition
        addHead(event, to: &row)
        row.add("url", Self.cut(redaction.url(of: request)))
        row.add("at", request.wallTime / 1_000_000)
        row.add("wasMatched", !event.isUnmatched)
        row.add("status", event.status)
        if let stub = event.stubReference { row.add("stub", parts.member(stub, redaction)) }
        row.add("delayMs", event.addedDelay / 1_000_000)
        row.add("protocol", request.version == .http2 ? "HTTP/2" : request.version.name)
        row.add("host", host(of: request))
        row.add("clientIp", client(of: request))
        row.add("type", type(of: event))
        if event.proxied != nil || definition?.proxyBaseUrl != nil { row.add("proxied", true) }
        row.add("gate", definition?.hold?.gate)
    }

    /// Adds the request's members, which every event has.
    func addHead(_ event: ServeEvent, to row: inout some RowMembers) {
        row.add("sequence", event.sequence)
        row.add("id", ids.text(event.sequence))
        row.add("method", String(decoding: event.request.method, as: UTF8.self))
    }

    private static func cut(_ url: String) -> String {
        url.utf8.count > longestURL ? String(url.prefix(longestURL)) : url
    }

    private func host(of request: Request) -> String? {
        guard let authority = Authority(of: request), !authority.isEmpty else { return nil }
        return String(decoding: authority.host, as: UTF8.self).withoutUser
    }

    private func client(of request: Request) -> String {
        let forwarded = request.header(Self.forwardedFor).map { HeaderText.string($0) } ?? ""
        return forwarded.isEmpty ? request.peer : redaction.redactedURL(forwarded)
    }

    private static let forwardedFor = Array("x-forwarded-for".utf8)

    private func type(of event: ServeEvent) -> String? {
        let field = event.response?.fields.first { $0.name.utf8.count == 12 && $0.name.lowercased() == "content-type" }
        return field.map { redaction.redactedURL($0.value) }
    }

    // MARK: The answer

    /// Adds the members of an ended answer.
    func add(ended event: ServeEvent, to row: inout some RowMembers) {
        addHead(event, to: &row)
        row.add("url", Self.cut(redaction.url(of: event.request)))
        row.add("status", event.status)
        row.add("type", type(of: event))
        add(answerOf: event, to: &row)
    }

    /// Adds how the answer was made and how it ended.
    func add(answerOf event: ServeEvent, to row: inout some RowMembers) {
        row.add("failure", event.failure.map(redaction.redactedURL))
        row.add("fault", event.fault?.rawValue)
        let faults = event.faults
        if !faults.isEmpty { row.add("faults", .array(faults.map(\.json))) }
        guard let end = event.end else { return }
        let begin = event.request.clockTime
        let duration = end.endTime > begin ? end.endTime - begin : 0
        row.add("end", end.outcome.name)
        row.add("bytesSent", end.bytesSent)
        if let count = end.bodyBytesSent { row.add("bodyBytesSent", count) }
        row.add("durationMs", duration / 1_000_000)
        row.add("durationUs", duration / 1_000)
    }
}

/// Parts shared by many rows, each written once until the redaction changes.
private final class RowParts: Sendable {
    /// The maximum number of cached stubs.
    private static let most = 1_000

    private struct State {
        var redaction: Redaction?
        var session: JSONValue?
        var members: [StubMapping.ID: (reference: StubReference, member: StubMember)] = [:]
    }

    private let id: String?
    private let name: String?
    private let state = Mutex<State?>(nil)

    init(id: String?, name: String?) {
        self.id = id
        self.name = name
    }

    func session(_ redaction: Redaction?) -> JSONValue? {
        id == nil ? nil : withState(redaction) { $0.session }
    }

    func member(_ stub: StubReference, _ redaction: Redaction?) -> StubMember {
        withState(redaction) { state in
            // The id may now be another stub's, or that of a part.
            if let known = state.members[stub.id], known.reference == stub { return known.member }
            if state.members.count >= Self.most { state.members = [:] }
            let member = StubMember(redaction.redacted(stub))
            state.members[stub.id] = (stub, member)
            return member
        }
    }

    private func withState<Result: Sendable>(
        _ redaction: Redaction?, _ body: (inout State) -> Result
    ) -> Result {
        state.withLock { state in
            var present = state.take() ?? State(redaction: redaction, session: session(hiding: redaction))
            if present.redaction != redaction {
                present = State(redaction: redaction, session: session(hiding: redaction))
            }
            defer { state = present }
            return body(&present)
        }
    }

    private func session(hiding redaction: Redaction?) -> JSONValue? {
        id.map { id in
            var json: JSONObject = ["id": .string(id)]
            json["name"] = name.map { .string(redaction.redactedURL($0)) }
            return .object(json)
        }
    }
}
