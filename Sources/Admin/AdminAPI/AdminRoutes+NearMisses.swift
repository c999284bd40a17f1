import SDChannels
import SDExplanations
import SDHTTPMessages
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMatching
import SDMockEngine
import SDStubModel
import SDWebSocket

/// `/__admin/near-misses`, `requests/unmatched/near-misses`, `explain` and `requests/{id}/explain`: the stubs nearest to
/// a request, and the reason for its answer. Nothing is recorded.
enum NearMissRoutes {
    static let all: [AdminRoute] = [
        AdminRoute("POST", "/near-misses/request", toRequest).matching.reading,
        AdminRoute("POST", "/near-misses/request-pattern", toPattern).matching.reading,
        AdminRoute("GET", "/requests/unmatched/near-misses", ofUnmatched).matching.reading,
        AdminRoute("POST", "/explain", explain).matching.reading,
        AdminRoute("GET", "/requests/{id}/explain", explainKept).matching.reading,
        AdminRoute("GET", "/messages/{id}/explain", explainMessage).matching.ofAll,
    ]

    private static func toRequest(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let request = try request(call)
        return try refusing { () throws(StubRefusal) in
            NearMissDocument.json([try call.session.nearMisses(to: request, now: call.request.wallTime)])
        }
    }

    private static func toPattern(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let (pattern, warnings) = try call.readPattern()
        call.log(warnings)
        return try refusing { () throws(StubRefusal) in
            NearMissDocument.json(try call.session.nearMisses(to: pattern))
        }.adding(warnings.headers)
    }

    private static func ofUnmatched(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        try refusing { () throws(StubRefusal) in NearMissDocument.json(try call.session.nearMissesOfUnmatched()) }
    }

    private static func explain(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        var json = try call.json()
        let drafts = try drafts(&json)
        let message = try message(&json)
        // Our own call rejects unknown members; WireMock's ignores them in the same document.
        let request: LoggedRequest
        do throws(ModelProblems) {
            request = try LoggedRequest(json: json, refusesUnknown: true)
        } catch {
            throw AdminError(422, ErrorDocument(error))
        }
        if let message {
            return try refusing { () throws(StubRefusal) in
                let explanation = try MessageExplanation(
                    message, on: request, now: call.request.wallTime, in: call.session)
                return shown(explanation, in: call.session, call)
            }
        }
        do throws(StubRefusal) {
            let explanation = try call.session.explanation(of: request, now: call.request.wallTime, with: drafts)
            let redaction = call.session.redaction
            guard case .object(var members) = explanation.json(redaction) else { return .json(.null) }
            members["answer"] = explanation.answer.map { answer($0, redaction) }
            members["folder"] = call.daemon.stubFolder.map(JSONValue.string)
            return .json(.object(members))
        } catch {
            guard case .unserved(let id, _) = error, let index = drafts.firstIndex(where: { $0.id == id }) else {
                throw AdminError(error)
            }
            throw AdminError(error, below: JSONPointer(["stubs", String(index)]))
        }
    }

    /// Removes the message from a request that would open its channel.
    /// - Throws: 422 with all problems.
    private static func message(_ json: inout JSONValue) throws(AdminError) -> WebSocketMessage? {
        guard case .object(var object) = json, let value = object["message"] else { return nil }
        var reader = ModelReader()
        _ = reader.within("message") { MessageDefinition.read(value, &$0) }
        guard reader.problems.isEmpty else { throw AdminError(422, ErrorDocument(ModelProblems(reader.problems))) }
        guard let message = MessageExplanation.message(in: json) else {
            let title = "expected a text, or a body with data or base64Data"
            throw AdminError(422, ErrorDocument(code: 10, pointer: "/message", title: title))
        }
        object["message"] = nil
        json = .object(object)
        return message
    }

    private static func shown(_ explanation: MessageExplanation, in session: Session, _ call: AdminCall) -> JSONValue {
        var members = explanation.json(session.redaction)
        members["folder"] = call.daemon.stubFolder.map(JSONValue.string)
        return .object(members)
    }

    /// Explains a recorded message by the current message stubs.
    private static func explainMessage(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let id = try call.id()
        let sessions = [call.session] + call.sessions.all(through: call.session).map(\.session)
        let found = sessions.lazy.compactMap { session in session.channels.event(id).map { (session, $0) } }.first
        guard let (session, event) = found, event.direction == .received else { throw .notFound }
        return try refusing { () throws(StubRefusal) in
            shown(try MessageExplanation(event, in: session), in: session, call)
        }
    }

    /// Removes the draft stubs from a request; they count as if they were added.
    /// - Throws: 422 with all problems.
    private static func drafts(_ json: inout JSONValue) throws(AdminError) -> [StubMapping] {
        guard case .object(var object) = json, let stubs = object["stubs"], !stubs.isNull else { return [] }
        object["stubs"] = nil
        json = .object(object)
        var reader = ModelReader()
        let drafts = reader.within("stubs") { reader -> [StubMapping] in
            guard let elements = stubs.arrayValue else {
                reader.refuse("not a list of mappings", expected: "a list of mappings", found: stubs.shortDescription)
                return []
            }
            return elements.enumerated().map { index, element in
                reader.within(String(index)) { StubMapping.read(element, &$0) }
            }
        }
        guard reader.problems.isEmpty else { throw AdminError(422, ErrorDocument(ModelProblems(reader.problems))) }
        return drafts
    }

    /// The response that a stub would send.
    private static func answer(_ response: ServedResponse, _ redaction: Redaction?) -> JSONValue {
        var json = ServeEventView.response(response, hiding: redaction)
        json["status"] = number(response.status)
        json["statusMessage"] = response.reason.map { .string($0) }
        return .object(json)
    }

    /// Explains a recorded request by the current stubs.
    private static func explainKept(_ call: AdminCall) throws(AdminError) -> PlainResponse {
        let id = try call.id()
        // Ids are unique among sessions, so a list of all sessions need not name them.
        let sessions = [call.session] + call.sessions.all(through: call.session).map(\.session)
        let found = sessions.lazy.compactMap { session in session.event(id).map { (session, $0) } }.first
        guard let (session, event) = found else { throw .notFound }
        return try refusing { () throws(StubRefusal) in
            let redaction = session.redaction
            let explanation = try session.explanation(of: event)
            guard case .object(var members) = explanation.json(redaction) else { return .null }
            if event.isUnmatched {
                let change = event.request.remedy ?? explanation.nearMisses.first?.smallestChange(redaction)
                members["smallestChange"] = change.map { .string(redaction.redactedURL($0)) }
            }
            members["bodyTruncatedFrom"] = event.wholeBody.map { number($0) }
            members["folder"] = call.daemon.stubFolder.map(JSONValue.string)
            return .object(members)
        }
    }

    private static func refusing(_ ask: () throws(StubRefusal) -> JSONValue) throws(AdminError) -> PlainResponse {
        do {
            return .json(try ask())
        } catch {
            throw AdminError(error)
        }
    }

    private static func request(_ call: AdminCall) throws(AdminError) -> LoggedRequest {
        try call.read { json throws(ModelProblems) in try LoggedRequest(json: json) }
    }
}
