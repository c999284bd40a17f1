import SDHTTPTransport
import SDJSON
import SDJournal
import SDMatching
import SDMockEngine
import SDStubModel

/// A serve event in WireMock's format.
struct ServeEventView: Sendable {
    let ids: EventIDs
    /// The maximum size of a shown response body in bytes: `--logged-response-body-size-limit`.
    let responseBodyLimit: Int
    /// Whether to include members that WireMock does not have. Its Java client rejects them, so callers must ask for
    /// them.
    let isDetailed: Bool

    init(of session: Session, isDetailed: Bool = false) {
        ids = session.eventIDs
        responseBodyLimit = session.loggedResponseBodyLimit
        self.isDetailed = isDetailed
    }

    func json(_ event: ServeEvent) -> JSONValue {
        let stub = event.stub
        let mapping = stub ?? standIn(for: event)
        let request = LoggedRequest(event)
        var json = JSONObject()
        json["id"] = .string(ids.text(event.sequence))
        json["request"] = request.json
        json["responseDefinition"] = event.responseDefinition?.json ?? mapping.response.json
        json["response"] = event.response.map(response)
        json["wasMatched"] = .bool(!event.isUnmatched)
        json["timing"] = timing(event)
        json["subEvents"] = .array(subEvents(event, request))
        json["stubMapping"] = mapping.json(view: .api)
        if isDetailed { addDetails(event, &json) }
        return .object(json)
    }

    /// WireMock's placeholder for an unmatched request's stub; for a file under `__files`, an equivalent stub.
    private func standIn(for event: ServeEvent) -> StubMapping {
        var response = ResponseDefinition(status: event.status ?? (event.isUnmatched ? 404 : 200))
        response.bodyFileName = event.file
        if event.isUnmatched { response.fromConfiguredStub = false }
        return StubMapping(id: ids.unmatchedStub, response: response)
    }

    private func addDetails(_ event: ServeEvent, _ json: inout JSONObject) {
        json["sequence"] = number(event.sequence)
        let faults = event.faults
        if !faults.isEmpty { json["faults"] = .array(faults.map(\.json)) }
        if event.request.clientCertificate != nil { json["clientCertificate"] = certificate(of: event.request) }
        guard let end = event.end else { return }
        json["end"] = .string(end.outcome.name)
        json["bytesSent"] = number(end.bytesSent)
        json["bodyBytesSent"] = end.bodyBytesSent.map { number($0) }
    }

    private func certificate(of request: some MatchableRequest) -> JSONValue {
        .object(
            JSONObject(
                CertificateField.allCases.map { field in
                    let values = request.certificateValues(field).map { JSONValue.string($0) }
                    return (field.rawValue, field == .alternativeNames ? .array(values) : values.first ?? .null)
                }))
    }

    // MARK: Response

    /// The response as sent. For an unmatched request, WireMock has the report as a sub-event instead of a body.
    private func response(_ sent: ServedResponse) -> JSONValue {
        .object(Self.response(sent, bodyLimit: responseBodyLimit))
    }

    /// A response that was or would be sent.
    /// - Parameter redaction: hides values; WireMock's own answers show them.
    static func response(
        _ sent: ServedResponse, bodyLimit: Int = .max, hiding redaction: Redaction? = nil
    ) -> JSONObject {
        let headers = grouped(sent.fields, ignoringCase: true)
        let type = headers.first { $0.name.lowercased() == "content-type" }?.values.first
        let body = redaction.redacted(body: Array(sent.body.prefix(bodyLimit)), type: type)[...]
        var json = JSONObject()
        json["status"] = number(sent.status)
        json["headers"] = redaction.redacted(headers).json
        json["bodyAsBase64"] = .string(Base64.encode(Array(body)))
        json["fault"] = sent.fault.map { .string($0.rawValue) }
        json["body"] = .string(sent.text(of: body))
        return json
    }

    // MARK: Timing

    private func timing(_ event: ServeEvent) -> JSONValue {
        func milliseconds(_ nanoseconds: UInt64) -> JSONValue {
            number(nanoseconds / 1_000_000)
        }
        var json = JSONObject()
        json["addedDelay"] = milliseconds(event.addedDelay)
        guard let times = event.times else {
            json["processTime"] = 0
            return .object(json)
        }
        json["processTime"] = milliseconds(times.process)
        json["responseSendTime"] = milliseconds(times.send)
        json["serveTime"] = milliseconds(times.process &+ times.send)
        json["totalTime"] = milliseconds(times.process &+ times.send &+ event.addedDelay)
        return .object(json)
    }

    // MARK: Sub-events

    private func subEvents(_ event: ServeEvent, _ request: LoggedRequest) -> [JSONValue] {
        var events = event.notes.map(\.json)
        if let size = event.wholeBody {
            events.append(cut("body", size, kept: event.request.body.count))
        } else if let size = request.wholeBody {
            events.append(cut("body", size, kept: request.body?.count ?? 0, "shown"))
        }
        if let response = event.response, let size = response.wholeBody {
            events.append(cut("response body", size, kept: response.body.count))
        }
        if let warning = event.response?.warning {
            events.append(MatchNote(kind: .warning, message: warning).json)
        }
        if let unmatched = event.unmatched {
            events.append([
                "type": "REQUEST_NOT_MATCHED",
                "timeOffsetNanos": number(unmatched.offset),
                "data": ["status": 404, "contentType": "text/plain", "report": .string(unmatched.report)],
            ])
        }
        for added in event.subEvents {
            var json: JSONObject = ["type": .string(added.type)]
            json["timeOffsetNanos"] = added.offset.map { number($0) }
            json["data"] = added.data
            events.append(.object(json))
        }
        return events
    }

    private func cut(_ what: String, _ size: Int, kept: Int, _ verb: String = "kept") -> JSONValue {
        let message = "Only the first \(kept) of the \(what)'s \(size) bytes are \(verb), see --journal-body-limit"
        return ["type": "WARNING", "data": ["message": .string(message)]]
    }
}

extension ServeEnd.Outcome {
    /// The name in the admin API.
    var name: String {
        switch self {
        case .sent: "sent"
        case .faultApplied: "faultApplied"
        case .clientDisconnected: "clientGone"
        case .targetGone: "targetGone"
        case .clientStalled: "clientStalled"
        case .stopped: "stopped"
        case .cancelled: "cancelled"
        case .refused: "refused"
        }
    }
}

extension ServeEvent {
    /// The reference of the stub that answered; nil if none did.
    func stubJSON(_ redaction: Redaction?) -> JSONValue? {
        stubReference.map { .object(redaction.redacted($0).json) }
    }
}
