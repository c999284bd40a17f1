import SDBasics
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMatching
import SDMockEngine
import SDPlatform
import SDStubModel

/// Requests as the rows of a list: what fits into a line, without headers and bodies. Secrets are hidden.
struct RequestRow: Sendable {
    /// The most characters of a URL.
    static let longestURL = 2_000

    let ids: EventIDs
    private let redaction: Redaction?
    /// The session's `id` and `name`; nil for the daemon's own.
    let session: JSONValue?

    init(of session: Session) {
        ids = session.eventIDs
        let redaction = session.redaction
        self.redaction = redaction
        self.session = session.id.map { id in
            var json: JSONObject = ["id": .string(id)]
            json["name"] = session.name.map { .string(redaction.shownURL($0)) }
            return .object(json)
        }
    }

    /// A request with what is known of its answer.
    func json(_ event: ServeEvent) -> JSONObject {
        var json = request(event)
        add(answerOf: event, to: &json)
        return json
    }

    // MARK: The request

    /// What is known when the answer is decided.
    func request(_ event: ServeEvent) -> JSONObject {
        let request = event.request
        let definition = event.responseDefinition
        var json = head(event)
        json["url"] = .string(Self.cut(redaction.url(of: request)))
        json["at"] = number(request.wallTime / 1_000_000)
        json["wasMatched"] = .bool(!event.isUnmatched)
        json["status"] = event.status.map { number($0) }
        json["stub"] = event.stubJSON(redaction)
        json["delayMs"] = number(event.addedDelay / 1_000_000)
        json["protocol"] = .string(request.version == .http2 ? "HTTP/2" : request.version.name)
        json["host"] = host(of: request)
        json["clientIp"] = .string(client(of: request))
        json["type"] = type(of: event)
        if event.proxied != nil || definition?.proxyBaseUrl != nil { json["proxied"] = true }
        json["gate"] = definition?.hold.map { .string($0.gate) }
        json["session"] = session
        return json
    }

    /// What every event says of its request.
    func head(_ event: ServeEvent) -> JSONObject {
        [
            "sequence": number(event.sequence), "id": .string(ids.text(event.sequence)),
            "method": .string(String(decoding: event.request.method, as: UTF8.self)),
        ]
    }

    private static func cut(_ url: String) -> String {
        url.utf8.count > longestURL ? String(url.prefix(longestURL)) : url
    }

    private func host(of request: Request) -> JSONValue? {
        guard let authority = Authority(of: request), !authority.isEmpty else { return nil }
        return .string(String(decoding: authority.host, as: UTF8.self).withoutUser)
    }

    private func client(of request: Request) -> String {
        let forwarded = request.header(Self.forwardedFor).map { HeaderText.string($0) } ?? ""
        return forwarded.isEmpty ? request.peer : redaction.shownURL(forwarded)
    }

    private static let forwardedFor = Array("x-forwarded-for".utf8)

    private func type(of event: ServeEvent) -> JSONValue? {
        let field = event.response?.fields.first { $0.name.lowercased() == "content-type" }
        return field.map { .string(redaction.shownURL($0.value)) }
    }

    // MARK: The answer

    /// An answer that has ended.
    func response(_ event: ServeEvent) -> JSONObject {
        var json = head(event)
        json["url"] = .string(Self.cut(redaction.url(of: event.request)))
        json["status"] = event.status.map { number($0) }
        json["type"] = type(of: event)
        add(answerOf: event, to: &json)
        json["session"] = session
        return json
    }

    /// Adds what is known once the answer was made, and how it ended.
    func add(answerOf event: ServeEvent, to json: inout JSONObject) {
        json["failure"] = event.failure.map { .string(redaction.shownURL($0)) }
        json["fault"] = event.fault.map { .string($0.rawValue) }
        let faults = event.faults
        if !faults.isEmpty { json["faults"] = .array(faults.map(\.json)) }
        guard let end = event.end else { return }
        let begin = event.request.clockTime
        let duration = end.endTime > begin ? end.endTime - begin : 0
        json["end"] = .string(end.outcome.name)
        json["bytesSent"] = number(end.bytesSent)
        json["bodyBytesSent"] = end.bodyBytesSent.map { number($0) }
        json["durationMs"] = number(duration / 1_000_000)
        json["durationUs"] = number(duration / 1_000)
    }
}
