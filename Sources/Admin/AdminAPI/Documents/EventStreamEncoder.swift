import SDHTTPTransport
import SDJSON
import SDJournal
import SDMockEngine
import SDStubModel

/// Writes a session's events as server-sent events (HTML Living Standard, section 9.2).
struct EventStreamEncoder: FeedEncoder {
    /// The largest number of bytes shown of a request's body.
    static let bodyLimit = 8 * 1024

    private let ids: EventIDs
    private let redaction: Redaction?

    init(_ session: Session) {
        ids = session.eventIDs
        redaction = session.redaction
    }

    /// The first event for a reader: its position.
    func hello(_ position: String) -> [UInt8] {
        Array(": events\nid: \(position)\n\n".utf8)
    }

    func bytes(_ event: FeedEvent, _ position: String) -> [UInt8] {
        let data: JSONValue =
            switch event {
            case .request(let event): request(event)
            case .response(let event): response(event)
            case .change(let change): change.json(redaction)
            }
        return bytes(event.kind.rawValue, data, position)
    }

    /// An event about requests or changes that the reader has missed for good.
    func gap(_ gap: FeedGap, _ position: String) -> [UInt8] {
        var json: JSONObject = ["reason": .string(gap.isOfAnotherRun ? "another run" : "no longer kept")]
        if gap.requestsUpTo > 0 { json["requestsUpTo"] = number(gap.requestsUpTo) }
        return bytes("gap", .object(json), position)
    }

    private func bytes(_ type: String, _ data: JSONValue, _ position: String) -> [UInt8] {
        Array("event: \(type)\nid: \(position)\ndata: ".utf8) + data.compactBytes + [0x0a, 0x0a]
    }

    // MARK: Exchanges

    private func request(_ event: ServeEvent) -> JSONValue {
        var logged = LoggedRequest(event.request, bodyLimit: Self.bodyLimit)
        logged.wholeBody = event.wholeBody ?? logged.wholeBody
        var json = head(event)
        json["wasMatched"] = .bool(!event.isUnmatched)
        json["stub"] = event.stubJSON(redaction)
        json["status"] = event.status.map { number($0) }
        json["delayMs"] = number(event.addedDelay / 1_000_000)
        json["request"] = redaction.shown(logged).json
        return .object(json)
    }

    private func response(_ event: ServeEvent) -> JSONValue {
        var json = head(event)
        json["status"] = event.status.map { number($0) }
        json["failure"] = event.failure.map { .string(redaction.shownURL($0)) }
        json["fault"] = event.fault.map { .string($0.rawValue) }
        let faults = event.faults
        if !faults.isEmpty { json["faults"] = .array(faults.map(\.json)) }
        guard let end = event.end else { return .object(json) }
        let begin = event.request.clockTime
        json["end"] = .string(end.outcome.name)
        json["bytesSent"] = number(end.bytesSent)
        json["bodyBytesSent"] = end.bodyBytesSent.map { number($0) }
        json["durationMs"] = number(end.endTime > begin ? (end.endTime - begin) / 1_000_000 : 0)
        return .object(json)
    }

    private func head(_ event: ServeEvent) -> JSONObject {
        [
            "sequence": number(event.sequence), "id": .string(ids.text(event.sequence)),
            "method": .string(String(decoding: event.request.method, as: UTF8.self)),
            "url": .string(redaction.url(of: event.request)),
        ]
    }
}

extension SessionChange {
    fileprivate func json(_ redaction: Redaction?) -> JSONValue {
        switch self {
        case .stub(let edit, let stub):
            var json: JSONObject = ["change": .string(edit.rawValue), "id": .string(stub.id.lowercasedString)]
            json["name"] = stub.name.map { .string(redaction.shownURL($0)) }
            json["key"] = .string(redaction.shownURL(stub.key))
            return .object(json)
        case .imported(let count): return ["change": "imported", "count": number(count)]
        case .allStubsRemoved: return ["change": "allRemoved"]
        case .reset: return ["what": "all"]
        case .requestsForgotten: return ["what": "requests"]
        case .scenariosReset: return ["what": "scenarios"]
        case .scenario(let name, let state):
            return ["name": .string(redaction.shownURL(name)), "state": .string(state)]
        case .reload(let reload):
            var json = JSONObject()
            json["files"] = reload.files.map { .array($0.map { .string($0) }) }
            json["problems"] = .array(
                reload.problems.map {
                    ["severity": $0.isError ? "error" : "warning", "message": .string($0.text)]
                })
            return .object(json)
        }
    }
}
