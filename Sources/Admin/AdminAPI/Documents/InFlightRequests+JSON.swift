import HTTPTransport
import JSON
import MockEngine
import Platform

extension InFlightRequests {
    /// The answer to `GET /in-flight`.
    /// - Parameter ids: those of the session's events.
    func json(_ ids: EventIDs) -> JSONValue {
        ["inFlight": rows(ids), "meta": ["total": number(total)]]
    }

    /// The slow answers, the oldest first.
    func rows(_ ids: EventIDs) -> JSONValue { .array(slow.map { $0.json(ids) }) }
}

extension InFlightRequest {
    fileprivate func json(_ ids: EventIDs) -> JSONValue {
        let request = event.request
        var json: JSONObject = [
            "id": .string(ids.text(event.sequence)), "sequence": number(event.sequence),
            "method": .string(String(decoding: request.method, as: UTF8.self)),
            "url": .string(String(decoding: request.url, as: UTF8.self)),
        ]
        json["stub"] = event.stubJSON
        json["since"] = .string(Timestamp(milliseconds: Int64(clamping: request.wallTime / 1_000_000)).description)
        json["ageMs"] = number(age / 1_000_000)
        json["state"] = .string(state.rawValue)
        json["delayMs"] = number(event.addedDelay / 1_000_000)
        return .object(json)
    }
}
