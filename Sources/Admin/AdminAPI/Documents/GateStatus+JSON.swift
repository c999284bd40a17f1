import SDAnswering
import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDPlatform

extension GateStatus {
    /// The gate in the answers of `/gates`.
    /// - Parameter most: the maximum number of requests listed.
    func json(of session: Session, most: Int) -> JSONValue {
        var json: JSONObject = [
            "name": .string(name), "open": .bool(isOpen), "waiting": number(count),
            "requests": .array(waiting.prefix(most).map { $0.json(session.eventIDs, session.redaction) }),
        ]
        if !messages.isEmpty {
            json["messages"] = .array(messages.prefix(most).map { $0.message.json(age: $0.age, session.redaction) })
        }
        return .object(json)
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

extension WaitingMessage {
    fileprivate func json(age: UInt64, _ redaction: Redaction?) -> JSONValue {
        let since = SystemCalls.wallClockMilliseconds() - Int64(clamping: age / 1_000_000)
        let shown = isText ? redaction.redacted(body: bytes, type: nil) : bytes
        return [
            "id": .string(id), "channel": .string(channel), "url": .string(redaction.url(of: request)),
            "message": .string(String(decoding: shown.prefix(1_000), as: UTF8.self)),
            "since": .string(Timestamp(milliseconds: since).description), "ageMs": number(age / 1_000_000),
        ]
    }
}

extension ServeEvent {
    /// The members that describe a request in progress: id, sequence number, method, URL and stub.
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
