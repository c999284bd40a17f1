import HTTPTransport
import JSON
import MockEngine
import Platform

extension InFlightRequests {
    /// The answer to `GET /in-flight`.
    func json(of session: Session) -> JSONValue {
        ["inFlight": rows(of: session), "meta": ["total": number(total)]]
    }

    /// The slow answers, the oldest first.
    func rows(of session: Session) -> JSONValue {
        .array(slow.map { $0.json(session.eventIDs, session.redaction) })
    }
}

extension InFlightRequest {
    fileprivate func json(_ ids: EventIDs, _ redaction: Redaction?) -> JSONValue {
        let request = event.request
        var json: JSONObject = [
            "id": .string(ids.text(event.sequence)), "sequence": number(event.sequence),
            "method": .string(String(decoding: request.method, as: UTF8.self)),
            "url": .string(redaction.url(of: request)),
        ]
        json["stub"] = event.stubJSON
        json["since"] = .string(Timestamp(milliseconds: Int64(clamping: request.wallTime / 1_000_000)).description)
        json["ageMs"] = number(age / 1_000_000)
        json["state"] = .string(state.rawValue)
        json["delayMs"] = number(event.addedDelay / 1_000_000)
        return .object(json)
    }
}
