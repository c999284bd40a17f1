package import SDChannels
import SDHTTPTransport
package import SDJSON
package import SDJournal
package import SDMatching
package import SDMockEngine
import SDPlatform
package import SDStubModel
package import SDWebSocket

/// The message stub that would act on a message, and the reason for its precedence; or why none would, and the nearest
/// ones.
package struct MessageExplanation: Sendable {
    private let matching: [CompiledMessageStub]
    private let nearMisses: [MessageNearMiss]
    /// The stub that answers the upgrade request, so that no channel is opened.
    private let refusal: StubReference?

    /// - Parameter refusal: the stub that answers the request instead of a channel.
    private init(
        _ message: WebSocketMessage, on channel: Channel, refusal: StubReference?, in session: Session,
        _ budget: WorkBudget
    ) {
        self.refusal = refusal
        let now = UInt64(SystemCalls.wallClockMilliseconds()) * 1_000_000
        var views = MessageViews(message, on: channel, now: session.clock?.time(at: now) ?? now, budget)
        matching =
            refusal == nil
            ? session.channels.stubs.filter {
                !budget.isSpent && $0.matches(&views) && session.scenarioInTheWay(of: $0.stub) == nil
            } : []
        nearMisses =
            matching.isEmpty && refusal == nil
            ? MessageNearMiss.nearest(to: message, on: channel.request, in: session, budget) : []
    }

    /// Whether a stub would act.
    package var isAnswered: Bool { !matching.isEmpty }

    private var reason: String {
        if let refusal { return "There is no channel: the stub \(refusal.text()) answers the request" }
        guard let winner = matching.first else {
            return nearMisses.isEmpty ? "There are no message stubs for such channels" : "No message stub matches"
        }
        guard matching.count > 1 else { return "It is the only matching message stub" }
        let next = matching[1]
        let why =
            winner.priority != next.priority
            ? "its priority \(winner.priority) is lower than \(next.priority)"
            : "both have priority \(winner.priority), and it was added later"
        return matching.count == 2
            ? "It precedes the other matching message stub: \(why)"
            : "It precedes the \(matching.count - 1) other matching message stubs; compared with the next one, \(why)"
    }

    /// The answer of `explain`.
    package func json(_ redaction: Redaction?) -> JSONObject {
        var json: JSONObject = ["stubMapping": matching.first.map { redaction.redacted($0.stub.json) } ?? .null]
        if let winner = matching.first {
            for member in redaction.redacted(winner.reference).json.members where ["key", "file"].contains(member.key) {
                json[member.key] = member.value
            }
            json["shadows"] = .array(
                matching.dropFirst().prefix(Explanation.maxShadowed).map {
                    var json = redaction.redacted($0.reference).json
                    json["reason"] = "it is tried later"
                    return .object(json)
                })
            json["shadowCount"] = .number(JSONNumber(matching.count - 1))
        } else {
            json["nearMisses"] = .array(nearMisses.map { $0.json(redaction) })
            json["smallestChange"] = nearMisses.first.map { .string($0.smallestChange(redaction)) }
        }
        json["reason"] = .string(redaction.redactedURL(reason))
        json["notes"] = []
        return json
    }
}

extension MessageExplanation {
    /// The member `message` of a query; nil for none, and for an empty one.
    package static func message(in question: JSONValue) -> WebSocketMessage? {
        guard let value = question["message"] else { return nil }
        var reader = ModelReader()
        switch MessageDefinition.read(value, &reader)?.body?.content {
        case .text(let text)?: return .text(text)
        case .json(let value)?: return .text(value.compactText)
        case .bytes(let bytes)?: return .binary(bytes)
        case .file?, .stored?, nil: return nil
        }
    }

    /// Explains a message that a client describes, on a WebSocket that the described request would open.
    /// - Throws: if that exceeds the budget of a call.
    package init(
        _ message: WebSocketMessage, on logged: LoggedRequest, now: UInt64, in session: Session
    ) throws(StubRefusal) {
        let logged = logged.completed().askingForWebSocket
        var fields = (logged.headers ?? []).flatMap { field in field.values.map { (name: field.name, value: $0) } }
        if let host = logged.host, !fields.contains(where: { $0.name.lowercased() == "host" }) {
            fields.append(("Host", logged.port > 0 ? "\(host):\(logged.port)" : host))
        }
        if let cookies = logged.cookies, !cookies.isEmpty {
            let pairs = cookies.flatMap { cookie in cookie.values.map { "\(cookie.name)=\($0)" } }
            fields.append(("Cookie", pairs.joined(separator: "; ")))
        }
        let request = Request(
            method: logged.method ?? "GET", url: logged.url ?? "/", fields: fields, body: [],
            Request.Circumstances(
                isSecure: ["https", "wss"].contains(logged.scheme), wallTime: now,
                clockTime: SystemCalls.monotonicNanoseconds()))
        let other = try session.explanation(of: logged, now: now).stub
        let isOpened = session.channels.opens(request, besides: other?.mapping, session.newBudget)
        try self.init(
            message, on: Channel(.webSocket(request), since: now), refusal: isOpened ? nil : other?.reference,
            in: session)
    }

    /// Explains a message of the journal, by the current stubs.
    /// - Throws: if that exceeds the budget of a call.
    package init(_ event: MessageEvent, in session: Session) throws(StubRefusal) {
        try self.init(event.message, on: event.channel, refusal: nil, in: session)
    }

    private init(
        _ message: WebSocketMessage, on channel: Channel, refusal: StubReference?, in session: Session
    ) throws(StubRefusal) {
        let budget = session.newBudget
        self.init(message, on: channel, refusal: refusal, in: session, budget)
        try budget.check("The explanation")
    }
}

extension LoggedRequest {
    /// The request with the header fields of a WebSocket upgrade.
    fileprivate var askingForWebSocket: LoggedRequest {
        var asking = self
        let fields = [
            ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ]
        var headers = headers ?? []
        for (name, value) in fields where !headers.contains(where: { $0.name.lowercased() == name.lowercased() }) {
            headers.append(ResponseHeader(name, [value]))
        }
        asking.headers = headers
        return asking
    }
}
