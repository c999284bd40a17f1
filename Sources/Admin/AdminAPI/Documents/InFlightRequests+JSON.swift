import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDPlatform

extension InFlightRequests {
    /// The answer to `GET /in-flight`.
    func json(of session: Session) -> JSONValue {
        ["inFlight": rows(of: session), "meta": ["total": number(total)]]
    }

    /// The slow answers, oldest first.
    func rows(of session: Session) -> JSONValue {
        .array(slow.map { $0.json(session.eventIDs, session.redaction) })
    }
}

extension InFlightRequest {
    fileprivate func json(_ ids: EventIDs, _ redaction: Redaction?) -> JSONValue {
        var json = event.summaryJSON(ids, redaction)
        json["since"] = .string(
            Timestamp(milliseconds: Int64(clamping: event.request.wallTime / 1_000_000)).description)
        json["ageMs"] = number(age / 1_000_000)
        json["state"] = .string(state.rawValue)
        json["gate"] = gate.map { .string($0) }
        json["delayMs"] = number(event.addedDelay / 1_000_000)
        return .object(json)
    }
}
