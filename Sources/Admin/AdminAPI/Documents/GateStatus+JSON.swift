import SDAnswering
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDPlatform

extension GateStatus {
    /// The gate in the answers of `/gates`.
    /// - Parameter most: the most requests that are listed.
    func json(of session: Session, most: Int) -> JSONValue {
        [
            "name": .string(name), "open": .bool(isOpen), "waiting": number(waiting.count),
            "requests": .array(waiting.prefix(most).map { $0.json(session.eventIDs, session.redaction) }),
        ]
    }
}

extension GateStatus.Waiting {
    fileprivate func json(_ ids: EventIDs, _ redaction: Redaction?) -> JSONValue {
        var json = event.summaryJSON(ids, redaction)
        let since = event.request.wallTime + (event.request.clockTime <= begin ? begin - event.request.clockTime : 0)
        json["since"] = .string(Timestamp(milliseconds: Int64(clamping: since / 1_000_000)).description)
        json["ageMs"] = number(age / 1_000_000)
        json["inStream"] = .bool(isInStream)
        return .object(json)
    }
}

extension ServeEvent {
    /// The members that calls about requests under way show of each: its id and sequence, method, URL and stub.
    func summaryJSON(_ ids: EventIDs, _ redaction: Redaction?) -> JSONObject {
        var json: JSONObject = [
            "id": .string(ids.text(sequence)), "sequence": number(sequence),
            "method": .string(String(decoding: request.method, as: UTF8.self)),
            "url": .string(redaction.url(of: request)),
        ]
        json["stub"] = stubJSON(redaction)
        return json
    }
}
